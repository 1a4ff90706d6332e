//! What a verdict covers.

use serde::{Deserialize, Serialize};

/// What a verdict covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Whose rules the policy checked, such as `provider-alicloud v1.72.0`.
    pub checked: Vec<String>,
    /// The parts of these rules that the policy has; empty where it has all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// What nobody checked: `gardener`, or sections of rules and parts of the object in words.
    pub not_checked: Vec<String>,
    /// Entries of `not_checked` that are about parts of the object, with their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// Rules that nobody checked, about parts of the object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Section {
    /// The entry of `not_checked`.
    pub name: String,
    /// The parts, as RFC 6901 pointers.
    pub pointers: Vec<String>,
    /// The line of the first part that the text has.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}
