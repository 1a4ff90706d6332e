//! Decoding of JSON values into typed objects, by the rules of the Kubernetes API machinery.
//!
//! Field names are case-sensitive; `null` leaves the zero value; of duplicate keys the last counts; integers
//! must be spelled as such. *Lenient* decoding drops unknown fields, *strict* decoding refuses unknown and
//! duplicate ones. A value of the wrong type is refused either way.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::Value;
use crate::report::{Path, quote};

/// Most unknown or duplicate fields that an error lists.
const MAX_STRICT_ERRORS: usize = 100;

/// How unknown and duplicate fields are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are errors.
    Strict,
    /// They are dropped.
    Lenient,
}

/// A field that strict decoding refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictError {
    /// Whether the field is a duplicate of another; else it is unknown.
    pub duplicate: bool,
    /// Where it is, relative to the decoded value, as `a.b[0].c`.
    pub field: String,
    /// Where it is, relative to the decoded value, as an RFC 6901 pointer.
    pub pointer: String,
}

/// Why a value is not what was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// `kind` is absent or empty.
    #[error("Object 'Kind' is missing")]
    KindMissing,
    /// `apiVersion` is absent or empty.
    #[error("Object 'apiVersion' is missing")]
    ApiVersionMissing,
    /// Nobody knows the kind in that version.
    #[error("no kind {} is registered for version {}", quote(.kind), quote(.api_version))]
    NotRegistered {
        /// The `apiVersion` given.
        api_version: String,
        /// The `kind` given.
        kind: String,
        /// Whether it is the kind that the version does not have; else nobody knows the version.
        in_known_version: bool,
    },
    /// Another kind of the same group was wanted.
    #[error("kind {} is not {}", quote(.found), quote(.wanted))]
    OtherKind {
        /// The `kind` given.
        found: String,
        /// The `kind` wanted.
        wanted: &'static str,
    },
    /// A value has the wrong type.
    #[error("{}expected {expected}, found {found}", at(.field))]
    Mismatch {
        /// Where, as `a.b[0].c`; empty for the decoded value itself.
        field: String,
        /// Where, as an RFC 6901 pointer relative to the decoded value.
        pointer: String,
        /// What was wanted.
        expected: &'static str,
        /// What was there.
        found: String,
    },
    /// Unknown or duplicate fields, in document order.
    #[error("strict decoding error: {}", list(.0))]
    Strict(Vec<StrictError>),
    /// Any other objection of a type.
    #[error("{0}")]
    Other(String),
}

impl DecodeError {
    /// Where the first cause is, as an RFC 6901 pointer relative to the decoded value.
    pub fn pointer(&self) -> &str {
        match self {
            Self::KindMissing | Self::OtherKind { .. } | Self::NotRegistered { in_known_version: true, .. } => {
                "/kind"
            }
            Self::ApiVersionMissing | Self::NotRegistered { .. } => "/apiVersion",
            Self::Mismatch { pointer, .. } => pointer,
            Self::Strict(errors) => errors.first().map_or("", |error| &error.pointer),
            Self::Other(_) => "",
        }
    }
}

impl DecodeError {
    /// The same error without the value that was found, for objects whose values are secret.
    pub fn without_value(self) -> Self {
        match self {
            Self::Mismatch { field, pointer, expected, found } if found.starts_with("the number") => {
                Self::Mismatch { field, pointer, expected, found: "a number".to_owned() }
            }
            other => other,
        }
    }
}

fn at(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}

fn list(errors: &[StrictError]) -> String {
    let entry = |error: &StrictError| {
        format!("{} field {}", if error.duplicate { "duplicate" } else { "unknown" }, quote(&error.field))
    };
    errors.iter().map(entry).collect::<Vec<_>>().join(", ")
}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    // The types are checked before a visitor sees a value; what is left does without printing it.
    fn invalid_type(_found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Other(format!("expected {expected}"))
    }

    fn invalid_value(_found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Other(format!("expected {expected}"))
    }
}

/// Decodes `value` into `T`.
pub fn decode<'v, T: de::Deserialize<'v>>(value: &'v Value<'v>, mode: Mode) -> Result<T, DecodeError> {
    let context = Context { mode, strict: RefCell::default() };
    let root = Path::root("", "");
    let decoded = T::deserialize(Node { value, path: &root, context: &context })?;
    let strict = context.strict.into_inner();
    if strict.is_empty() { Ok(decoded) } else { Err(DecodeError::Strict(strict)) }
}

/// Which of `apiVersion` and `kind` a value must have; what it has must be right in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Both.
    Fully,
    /// `apiVersion`.
    ByVersion,
    /// Neither.
    Loosely,
}

