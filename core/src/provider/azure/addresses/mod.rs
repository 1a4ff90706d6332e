//! The address space of a Shoot: the virtual network with one subnet for all workers, or one a zone; and the
//! ranges of zones to add.

mod network;
mod zones;

use crate::gardener::addresses::{NewZones, Range, describe};
use crate::gardener::types::cloud_profile::ZONES_READ;
use crate::policy::{AddressRole, Addresses, ConflictKind, ReadsByKind, Request, RequestError, ZoneChoice};
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::subnets::SIZES;
use crate::report::Rule;

use network::Network;

pub use zones::zones;

/// What `addresses` and `zones` read of the context.
pub const READS: ReadsByKind = &[("Shoot", ZONES_READ)];

/// Shows the address space of a Shoot.
pub fn addresses(request: &Request<'_>) -> Result<Addresses, RequestError> {
    let network = Network::read(request)?;
    let spaces = describe(&network.spaces.each_ref(), &|kind, first, second| rule(&network, kind, first, second));
    let zones = choice(request, &network);
    Ok(Addresses { spaces, unreadable: network.unreadable, zones })
}

/// The zones that can be added, and their sizes; none where all workers have one subnet.
fn choice(request: &Request<'_>, network: &Network<'_>) -> Option<ZoneChoice> {
    let config = network.config.as_ref().filter(|config| config.zoned && config.networks.workers.is_none())?;
    let place = network.place.as_ref().ok()?;
    let [space, _] = &network.spaces;
    let room = space.room_in(Some(place));
    let (usual, shortest) = (network::usual_length(&config.networks, place), SIZES.shortest_in(&room));
    Some(ZoneChoice {
        names: NewZones::next_to(network.zone_names.iter().copied(), network.shoot.spec.region, request).unused(),
        prefix_length: shortest.map_or(usual, |shortest| usual.max(shortest)),
        shortest,
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
    use AddressRole::{Nodes, Pods, Services, Vpc, Workers, Zone};
    let is_asked = |range: &Range<'_>| range.role == Vpc || range.is_wanted();
    let is_judged = network.is_judged && (first.role != Vpc || network.is_vnet_judged);
    if !is_judged || !is_asked(first) || !is_asked(second) {
        return None;
    }
    // Without a range of its own, the virtual network has that of the workers.
    let has_range = first.pointer.is_some();
    Some(match (kind, first.role, second.role) {
        (ConflictKind::Outside, Vpc, Nodes) if has_range => &rules::INF_062,
        (ConflictKind::Outside, Vpc, Nodes) => &rules::INF_051,
        (ConflictKind::Outside, Vpc, Workers) => &rules::INF_064,
        (ConflictKind::Outside, Vpc, Zone) => &rules::INF_065,
        (ConflictKind::Outside, Nodes, Workers) => &rules::INF_072,
        (ConflictKind::Outside, Nodes, Zone) => &rules::INF_103,
        (ConflictKind::Overlap, Vpc, Pods | Services) if has_range => &rules::INF_063,
        (ConflictKind::Overlap, Vpc, Pods | Services) => &rules::INF_052,
        (ConflictKind::Overlap, Zone, Zone) => &rules::INF_104,
        (ConflictKind::Overlap, Pods, Zone) => &rules::INF_105,
        (ConflictKind::Overlap, Services, Zone) => &rules::INF_106,
        _ => return None,
    })
}
