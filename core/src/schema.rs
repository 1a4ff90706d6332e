//! JSON Schemas of the documents of every policy, and of the kinds of a provider's own API.

use std::collections::BTreeMap;

use schemars::{Schema, schema_for};
use serde_json::Value;

use crate::policy::{Defaulting, Failure, Info, Rules, Validation};

/// Schemas by kind.
pub(crate) fn by_kind<const N: usize>(schemas: [(&str, Schema); N]) -> BTreeMap<String, Value> {
    schemas.into_iter().map(|(kind, schema)| (kind.to_owned(), schema.to_value())).collect()
}

/// Schemas of the answers, which are the same for every provider.
pub fn answers() -> BTreeMap<String, Value> {
    by_kind([
        ("DefaultAnswer", schema_for!(Defaulting)),
        ("ErrorAnswer", schema_for!(Failure)),
        ("InfoAnswer", schema_for!(Info)),
        ("RulesAnswer", schema_for!(Rules)),
        ("ValidateAnswer", schema_for!(Validation)),
    ])
}