/// Checks that `value` says to be `kind` of `api_version`, where `kinds` lists the kinds of that version.
pub fn check_kind(
    value: &Value<'_>,
    api_version: &str,
    kind: &'static str,
    kinds: &[&str],
    typed: Typed,
) -> Result<(), DecodeError> {
    let root = Path::root("", "");
    let text = |key| match value.get(key) {
        None => Ok(""),
        Some(Value::String(text)) => Ok(text.as_ref()),
        Some(other) => Err(mismatch(&root.key(key), "a string", other)),
    };
    if !matches!(value, Value::Object(_) | Value::Null) {
        return Err(mismatch(&Path::root("", ""), "an object", value));
    }
    let (mut found_version, mut found) = (text("apiVersion")?, text("kind")?);
    if found.is_empty() {
        if typed == Typed::Fully {
            return Err(DecodeError::KindMissing);
        }
        found = kind;
    }
    if found_version.is_empty() {
        if typed != Typed::Loosely {
            return Err(DecodeError::ApiVersionMissing);
        }
        found_version = api_version;
    }
    if found_version != api_version || !kinds.contains(&found) {
        return Err(DecodeError::NotRegistered {
            api_version: found_version.to_owned(),
            kind: found.to_owned(),
            in_known_version: found_version == api_version,
        });
    }
    if found == kind { Ok(()) } else { Err(DecodeError::OtherKind { found: found.to_owned(), wanted: kind }) }
}

struct Context {
    mode: Mode,
    strict: RefCell<Vec<StrictError>>,
}

impl Context {
    fn refuse(&self, path: &Path<'_>, duplicate: bool) {
        if self.mode == Mode::Lenient {
            return;
        }
        let mut strict = self.strict.borrow_mut();
        let error = StrictError { duplicate, field: path.field(), pointer: path.pointer() };
        if strict.len() < MAX_STRICT_ERRORS && !strict.contains(&error) {
            strict.push(error);
        }
    }
}

fn mismatch(path: &Path<'_>, expected: &'static str, found: &Value<'_>) -> DecodeError {
    let found = match found {
        Value::Number(number) => format!("the number {number}"),
        other => other.kind().to_owned(),
    };
    DecodeError::Mismatch { field: path.field(), pointer: path.pointer(), expected, found }
}

struct Node<'n, 'v> {
    value: &'v Value<'v>,
    path: &'n Path<'n>,
    context: &'n Context,
}

impl<'n, 'v> Node<'n, 'v> {
    fn mismatch<T>(&self, expected: &'static str) -> Result<T, DecodeError> {
        Err(mismatch(self.path, expected, self.value))
    }

    /// The members to visit. Not generic, so that there is one copy of it and not one a visitor.
    fn members(self) -> Result<Members<'n, 'v>, DecodeError> {
        let list: &'v [_] = match self.value {
            Value::Object(members) => members,
            Value::Null => &[],
            _ => return self.mismatch("an object"),
        };
        let last = if list.len() > LINEAR { Some(last_occurrences(list)) } else { None };
        Ok(Members { node: self, last, list, next: 0 })
    }

    /// The items to visit.
    fn items(self) -> Result<Items<'n, 'v>, DecodeError> {
        let items: &'v [_] = match self.value {
            Value::Array(items) => items,
            Value::Null => &[],
            _ => return self.mismatch("a list"),
        };
        Ok(Items { node: self, items: items.iter().enumerate() })
    }
}

type Member<'v> = (std::borrow::Cow<'v, str>, Value<'v>);

/// Up to this many members, duplicates are looked for by comparing each with each.
const LINEAR: usize = 32;

