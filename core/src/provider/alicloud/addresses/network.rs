//! What a Shoot and the cloud say of its network.

use super::blocks::Blocks;
use super::place::place;
use crate::call::Known;
use crate::cidr::{Cidr, Family};
use crate::collections::NameSet;
use crate::document::decode::Mode;
use crate::gardener::addresses::{Ranges, Space};
use crate::gardener::shoot::infrastructure_config;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{AddressRole, Request, RequestError, UnreadableRange, read};
use crate::provider::alicloud::api::{Config, InfrastructureConfig, Networks, Zone};
use crate::provider::alicloud::queries::VSwitch;
use crate::provider::alicloud::validate::{NETWORKS, RESERVED};
use crate::provider::alicloud::vswitches::{VSwitches, vswitches};

/// The network of a Shoot.
pub struct Network<'v> {
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// Its network layout, where that can be read.
    pub config: Option<InfrastructureConfig<'v>>,
    /// Where zones may go, or why nobody can tell.
    pub place: Result<Cidr, RequestError>,
    /// The ranges of IPv4.
    pub ipv4: Space<'v>,
    /// The ranges of IPv6, but for those within the VPC.
    pub ipv6: Space<'v>,
    /// With dual-stack, IPv6 within the VPC.
    pub blocks: Option<Blocks<'v>>,
    /// What could not be read.
    pub unreadable: Vec<UnreadableRange>,
    /// Of an existing VPC, what is known of its VSwitches.
    pub vswitches: Option<VSwitches<'v>>,
}

impl<'v> Network<'v> {
    /// Reads a Shoot, and the fact of a request.
    pub fn read(request: &Request<'v>) -> Result<Self, RequestError> {
        let shoot: Shoot<'v> = read(request.object)?;
        let config = infrastructure_config(request.object)
            .and_then(|config| InfrastructureConfig::read(config, Mode::Lenient).ok());
        let networking = shoot.spec.networking.unwrap_or_default();
        let nothing = Networks::default();
        let networks = config.as_ref().map_or(&nothing, |config| &config.networks);
        let vswitches = networks.vpc.id.map(|id| vswitches(request, shoot.spec.region, id)).transpose()?;
        let taken = match &vswitches {
            Some(Known::Found(all)) => of_others(all, networks, old_zones(request)),
            _ => Vec::new(),
        };
        let mut ranges = Ranges::default();
        if let Some(text) = networks.vpc.cidr {
            ranges.add(AddressRole::Vpc, None, NETWORKS.key("vpc").key("cidr").pointer(), text);
        }
        ranges.add_shoot(request.object, &networking);
        let nodes = ranges.nodes(Family::IPv4).map(|range| range.cidr);
        let place = place(networking.nodes, nodes, networks.vpc.cidr);
        ranges.reserve(None, RESERVED);
        for (index, zone) in networks.zones.iter().enumerate() {
            for (key, text) in [("worker", zone.worker), ("workers", zone.workers)] {
                if !text.is_empty() {
                    let pointer = NETWORKS.key("zones").index(index).key(key).pointer();
                    ranges.add(AddressRole::Zone, zone.label(), pointer, text);
                }
            }
        }
        for vswitch in &taken {
            ranges.reserve(Some(vswitch.id), vswitch.cidr);
        }
        let dual_stack = config.as_ref().filter(|config| config.is_dual_stack());
        let blocks = dual_stack.map(|config| Blocks::read(&config.networks, &taken, &mut ranges.unreadable));
        let [ipv4, ipv6] = ranges.spaces(place.as_ref().ok().copied());
        Ok(Self { shoot, config, place, ipv4, ipv6, blocks, unreadable: ranges.unreadable, vswitches })
    }
}

/// How many zones the Shoot had before; `None` where nobody says so.
fn old_zones(request: &Request<'_>) -> Option<usize> {
    let config = InfrastructureConfig::read(infrastructure_config(request.old_object?)?, Mode::Lenient);
    config.ok().map(|config| config.networks.zones.len())
}

/// The VSwitches that are not those of zones which the Shoot has already: of all its zones, where nobody says how it was.
fn of_others<'v>(vswitches: &[VSwitch<'v>], networks: &Networks<'v>, zones: Option<usize>) -> Vec<VSwitch<'v>> {
    let zones = networks.zones.iter().take(zones.unwrap_or(usize::MAX));
    let own: NameSet<'v> = zones.map(Zone::cidr).collect();
    vswitches.iter().filter(|vswitch| !own.contains(vswitch.cidr)).copied().collect()
}
