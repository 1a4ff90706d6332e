//! The address space of a Shoot: the ranges that it names, what is wrong between them, and what is free.

mod space;

use crate::cidr::{Cidr, Family};
use crate::document::Value;
use crate::gardener::types::shoot::Networking;
use crate::policy::{AddressRange, AddressRole, UnreadableRange};

pub use space::{Rules, Space, describe};

/// A range of addresses.
#[derive(Clone, Debug)]
pub struct Range<'v> {
    /// What it is for.
    pub role: AddressRole,
    /// Name of the zone, or of what others have taken; only the latter is reserved and has a name.
    pub name: Option<&'v str>,
    /// Where it is written.
    pub pointer: Option<String>,
    /// Whether the status of the Shoot has it, and not the specification.
    pub is_of_status: bool,
    /// Its addresses.
    pub cidr: Cidr,
}

impl Range<'_> {
    /// Whether it is what somebody wants, not what is there or what the cloud keeps.
    pub fn is_wanted(&self) -> bool {
        self.pointer.is_some() && !self.is_of_status
    }

    /// Whether it is what others have taken.
    fn is_taken(&self) -> bool {
        self.role == AddressRole::Reserved && self.name.is_some()
    }

    /// As answers have it.
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

/// Ranges as they are found, of both protocols; of those with the same addresses, the earlier one comes first.
#[derive(Clone, Debug, Default)]
pub struct Ranges<'v> {
    /// What could be read.
    pub ranges: Vec<Range<'v>>,
    /// What could not.
    pub unreadable: Vec<UnreadableRange>,
}

const NETWORKING: &str = "/spec/networking";
const STATUS: &str = "/status/networking";

impl<'v> Ranges<'v> {
    /// Adds nodes, pods and services, as a Shoot wants them; for a protocol that it says nothing of, the first that
    /// is there.
    pub fn add_shoot(&mut self, object: &'v Value<'v>, networking: &Networking<'v>) {
        for (role, key, text) in [
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

    /// Adds what is written at a place.
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

    /// Adds what the cloud keeps for itself, or, under a name, what others have taken.
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

    /// The spaces of IPv4 and IPv6, and where in them zones may go.
    pub fn spaces(&self, place: Option<Cidr>) -> [Space<'v>; 2] {
        [Family::IPv4, Family::IPv6].map(|family| Space::new(family, None, place, &self.ranges))
    }

    /// The range of the nodes, of that protocol.
    pub fn nodes(&self, family: Family) -> Option<&Range<'v>> {
        let mut nodes = self.ranges.iter().filter(|range| range.role == AddressRole::Nodes);
        nodes.find(|range| range.cidr.family() == family)
    }
}