fn last_occurrences<'v>(members: &'v [Member<'v>]) -> BTreeMap<&'v str, usize> {
    members.iter().enumerate().map(|(index, (key, _))| (key.as_ref(), index)).collect()
}

impl<'de> Deserializer<'de> for Node<'_, 'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(bool) => visitor.visit_bool(*bool),
            Value::Number(_) => self.deserialize_i64(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Bool(bool) => visitor.visit_bool(*bool),
            Value::Null => visitor.visit_bool(false),
            _ => self.mismatch("a boolean"),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Number(number) => match number.parse() {
                Ok(integer) => visitor.visit_i64(integer),
                Err(_) => self.mismatch("an integer"),
            },
            Value::Null => visitor.visit_i64(0),
            _ => self.mismatch("an integer"),
        }
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Number(number) if number.parse::<i32>().is_err() => self.mismatch("a 32-bit integer"),
            _ => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Null => visitor.visit_borrowed_str(""),
            _ => self.mismatch("a string"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_map(self.members()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_map(self.members()?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        // Derived code asks for this only where it does not know the field.
        self.context.refuse(self.path, false);
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct enum identifier
    }
}

struct Items<'n, 'v> {
    node: Node<'n, 'v>,
    items: std::iter::Enumerate<std::slice::Iter<'v, Value<'v>>>,
}

impl<'v> SeqAccess<'v> for Items<'_, 'v> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'v>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some((index, value)) = self.items.next() else { return Ok(None) };
        let path = self.node.path.index(index);
        seed.deserialize(Node { value, path: &path, context: self.node.context }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members<'n, 'v> {
    node: Node<'n, 'v>,
    list: &'v [Member<'v>],
    /// Index of each key's last occurrence, where there are many keys.
    last: Option<BTreeMap<&'v str, usize>>,
    next: usize,
}

impl Members<'_, '_> {
    fn is_shadowed(&self, index: usize, key: &str) -> bool {
        match &self.last {
            Some(last) => last.get(key) != Some(&index),
            None => self.list.iter().skip(index + 1).any(|(other, _)| other == key),
        }
    }
}

impl<'v> MapAccess<'v> for Members<'_, 'v> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'v>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        while let Some((key, _)) = self.list.get(self.next) {
            if !self.is_shadowed(self.next, key) {
                return seed.deserialize(de::value::BorrowedStrDeserializer::new(key)).map(Some);
            }
            self.node.context.refuse(&self.node.path.key(key), true);
            self.next += 1;
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'v>>(&mut self, seed: T) -> Result<T::Value, DecodeError> {
        let Some((key, value)) = self.list.get(self.next) else {
            return Err(DecodeError::Other("a value was asked for that is not there".to_owned()));
        };
        self.next += 1;
        let path = self.node.path.key(key);
        seed.deserialize(Node { value, path: &path, context: self.node.context })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Config<'a> {
        name: &'a str,
        size: Option<i32>,
        #[serde(borrow)]
        parts: Vec<Part<'a>>,
        #[serde(borrow)]
        gates: BTreeMap<&'a str, bool>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Part<'a> {
        id: &'a str,
        on: bool,
    }

    #[test]
    fn null_leaves_the_zero_value_and_the_last_duplicate_counts() {
        let value =
            parse(r#"{"name":null,"size":null,"parts":[null,{"id":"a","id":"b","on":null}],"gates":{"x":null}}"#)
                .unwrap();
        let config: Config<'_> = decode(&value, Mode::Lenient).unwrap();
        assert_eq!(config.parts, [Part::default(), Part { id: "b", on: false }]);
        assert_eq!(config.gates, BTreeMap::from([("x", false)]));
        assert_eq!((config.name, config.size), ("", None));
    }

    #[test]
    fn strict_decoding_names_unknown_and_duplicate_fields_in_document_order() {
        let value = parse(r#"{"Name":"x","parts":[{"id":"a","id":"a","z":1}],"extra":null}"#).unwrap();
        let error = decode::<Config<'_>>(&value, Mode::Strict).unwrap_err();
        assert_eq!(
            error.to_string(),
            "strict decoding error: unknown field \"Name\", duplicate field \"parts[0].id\", \
             unknown field \"parts[0].z\", unknown field \"extra\""
        );
        assert_eq!(error.pointer(), "/Name");
        assert!(decode::<Config<'_>>(&value, Mode::Lenient).is_ok());
    }

    #[test]
    fn wrong_types_are_refused_with_their_place() {
        for (text, message, pointer) in [
            (r#"{"size":1.0}"#, "size: expected a 32-bit integer, found the number 1.0", "/size"),
            (r#"{"size":3000000000}"#, "size: expected a 32-bit integer, found the number 3000000000", "/size"),
            (r#"{"parts":[{"on":"true"}]}"#, "parts[0].on: expected a boolean, found a string", "/parts/0/on"),
            (r#"{"gates":{"a":1}}"#, "gates.a: expected a boolean, found the number 1", "/gates/a"),
            (r#"{"parts":{}}"#, "parts: expected a list, found an object", "/parts"),
            ("[]", "expected an object, found a list", ""),
        ] {
            let value = parse(text).unwrap();
            let error = decode::<Config<'_>>(&value, Mode::Lenient).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.pointer()), (message, pointer), "{text}");
        }
    }

    #[test]
    fn duplicates_are_found_among_many_members_too() {
        let members: Vec<String> = (0..40).map(|n| format!(r#""g{}":true"#, n % 39)).collect();
        let value = parse(&format!(r#"{{"gates":{{{}}}}}"#, members.join(","))).map(|v| v.to_string()).unwrap();
        let value = parse(&value).unwrap();
        let error = decode::<Config<'_>>(&value, Mode::Strict).unwrap_err();
        assert_eq!(error.to_string(), "strict decoding error: duplicate field \"gates.g0\"");
    }

    #[test]
    fn kind_is_checked_before_version() {
        let kinds = ["A", "B"];
        for (text, message) in [
            ("{}", "Object 'Kind' is missing"),
            (r#"{"kind":"A","apiVersion":""}"#, "Object 'apiVersion' is missing"),
            (r#"{"kind":"A","apiVersion":"h/v1"}"#, r#"no kind "A" is registered for version "h/v1""#),
            (r#"{"kind":"C","apiVersion":"g/v1"}"#, r#"no kind "C" is registered for version "g/v1""#),
            (r#"{"kind":"B","apiVersion":"g/v1"}"#, r#"kind "B" is not "A""#),
            (r#"{"kind":1,"apiVersion":"g/v1"}"#, "kind: expected a string, found the number 1"),
            ("[]", "expected an object, found a list"),
        ] {
            let value = parse(text).unwrap();
            assert_eq!(check_kind(&value, "g/v1", "A", &kinds, Typed::Fully).unwrap_err().to_string(), message);
        }
    }
}
