//! Where the ranges of zones may go, and how large they may be.

use crate::cidr::{Cidr, Family, Room};
use crate::policy::RequestError;
use crate::provider::alicloud::api::{InfrastructureConfig, Zone};
use crate::provider::alicloud::validate::NETWORKS;

const NODES: &str = "/spec/networking/nodes";

/// The range that zones may lie in: both in the range of the nodes and in that of a new VPC. `known` is the range of the nodes,
/// which the status may tell where the person names none.
pub fn place(nodes: Option<&str>, known: Option<Cidr>, vpc: Option<&str>) -> Result<Cidr, RequestError> {
    let read = |text, field, pointer: &str| match Cidr::parse(text) {
        Some(cidr) if cidr.family() == Family::IPv4 => Ok(cidr),
        _ => Err(impossible(
            format!(
                "`{field}` is no range of IPv4, so nobody can tell where zones may go; write address and prefix \
                 length, for example `10.250.0.0/16`"
            ),
            Some(pointer.to_owned()),
        )),
    };
    let vpc_cidr = NETWORKS.key("vpc").key("cidr").pointer();
    let nodes = nodes.map(|text| read(text, "spec.networking.nodes", NODES)).transpose()?.or(known);
    let vpc = vpc.map(|text| read(text, "networks.vpc.cidr", &vpc_cidr)).transpose()?;
    match (nodes, vpc) {
        (Some(nodes), Some(vpc)) if vpc.contains(&nodes) => Ok(nodes),
        (Some(nodes), Some(vpc)) if nodes.contains(&vpc) => Ok(vpc),
        (Some(_), Some(_)) => Err(impossible(
            "`spec.networking.nodes` and `networks.vpc.cidr` have no address in common, and zones must be in both; \
             put `nodes` inside the VPC"
                .to_owned(),
            Some(NODES.to_owned()),
        )),
        (Some(range), None) | (None, Some(range)) => Ok(range),
        (None, None) => Err(impossible(
            "nothing says where zones may go; set `spec.networking.nodes`, for example to `10.250.0.0/16`".to_owned(),
            Some("/spec/networking".to_owned()),
        )),
    }
}

/// The refusal to add a zone.
pub fn impossible(message: String, pointer: Option<String>) -> RequestError {
    RequestError::Impossible { message, pointer }
}

/// Lengths of the prefixes that zones have.
#[derive(Clone, Copy, Debug)]
pub struct Prefixes(u8);

impl Prefixes {
    /// Shortest prefix of a VSwitch. Source: parameter `CidrBlock` of `CreateVSwitch`, VPC API of 2016-04-28.
    pub const SHORTEST: u8 = 16;
    /// Longest prefix of a VSwitch; from the same source.
    pub const LONGEST: u8 = 29;

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
        self.0.clamp(Self::SHORTEST, Self::LONGEST)
    }

    /// The length for the next zone: the usual one, or a longer one where the usual one has no room.
    pub fn choose(self, room: &Room) -> u8 {
        Self::shortest(room).map_or(self.usual(), |shortest| shortest.max(self.usual()))
    }

    /// The shortest prefix that a VSwitch may have and that has room.
    pub fn shortest(room: &Room) -> Option<u8> {
        let shortest = room.shortest()?.max(Self::SHORTEST);
        (shortest <= Self::LONGEST).then_some(shortest)
    }
}
