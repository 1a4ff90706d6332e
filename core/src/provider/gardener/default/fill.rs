//! Filling in: tables of values, and the one way by which they get into an object.

use std::borrow::Cow;

use crate::document::{Value, push_segment, segments};
use crate::policy::Defaulted;
use crate::report::Rule;

/// A value that is filled in where there is none.
pub struct Row {
    rule: &'static Rule,
    path: &'static [&'static str],
    value: Value<'static>,
    reason: &'static str,
    /// How many keys at the end of the path belong together: where a person wrote one of them, nothing is filled
    /// in.
    together: usize,
}

/// A value at a path of keys.
pub const fn row(
    rule: &'static Rule,
    path: &'static [&'static str],
    value: Value<'static>,
    reason: &'static str,
) -> Row {
    Row { rule, path, value, reason, together: 1 }
}

impl Row {
    /// The value is filled in only where there is no object to hold it.
    pub const fn with_its_object(mut self) -> Self {
        self.together = 2;
        self
    }
}

/// A text in a table.
pub const fn text(text: &'static str) -> Value<'static> {
    Value::String(Cow::Borrowed(text))
}

/// A number in a table.
pub const fn number(number: &'static str) -> Value<'static> {
    Value::Number(Cow::Borrowed(number))
}

/// Fills in the rows of a table. Their paths begin at `base`, a pointer.
pub fn fill(defaulted: &mut Defaulted<'_>, base: &str, rows: &'static [Row]) {
    for row in rows {
        let keys = (row.path.len() + 1).saturating_sub(row.together);
        let object = row.path.get(..keys).unwrap_or(row.path);
        if !has(defaulted, base, object) {
            put(defaulted, row.rule, (base, row.path), row.value.clone(), row.reason);
        }
    }
}

/// Whether there is a value at a path that begins at a pointer.
pub fn has(defaulted: &Defaulted<'_>, base: &str, path: &[&str]) -> bool {
    defaulted.object.pointer(base).is_some_and(|value| value.at(path).is_some())
}

/// Sets a value at a path that begins at a pointer, and makes the objects on the way.
pub fn put<'r>(
    defaulted: &mut Defaulted<'r>,
    rule: &'static Rule,
    (base, path): (&str, &[&'static str]),
    mut value: Value<'r>,
    reason: &'static str,
) {
    let mut pointer = base.to_owned();
    for key in path {
        push_segment(&mut pointer, key);
    }
    // What is missing on the way is made along with the value. Nothing that is missing is an entry of a list.
    while let Some((parent, key)) = pointer.rsplit_once('/') {
        let is_there = defaulted.object.pointer(parent).is_some_and(|parent| *parent != Value::Null);
        if is_there {
            break;
        }
        let key = segments(&pointer).last().unwrap_or(Cow::Borrowed(key)).into_owned();
        value = Value::Object(vec![(Cow::Owned(key), value)]);
        pointer.truncate(parent.len());
    }
    defaulted.set(rule, pointer, value, reason);
}

/// Fills in a value where there is none.
pub fn put_absent<'r>(
    defaulted: &mut Defaulted<'r>,
    rule: &'static Rule,
    (base, path): (&str, &[&'static str]),
    value: Value<'r>,
    reason: &'static str,
) {
    if !has(defaulted, base, path) {
        put(defaulted, rule, (base, path), value, reason);
    }
}

/// The pointer to an entry of a list.
pub fn entry(list: &str, index: usize) -> String {
    crate::text::join(&[list, &index.to_string()], "/")
}

/// Removes the member at a path that begins at the root, if it is there.
pub fn remove(defaulted: &mut Defaulted<'_>, rule: &'static Rule, path: &[&str], reason: &'static str) {
    let mut pointer = String::new();
    for key in path {
        push_segment(&mut pointer, key);
    }
    defaulted.remove(rule, pointer, reason);
}

/// The text at a pointer; empty where there is none.
pub fn text_at<'v>(value: &'v Value<'_>, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
