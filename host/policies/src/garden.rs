//! What a caller says of the garden that an object is for.

mod openapi;

pub use openapi::{FieldNames, OpenApiError};

use serde_json::Value;

/// What is known of a garden. Gardener's own rules on structure read it.
#[derive(Clone, Debug, Default)]
pub struct Garden {
    /// The version of its Gardener, such as `1.147.2`.
    pub version: Option<String>,
    /// The fields that its API server knows.
    pub fields: Option<FieldNames>,
}

impl Garden {
    /// Whether anything is known.
    pub fn is_reported(&self) -> bool {
        self.version.is_some() || self.fields.is_some()
    }

    /// Members of a request's context, with their values as JSON text, for an object of a kind.
    pub fn members(&self, kind: &str) -> Vec<(&'static str, String)> {
        let version = self.version.as_deref().map(|version| ("gardenerVersion", Value::from(version).to_string()));
        let fields = self.fields.as_ref().map(|fields| ("openapi", fields.of_kind(kind)));
        version.into_iter().chain(fields).collect()
    }
}
