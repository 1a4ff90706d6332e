//! Findings, and the report that collects them.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

use super::{Path, Rule, Severity};
use crate::json::{JsonText, Value};
use crate::patch::PatchOperation;
use crate::policy::Query;

/// Most errors, and most warnings, in one report: a document with more is broken in a way that the first
/// thousand show.
pub const MAX_FINDINGS: usize = 1_000;

/// Most bytes of text in one report, give or take a finding.
const MAX_BYTES: usize = 2 << 20;

/// What is wrong with a value: the reason strings of Kubernetes' field errors, and two of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ErrorType {
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
    /// The value at the pointer as it was written, `null` where absent; left out for secrets.
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
    pub ends: bool,
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

/// Collects findings about one object.
#[derive(Debug)]
pub struct Report<'d> {
    object: &'d Value<'d>,
    show_values: bool,
    findings: Vec<Finding>,
    undecided: Vec<Undecided>,
    errors: usize,
    warnings: usize,
    bytes: usize,
}

/// A finding just added, to say more about it. Where the same finding was there already, it keeps what was said of
/// it first.
#[derive(Debug)]
pub struct Entry<'r> {
    finding: Option<&'r mut Finding>,
    is_new: bool,
    /// Whether what the finding's value is a member of is there.
    has_parent: bool,
}

impl<'d> Report<'d> {
    /// A report about an object whose values may be shown.
    pub fn new(object: &'d Value<'d>) -> Self {
        Self {
            object,
            show_values: true,
            findings: Vec::new(),
            undecided: Vec::new(),
            errors: 0,
            warnings: 0,
            bytes: 0,
        }
    }

    /// A report about an object whose values must not be shown.
    pub fn of_secret(object: &'d Value<'d>) -> Self {
        Self { show_values: false, ..Self::new(object) }
    }

    /// Adds an error, unless the same (type, field, detail) is there already.
    pub fn error(
        &mut self,
        rule: &'static Rule,
        path: &Path<'_>,
        error_type: ErrorType,
        detail: impl Into<String>,
    ) -> Entry<'_> {
        self.add(rule, Severity::Error, path, error_type, detail.into())
    }

    /// Adds an error that is not about a field.
    pub fn deny(&mut self, rule: &'static Rule, pointer: &str, detail: impl Into<String>) -> Entry<'_> {
        self.add(rule, Severity::Error, &Path::root("", pointer), ErrorType::Denied, detail.into())
    }

    /// Adds a warning.
    pub fn warn(&mut self, rule: &'static Rule, path: &Path<'_>, detail: impl Into<String>) -> Entry<'_> {
        self.add(rule, Severity::Warning, path, ErrorType::Warning, detail.into())
    }

    /// Says that a rule could not be judged.
    pub fn undecided(&mut self, rule: &'static Rule, why: impl Into<String>, query: Option<Query>) {
        self.undecided.push(Undecided { rule: rule.id, why: why.into(), query });
    }

    /// Whether no further finding of that severity will be kept.
    pub fn is_full(&self, severity: Severity) -> bool {
        let count = match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
        };
        count >= MAX_FINDINGS || self.bytes >= MAX_BYTES
    }

    /// Findings and undecided rules, in the order in which they were added.
    pub fn into_parts(self) -> (Vec<Finding>, Vec<Undecided>) {
        (self.findings, self.undecided)
    }

    fn add(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        path: &Path<'_>,
        error_type: ErrorType,
        detail: String,
    ) -> Entry<'_> {
        if self.is_full(severity) {
            return Entry { finding: None, is_new: false, has_parent: false };
        }
        let field = path.field();
        let same =
            |other: &Finding| other.error_type == error_type && other.detail == detail && other.field == field;
        if let Some(index) = self.findings.iter().position(same) {
            return Entry { finding: self.findings.get_mut(index), is_new: false, has_parent: false };
        }
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        let pointer = path.pointer();
        let parent = pointer.rsplit_once('/').and_then(|(parent, _)| self.object.pointer(parent));
        let has_parent = matches!(parent, Some(Value::Object(_) | Value::Array(_)));
        let bad_value =
            self.show_values.then(|| JsonText::from(self.object.pointer(&pointer).unwrap_or(&Value::Null)));
        let value_bytes = bad_value.as_ref().map_or(0, |value| value.as_str().len());
        self.bytes += value_bytes + detail.len() + field.len() + pointer.len();
        self.findings.push(Finding {
            rule: rule.id,
            severity,
            error_type,
            field,
            pointer,
            bad_value,
            detail,
            remedy: Cow::Borrowed(rule.fix),
            fix: None,
            ends: false,
        });
        Entry { finding: self.findings.last_mut(), is_new: true, has_parent }
    }
}

impl Entry<'_> {
    fn new_finding(&mut self) -> Option<&mut Finding> {
        self.finding.as_deref_mut().filter(|_| self.is_new)
    }

    /// Says what to do in words of this case, instead of the rule's.
    pub fn remedy(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        if let Some(finding) = self.new_finding() {
            finding.remedy = text.into();
        }
        self
    }

    /// Says that other rules could not be judged because of it.
    pub fn ends(mut self) -> Self {
        if let Some(finding) = self.finding.as_deref_mut() {
            finding.ends = true;
        }
        self
    }

    /// Mends by setting the value at the finding's place; not where that has no place itself.
    pub fn fix_value(mut self, value: &Value<'_>) {
        if !self.has_parent {
            return;
        }
        if let Some(finding) = self.new_finding() {
            let exists = finding.bad_value.as_ref().is_some_and(|value| value.as_str() != "null");
            let pointer = finding.pointer.clone();
            finding.fix = Some(vec![if exists {
                PatchOperation::replace(pointer, value)
            } else {
                PatchOperation::add(pointer, value)
            }]);
        }
    }

    /// Mends by changes elsewhere.
    pub fn fix(mut self, operations: Vec<PatchOperation>) {
        if let Some(finding) = self.new_finding() {
            finding.fix = Some(operations);
        }
    }

    /// Mends by removing what is at the finding's place.
    pub fn fix_removal(mut self) {
        if let Some(finding) = self.new_finding() {
            finding.fix = Some(vec![PatchOperation::remove(finding.pointer.clone())]);
        }
    }
}

/// A text in double quotes, escaped as the existing extensions print it (Go's `%q`).
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{0}'..='\u{1f}' | '\u{7f}' => drop(write!(quoted, "\\x{:02x}", u32::from(char))),
            char if char.is_control() => drop(write!(quoted, "\\u{:04x}", u32::from(char))),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
