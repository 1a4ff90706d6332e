//! `merge`: what a person's manifest makes of an object that is stored.

use serde::Serialize;

use super::RequestError;
use super::member::{known_members, malformed, object};
use super::object::kind_of;
use crate::document::{JsonText, PatchOperation, Value};

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
