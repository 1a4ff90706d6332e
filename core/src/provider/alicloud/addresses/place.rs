//! How large the ranges of zones may be.

use crate::cidr::{Cidr, Family, Room};
use crate::gardener::addresses::Sizes;
use crate::provider::alicloud::api::{InfrastructureConfig, Zone};

/// The sizes of VSwitches. Source: parameter `CidrBlock` of `CreateVSwitch`, VPC API of 2016-04-28.
pub const SIZES: Sizes = Sizes { shortest: 16, longest: 29, subnet: "VSwitch" };

/// Lengths of the prefixes that zones have.
#[derive(Clone, Copy, Debug)]
pub struct Prefixes(u8);

impl Prefixes {
    /// The length of the last zone; without zones, the length by which eight zones fill the place.
    pub fn of(place: &Cidr, config: &InfrastructureConfig<'_>) -> Self {
        let ipv4 = |zone: &Zone<'_>| Cidr::parse(zone.cidr()).filter(|cidr| cidr.family() == Family::IPv4);
        let last = config.networks.zones.iter().rev().find_map(ipv4);
        Self(last.map_or(place.prefix_length().saturating_add(3), |cidr| cidr.prefix_length()))
    }

    /// The length of a zone with this range.
    pub fn like(range: &Cidr) -> Self {
        Self(range.prefix_length())
    }

    /// The length for the next zone, which may have no room.
    pub fn usual(self) -> u8 {
        SIZES.nearest(self.0)
    }

    /// The length for the next zone: the usual one, or a longer one where the usual one has no room.
    pub fn choose(self, room: &Room) -> u8 {
        SIZES.shortest_in(room).map_or(self.usual(), |shortest| shortest.max(self.usual()))
    }
}
