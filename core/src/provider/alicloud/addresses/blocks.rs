//! IPv6 within a VPC: which VSwitch gets which /64 of the VPC's /56.

use crate::cidr::{Cidr, Family};
use crate::gardener::addresses::{Range, Space};
use crate::policy::{AddressRole, UnreadableRange};
use crate::provider::alicloud::api::Networks;
use crate::provider::alicloud::queries::VSwitch;
use crate::provider::alicloud::validate::NETWORKS;

/// Member of a zone that names its block.
pub const FIELD: &str = "ipv6CidrBlock";

const TO_CREATE: &str =
    "counted from the first address of the /56 that Alibaba Cloud assigns to the VPC when it creates it";
const EXISTING: &str = "counted from the first address of the /56 that Alibaba Cloud has assigned to the VPC";

/// The blocks of a VPC.
pub struct Blocks<'v> {
    /// The VPC and the zones, counted from the first address of the VPC.
    pub space: Space<'v>,
    taken: [bool; 256],
    /// Whether a zone that names no block gets the one of its position.
    has_default: bool,
}

impl<'v> Blocks<'v> {
    /// The blocks that zones name, and those that VSwitches have.
    pub fn read(
        networks: &Networks<'v>,
        vswitches: &[VSwitch<'v>],
        unreadable: &mut Vec<UnreadableRange>,
    ) -> Self {
        let mut taken = [false; 256];
        let has_default = networks.vpc.id.is_none();
        let vpc = Cidr::around(Family::IPv6, 0, 56);
        let range = |role, name, pointer, cidr| Range { role, name, pointer, is_of_status: false, cidr };
        let mut ranges: Vec<_> = vpc.map(|cidr| range(AddressRole::Vpc, None, None, cidr)).into_iter().collect();
        let mut take = |block: usize| {
            *taken.get_mut(block)? = true;
            Cidr::around(Family::IPv6, u128::try_from(block).ok()? << 64, 64)
        };
        let zones = NETWORKS.key("zones");
        for (index, zone) in networks.zones.iter().enumerate() {
            let path = zones.index(index);
            let (block, pointer) = match zone.ipv6_cidr_block {
                Some(block) => (usize::try_from(block).ok().and_then(&mut take), path.key(FIELD).pointer()),
                None if has_default => (take(index), path.pointer()),
                None => continue,
            };
            match (block, zone.ipv6_cidr_block) {
                (Some(cidr), _) => ranges.push(range(AddressRole::Zone, zone.label(), Some(pointer), cidr)),
                (None, Some(block)) => unreadable.push(UnreadableRange {
                    role: AddressRole::Zone,
                    name: zone.label().map(str::to_owned),
                    pointer,
                    text: block.to_string(),
                }),
                // So many zones have no block each.
                (None, None) => {}
            }
        }
        for vswitch in vswitches {
            let ipv6 = Cidr::parse(vswitch.ipv6_cidr).filter(|cidr| cidr.prefix_length() == 64);
            let block = ipv6.and_then(|cidr| take(usize::try_from(cidr.span().first >> 64 & 0xff).ok()?));
            ranges.extend(block.map(|cidr| range(AddressRole::Reserved, Some(vswitch.id), None, cidr)));
        }
        let relative = if has_default { TO_CREATE } else { EXISTING };
        Self { space: Space::new(Family::IPv6, Some(relative), vpc, &ranges), taken, has_default }
    }

    /// Takes a block for a zone that is added at a position, and says whether the zone has to name the block;
    /// `None` where no block is left.
    pub fn take(&mut self, index: usize) -> Option<(usize, bool)> {
        let is_free = |block: &usize| self.taken.get(*block) == Some(&false);
        let default = Some(index).filter(|block| self.has_default && is_free(block));
        let block = default.or_else(|| (0..self.taken.len()).find(is_free))?;
        *self.taken.get_mut(block)? = true;
        Some((block, default.is_none()))
    }
}
