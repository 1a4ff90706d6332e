//! Secrets, and InternalSecrets, which have the same members.

use std::borrow::Cow;

use super::Metadata;
use crate::collections::NameMap;
use crate::document::decode::{DecodeError, Found, Mode, decode};
use crate::document::{Path, Value};
use crate::record;
use crate::text::base64;

record! {
    /// A Secret or an InternalSecret. It has no `Debug`, so that no message can show its values.
    #[derive(Clone, Default, PartialEq)]
    pub struct Secret<'a> {
        /// Metadata.
        pub metadata: Metadata<'a>,
        /// Values in base64.
        pub data: NameMap<'a, &'a str>,
        /// Values in plain text; the API server prefers them to those of `data`.
        pub string_data: NameMap<'a, &'a str>,
    }
}

/// Where findings print the data of a Secret.
pub const SECRET_DATA: Path<'_> = Path::root("secret.data", "");

impl<'a> Secret<'a> {
    /// Decodes a Secret. The error names places and types, and never a value.
    pub fn read(object: &'a Value<'a>) -> Result<Self, DecodeError> {
        decode(object, Mode::Lenient).map_err(DecodeError::without_value)
    }

    /// The place of a key, as an RFC 6901 pointer: in `stringData` where the Secret has the key there, else in
    /// `data`.
    pub fn pointer(&self, key: &str) -> String {
        let member = if self.string_data.contains(key) { "/stringData" } else { "/data" };
        Path::root("", member).key(key).pointer()
    }

    /// Where a finding about a key, or about the whole data, points.
    pub fn place(&self, key: Option<&str>) -> String {
        key.map_or_else(|| "/data".to_owned(), |key| self.pointer(key))
    }
}

/// Decoded values of a Secret by key. They have no `Debug`, so that no message can show them.
pub struct Values<'a>(NameMap<'a, Cow<'a, [u8]>>);

impl<'a> Values<'a> {
    /// Decodes `data`, and replaces values by those of `stringData`, as the API server does.
    pub fn of(secret: &Secret<'a>) -> Result<Self, DecodeError> {
        let mut values = NameMap::new();
        let data = Path::root("data", "/data");
        for (key, text) in secret.data.iter() {
            let value = base64::decode(text).ok_or_else(|| DecodeError::Mismatch {
                field: data.key(key).field(),
                pointer: data.key(key).pointer(),
                expected: "base64",
                found: Found::Kind("other text"),
            })?;
            values.insert(key, Cow::Owned(value));
        }
        for (key, text) in secret.string_data.iter() {
            values.insert(key, Cow::Borrowed(text.as_bytes()));
        }
        Ok(Self(values))
    }

    /// Whether both Secrets have the same keys and values.
    pub fn same(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.0.names()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.0.get(key).map(Cow::as_ref)
    }
}
