//! Secrets and the bindings that refer to them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Metadata;

/// A Secret. Its values are never shown: there is no `Debug`.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Secret<'a> {
    /// Metadata.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// Values in base64.
    #[serde(borrow)]
    pub data: BTreeMap<&'a str, &'a str>,
    /// Values in plain; they win over `data`.
    #[serde(borrow)]
    pub string_data: BTreeMap<&'a str, &'a str>,
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
