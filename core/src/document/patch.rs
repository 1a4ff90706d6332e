//! RFC 6902 patches.

use std::borrow::Cow;

use serde::Serialize;

use crate::document::{JsonText, Value, segments};

/// One operation of an RFC 6902 patch.
#[derive(Clone, Debug, Serialize)]
pub struct PatchOperation {
    /// What the operation does.
    pub op: PatchKind,
    /// The place, as an RFC 6901 pointer.
    pub path: String,
    /// The new value; absent in an operation that removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonText>,
}

/// The operations that policies use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchKind {
    /// Adds a member.
    Add,
    /// Replaces a value.
    Replace,
    /// Removes a value.
    Remove,
}

impl PatchOperation {
    /// Adds `value` at `path`.
    pub fn add(path: String, value: &Value<'_>) -> Self {
        Self { op: PatchKind::Add, path, value: Some(value.into()) }
    }

    /// Replaces what is at `path` by `value`.
    pub fn replace(path: String, value: &Value<'_>) -> Self {
        Self { op: PatchKind::Replace, path, value: Some(value.into()) }
    }

    /// Removes what is at `path`.
    pub fn remove(path: String) -> Self {
        Self { op: PatchKind::Remove, path, value: None }
    }

    /// Number of bytes of the path and the value.
    pub fn bytes(&self) -> usize {
        self.path.len() + self.value.as_ref().map_or(0, |value| value.as_str().len())
    }
}

/// Sets the member or the entry at `pointer`, and says whether the value replaced another one.
///
/// `None` where the parent is missing, or is neither an object nor a list that has the entry: nothing changes then.
pub fn set<'a>(document: &mut Value<'a>, pointer: &str, value: Value<'a>) -> Option<PatchKind> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let last = segments(pointer).last().unwrap_or(Cow::Borrowed(last)).into_owned();
    match walk(document, parent)? {
        Value::Object(members) => {
            if let Some((_, old)) = members.iter_mut().rev().find(|(key, _)| *key == last) {
                *old = value;
                Some(PatchKind::Replace)
            } else {
                members.push((Cow::Owned(last), value));
                Some(PatchKind::Add)
            }
        }
        Value::Array(items) => {
            *items.get_mut(last.parse::<usize>().ok()?)? = value;
            Some(PatchKind::Replace)
        }
        _ => None,
    }
}

fn walk<'v, 'a>(document: &'v mut Value<'a>, pointer: &str) -> Option<&'v mut Value<'a>> {
    segments(pointer).try_fold(document, |value, segment| match value {
        Value::Object(members) => {
            members.iter_mut().rev().find(|(key, _)| *key == segment).map(|(_, value)| value)
        }
        Value::Array(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    #[test]
    fn set_adds_replaces_and_refuses_missing_parents() {
        let mut document = parse(r#"{"a":[{"b":1}],"c/d":null}"#).unwrap();
        assert_eq!(set(&mut document, "/a/0/x", Value::Bool(true)), Some(PatchKind::Add));
        assert_eq!(set(&mut document, "/c~1d", Value::Bool(false)), Some(PatchKind::Replace));
        assert_eq!(set(&mut document, "/missing/x", Value::Null), None);
        assert_eq!(set(&mut document, "/a/1", Value::Null), None);
        assert_eq!(document.to_string(), r#"{"a":[{"b":1,"x":true}],"c/d":false}"#);
    }
}
