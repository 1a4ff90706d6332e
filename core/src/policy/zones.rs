//! `zones`: ranges for zones to add to an object.

use serde::Serialize;

use super::member::{known_members, malformed};
use super::{AddressRange, RequestError};
use crate::document::{PatchOperation, Value};
use crate::report::Undecided;

/// A zone to add.
#[derive(Clone, Copy, Debug)]
pub struct NewZone<'r> {
    /// Its name.
    pub name: &'r str,
    /// Length of the prefix of the zone's range; where absent, the policy chooses it.
    pub prefix_length: Option<u8>,
}

/// The answer of `zones`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddedZones {
    /// The added zones with their ranges, in the order of the request.
    pub zones: Vec<AddressRange>,
    /// An RFC 6902 patch that adds the zones to the object.
    pub patch: Vec<PatchOperation>,
    /// Rules that the choice of ranges could not consider.
    pub undecided: Vec<Undecided>,
}

impl<'r> NewZone<'r> {
    /// The member of a request that lists the zones to add.
    pub(super) const MEMBER: &'static str = "add";

    /// Reads the list of zones in a request document.
    pub fn read_all(document: &'r Value<'r>) -> Result<Vec<Self>, RequestError> {
        match document.get(Self::MEMBER) {
            Some(Value::Array(add)) => add.iter().map(Self::read).collect(),
            Some(other) => Err(malformed(format!("`add` must be a list, not {}", other.kind()))),
            None => Err(malformed("the request has no `add`, a list of the zones to add")),
        }
    }

    fn read(zone: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(zone, "a zone to add", &["name", "prefixLength"])?;
        let name = zone.get("name").and_then(Value::as_str);
        let prefix_length = match zone.get("prefixLength") {
            None => None,
            Some(Value::Number(length)) if length.parse::<u8>().is_ok() => length.parse().ok(),
            Some(_) => {
                return Err(malformed("`prefixLength` must be the length of a prefix, a number such as 19"));
            }
        };
        let name = name.ok_or_else(|| malformed("a zone to add must have a `name`, a string"))?;
        Ok(Self { name, prefix_length })
    }
}
