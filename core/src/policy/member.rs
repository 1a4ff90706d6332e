//! Members of request documents.

use super::{RequestError, kind_of};
use crate::call::{Fact, FactAnswer};
use crate::document::Value;
use crate::kube::time::Time;
use crate::text::join;

/// The error for a request that has another shape than its function reads.
pub(super) fn malformed(message: impl Into<String>) -> RequestError {
    RequestError::Malformed { message: message.into(), pointer: None }
}

/// Refuses a value that is no object, or that has an unknown member: such a member is misspelt, and would have no
/// effect.
pub(super) fn known_members(value: &Value<'_>, what: &str, known: &[&str]) -> Result<(), RequestError> {
    let Value::Object(members) = value else {
        return Err(malformed(format!("{what} must be an object, not {}", value.kind())));
    };
    match members.iter().find(|(key, _)| !known.contains(&key.as_ref())) {
        Some((key, _)) => {
            Err(malformed(format!("{what} has an unknown member `{key}`; known are {}", join(known, ", "))))
        }
        None => Ok(()),
    }
}

/// A member that is an object, or absent.
pub(super) fn object<'r>(value: Option<&'r Value<'r>>, what: &str) -> Result<Option<&'r Value<'r>>, RequestError> {
    match value {
        None | Some(Value::Object(_)) => Ok(value),
        Some(other) => Err(malformed(format!("`{what}` must be an object, not {}", other.kind()))),
    }
}

/// Refuses an object of another kind than is wanted.
pub(super) fn is_kind(object: Option<&Value<'_>>, what: &str, wanted: &str) -> Result<(), RequestError> {
    let Some(object) = object else { return Ok(()) };
    match kind_of(object).0 {
        kind if kind == wanted => Ok(()),
        "" => Err(malformed(format!("`{what}` must be a {wanted}, and has no `kind`"))),
        kind => Err(malformed(format!("`{what}` must be a {wanted}, not a `{kind}`"))),
    }
}

/// A member that is true or false; false where it is absent.
pub(super) fn flag(document: &Value<'_>, name: &str) -> Result<bool, RequestError> {
    match document.get(name) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(malformed(format!("`{name}` must be true or false, not {}", other.kind()))),
    }
}

/// The member `now`, a time in the form of RFC 3339.
pub(super) fn time(now: &Value<'_>) -> Result<Time, RequestError> {
    let time = now.as_str().and_then(Time::parse);
    time.ok_or_else(|| malformed("`now` must be a time such as \"2026-06-01T00:00:00Z\""))
}

/// The list of facts in a request document.
pub(super) fn facts<'r>(document: &'r Value<'r>) -> Result<Vec<Fact<'r>>, RequestError> {
    match document.get("facts") {
        None => Ok(Vec::new()),
        Some(Value::Array(values)) => {
            let mut facts = Vec::with_capacity(values.len());
            for value in values {
                facts.push(fact(value)?);
            }
            Ok(facts)
        }
        Some(other) => Err(malformed(format!("`facts` must be a list, not {}", other.kind()))),
    }
}

fn fact<'r>(fact: &'r Value<'r>) -> Result<Fact<'r>, RequestError> {
    let shape = || {
        malformed(
            "a fact must be { \"query\": id, \"answer\": { \"response\" } or { \"error\": { \"code\", \"message\" } } }",
        )
    };
    let query = fact.get("query").and_then(Value::as_str).ok_or_else(shape)?;
    let answer = fact.get("answer").ok_or_else(shape)?;
    let answer = match (answer.get("response"), answer.get("error")) {
        (Some(response), None) => FactAnswer::Response(response),
        (None, Some(error)) => FactAnswer::Error {
            code: error.get("code").and_then(Value::as_str).ok_or_else(shape)?,
            message: error.get("message").and_then(Value::as_str).unwrap_or_default(),
            http_status: match error.get("httpStatus") {
                Some(Value::Number(status)) => status.parse().map_err(|_| shape())?,
                Some(_) => return Err(shape()),
                None => 0,
            },
        },
        _ => return Err(shape()),
    };
    Ok(Fact { query, answer })
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    /// The answer to a query.
    #[derive(JsonSchema)]
    pub struct Fact {
        /// Id of the query.
        query: String,
        /// What came back.
        answer: FactAnswer,
    }

    /// What came back: a response or an error.
    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum FactAnswer {
        /// The response, as the API gives it.
        Response(Map<String, Value>),
        /// The call failed.
        Error(FactError),
    }

    /// How a call failed.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct FactError {
        /// The API's error code.
        code: String,
        /// The API's message.
        #[serde(default)]
        message: String,
        /// HTTP status of the response; 0 where there was no response.
        #[serde(default)]
        http_status: i64,
    }
}
