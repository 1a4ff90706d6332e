//! Why a policy has no answer.

use serde::{Deserialize, Serialize};

/// The answer of a policy that cannot answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// Where in the object, as an RFC 6901 pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What else there is to say of a refusal.
    #[serde(flatten)]
    pub refusal: Box<Refusal>,
}

/// What there is to say of a refusal to set defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Id of the rule that cannot set its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether the key there is wrong and not the value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_key: bool,
    /// What a person can do about a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// What ends a refusal to set defaults, as an RFC 6902 patch, where that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<serde_json::Value>,
    /// The changes of the object from which judging goes on after a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assume: Option<serde_json::Value>,
}

impl Failure {
    /// Code of the failure by which defaulting refuses an object.
    pub const DENIED: &str = "Denied";
    /// Code of the failure for an object that is not what the policy reads.
    pub const MALFORMED: &str = "Malformed";
    /// Code of the failure by which a zone is refused.
    pub const IMPOSSIBLE: &str = "Impossible";
    /// Code of the failure for an answer of an unknown form.
    pub const UNKNOWN_ANSWER: &str = "UnknownAnswer";

    /// A failure that is not about a place.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), pointer: None, refusal: Box::default() }
    }

    /// The failure as the JSON document that stands in place of an answer.
    pub fn to_answer(&self) -> String {
        #[derive(Serialize)]
        struct Failed<'f> {
            error: &'f Failure,
        }
        // Never fails: there are only texts in it.
        serde_json::to_string(&Failed { error: self }).unwrap_or_default()
    }

    /// Whether defaulting refuses the object.
    pub fn is_denied(&self) -> bool {
        self.code == Self::DENIED
    }
}

/// An answer, or the failure that came in its place.
pub fn read<'a, T: Deserialize<'a>>(answer: &'a str) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Failed {
        error: Failure,
    }
    if let Ok(Failed { error }) = serde_json::from_str(answer) {
        return Err(error);
    }
    let unreadable = |error| format!("the policy's answer cannot be read: {error}");
    serde_json::from_str(answer).map_err(|error| Failure::new(Failure::UNKNOWN_ANSWER, unreadable(error)))
}
