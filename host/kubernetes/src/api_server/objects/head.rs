//! What identifies objects and their versions, without their content.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// What identifies an object and its version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// Its resource version.
    #[serde(rename = "resourceVersion")]
    pub version: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

impl Head {
    /// That of a whole object.
    pub fn of(object: &Value) -> Self {
        object.get("metadata").and_then(|metadata| Self::deserialize(metadata).ok()).unwrap_or_default()
    }

    /// Whether a label has a value.
    pub fn has_label(&self, label: &str, value: &str) -> bool {
        self.labels.get(label).is_some_and(|known| known == value)
    }
}

/// An object of which the API server sends the metadata alone.
#[derive(Deserialize)]
pub(super) struct Partial {
    pub metadata: Head,
}

/// Names of objects of one kind, each with its resource version.
pub type ResourceVersions = BTreeMap<String, String>;
