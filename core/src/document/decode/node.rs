//! A JSON value as serde sees it.

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::cell::RefCell;

use super::{DecodeError, Found, Mode, StrictError};
use crate::collections::NameMap;
use crate::document::{Path, Value};

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

/// The error about a value of a wrong type.
pub(super) fn mismatch(path: &Path<'_>, expected: &'static str, found: &Value<'_>) -> DecodeError {
    let found = match found {
        Value::Number(number) => Found::Number(number.clone().into_owned()),
        other => Found::Kind(other.kind()),
    };
    DecodeError::Mismatch { field: path.field(), pointer: path.pointer(), expected, found }
}

/// A value and its place.
pub(super) struct Node<'n, 'v> {
    value: &'v Value<'v>,
    path: &'n Path<'n>,
    context: &'n Context,
}

impl<'n, 'v> Node<'n, 'v> {
    pub(super) fn new(value: &'v Value<'v>, path: &'n Path<'n>, context: &'n Context) -> Self {
        Self { value, path, context }
    }

    fn mismatch<T>(&self, expected: &'static str) -> Result<T, DecodeError> {
        Err(mismatch(self.path, expected, self.value))
    }

    /// The members to visit. The function is not generic, so that a compiled policy holds it once and not once a visitor.
    fn members(self) -> Result<Members<'n, 'v>, DecodeError> {
        let list: &'v [_] = match self.value {
            Value::Object(members) => members,
            Value::Null => &[],
            _ => return self.mismatch("an object"),
        };
        let occurrences = if list.len() > LINEAR { Some(last_occurrences(list)) } else { None };
        Ok(Members { node: self, last: occurrences, list, next: 0 })
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

/// Among up to so many members, each is compared with each to find duplicates.
const LINEAR: usize = 32;

fn last_occurrences<'v>(members: &'v [Member<'v>]) -> NameMap<'v, usize> {
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

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Number(number) if number.parse::<u32>().is_err() => {
                self.mismatch("an integer from 0 to 2³² − 1")
            }
            _ => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Number(number) => match number.parse() {
                Ok(integer) => visitor.visit_u64(integer),
                Err(_) => self.mismatch("an integer from 0 to 2⁶⁴ − 1"),
            },
            Value::Null => visitor.visit_u64(0),
            _ => self.mismatch("an integer"),
        }
    }

    /// Reads any spelling of a number. One beyond the largest is refused, as Go refuses it.
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Value::Number(number) => match number.parse::<f64>() {
                Ok(float) if float.is_finite() => visitor.visit_f64(float),
                _ => self.mismatch("a number of 64 bits"),
            },
            Value::Null => visitor.visit_f64(0.0),
            _ => self.mismatch("a number"),
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

    /// Hands a value over to a type that reads a text itself, such as a quantity. A number comes as the bytes of its spelling.
    /// In messages, the name says what is wanted.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let read: Result<_, DecodeError> = match self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Number(number) => visitor.visit_borrowed_bytes(number.as_bytes()),
            Value::Null => visitor.visit_unit(),
            _ => return self.mismatch(name),
        };
        read.or_else(|_| self.mismatch(name))
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
        // Derived code calls this only for a field that it does not know.
        self.context.refuse(self.path, false);
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple
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
    /// The index of the last member of each key; absent where there are few members.
    last: Option<NameMap<'v, usize>>,
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
