//! The network of a Shoot, as the Shoot describes it.

use crate::cidr::{Cidr, Family};
use crate::document::Value;
use crate::document::decode::Mode;
use crate::gardener::addresses::{Range, Ranges, Space, place};
use crate::gardener::shoot::infrastructure_config;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{AddressRole, Request, RequestError, UnreadableRange, read};
use crate::provider::azure::api::{Config, InfrastructureConfig, Networks};
use crate::provider::azure::resource_id::ResourceId;
use crate::provider::azure::subnets::{self, SIZES};
use crate::provider::azure::validate::{VNET, WORKERS, ZONES};

/// The network of a Shoot.
pub struct Network<'v> {
    /// The Shoot.
    pub shoot: Shoot<'v>,
    /// The infrastructureConfig; none where nobody can read it.
    pub config: Option<InfrastructureConfig<'v>>,
    /// The numbers of the zones with subnets, as they are written.
    pub zone_names: Vec<&'v str>,
    /// Whether `validate` compares the ranges.
    pub is_judged: bool,
    /// Whether it compares that of the virtual network with the others.
    pub is_vnet_judged: bool,
    /// The range that zones may lie in, or why nobody knows it.
    pub place: Result<Cidr, RequestError>,
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
        let zone_names = zone_names(request.object);
        let mut ranges = Ranges::default();
        add_vnet(networks, &mut ranges);
        ranges.add_shoot(request.object, &networking);
        let nodes = ranges.nodes(Family::IPv4).map(|range| range.cidr);
        if let Some(text) = networks.workers {
            ranges.add(AddressRole::Workers, None, WORKERS.pointer(), text);
        }
        for (index, zone) in networks.zones.iter().enumerate() {
            let (path, name) = (ZONES.index(index), zone_names.get(index).copied());
            ranges.add(AddressRole::Zone, name, path.key("cidr").pointer(), zone.cidr);
        }
        // A Shoot without workers is accepted without a look at its network, and one with both layouts is compared
        // with nothing.
        let is_judged =
            !shoot.spec.provider.workers.is_empty() && networks.workers.is_some() == networks.has_single_subnet();
        // Behind the id of a DDoS protection plan that nobody can read, nothing more of the virtual network is
        // judged.
        let plan = networks.vnet.ddos_protection_plan_id;
        let is_vnet_judged = plan.is_none_or(|id| ResourceId::parse(id).is_ok());
        let place = place(networking.nodes, nodes, subnets::VNET, networks.vnet.cidr);
        let spaces = ranges.spaces(place.as_ref().ok().copied().filter(|_| !networks.has_single_subnet()));
        Ok(Self {
            shoot,
            config,
            zone_names,
            is_judged,
            is_vnet_judged,
            place,
            spaces,
            unreadable: ranges.unreadable,
        })
    }
}

/// Adds the range of the virtual network: its own, else that of the workers. Nobody knows the range of an existing
/// one.
fn add_vnet(networks: &Networks<'_>, ranges: &mut Ranges<'_>) {
    let vnet = &networks.vnet;
    if vnet.name.is_some() || vnet.resource_group.is_some() {
        return;
    }
    if let Some(text) = vnet.cidr {
        ranges.add(AddressRole::Vpc, None, VNET.key("cidr").pointer(), text);
    } else if let Some(cidr) = networks.workers.and_then(Cidr::parse) {
        let role = AddressRole::Vpc;
        ranges.ranges.push(Range { role, name: None, pointer: None, is_of_status: false, cidr });
    }
}

/// The numbers of the zones with subnets, as they are written.
fn zone_names<'v>(shoot: &'v Value<'v>) -> Vec<&'v str> {
    let zones = infrastructure_config(shoot).and_then(|config| config.at(&["networks", "zones"]));
    let name = |zone: &'v Value<'v>| match zone.get("name") {
        Some(Value::Number(number)) => number.as_ref(),
        _ => "",
    };
    zones.map(Value::items).unwrap_or_default().iter().map(name).collect()
}

/// The length of the prefix that a zone has by default: that of the last zone, or else a quarter of the place,
/// since regions have three zones.
pub fn usual_length(networks: &Networks<'_>, place: &Cidr) -> u8 {
    let ipv4 = |text: &str| Cidr::parse(text).filter(|cidr| cidr.family() == Family::IPv4);
    let last = networks.zones.iter().rev().find_map(|zone| ipv4(zone.cidr));
    SIZES.nearest(last.map_or(place.prefix_length().saturating_add(2), |cidr| cidr.prefix_length()))
}
