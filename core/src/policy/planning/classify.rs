//! `classify`: what to do about the error of a call.

use serde::Serialize;

use super::Planning;
use crate::document::{Value, parse};
use crate::policy::RequestError;
use crate::policy::answer::text;
use crate::policy::member::{known_members, malformed};

pub(super) fn classify(policy: &Planning, request: &str) -> Result<String, RequestError> {
    Ok(text(&(policy.classify)(&CallError::read(&parse(request)?)?)))
}

/// The input of `classify`: a call that failed.
#[derive(Clone, Copy, Debug)]
pub struct CallError<'r> {
    /// The API.
    pub service: &'r str,
    /// The action.
    pub action: &'r str,
    /// The API's error code.
    pub code: &'r str,
    /// The API's message.
    pub message: &'r str,
    /// Status of the response, 0 where there was none.
    pub http_status: i64,
}

/// The answer of `classify`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Classification {
    /// What to do about the error.
    pub outcome: Outcome,
    /// Gardener's codes of the error, sorted.
    pub codes: Vec<&'static str>,
    /// What to say to the person: what is wrong, and what to do.
    pub message: String,
}

/// What to do about the error of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The same call may succeed later.
    Retry,
    /// The call has nothing to do: what it deletes is gone, or the list that it reads is empty.
    AlreadySatisfied,
    /// The cloud takes the token of the call for one that was used up: the same call with another token may
    /// succeed. Of a call without a token, the same as `fail`.
    AnotherToken,
    /// The call will not succeed.
    Fail,
}

impl<'r> CallError<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &["call", "error"])?;
        let text = |keys: &[&str]| document.at(keys).and_then(Value::as_str);
        let missing = || {
            malformed(
                "the request must be { \"call\": { \"service\", \"action\" }, \"error\": { \"code\", \"message\", \
                 \"httpStatus\" } }",
            )
        };
        Ok(Self {
            service: text(&["call", "service"]).ok_or_else(missing)?,
            action: text(&["call", "action"]).ok_or_else(missing)?,
            code: text(&["error", "code"]).ok_or_else(missing)?,
            message: text(&["error", "message"]).unwrap_or_default(),
            http_status: match document.at(&["error", "httpStatus"]) {
                Some(Value::Number(status)) => status.parse().map_err(|_| missing())?,
                Some(_) => return Err(missing()),
                None => 0,
            },
        })
    }
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;

    use crate::policy::member::shape::FactError;

    /// The request of `classify`.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ClassifyRequest {
        /// The call that failed.
        call: FailedCall,
        /// How it failed.
        error: FactError,
    }

    /// A call that failed.
    #[derive(JsonSchema)]
    pub struct FailedCall {
        /// The API, such as `vpc`.
        service: String,
        /// The action, such as `CreateVpc`.
        action: String,
    }
}
