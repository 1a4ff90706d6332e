//! A value in its place, and what a target reads of it.
//!
//! Nothing here is generic, so that a compiled policy holds it once, and not once for each type.

use std::cell::RefCell;

use super::{DecodeError, Found, Meant, Mode, StrictError};
use crate::collections::NameMap;
use crate::document::value::Member;
use crate::document::{Path, Value};
use crate::text::nearest::{is_certain, nearest};

/// The most unknown or duplicate fields that an error lists.
const MAX_STRICT_ERRORS: usize = 100;

/// The mode of decoding, and the fields that strict decoding refuses.
pub(super) struct Context {
    mode: Mode,
    strict: RefCell<Vec<StrictError>>,
}

impl Context {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, strict: RefCell::default() }
    }

    pub(super) fn into_errors(self) -> Vec<StrictError> {
        self.strict.into_inner()
    }

    /// Writes down a field that strict decoding refuses, and what is meant by an unknown one.
    fn refuse(&self, path: &Path<'_>, duplicate: bool, meant: &dyn Fn() -> Option<Meant>) {
        if self.mode == Mode::Lenient {
            return;
        }
        let mut strict = self.strict.borrow_mut();
        let pointer = path.pointer();
        let is_new = |known: &StrictError| known.duplicate != duplicate || known.pointer != pointer;
        if strict.len() < MAX_STRICT_ERRORS && strict.iter().all(is_new) {
            strict.push(StrictError { duplicate, field: path.field(), pointer, meant: meant() });
        }
    }
}

/// The error about a value of a wrong type.
pub(super) fn mismatch(path: &Path<'_>, expected: &'static str, found: &Value<'_>) -> DecodeError {
    let found = match found {
        Value::Number(number) => Found::Number(number.clone().into_owned()),
        other => Found::Kind(other.kind()),
    };
    DecodeError::Mismatch { field: path.field(), pointer: path.pointer(), expected, found }
}

/// What a value is decoded into: a scalar, a list, a map, or an object with fields ([`record!`](crate::record)).
pub trait Target<'v> {
    /// Takes over the value of a node. Before it, the target has its zero value, and `null` leaves that.
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError>;
}

/// A value in its place.
#[derive(Clone, Copy)]
pub struct Node<'n, 'v> {
    value: &'v Value<'v>,
    path: &'n Path<'n>,
    context: &'n Context,
}

impl<'n, 'v> Node<'n, 'v> {
    pub(super) fn new(value: &'v Value<'v>, path: &'n Path<'n>, context: &'n Context) -> Self {
        Self { value, path, context }
    }

    /// The value.
    pub fn value(&self) -> &'v Value<'v> {
        self.value
    }

    /// The error for a target that needs another type of value.
    pub fn mismatch(&self, expected: &'static str) -> DecodeError {
        mismatch(self.path, expected, self.value)
    }

    /// Decodes the members of an object into the fields of a record, which have these names.
    pub fn fields(&self, names: &[&str], fields: &mut [&mut dyn Target<'v>]) -> Result<(), DecodeError> {
        self.members(&mut |key, member| {
            for (name, field) in names.iter().zip(fields.iter_mut()) {
                if is_named(name, key) {
                    return field.decode(member);
                }
            }
            member.context.refuse(member.path, false, &|| self.meant(key, names));
            Ok(())
        })
    }

    /// The field that an unknown key most likely means, among those of these names that the object lacks.
    fn meant(&self, key: &str, names: &[&str]) -> Option<Meant> {
        let names: Vec<String> = names.iter().map(|name| camel_case(name)).collect();
        let all = || names.iter().map(String::as_str);
        let name = nearest(key, all().filter(|name| self.value.member(name).is_none()))?;
        Some(Meant { is_certain: is_certain(key, name, all()), name: name.to_owned() })
    }

    /// Hands over each member of an object. Of duplicates the last counts.
    pub fn members(
        &self,
        take: &mut dyn FnMut(&'v str, &Node<'_, 'v>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let members: &'v [Member<'v>] = match self.value {
            Value::Object(members) => members,
            Value::Null => &[],
            _ => return Err(self.mismatch("an object")),
        };
        let last = if members.len() > LINEAR { Some(last_occurrences(members)) } else { None };
        for (index, (key, value)) in members.iter().enumerate() {
            let path = self.path.key(key);
            let is_shadowed = match &last {
                Some(last) => last.get(key) != Some(&index),
                None => members.iter().skip(index + 1).any(|(other, _)| other == key),
            };
            if is_shadowed {
                self.context.refuse(&path, true, &|| None);
            } else {
                take(key, &Node { value, path: &path, context: self.context })?;
            }
        }
        Ok(())
    }

    /// Hands over each entry of a list.
    pub fn items(
        &self,
        take: &mut dyn FnMut(&Node<'_, 'v>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let items: &'v [Value<'v>] = match self.value {
            Value::Array(items) => items,
            Value::Null => &[],
            _ => return Err(self.mismatch("a list")),
        };
        for (index, value) in items.iter().enumerate() {
            take(&Node { value, path: &self.path.index(index), context: self.context })?;
        }
        Ok(())
    }
}

/// Among up to so many members, each is compared with each to find duplicates.
const LINEAR: usize = 32;

fn last_occurrences<'v>(members: &'v [Member<'v>]) -> NameMap<'v, usize> {
    members.iter().enumerate().map(|(index, (key, _))| (key.as_ref(), index)).collect()
}

/// Whether a field of this name in snake case, or of this very name, is meant by a key.
fn is_named(field: &str, key: &str) -> bool {
    // Most names differ in the first letter.
    if field.as_bytes().first() != key.as_bytes().first() {
        return false;
    }
    let mut rest = key.bytes();
    let mut is_first = false;
    for byte in field.bytes() {
        if byte == b'_' {
            is_first = true;
            continue;
        }
        let wanted = if is_first { byte.to_ascii_uppercase() } else { byte };
        is_first = false;
        if rest.next() != Some(wanted) {
            return false;
        }
    }
    rest.next().is_none()
}

/// The key of a field of this name.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        key.push_str(&first.to_ascii_uppercase());
        key.push_str(rest);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_has_the_name_of_its_field_in_camel_case() {
        for (field, key) in [
            ("kind", "kind"),
            ("api_version", "apiVersion"),
            ("ipv6_cidr_block", "ipv6CidrBlock"),
            ("eipAllocationID", "eipAllocationID"),
        ] {
            assert!(is_named(field, key), "{field} {key}");
            assert_eq!(camel_case(field), key);
        }
        for key in ["api_version", "ApiVersion", "apiversion", "apiVersio", "apiVersions", "api", ""] {
            assert!(!is_named("api_version", key), "{key}");
        }
    }
}
