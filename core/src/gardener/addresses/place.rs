//! Where the ranges of zones may go, and how large they may be.

use crate::cidr::{Cidr, Family, Room};
use crate::gardener::shoot::INFRASTRUCTURE_POINTER;
use crate::policy::RequestError;

const NODES: &str = "/spec/networking/nodes";

/// The cloud's network that zones lie in: how `networks` names it, and how people do.
#[derive(Clone, Copy, Debug)]
pub struct Outer {
    /// Its key in `networks`.
    pub key: &'static str,
    /// What it is.
    pub name: &'static str,
}

/// A VPC.
pub const VPC: Outer = Outer { key: "vpc", name: "VPC" };

/// The range that zones may lie in: both in the range of the nodes and in that of a new network around them.
/// `known` is the range of the nodes, which the status may have where the person names none.
pub fn place(
    nodes: Option<&str>,
    known: Option<Cidr>,
    outer: Outer,
    range: Option<&str>,
) -> Result<Cidr, RequestError> {
    let Outer { key, name } = outer;
    let read = |text, field: &str, pointer: &str| match Cidr::parse(text) {
        Some(cidr) if cidr.family() == Family::IPv4 => Ok(cidr),
        _ => Err(impossible(
            format!(
                "`{field}` is no range of IPv4, so nobody knows where zones may go; write address and prefix \
                 length, for example `10.250.0.0/16`"
            ),
            Some(pointer.to_owned()),
        )),
    };
    let nodes = nodes.map(|text| read(text, "spec.networking.nodes", NODES)).transpose()?.or(known);
    let (field, pointer) =
        (format!("networks.{key}.cidr"), format!("{INFRASTRUCTURE_POINTER}/networks/{key}/cidr"));
    let outer = range.map(|text| read(text, &field, &pointer)).transpose()?;
    match (nodes, outer) {
        (Some(nodes), Some(outer)) if outer.contains(&nodes) => Ok(nodes),
        (Some(nodes), Some(outer)) if nodes.contains(&outer) => Ok(outer),
        (Some(_), Some(_)) => Err(impossible(
            format!(
                "`spec.networking.nodes` and `{field}` have no address in common, and zones must be in both; put `nodes` \
                 inside the {name}"
            ),
            Some(NODES.to_owned()),
        )),
        (Some(range), None) | (None, Some(range)) => Ok(range),
        (None, None) => Err(impossible(
            "nothing says where zones may go; set `spec.networking.nodes`, for example to `10.250.0.0/16`"
                .to_owned(),
            Some("/spec/networking".to_owned()),
        )),
    }
}

/// The refusal to add a zone.
pub fn impossible(message: String, pointer: Option<String>) -> RequestError {
    RequestError::Impossible { message, pointer }
}

/// How large the ranges of subnets may be.
#[derive(Debug)]
pub struct Sizes {
    /// Shortest prefix.
    pub shortest: u8,
    /// Longest prefix.
    pub longest: u8,
    /// What has such a range, such as `VSwitch`.
    pub subnet: &'static str,
}

impl Sizes {
    /// A length that a subnet may have: the given one, or the nearest to it.
    pub fn nearest(&self, length: u8) -> u8 {
        length.clamp(self.shortest, self.longest)
    }

    /// Refuses a length that no subnet may have.
    pub fn check(&self, length: u8) -> Result<(), RequestError> {
        let Self { shortest, longest, subnet } = self;
        if (*shortest..=*longest).contains(&length) {
            return Ok(());
        }
        let message = format!(
            "the range of a zone cannot be a /{length}; choose one from /{shortest} to /{longest}, as a {subnet} has"
        );
        Err(impossible(message, None))
    }

    /// The shortest prefix that a subnet may have and that has room.
    pub fn shortest_in(&self, room: &Room) -> Option<u8> {
        let shortest = room.shortest()?.max(self.shortest);
        (shortest <= self.longest).then_some(shortest)
    }

    /// The refusal to add a zone where there is no room. `shortest` is the shortest prefix that has room.
    pub fn no_room(&self, length: u8, zone: &str, place: &Cidr, shortest: Option<u8>) -> RequestError {
        let what_fits = match shortest {
            Some(shortest) => format!("the largest that has room is a /{shortest}"),
            None => format!("nothing is free that a {} could have", self.subnet),
        };
        let place = place.network();
        impossible(format!("there is no room for a /{length} for the zone `{zone}` in {place}; {what_fits}"), None)
    }
}
