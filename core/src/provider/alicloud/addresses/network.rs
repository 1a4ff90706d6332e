//! The network of a Shoot, as the Shoot and the cloud describe it.

use super::blocks::Blocks;
use crate::call::Known;
use crate::cidr::{Cidr, Family};
use crate::collections::NameSet;
use crate::document::decode::Mode;
use crate::gardener::addresses::{self, Ranges, Space, place};
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
    /// The infrastructureConfig; none where nobody can read it.
    pub config: Option<InfrastructureConfig<'v>>,
    /// The range that zones may lie in, or why nobody knows it.
    pub place: Result<Cidr, RequestError>,
    /// The ranges of IPv4.
    pub ipv4: Space<'v>,
    /// The ranges of IPv6, without those of the VPC.
    pub ipv6: Space<'v>,
    /// The IPv6 blocks of the VPC, with dual-stack.
    pub blocks: Option<Blocks<'v>>,
    /// The texts that are no ranges.
    pub unreadable: Vec<UnreadableRange>,
    /// The VSwitches of a VPC that the person brings.
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
        let place = place(networking.nodes, nodes, addresses::VPC, networks.vpc.cidr);
        ranges.reserve(None, RESERVED);
        for (index, zone) in networks.zones.iter().enumerate() {
            for &(key, text) in &[("worker", zone.worker), ("workers", zone.workers)] {
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

/// The number of zones in the old Shoot; none where the request has no readable old Shoot.
fn old_zones(request: &Request<'_>) -> Option<usize> {
    let config = InfrastructureConfig::read(infrastructure_config(request.old_object?)?, Mode::Lenient);
    config.ok().map(|config| config.networks.zones.len())
}

/// The VSwitches that do not belong to zones of the Shoot. `zones` is the number of zones in the old Shoot;
/// without it, every zone may have its VSwitch already.
fn of_others<'v>(vswitches: &[VSwitch<'v>], networks: &Networks<'v>, zones: Option<usize>) -> Vec<VSwitch<'v>> {
    let zones = networks.zones.iter().take(zones.unwrap_or(usize::MAX));
    let own: NameSet<'v> = zones.map(Zone::cidr).collect();
    vswitches.iter().filter(|vswitch| !own.contains(vswitch.cidr)).copied().collect()
}
