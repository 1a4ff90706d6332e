//! Entries of lists by their names.

use crate::document::Value;

/// The place of the first entry of that name; `key` is the member that holds names.
pub fn position(list: &[Value<'_>], key: &str, name: &str) -> Option<usize> {
    list.iter().position(|entry| entry.get(key).and_then(Value::as_str) == Some(name))
}

/// The first entry of that name, with its place.
pub fn named<'l, 'v>(list: &'l [Value<'v>], key: &str, name: &str) -> Option<(usize, &'l Value<'v>)> {
    position(list, key, name).and_then(|index| Some((index, list.get(index)?)))
}
