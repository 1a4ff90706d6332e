//! Writes answers as JSON text.
//!
//! Every value can be written, so no code hands errors on: for each member of each answer, that would be 3 KB of a
//! browser's download.

use std::fmt::Display;

use serde::ser::{self, Serialize, Serializer};

use super::escape::write_string;

/// The name of a newtype whose text is JSON already.
pub(super) const JSON: &str = "JSON";

/// The JSON text of a value.
pub fn write<T: Serialize>(value: &T) -> String {
    let mut writer = Writer { text: String::new(), is_json: false };
    let Ok(()) = value.serialize(&mut writer);
    writer.text
}

struct Writer {
    text: String,
    /// Whether the next text is JSON already.
    is_json: bool,
}

impl Writer {
    #[expect(clippy::unnecessary_wraps, reason = "a serializer returns a result")]
    fn open<'w>(&'w mut self, start: &str, end: &'static str) -> Written<Open<'w>> {
        self.text.push_str(start);
        Ok(Open { writer: self, end })
    }

    fn key(&mut self, key: &str) {
        self.separate();
        write_string(key, &mut self.text);
        self.text.push(':');
    }

    /// Separates an entry from the one before it.
    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), Some(b'{' | b'[')) {
            self.text.push(',');
        }
    }

    fn variant(&mut self, name: &str) {
        self.text.push('{');
        self.key(name);
    }

    #[expect(clippy::unnecessary_wraps, reason = "a serializer returns a result")]
    fn plain(&mut self, text: &str) -> Written {
        self.text.push_str(text);
        Ok(())
    }
}

/// What a value has that cannot be written: there is no such value.
#[derive(Debug, thiserror::Error)]
enum Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(_: T) -> Self {
        unreachable!()
    }
}

type Written<T = ()> = Result<T, Unwritable>;

macro_rules! numbers {
    ($($method:ident: $number:ty,)+) => { $(
        fn $method(self, value: $number) -> Written {
            self.plain(&value.to_string())
        }
    )+ };
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Open<'w>;
    type SerializeTuple = Open<'w>;
    type SerializeTupleStruct = Open<'w>;
    type SerializeTupleVariant = Open<'w>;
    type SerializeMap = Open<'w>;
    type SerializeStruct = Open<'w>;
    type SerializeStructVariant = Open<'w>;

    numbers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Written {
        if value.is_finite() { self.plain(&value.to_string()) } else { self.serialize_unit() }
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.plain(if value { "true" } else { "false" })
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Written {
        if std::mem::take(&mut self.is_json) {
            self.text.push_str(value);
        } else {
            write_string(value, &mut self.text);
        }
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Written {
        self.plain("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.plain("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.plain("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Written {
        self.is_json = name == JSON;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.plain("}")
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, entries: I) -> Written {
        self.text.push('[');
        for entry in entries {
            self.separate();
            entry.serialize(&mut *self)?;
        }
        self.plain("]")
    }

    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(self, members: I) -> Written {
        self.text.push('{');
        for (key, value) in members {
            self.separate();
            key.serialize(&mut *self)?;
            self.text.push(':');
            value.serialize(&mut *self)?;
        }
        self.plain("}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Written<Open<'w>> {
        self.open("[", "]")
    }

    fn serialize_tuple(self, _: usize) -> Written<Open<'w>> {
        self.open("[", "]")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Written<Open<'w>> {
        self.open("[", "]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Written<Open<'w>> {
        self.variant(variant);
        self.open("[", "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Written<Open<'w>> {
        self.open("{", "}")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Written<Open<'w>> {
        self.open("{", "}")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Written<Open<'w>> {
        self.variant(variant);
        self.open("{", "}}")
    }
}

/// A list or an object that is being written, and what ends it.
struct Open<'w> {
    writer: &'w mut Writer,
    end: &'static str,
}

impl ser::SerializeMap for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.writer.separate();
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.text.push(':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Written {
        self.writer.plain(self.end)
    }
}

macro_rules! lists {
    ($($list:ident: $method:ident,)+) => { $(
        impl ser::$list for Open<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, entry: &T) -> Written {
                self.writer.separate();
                entry.serialize(&mut *self.writer)
            }

            fn end(self) -> Written {
                self.writer.plain(self.end)
            }
        }
    )+ };
}
lists! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

macro_rules! structs {
    ($($object:ident,)+) => { $(
        impl ser::$object for Open<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
                self.writer.key(key);
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Written {
                self.writer.plain(self.end)
            }
        }
    )+ };
}
structs! {
    SerializeStruct,
    SerializeStructVariant,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(serde::Serialize)]
    enum Shape {
        Unit,
        Newtype(u8),
        Tuple(u8, i64),
        Struct { name: Option<char>, list: Vec<f64> },
    }

    #[test]
    fn a_value_is_written_as_serde_json_writes_it() {
        let shapes = [
            Shape::Unit,
            Shape::Newtype(1),
            Shape::Tuple(2, i64::MIN),
            Shape::Struct { name: None, list: vec![0.5, f64::NAN] },
            Shape::Struct { name: Some('"'), list: Vec::new() },
        ];
        assert_eq!(write(&shapes), serde_json::to_string(&shapes).unwrap());
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(text in any::<String>(), control in 0_u8..0x20) {
            for text in [text, char::from(control).to_string()] {
                prop_assert_eq!(write(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }
}
