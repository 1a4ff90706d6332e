//! Findings, and rules that could not be judged.

use std::borrow::Cow;

use serde::Serialize;

use super::Severity;
use crate::call::Query;
use crate::document::{JsonText, PatchOperation, Value};

/// What is wrong with a value: the reason strings of Kubernetes' field errors, and two of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ErrorType {
    /// A list has a value twice that it may have once.
    #[serde(rename = "FieldValueDuplicate")]
    Duplicate,
    /// A value is missing.
    #[serde(rename = "FieldValueRequired")]
    Required,
    /// A value is there that must not be.
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
    /// A value is none of those supported.
    #[serde(rename = "FieldValueNotSupported")]
    NotSupported,
    /// A value names something that there is not.
    #[serde(rename = "FieldValueNotFound")]
    NotFound,
    /// Something outside the object failed.
    #[serde(rename = "InternalError")]
    Internal,
    /// The existing extension words the refusal as plain text, without a field.
    Denied,
    /// Advice, not a field error.
    Warning,
}

/// One thing that is wrong, or worth a look.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Id of the rule.
    pub rule: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong with the value.
    #[serde(rename = "type")]
    pub error_type: ErrorType,
    /// The place as the existing extension prints it.
    pub field: String,
    /// The place as an RFC 6901 pointer into the object.
    pub pointer: String,
    /// The value at the pointer as it was written, `null` where absent; a text of more than 256 bytes is cut and ends in
    /// `…`. Left out for objects and lists, and for anything in a Secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad_value: Option<JsonText>,
    /// What is wrong, as the existing extension words it.
    pub detail: String,
    /// What to do about it.
    pub remedy: Cow<'static, str>,
    /// Present where one mend is certain: applied, the finding is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<PatchOperation>>,
    /// Whether other rules could not be judged because of it; such an error is never ratcheted to a warning.
    #[serde(skip)]
    pub hides_others: bool,
    /// Whether it is an error that the old object had already, at a place where nothing has changed.
    #[serde(skip)]
    pub is_old: bool,
}

/// A rule that could not be judged, for want of something outside the object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// Id of the rule.
    pub rule: &'static str,
    /// What is missing, and who will decide.
    pub why: String,
    /// What to ask; its answer goes into the facts of the next request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<Query>,
}

/// What the object was before, and what was wrong with it.
#[derive(Clone, Copy, Debug)]
pub struct Before<'d> {
    /// The old object.
    pub object: &'d Value<'d>,
    /// Its findings.
    pub findings: &'d [Finding],
}

impl Before<'_> {
    /// Whether an error was there already, and what is at its place is as it was.
    pub(super) fn has(&self, finding: &Finding, object: &Value<'_>) -> bool {
        let same = |old: &Finding| {
            let key = |finding: &Finding| (finding.severity, finding.rule);
            key(old) == key(finding) && old.field == finding.field && old.detail == finding.detail
        };
        self.findings.iter().any(same) && is_unchanged(&finding.pointer, object, self.object)
    }
}

/// Whether both objects have the same at a place, or nothing.
pub fn is_unchanged(pointer: &str, new: &Value<'_>, old: &Value<'_>) -> bool {
    new.pointer(pointer).map(|value| value.canonical(false))
        == old.pointer(pointer).map(|value| value.canonical(false))
}
