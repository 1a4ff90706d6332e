//! RFC 6902 patches.

use std::borrow::Cow;

use serde::Serialize;

use crate::document::{JsonText, Path, Value, segments};

/// One operation of an RFC 6902 patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatchOperation {
    /// What the operation does.
    pub op: PatchKind,
    /// Where the value was, as an RFC 6901 pointer; only in an operation that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The place, as an RFC 6901 pointer.
    pub path: String,
    /// The new value; absent in an operation that removes or moves.
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
    /// Gives a member another key: the places before and after have the same parent.
    Move,
}

impl PatchOperation {
    /// Adds `value` at `path`.
    pub fn add(path: String, value: &Value<'_>) -> Self {
        Self { op: PatchKind::Add, from: None, path, value: Some(value.into()) }
    }

    /// Replaces what is at `path` by `value`.
    pub fn replace(path: String, value: &Value<'_>) -> Self {
        Self { op: PatchKind::Replace, from: None, path, value: Some(value.into()) }
    }

    /// Removes what is at `path`.
    pub fn remove(path: String) -> Self {
        Self { op: PatchKind::Remove, from: None, path, value: None }
    }

    /// Gives the member at `from` the key `name`, which its object has not yet, or has by default alone.
    pub fn rename(from: String, name: &str) -> Self {
        let parent = from.rsplit_once('/').map_or("", |(parent, _)| parent);
        let path = Path::root("", parent).key(name).pointer();
        Self { op: PatchKind::Move, from: Some(from), path, value: None }
    }

    /// Number of bytes of the paths and the value.
    pub fn bytes(&self) -> usize {
        self.path.len()
            + self.from.as_ref().map_or(0, String::len)
            + self.value.as_ref().map_or(0, |value| value.as_str().len())
    }
}

/// Sets the member or the entry at `pointer`, and says whether the value replaced another one.
///
/// `None` where the parent is missing, or is neither an object nor a list that has the entry: nothing changes
/// then.
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

/// Adds an entry to the end of the list at `pointer`, and says whether there is one.
pub fn append<'a>(document: &mut Value<'a>, pointer: &str, entry: Value<'a>) -> bool {
    let Some(Value::Array(items)) = walk(document, pointer) else { return false };
    items.push(entry);
    true
}

/// Removes the member at `pointer`, with all its duplicates, or the entry, and says whether there was one.
pub fn remove(document: &mut Value<'_>, pointer: &str) -> bool {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
    let last = segments(pointer).last().unwrap_or(Cow::Borrowed(last)).into_owned();
    match walk(document, parent) {
        Some(Value::Object(members)) => {
            let before = members.len();
            members.retain(|(key, _)| *key != last);
            members.len() < before
        }
        Some(Value::Array(items)) => match last.parse::<usize>() {
            Ok(index) if index < items.len() => {
                items.remove(index);
                true
            }
            _ => false,
        },
        _ => false,
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

    #[test]
    fn remove_takes_away_a_member_with_its_duplicates() {
        let mut document = parse(r#"{"a":{"b/c":1,"x":2,"b/c":3}}"#).unwrap();
        assert!(remove(&mut document, "/a/b~1c"));
        assert!(!remove(&mut document, "/a/b~1c"));
        assert!(!remove(&mut document, "/y/x"));
        assert_eq!(document.to_string(), r#"{"a":{"x":2}}"#);
    }

    #[test]
    fn a_rename_moves_within_the_same_parent() {
        for (from, name, path) in
            [("/spec/workrs", "workers", "/spec/workers"), ("/a", "b/c~", "/b~1c~0"), ("/a/0/x~1y", "x", "/a/0/x")]
        {
            let operation = PatchOperation::rename(from.to_owned(), name);
            let text = serde_json::to_string(&operation).unwrap();
            assert_eq!(text, format!(r#"{{"op":"move","from":"{from}","path":"{path}"}}"#));
            assert_eq!(operation.bytes(), from.len() + path.len());
        }
    }
}
