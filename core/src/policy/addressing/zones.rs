//! `zones`: ranges for zones to add to an object.

use serde::Serialize;

use super::{AddressRange, Addressing, is_shoot};
use crate::document::{PatchOperation, Value, parse};
use crate::policy::answer::text;
use crate::policy::member::{known_members, malformed};
use crate::policy::owner::is_of_provider;
use crate::policy::part::unanswered;
use crate::policy::{Request, RequestError};
use crate::report::Undecided;

pub(super) fn zones(policy: &Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let members: Vec<&str> = Request::MEMBERS.iter().copied().chain([NewZone::MEMBER]).collect();
    let request = Request::read(&document, &members)?;
    is_of_provider(&request, policy.about.provider)?;
    let add = NewZone::read_all(&document)?;
    is_shoot(&request)?;
    let zones = policy.zones.ok_or_else(|| unanswered("zones"))?;
    Ok(text(&zones(&request, &add)?))
}

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
    const MEMBER: &'static str = "add";

    /// Reads the list of zones in a request document.
    fn read_all(document: &'r Value<'r>) -> Result<Vec<Self>, RequestError> {
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

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;

    use crate::policy::request::shape::Request;

    /// The request of `zones`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ZonesRequest {
        /// The zones to add, in their order.
        add: Vec<ZoneRequest>,
        #[serde(flatten)]
        request: Request,
    }

    /// A zone to add.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ZoneRequest {
        /// Name of the zone.
        name: String,
        /// Length of the prefix of the zone's range; where absent, that of the other zones.
        prefix_length: Option<u8>,
    }
}
