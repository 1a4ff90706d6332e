//! Why a request has no answer.

use std::borrow::Cow;

use serde::Serialize;

use crate::document::{PatchOperation, SyntaxError};
use crate::render::RenderError;
use crate::report::{Correction, Rule};
use crate::text::enumerate;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The text is not a JSON document within the limits.
    #[error("{message}")]
    Syntax {
        /// `Malformed`, `TooLarge` or `TooDeep`.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The request or the object does not have the shape that its kind asks for.
    #[error("{message}")]
    Malformed {
        /// What is wrong.
        message: String,
        /// Where in the object.
        pointer: Option<String>,
    },
    /// A list is longer than any real one. Rules compare its entries pairwise, which would take too long.
    #[error("{what} has {count} {unit}, at most {limit} are judged")]
    TooMany {
        /// What is too large.
        what: &'static str,
        /// How many units it has.
        count: usize,
        /// The unit, such as `entries`.
        unit: &'static str,
        /// How many units it may have.
        limit: usize,
    },
    /// A fact does not have the shape of an answer to its query.
    #[error("the fact for query `{query}` {problem}")]
    Fact {
        /// Id of the query.
        query: String,
        /// What is wrong with the answer.
        problem: &'static str,
    },
    /// There is no policy of that name.
    #[error("there is no provider `{0}`")]
    UnknownProvider(String),
    /// The module answers no function of that name.
    #[error("there is no function `{name}` here; there are {}", enumerate(.known, "and"))]
    UnknownFunction {
        /// The name given.
        name: String,
        /// The functions that there are.
        known: Vec<&'static str>,
    },
    /// The policy has no rules for this kind of object.
    #[error("{}", unsupported(.api_version, .kind, .by))]
    UnsupportedKind {
        /// Group and version given.
        api_version: String,
        /// Kind given.
        kind: String,
        /// Who has nothing to say of the kind, such as `this policy judges`.
        by: Cow<'static, str>,
    },
    /// The object belongs to another provider.
    #[error(
        "{what} names the provider `{found}`, which the policy of `{provider}` does not judge; ask that of `{found}`"
    )]
    OtherProvider {
        /// What names the provider, such as `the Shoot`.
        what: String,
        /// The provider that the object names, or several providers, separated by commas.
        found: String,
        /// The provider of the policy.
        provider: &'static str,
        /// Where in the object.
        pointer: &'static str,
    },
    /// Old and new object are of different kinds.
    #[error("the old object is a `{old}`, the new one a `{new}`")]
    KindChanged {
        /// Kind of the old object.
        old: String,
        /// Kind of the new object.
        new: String,
    },
    /// A zone that is asked for cannot be added.
    #[error("{message}")]
    Impossible {
        /// Why, and what to do about it.
        message: String,
        /// Where in the object.
        pointer: Option<String>,
    },
    /// The existing extension refuses to set defaults on such an object.
    #[error("{}", .0.message)]
    Denied(Box<Refusal>),
}

/// Why the existing extension refuses to set defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Id of the rule that cannot set its default.
    pub rule: &'static str,
    /// Why, in the words of the existing extension where it has any.
    pub message: String,
    /// Where in the object.
    pub pointer: String,
    /// How to go on, where something in the object cannot be read.
    pub correction: Correction,
}

impl RequestError {
    /// A refusal to set a default.
    pub fn denied(rule: &'static Rule, message: impl Into<String>, pointer: impl Into<String>) -> Self {
        let (message, pointer) = (message.into(), pointer.into());
        Self::Denied(Box::new(Refusal { rule: rule.id, message, pointer, correction: Correction::default() }))
    }
}

/// The message about an object that `by` leaves out, such as `the policy judges`.
fn unsupported(api_version: &str, kind: &str, by: &str) -> String {
    match (api_version, kind) {
        (_, "") => "the object has no `kind`".to_owned(),
        ("", kind) => format!("`{kind}` is not a kind that {by}"),
        (api_version, kind) => format!("`{kind}` of `{api_version}` is not a kind that {by}"),
    }
}

impl From<SyntaxError> for RequestError {
    fn from(error: SyntaxError) -> Self {
        let code = match error {
            SyntaxError::TooLarge(_) | SyntaxError::TooMany(_) | SyntaxError::TooManyValues(_) => "TooLarge",
            SyntaxError::TooDeep(_) => "TooDeep",
            SyntaxError::Malformed { .. } => "Malformed",
        };
        Self::Syntax { code, message: error.to_string() }
    }
}

impl From<RenderError> for RequestError {
    fn from(error: RenderError) -> Self {
        Self::Malformed { message: error.to_string(), pointer: None }
    }
}

impl From<RequestError> for Failure {
    fn from(request_error: RequestError) -> Self {
        let message = request_error.to_string();
        let (code, pointer) = match request_error {
            RequestError::Syntax { code, .. } => (code, None),
            RequestError::Malformed { pointer, .. } => ("Malformed", pointer),
            RequestError::TooMany { .. } => ("TooLarge", None),
            RequestError::Fact { .. } => ("Malformed", None),
            RequestError::UnknownProvider(_) => ("UnknownProvider", None),
            RequestError::UnknownFunction { .. } => ("UnknownFunction", None),
            RequestError::Impossible { pointer, .. } => ("Impossible", pointer),
            RequestError::UnsupportedKind { .. } => ("UnsupportedKind", Some("/kind".to_owned())),
            RequestError::OtherProvider { pointer, .. } => ("OtherProvider", Some(pointer.to_owned())),
            RequestError::KindChanged { .. } => ("Malformed", Some("/kind".to_owned())),
            RequestError::Denied(refusal) => {
                let Refusal { rule, pointer, correction, .. } = *refusal;
                let Correction { at_key, remedy, fix, assume, .. } = correction;
                let (rule, pointer) = (Some(rule), Some(pointer));
                let cause = FailureCause { code: "Denied", message, rule, pointer, at_key, remedy, fix, assume };
                return Self { error: cause };
            }
        };
        let (rule, at_key, remedy, fix, assume) = (None, false, None, None, Vec::new());
        Self { error: FailureCause { code, message, rule, pointer, at_key, remedy, fix, assume } }
    }
}

/// The answer to a request that has no other answer.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What is wrong with the request.
    pub error: FailureCause,
}

/// What is wrong with a request.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailureCause {
    /// A word for programs: `Malformed`, `TooLarge`, `TooDeep`, `UnknownProvider`, `UnknownFunction`,
    /// `UnsupportedKind`, `OtherProvider` where the object names another provider, `Denied` where the existing
    /// extension refuses to set defaults, or `Impossible` where a zone that is asked for cannot be added.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Id of the rule that cannot set its default, on a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// Where in the object, as an RFC 6901 pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Present where the key there is wrong and not the value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_key: bool,
    /// What a person can do about a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Cow<'static, str>>,
    /// What ends a refusal to set defaults, as an RFC 6902 patch of the object, where that is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<PatchOperation>>,
    /// The changes of the object from which judging goes on after a refusal; unlike a fix, they may be wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<PatchOperation>,
}
