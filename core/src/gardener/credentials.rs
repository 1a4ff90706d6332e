//! Secrets and the bindings that refer to them.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, PAD};
use serde::Deserialize;

use super::Metadata;
use crate::call::{FactAnswer, Query};
use crate::collections::NameMap;
use crate::document::decode::{DecodeError, Mode, decode};
use crate::document::{Path, Value};
use crate::kube::query;
use crate::policy::{Request, RequestError};

/// Base64 as the API server reads it: padded, and what the last character has too many of bits does not matter.
const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, PAD.with_decode_allow_trailing_bits(true));

/// A Secret. Its values are never shown: there is no `Debug`.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Secret<'a> {
    /// Metadata.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// Values in base64.
    #[serde(borrow)]
    pub data: NameMap<'a, &'a str>,
    /// Values in plain; they win over `data`.
    #[serde(borrow)]
    pub string_data: NameMap<'a, &'a str>,
}

impl<'a> Secret<'a> {
    /// Decodes a Secret. The error names places and types, but no value.
    pub fn read(object: &'a Value<'a>) -> Result<Self, DecodeError> {
        decode(object, Mode::Lenient).map_err(DecodeError::without_value)
    }

    /// Where the value of a key is, or would be, as an RFC 6901 pointer.
    pub fn pointer(&self, key: &str) -> String {
        let member = if self.string_data.contains(key) { "/stringData" } else { "/data" };
        Path::root("", member).key(key).pointer()
    }
}

/// Decoded values of a Secret by key. They are never shown: there is no `Debug`.
pub struct Values<'a>(NameMap<'a, Cow<'a, [u8]>>);

impl<'a> Values<'a> {
    /// Decodes `data`, and `stringData` over it, as the API server does; line breaks within base64 do not count.
    pub fn of(secret: &Secret<'a>) -> Result<Self, DecodeError> {
        let mut values = NameMap::new();
        let data = Path::root("data", "/data");
        for (key, text) in secret.data.iter() {
            let text = text.replace(['\r', '\n'], "");
            let value = BASE64.decode(text).map_err(|_| DecodeError::Mismatch {
                field: data.key(key).field(),
                pointer: data.key(key).pointer(),
                expected: "base64",
                found: "other text".to_owned(),
            })?;
            values.insert(key, Cow::Owned(value));
        }
        for (key, text) in secret.string_data.iter() {
            values.insert(key, Cow::Borrowed(text.as_bytes()));
        }
        Ok(Self(values))
    }

    /// Whether both Secrets say the same.
    pub fn same(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// A value.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.0.get(key).map(Cow::as_ref)
    }
}

/// A SecretBinding or CredentialsBinding.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Binding<'a> {
    /// Metadata.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// What a SecretBinding refers to.
    #[serde(borrow)]
    pub secret_ref: ObjectReference<'a>,
    /// What a CredentialsBinding refers to.
    #[serde(borrow)]
    pub credentials_ref: ObjectReference<'a>,
    /// For which clouds.
    #[serde(borrow)]
    pub provider: Option<BindingProvider<'a>>,
}

/// Reference to an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ObjectReference<'a> {
    /// Group and version.
    pub api_version: &'a str,
    /// Kind.
    pub kind: &'a str,
    /// Namespace.
    pub namespace: &'a str,
    /// Name.
    pub name: &'a str,
}

/// For which clouds a binding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct BindingProvider<'a> {
    /// Provider types, separated by commas.
    #[serde(rename = "type")]
    pub provider_type: &'a str,
}

/// What is known of the Secret that a binding refers to.
pub enum Referenced<'r> {
    /// It is here.
    Found(Secret<'r>, Values<'r>),
    /// It could not be looked up, in the words of whoever tried.
    Failed(&'r str),
    /// Nobody has looked yet.
    Unknown(Query),
}

/// The Secret behind a binding: from the request's context, else from a fact.
pub fn referenced_secret<'r>(
    request: &Request<'r>,
    namespace: &str,
    name: &str,
) -> Result<Referenced<'r>, RequestError> {
    let query = query::object("v1", "Secret", namespace, name);
    // A Secret of another name says nothing of this one.
    let given = request.context("secret").filter(|secret| {
        let is =
            |key, wanted| secret.at(&["metadata", key]).and_then(Value::as_str).is_none_or(|text| text == wanted);
        is("name", name) && is("namespace", namespace)
    });
    let secret = match (given, request.fact(&query)) {
        (Some(secret), _) | (None, Some(FactAnswer::Response(secret))) => secret,
        (None, Some(FactAnswer::Error { message, .. })) => return Ok(Referenced::Failed(message)),
        (None, None) => return Ok(Referenced::Unknown(query)),
    };
    // What is wrong inside the Secret must not place a pointer into the binding.
    let in_secret = |error: DecodeError| RequestError::Malformed {
        message: format!("secret {namespace}/{name}: {error}"),
        pointer: None,
    };
    let secret = Secret::read(secret).map_err(in_secret)?;
    let values = Values::of(&secret).map_err(in_secret)?;
    Ok(Referenced::Found(secret, values))
}
