//! JSON values as trees that keep what a person wrote: the spelling of numbers, the order of members and duplicate
//! keys.

use std::borrow::Cow;
use std::fmt;

use super::escape::write_string;
use crate::collections::NameMap;

/// A JSON value that borrows from the text it was read from.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it was spelled.
    Number(Cow<'a, str>),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// Members in the order of the text; a key may occur several times, the last one counts.
    Object(Vec<Member<'a>>),
}

/// A member of an object: its key and its value.
pub type Member<'a> = (Cow<'a, str>, Value<'a>);

impl<'a> Value<'a> {
    /// Makes an object with these members.
    pub fn object<const N: usize>(members: [(&'static str, Self); N]) -> Self {
        // As a list, so that a compiled policy holds the loop once, and not once for each length.
        Self::Object(Vec::from(members).into_iter().map(|(key, value)| (Cow::Borrowed(key), value)).collect())
    }

    /// Makes a string.
    pub fn string(text: impl Into<Cow<'a, str>>) -> Self {
        Self::String(text.into())
    }

    /// The member of an object; `None` where the member is absent or `null`.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).filter(|value| !matches!(value, Self::Null))
    }

    /// The member of an object, also where the member is `null`.
    pub fn member(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value under nested keys, `None` where one is absent or `null`.
    pub fn at(&self, keys: &[&str]) -> Option<&Self> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The text under nested keys; empty where there is none.
    pub fn text_at(&self, keys: &[&str]) -> &str {
        self.at(keys).and_then(Self::as_str).unwrap_or_default()
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entries of an array; none for anything else.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The value that an RFC 6901 pointer leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        segments(pointer).try_fold(self, |value, segment| match value {
            Self::Object(_) => value.member(&segment),
            Self::Array(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The value with sorted members, without shadowed duplicates and without `null` members; if the caller asks
    /// for it, also without empty lists and objects. Two canonical values are equal where the API server sees no
    /// difference.
    pub fn canonical(&self, drop_empty: bool) -> Self {
        match self {
            Self::Object(members) => {
                let mut sorted = NameMap::new();
                for (key, value) in members {
                    sorted.insert(key, (key, value));
                }
                let mut members = Vec::with_capacity(sorted.len());
                for (_, (key, value)) in sorted.iter() {
                    let value = value.canonical(drop_empty);
                    if !value.is_absent(drop_empty) {
                        members.push((Cow::clone(key), value));
                    }
                }
                Self::Object(members)
            }
            Self::Array(items) => Self::Array(items.iter().map(|item| item.canonical(drop_empty)).collect()),
            other => other.clone(),
        }
    }

    fn is_absent(&self, drop_empty: bool) -> bool {
        match self {
            Self::Null => true,
            Self::Array(items) => drop_empty && items.is_empty(),
            Self::Object(members) => drop_empty && members.is_empty(),
            _ => false,
        }
    }

    /// Writes compact JSON text.
    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(bool) => text.push_str(if *bool { "true" } else { "false" }),
            Self::Number(number) => text.push_str(number),
            Self::String(value) => write_string(value, text),
            Self::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    write_string(key, text);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }

    /// The kind of value, in words for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The segments of an RFC 6901 pointer, unescaped.
pub fn segments(pointer: &str) -> Segments<'_> {
    Segments { left: pointer.split_once('/').map(|(_, left)| left) }
}

/// Iterates over the segments of a pointer. The adapters of the standard library have more code for each of their
/// uses.
#[derive(Debug)]
pub struct Segments<'p> {
    /// What follows the next slash.
    left: Option<&'p str>,
}

impl<'p> Iterator for Segments<'p> {
    type Item = Cow<'p, str>;

    fn next(&mut self) -> Option<Self::Item> {
        let left = self.left?;
        let (segment, left) = left.split_once('/').map_or((left, None), |(segment, left)| (segment, Some(left)));
        self.left = left;
        Some(unescaped(segment))
    }
}

/// The search of the standard library for a text in a text, which `str::replace` and `str::contains` need, would
/// be 1 KB of a browser's download.
fn unescaped(segment: &str) -> Cow<'_, str> {
    if !segment.bytes().any(|byte| byte == b'~') {
        return Cow::Borrowed(segment);
    }
    let mut parts = segment.split('~');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (char, rest) = match part.split_at_checked(1) {
            Some(("0", rest)) => ('~', rest),
            Some(("1", rest)) => ('/', rest),
            _ => ('~', part),
        };
        text.push(char);
        text.push_str(rest);
    }
    Cow::Owned(text)
}

/// Compact JSON text.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_written_as_json_that_reads_the_same(text in any::<String>(), key in any::<String>()) {
            let value = Value::Object(vec![(key.into(), Value::string(text))]);
            let written = value.to_string();
            prop_assert_eq!(parse(&written), Ok(value));
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        for code in 0..0x20_u8 {
            let text = char::from(code).to_string();
            let written = Value::string(text.as_str()).to_string();
            assert!(written.bytes().all(|byte| byte >= 0x20), "{code:#x}: {written}");
            assert_eq!(parse(&written).unwrap().as_str(), Some(text.as_str()));
        }
    }

    #[test]
    fn pointers_unescape_and_index() {
        let value = parse(r#"{"a/b":{"~":[{"x":null},2]}}"#).unwrap();
        assert_eq!(value.pointer("/a~1b/~0/1"), Some(&Value::Number("2".into())));
        assert_eq!(value.pointer("/a~1b/~0/0/x"), Some(&Value::Null));
        assert_eq!(value.pointer("/a~1b/~0/2"), None);
        assert_eq!(value.pointer(""), Some(&value));
        let unescaped: Vec<_> = segments("/~01/~/~2~1é").collect();
        assert_eq!(unescaped, ["~1", "~", "~2/é"]);
    }

    #[test]
    fn canonical_values_are_equal_where_the_api_server_sees_no_difference() {
        let canonical = |text, drop_empty| parse(text).unwrap().canonical(drop_empty).to_string();
        assert_eq!(canonical(r#"{"b":[],"a":{"x":null},"b":[1],"c":[]}"#, false), r#"{"a":{},"b":[1],"c":[]}"#);
        assert_eq!(canonical(r#"{"b":[],"a":{"x":null},"b":[1],"c":[]}"#, true), r#"{"b":[1]}"#);
    }
}
