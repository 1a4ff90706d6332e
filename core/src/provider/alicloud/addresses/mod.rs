//! The address space of a Shoot, and the ranges of zones to add.

mod blocks;
mod network;
mod place;
mod zones;

use crate::cidr::Cidr;
use crate::gardener::addresses::{NewZones, Range, describe};
use crate::gardener::types::cloud_profile::ZONES_READ;
use crate::policy::{AddressRole, Addresses, ConflictKind, ReadsByKind, Request, RequestError, ZoneChoice};
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::rules::{infrastructure as inf, networking as net};
use crate::report::Rule;

use blocks::FIELD;
use network::Network;
use place::{Prefixes, SIZES};

pub use zones::zones;

/// What `addresses` reads of the context.
pub const READS: ReadsByKind = &[("Shoot", ZONES_READ)];
/// What `zones` reads of the context.
pub const ZONES_READS: ReadsByKind = &[("Shoot", ZONES_READ)];

/// Shows the address space of a Shoot.
pub fn addresses(request: &Request<'_>) -> Result<Addresses, RequestError> {
    let network = Network::read(request)?;
    // A Shoot without workers is accepted without a look at its network.
    let is_judged = !network.shoot.spec.provider.workers.is_empty();
    let mut spaces = describe(&[&network.ipv4, &network.ipv6], &|kind, first, second| {
        rule(&network, kind, first, second).filter(|_| is_judged)
    });
    if let Some(blocks) = &network.blocks {
        let rule = |_, first: &Range<'_>, second: &Range<'_>| block_rule(first, second).filter(|_| is_judged);
        spaces.extend(describe(&[&blocks.space], &rule));
    }
    let zones = match (&network.config, &network.place) {
        (Some(config), Ok(place)) => Some(choice(request, &network, config, place)),
        _ => None,
    };
    Ok(Addresses { spaces, unreadable: network.unreadable, zones })
}

/// The zones that can be added, and their sizes.
fn choice(
    request: &Request<'_>,
    network: &Network<'_>,
    config: &InfrastructureConfig<'_>,
    place: &Cidr,
) -> ZoneChoice {
    let zones = config.networks.zones.iter().map(|zone| zone.name);
    let names = NewZones::next_to(zones, network.shoot.spec.region, request).unused();
    let room = network.ipv4.room();
    ZoneChoice {
        names,
        prefix_length: Prefixes::of(place, config).choose(&room),
        shortest: SIZES.shortest_in(&room),
        longest: SIZES.longest,
    }
}

/// The rule of `validate` that complains about the second of two ranges.
fn rule(
    network: &Network<'_>,
    kind: ConflictKind,
    first: &Range<'_>,
    second: &Range<'_>,
) -> Option<&'static Rule> {
    use AddressRole::{Nodes, Pods, Reserved, Services, Vpc, Zone};
    let is_judged = |range: &Range<'_>| match range.role {
        Vpc => network.config.as_ref().is_some_and(|config| config.networks.vpc.id.is_none()),
        Reserved => range.name.is_none(),
        _ => range.is_wanted(),
    };
    if !is_judged(first) || !is_judged(second) {
        return None;
    }
    Some(match (kind, first.role, second.role) {
        (ConflictKind::Outside, Nodes, Zone) => &inf::INF_007,
        (ConflictKind::Outside, Vpc, Nodes) => &inf::INF_014,
        (ConflictKind::Outside, Vpc, Zone) => &inf::INF_015,
        (ConflictKind::Overlap, Vpc, Pods | Services) => &inf::INF_016,
        (ConflictKind::Overlap, Zone, Zone) => &inf::INF_018,
        (ConflictKind::Overlap, Pods, Zone) => &inf::INF_019,
        (ConflictKind::Overlap, Services, Zone) => &inf::INF_020,
        (ConflictKind::Overlap, Reserved, Nodes) => &net::NET_003,
        (ConflictKind::Overlap, Reserved, Pods) => &net::NET_004,
        (ConflictKind::Overlap, Reserved, Services) => &net::NET_005,
        _ => return None,
    })
}

/// The rule of `validate` that complains about the second of two zones with the same IPv6 block.
fn block_rule(first: &Range<'_>, second: &Range<'_>) -> Option<&'static Rule> {
    let is_written = second.pointer.as_ref().is_some_and(|pointer| pointer.ends_with(FIELD));
    first.is_wanted().then_some(if is_written { &inf::INF_025 } else { &inf::INF_024 })
}
