//! JSON Schemas of the documents of every policy, and of the kinds of a provider's own API.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde_json::{Map, Value};

use crate::policy::{Defaulting, Failure, Info, Rules, Validation};

/// Schemas by kind.
pub(crate) fn by_kind<const N: usize>(schemas: [(&str, Schema); N]) -> BTreeMap<String, Value> {
    schemas.into_iter().map(|(kind, schema)| (kind.to_owned(), schema.to_value())).collect()
}

/// The input of `validate` and `default`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct RequestDocument {
    /// The object to judge.
    object: Map<String, Value>,
    /// What it was before; present on an update.
    old_object: Option<Map<String, Value>>,
    /// Other objects by role, such as `cloudProfile` and `secret`; `info` tells what is read of them.
    #[serde(default)]
    context: BTreeMap<String, Map<String, Value>>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<FactDocument>,
    /// On an update, errors that the old object already had become warnings.
    #[serde(default)]
    ratchet: bool,
}

/// The answer to a query.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct FactDocument {
    /// Id of the query.
    query: String,
    /// What came back.
    answer: FactAnswerDocument,
}

/// What came back: one of both.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum FactAnswerDocument {
    /// The response, as the API gives it.
    Response(Map<String, Value>),
    /// The call failed.
    Error(FactErrorDocument),
}

/// How a call failed.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct FactErrorDocument {
    /// The API's error code.
    code: String,
    /// The API's message.
    #[serde(default)]
    message: String,
    /// Status of the response, 0 where there was none.
    #[serde(default)]
    http_status: i64,
}

/// Schemas of the requests and answers, which are the same for every provider.
pub fn documents() -> BTreeMap<String, Value> {
    by_kind([
        ("Request", schema_for!(RequestDocument)),
        ("DefaultAnswer", schema_for!(Defaulting)),
        ("ErrorAnswer", schema_for!(Failure)),
        ("InfoAnswer", schema_for!(Info)),
        ("RulesAnswer", schema_for!(Rules)),
        ("ValidateAnswer", schema_for!(Validation)),
    ])
}
