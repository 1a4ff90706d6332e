//! The address space of a Shoot: the ranges that the Shoot names, their conflicts, and the free ranges.

mod place;
mod space;
mod zones;

use crate::cidr::{Cidr, Family};
use crate::document::Value;
use crate::gardener::types::shoot::Networking;
use crate::policy::{AddressRange, AddressRole, UnreadableRange};

pub use place::{Outer, Sizes, VPC, impossible, place};
pub use space::{Rules, Space, describe};
pub use zones::{NewZones, add_to_list, read_networks};

/// A range of addresses.
#[derive(Clone, Debug)]
pub struct Range<'v> {
    /// What the range is for.
    pub role: AddressRole,
    /// Name of the zone; of a reserved range, the name of the resource that has it, if it is not the cloud itself.
    pub name: Option<&'v str>,
    /// The place of the range in the document; none where the document does not name the range.
    pub pointer: Option<String>,
    /// Whether the status of the Shoot names the range, and not the specification.
    pub is_of_status: bool,
    /// The addresses.
    pub cidr: Cidr,
}

impl Range<'_> {
    /// Whether a person asks for the range.
    pub fn is_wanted(&self) -> bool {
        self.pointer.is_some() && !self.is_of_status
    }

    /// Whether a resource of somebody else has the range.
    fn is_taken(&self) -> bool {
        self.role == AddressRole::Reserved && self.name.is_some()
    }

    /// The range as answers describe it.
    pub fn describe(&self) -> AddressRange {
        let (family, span) = (self.cidr.family(), self.cidr.span());
        AddressRange {
            role: self.role,
            name: self.name.map(str::to_owned),
            pointer: self.pointer.clone(),
            cidr: self.cidr.network().to_string(),
            first: family.text(span.first),
            last: family.text(span.last),
            size: span.size(),
        }
    }
}

/// Ranges of both protocols, in the order in which a policy finds them. Of ranges with the same addresses, the
/// earlier one comes first in a [`Space`].
#[derive(Clone, Debug, Default)]
pub struct Ranges<'v> {
    /// The ranges.
    pub ranges: Vec<Range<'v>>,
    /// The texts that are no ranges.
    pub unreadable: Vec<UnreadableRange>,
}

const NETWORKING: &str = "/spec/networking";
const STATUS: &str = "/status/networking";

impl<'v> Ranges<'v> {
    /// Adds the ranges of nodes, pods and services that a Shoot asks for; of a protocol without such a range, the
    /// first one in its status.
    pub fn add_shoot(&mut self, object: &'v Value<'v>, networking: &Networking<'v>) {
        for &(role, key, text) in &[
            (AddressRole::Nodes, "nodes", networking.nodes),
            (AddressRole::Pods, "pods", networking.pods),
            (AddressRole::Services, "services", networking.services),
        ] {
            let start = self.ranges.len();
            if let Some(text) = text {
                self.add(role, None, format!("{NETWORKING}/{key}"), text);
            }
            let status = object.at(&["status", "networking", key]).map(Value::items).unwrap_or_default();
            for (index, text) in status.iter().enumerate() {
                let Some(cidr) = text.as_str().and_then(Cidr::parse) else { continue };
                let known = self.ranges.iter().skip(start).any(|range| range.cidr.family() == cidr.family());
                if !known {
                    let pointer = Some(format!("{STATUS}/{key}/{index}"));
                    self.ranges.push(Range { role, name: None, pointer, is_of_status: true, cidr });
                }
            }
        }
    }

    /// Adds the range that a text names, at a place.
    pub fn add(&mut self, role: AddressRole, name: Option<&'v str>, pointer: String, text: &str) {
        match Cidr::parse(text) {
            Some(cidr) => {
                self.ranges.push(Range { role, name, pointer: Some(pointer), is_of_status: false, cidr });
            }
            None => self.unreadable.push(UnreadableRange {
                role,
                name: name.map(str::to_owned),
                pointer,
                text: text.to_owned(),
            }),
        }
    }

    /// Adds a range that the cloud keeps for itself, or, with a name, one that a resource of somebody else has.
    pub fn reserve(&mut self, name: Option<&'v str>, text: &str) {
        let cidr = Cidr::parse(text);
        self.ranges.extend(cidr.map(|cidr| Range {
            role: AddressRole::Reserved,
            name,
            pointer: None,
            is_of_status: false,
            cidr,
        }));
    }

    /// The spaces of IPv4 and IPv6. `place` is the range that zones may lie in.
    pub fn spaces(&self, place: Option<Cidr>) -> [Space<'v>; 2] {
        [Family::IPv4, Family::IPv6].map(|family| Space::new(family, None, place, &self.ranges))
    }

    /// The range of the nodes for a protocol.
    pub fn nodes(&self, family: Family) -> Option<&Range<'v>> {
        let mut nodes = self.ranges.iter().filter(|range| range.role == AddressRole::Nodes);
        nodes.find(|range| range.cidr.family() == family)
    }
}
