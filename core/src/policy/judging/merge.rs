//! `merge`: what a person's manifest makes of an object that is stored.

use serde::Serialize;

use super::Judging;
use crate::document::{JsonText, PatchOperation, Value};
use crate::policy::member::{known_members, malformed, object};
use crate::policy::part::unanswered;
use crate::policy::{RequestError, kind_of};

pub(super) fn merge(policy: &Judging, request: &str) -> Result<String, RequestError> {
    policy.general.map_or_else(|| Err(unanswered("merge")), |general| (general.merge)(request))
}

/// The input of `merge`.
#[derive(Clone, Copy, Debug)]
pub struct MergeRequest<'r> {
    /// The stored object.
    pub live: &'r Value<'r>,
    /// The manifest that a person applies.
    pub manifest: &'r Value<'r>,
}

impl<'r> MergeRequest<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &["live", "manifest"])?;
        let member = |name| {
            object(document.get(name), name)?.ok_or_else(|| malformed(format!("the request has no `{name}`")))
        };
        let (live, manifest) = (member("live")?, member("manifest")?);
        let (old, new) = (kind_of(live).0, kind_of(manifest).0);
        if old == new {
            Ok(Self { live, manifest })
        } else {
            Err(RequestError::KindChanged { old: old.to_owned(), new: new.to_owned() })
        }
    }
}

/// The answer of `merge`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merged {
    /// What `kubectl apply` makes the API server store, before defaults. Entries of lists that the manifest does
    /// not name follow those that it names, so that places in the manifest are places in this object.
    pub object: JsonText,
    /// What the merge changes, as an RFC 6902 patch of the manifest.
    pub patch: Vec<PatchOperation>,
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    /// The request of `merge`.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct MergeRequest {
        /// The stored object.
        live: Map<String, Value>,
        /// The manifest that a person applies.
        manifest: Map<String, Value>,
    }
}
