//! Findings, and rules that Trellis could not judge.

use std::borrow::Cow;

use serde::Serialize;

use super::{Release, Severity};
use crate::call::Query;
use crate::document::{JsonText, PatchOperation, Value};

/// What is wrong with a value: the reason strings of Kubernetes' field errors, and two of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ErrorType {
    /// A list has a value more than once.
    #[serde(rename = "FieldValueDuplicate")]
    Duplicate,
    /// A value is missing.
    #[serde(rename = "FieldValueRequired")]
    Required,
    /// A value must not be there.
    #[serde(rename = "FieldValueForbidden")]
    Forbidden,
    /// A text is too long.
    #[serde(rename = "FieldValueTooLong")]
    TooLong,
    /// A list is too long.
    #[serde(rename = "FieldValueTooMany")]
    TooMany,
    /// A value is wrong.
    #[serde(rename = "FieldValueInvalid")]
    Invalid,
    /// A value is none of the supported ones.
    #[serde(rename = "FieldValueNotSupported")]
    NotSupported,
    /// A value names something that does not exist.
    #[serde(rename = "FieldValueNotFound")]
    NotFound,
    /// Something outside the object failed.
    #[serde(rename = "InternalError")]
    Internal,
    /// The existing extension refuses the object in plain text, without a field.
    Denied,
    /// Advice, not a field error.
    Warning,
}

/// One thing that is wrong, or that a person should look at.
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// What the finding means for the object.
    pub severity: Severity,
    /// What is wrong with the value.
    #[serde(rename = "type")]
    pub error_type: ErrorType,
    /// The place as the existing extension prints it.
    pub field: String,
    /// The place as an RFC 6901 pointer into the object.
    pub pointer: String,
    /// Present where the key is wrong and not the value: the key is unknown, or stands there twice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_key: bool,
    /// The value at the pointer, as the person wrote it; `null` where there is none. A text of more than 256 bytes
    /// is cut, and ends in `…`. Absent for objects and lists, and for everything that is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad_value: Option<JsonText>,
    /// What is wrong, as the existing extension words it.
    pub detail: String,
    /// Present where the detail does not say what is wrong: that, in a phrase.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub summary: Cow<'static, str>,
    /// What the person can do about the finding.
    pub remedy: Cow<'static, str>,
    /// Present where one fix is certain: after these changes, the finding is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<PatchOperation>>,
    /// Present where the policy cannot judge what is written, and judges on from the changed object: what a value
    /// of a wrong type means (`null`: nothing), the known key that is nearest to an unknown one. Unlike a fix,
    /// this may be wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<PatchOperation>,
    /// Present where several values are near: at most three texts, the nearest first. The finding is gone once one
    /// of them stands at the pointer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Present where a long list of values is supported: all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supported: Vec<String>,
    /// Present where the finding follows from another one, the cause: it goes when the cause is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caused_by: Option<Cause>,
    /// Present where the existing extension, or Gardener, stops before it reaches the finding, because it cannot
    /// decode another value: the finding holds for the value that the policy assumes in that place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
    /// Present where nobody named the release of the existing software: the release that brought the finding. An
    /// older one accepts what is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Release>,
    /// Whether Trellis could not judge other rules because of this finding. Such an error never becomes a warning.
    #[serde(skip)]
    pub hides_others: bool,
    /// Whether this is an error that the old object had already, at a place where nothing changed.
    #[serde(skip)]
    pub is_old: bool,
}

/// The finding that another one follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FindingCause"))]
pub struct Cause {
    /// Id of its rule.
    pub rule: &'static str,
    /// Its place, as an RFC 6901 pointer into the object.
    pub pointer: String,
}

/// A rule that Trellis could not judge, because it needs something outside the object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// Id of the rule.
    pub rule: &'static str,
    /// What is missing, and who will judge the rule.
    pub why: String,
    /// What to ask. The facts of the next request must have the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<Query>,
}

/// The old object, and what was wrong with it.
#[derive(Clone, Copy, Debug)]
pub struct Before<'d> {
    /// The old object.
    pub object: &'d Value<'d>,
    /// The findings about the old object.
    pub findings: &'d [Finding],
}

impl Before<'_> {
    /// Whether the old object had the same error, and the same value at its place.
    pub(super) fn has(&self, finding: &Finding, object: &Value<'_>) -> bool {
        let same = |old: &Finding| {
            let key = |finding: &Finding| (finding.severity, finding.rule);
            key(old) == key(finding) && old.field == finding.field && old.detail == finding.detail
        };
        self.findings.iter().any(same) && is_unchanged(&finding.pointer, object, self.object)
    }
}

/// Whether both objects have the same value at a place, or both have none.
pub fn is_unchanged(pointer: &str, new: &Value<'_>, old: &Value<'_>) -> bool {
    new.pointer(pointer).map(|value| value.canonical(false))
        == old.pointer(pointer).map(|value| value.canonical(false))
}
