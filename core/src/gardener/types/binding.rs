//! SecretBindings and CredentialsBindings.

use serde::Deserialize;

use super::Metadata;

/// A SecretBinding or a CredentialsBinding.
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
    /// The clouds that the binding is for.
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

/// The clouds that a binding is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct BindingProvider<'a> {
    /// Provider types, separated by commas.
    #[serde(rename = "type")]
    pub provider_type: &'a str,
}
