//! The shape of a patch operation: what it has depends on what it does, which its type does not say.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::document::PatchOperation;

impl JsonSchema for PatchOperation {
    fn schema_name() -> Cow<'static, str> {
        "PatchOperation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        PatchOperationDocument::json_schema(generator)
    }
}

/// One operation of an RFC 6902 patch.
#[derive(JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use")]
enum PatchOperationDocument {
    /// Adds a member or entry.
    Add {
        /// Where, as an RFC 6901 pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Replaces a value.
    Replace {
        /// Where, as an RFC 6901 pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Removes a value.
    Remove {
        /// Where, as an RFC 6901 pointer.
        path: String,
    },
    /// Gives a member another key: both places have the same parent. What stands at the new one is a default at
    /// most, and goes.
    Move {
        /// Where the member is, as an RFC 6901 pointer.
        from: String,
        /// Where the member will be, as an RFC 6901 pointer.
        path: String,
    },
}
