//! The network of a Shoot, as the Shoot describes it.

use crate::cidr::{Cidr, Family};
use crate::document::decode::Mode;
use crate::gardener::addresses::{self, Ranges, Space, place};
use crate::gardener::shoot::{Families, infrastructure_config};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{AddressRole, Request, RequestError, UnreadableRange, read};
use crate::provider::aws::api::{Config, InfrastructureConfig, Networks};
use crate::provider::aws::validate::{VPC, ZONES};

/// The network of a Shoot.
pub struct Network<'v> {
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// The infrastructureConfig; none where nobody can read it.
    pub config: Option<InfrastructureConfig<'v>>,
    /// The families of addresses.
    pub families: Families,
    /// The range that the subnets of nodes may lie in, or why nobody knows it.
    pub nodes: Result<Cidr, RequestError>,
    /// The range that the subnets of load balancers may lie in: that of the VPC, else that of the nodes.
    pub vpc: Option<Cidr>,
    /// The ranges of IPv4 and of IPv6.
    pub spaces: [Space<'v>; 2],
    /// The texts that are no ranges.
    pub unreadable: Vec<UnreadableRange>,
}

impl<'v> Network<'v> {
    /// Reads a Shoot.
    pub fn read(request: &Request<'v>) -> Result<Self, RequestError> {
        let shoot: Shoot<'v> = read(request.object)?;
        let config = infrastructure_config(request.object)
            .and_then(|config| InfrastructureConfig::read(config, Mode::Lenient).ok());
        let networking = shoot.spec.networking.unwrap_or_default();
        let nothing = Networks::default();
        let networks = config.as_ref().map_or(&nothing, |config| &config.networks);
        let mut ranges = Ranges::default();
        if let Some(text) = networks.vpc.cidr {
            ranges.add(AddressRole::Vpc, None, VPC.key("cidr").pointer(), text);
        }
        ranges.add_shoot(request.object, &networking);
        let nodes = ranges.nodes(Family::IPv4).map(|range| range.cidr);
        let vpc = networks.vpc.cidr.and_then(Cidr::parse).filter(|vpc| vpc.family() == Family::IPv4);
        for (index, zone) in networks.zones.iter().enumerate() {
            let path = ZONES.index(index);
            // The order in which `validate` compares them.
            for &(role, key, text) in &[
                (AddressRole::Public, "public", zone.public),
                (AddressRole::Internal, "internal", zone.internal),
                (AddressRole::Zone, "workers", zone.workers),
            ] {
                if let Some(text) = text {
                    let name = Some(zone.name).filter(|name| !name.is_empty());
                    ranges.add(role, name, path.key(key).pointer(), text);
                }
            }
        }
        let vpc = vpc.or(nodes);
        let (nodes, spaces) =
            (place(networking.nodes, nodes, addresses::VPC, networks.vpc.cidr), ranges.spaces(vpc));
        let families = Families::of(request.object);
        Ok(Self { shoot, config, families, nodes, vpc, spaces, unreadable: ranges.unreadable })
    }

    /// Whether rules of `validate` compare the range of the VPC with others: of a new one without IPv6.
    pub fn judges_vpc(&self) -> bool {
        let is_new = self.config.as_ref().is_some_and(|config| config.networks.vpc.id.is_none());
        is_new && !self.families.has_ipv6
    }
}
