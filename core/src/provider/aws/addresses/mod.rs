//! The address space of a Shoot, and the ranges of zones to add.

mod network;
mod rooms;
mod zones;

use crate::gardener::addresses::{NewZones, Range, describe};
use crate::gardener::types::cloud_profile::ZONES_READ;
use crate::policy::{AddressRole, Addresses, ConflictKind, ReadsByKind, Request, RequestError, ZoneChoice};
use crate::provider::aws::rules::infrastructure as rules;
use crate::provider::aws::subnets::SIZES;
use crate::report::Rule;

use network::Network;
use rooms::Rooms;

pub use zones::zones;

/// What `addresses` and `zones` read of the context.
pub const READS: ReadsByKind = &[("Shoot", ZONES_READ)];

/// Shows the address space of a Shoot.
pub fn addresses(request: &Request<'_>) -> Result<Addresses, RequestError> {
    let network = Network::read(request)?;
    // A Shoot without workers is accepted without a look at its network.
    let is_judged = !network.shoot.spec.provider.workers.is_empty() && network.shoot.spec.networking.is_some();
    let spaces = describe(&network.spaces.each_ref(), &|kind, first, second| {
        rule(&network, kind, first, second).filter(|_| is_judged)
    });
    let zones = choice(request, &network);
    Ok(Addresses { spaces, unreadable: network.unreadable, zones })
}

/// The zones that can be added, and their sizes; none where zones have existing subnets.
fn choice(request: &Request<'_>, network: &Network<'_>) -> Option<ZoneChoice> {
    let zones = &network.config.as_ref().filter(|config| !config.networks.has_existing_subnets())?.networks.zones;
    let rooms = Rooms::of(network, zones).ok()?;
    let names = zones.iter().map(|zone| zone.name);
    Some(ZoneChoice {
        names: NewZones::next_to(names, network.shoot.spec.region, request).unused(),
        prefix_length: rooms.choose(),
        shortest: rooms.shortest(),
        longest: SIZES.longest,
    })
}

/// The rule of `validate` that complains about the second of two ranges.
fn rule(
    network: &Network<'_>,
    kind: ConflictKind,
    first: &Range<'_>,
    second: &Range<'_>,
) -> Option<&'static Rule> {
    use AddressRole::{Internal, Nodes, Pods, Public, Services, Vpc, Zone};
    let is_judged = |range: &Range<'_>| match range.role {
        Vpc => network.judges_vpc(),
        Zone => network.families.has_ipv4,
        _ => range.is_wanted(),
    };
    if !is_judged(first) || !is_judged(second) {
        return None;
    }
    Some(match (kind, first.role, second.role) {
        (ConflictKind::Outside, Nodes, Zone) => &rules::INF_029,
        (ConflictKind::Outside, Vpc, _) | (ConflictKind::Overlap, Vpc, Pods | Services) => &rules::INF_032,
        (ConflictKind::Overlap, Zone | Public | Internal, _) => &rules::INF_034,
        (ConflictKind::Overlap, Pods, Zone | Public | Internal) => &rules::INF_035,
        (ConflictKind::Overlap, Services, Zone | Public | Internal) => &rules::INF_036,
        _ => return None,
    })
}
