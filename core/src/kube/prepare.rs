//! The metadata that the API server sets itself before it judges an object, whatever a person wrote.

use std::borrow::Cow;

use crate::document::{Path, Value, patch};

const METADATA: Path<'_> = Path::root("metadata", "/metadata");

/// What the API server does not take from a person who creates an object.
const OF_CREATION: [&str; 5] =
    ["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "selfLink", "uid"];
/// What an update leaves as it is stored.
const STORED: [&str; 3] = ["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp"];

/// What the API server writes itself, and no rule judges.
const UNJUDGED: [&str; 2] = ["generation", "managedFields"];

/// A member of the metadata that the API server makes another: its new value, or none where the API server removes
/// it.
pub struct Setting<'v> {
    /// The member, as an RFC 6901 pointer.
    pub pointer: String,
    /// What the API server makes of it.
    pub value: Option<Value<'v>>,
}

/// The members that the API server makes others. On an update, `old` is the stored object.
pub fn settings<'v>(object: &Value<'v>, old: Option<&Value<'v>>) -> Vec<Setting<'v>> {
    let setting = |key: &str, value| Setting { pointer: METADATA.key(key).pointer(), value };
    let at = |object: &Value<'v>, key| object.at(&["metadata", key]).cloned();
    let Some(old) = old else {
        let written = OF_CREATION.into_iter().filter(|key| at(object, key).is_some());
        return written.map(|key| setting(key, None)).collect();
    };
    let is_missing = at(object, "uid").is_none() && at(old, "uid").is_some();
    let kept = STORED.into_iter().filter(|key| at(object, key) != at(old, key));
    kept.chain(is_missing.then_some("uid")).map(|key| setting(key, at(old, key))).collect()
}

/// The object as rules see it: besides the [settings], without managed fields, of which the API server keeps what
/// it can read, and without the generation, which it counts.
pub fn prepared<'v>(object: &'v Value<'v>, old: Option<&'v Value<'v>>) -> Cow<'v, Value<'v>> {
    let settings = settings(object, old);
    if settings.is_empty() && UNJUDGED.into_iter().all(|key| object.at(&["metadata", key]).is_none()) {
        return Cow::Borrowed(object);
    }
    let mut prepared = object.clone();
    for Setting { pointer, value } in settings {
        replace(&mut prepared, &pointer, value);
    }
    for key in UNJUDGED {
        patch::remove(&mut prepared, &METADATA.key(key).pointer());
    }
    Cow::Owned(prepared)
}

fn replace<'v>(object: &mut Value<'v>, pointer: &str, value: Option<Value<'v>>) {
    match value {
        Some(value) => {
            patch::set(object, pointer, value);
        }
        None => {
            patch::remove(object, pointer);
        }
    }
}
