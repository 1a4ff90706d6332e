//! The names of fields that a garden has, as its OpenAPI document lists them.
//!
//! `context.openapi` has a member for each kind: an object with a member for each field of the kind, whose value
//! is again such an object with the fields below.
//!
//! ```json
//! { "Shoot": { "kind": {}, "spec": { "region": {}, "provider": { "workers": { "name": {} } } } } }
//! ```
//!
//! A list has the fields of its entries. Of a map, `*` stands for every key. An empty object says nothing of what
//! is below: the field is a value without parts, or one that Gardener hands on as it is.

use crate::document::{Path, Value};
use crate::policy::RequestError;

/// Stands for every key of a map.
const EVERY: &str = "*";

/// The fields that there may be at a place.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n>(&'n Value<'n>);

impl<'n> Names<'n> {
    /// Reads the fields of a kind from `context.openapi`; none where it says nothing of the kind.
    ///
    /// # Errors
    ///
    /// A value that is no object makes the request malformed; the message has its place within `context.openapi`.
    pub fn read(openapi: Option<&'n Value<'n>>, kind: &str) -> Result<Option<Self>, RequestError> {
        let Some(openapi) = openapi else { return Ok(None) };
        if !matches!(openapi, Value::Object(_)) {
            let message = format!("`context.openapi` must be an object, not {}", openapi.kind());
            return Err(RequestError::Malformed { message, pointer: None });
        }
        let Some(names) = openapi.get(kind) else { return Ok(None) };
        check(names, &Path::root("", "").key(kind))?;
        Ok(Self::of(names))
    }

    /// The fields that a value names; none where it says nothing.
    fn of(value: &'n Value<'n>) -> Option<Self> {
        matches!(value, Value::Object(members) if !members.is_empty()).then_some(Self(value))
    }

    /// Whether there is such a field.
    pub fn has(self, key: &str) -> bool {
        self.0.member(key).is_some() || self.0.member(EVERY).is_some()
    }

    /// What is below a field; none where nothing is known.
    pub fn below(self, key: &str) -> Option<Self> {
        self.0.member(key).or_else(|| self.0.member(EVERY)).and_then(Self::of)
    }

    /// The names of the fields.
    pub fn all(self) -> impl Iterator<Item = &'n str> {
        let members = match self.0 {
            Value::Object(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().map(|(name, _)| name.as_ref()).filter(|name| *name != EVERY)
    }
}

/// Checks that a value and all below it are objects.
fn check(value: &Value<'_>, place: &Path<'_>) -> Result<(), RequestError> {
    let Value::Object(members) = value else {
        let (pointer, kind) = (place.pointer(), value.kind());
        let message =
            format!("`context.openapi` must hold objects with names of fields, and `{pointer}` is {kind}");
        return Err(RequestError::Malformed { message, pointer: None });
    };
    members.iter().try_for_each(|(name, below)| check(below, &place.key(name)))
}
