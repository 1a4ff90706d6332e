//! Findings, and the report that collects them.

use std::borrow::Cow;

use serde::Serialize;

use super::{Path, Rule, Severity};
use crate::json::{JsonText, Value};
use crate::patch::PatchOperation;
use crate::policy::Query;

/// Most errors, most warnings, and most errors that the old object had already, in one report: a document with more is
/// broken in a way that the first thousand show.
pub const MAX_FINDINGS: usize = 1_000;

/// Most bytes of text that each of the three has in one report, give or take a finding.
const MAX_BYTES: usize = 1 << 20;
/// Longest detail and longest remedy, in bytes: both may quote lists of an object.
const MAX_WORDS: usize = 4 << 10;
/// Longest text that is shown as the value of a finding, in bytes.
const MAX_VALUE: usize = 256;

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
    pub ends: bool,
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

/// Collects findings about one object.
#[derive(Debug)]
pub struct Report<'d> {
    object: &'d Value<'d>,
    show_values: bool,
    before: Option<Before<'d>>,
    findings: Vec<Finding>,
    undecided: Vec<Undecided>,
    errors: Share,
    old_errors: Share,
    warnings: Share,
}

/// What the findings of one sort take of a report.
#[derive(Debug, Default)]
struct Share {
    findings: usize,
    bytes: usize,
    /// Whether a finding was left out for want of room.
    is_exceeded: bool,
}

/// A finding just added, to say more about it. Where the same finding was there already, it keeps what was said of
/// it first.
#[derive(Debug)]
pub struct Entry<'r> {
    finding: Option<&'r mut Finding>,
    /// What a new finding adds to.
    share: Option<&'r mut Share>,
    place: Place,
}

/// What is at the place of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A value.
    Value,
    /// Nothing, in an object or a list that is there.
    Gap,
    /// Nothing that could be set.
    Nowhere,
}

impl<'d> Report<'d> {
    /// A report about an object whose values may be shown.
    pub fn new(object: &'d Value<'d>) -> Self {
        Self {
            object,
            show_values: true,
            before: None,
            findings: Vec::new(),
            undecided: Vec::new(),
            errors: Share::default(),
            old_errors: Share::default(),
            warnings: Share::default(),
        }
    }

    /// A report about an object whose values must not be shown.
    pub fn of_secret(object: &'d Value<'d>) -> Self {
        Self { show_values: false, ..Self::new(object) }
    }

    /// The report with errors that were there before told from new ones: they take no room of those.
    pub fn since(self, before: Before<'d>) -> Self {
        Self { before: Some(before), ..self }
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

    /// Whether a finding of that severity was left out, so that no further one will be kept. Of errors, those count that
    /// are new.
    pub fn is_full(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors.is_exceeded,
            Severity::Warning => self.warnings.is_exceeded,
        }
    }

    /// The severities of which findings were left out, for want of room.
    pub fn truncated(&self) -> Vec<Severity> {
        let errors = self.errors.is_exceeded || self.old_errors.is_exceeded;
        let of = [(errors, Severity::Error), (self.warnings.is_exceeded, Severity::Warning)];
        of.into_iter().filter_map(|(is_exceeded, severity)| is_exceeded.then_some(severity)).collect()
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
        let none = Entry { finding: None, share: None, place: Place::Nowhere };
        if self.is_full(severity) {
            return none;
        }
        let is_whole = detail.len() <= MAX_WORDS;
        let (detail, field) = (cut(detail.into(), MAX_WORDS).into_owned(), path.field());
        let same =
            |other: &Finding| other.error_type == error_type && other.detail == detail && other.field == field;
        if let Some(index) = self.findings.iter().position(same) {
            return Entry { finding: self.findings.get_mut(index), ..none };
        }
        let mut finding = Finding {
            rule: rule.id,
            severity,
            error_type,
            field,
            pointer: path.pointer(),
            bad_value: None,
            detail,
            remedy: Cow::Borrowed(rule.fix),
            fix: None,
            ends: false,
            is_old: false,
        };
        // Of a detail that was cut, nobody knows whether it says what it said before.
        finding.is_old = is_whole && self.before.is_some_and(|before| before.has(&finding, self.object));
        let share = match severity {
            Severity::Error if finding.is_old => &mut self.old_errors,
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if share.findings >= MAX_FINDINGS || share.bytes >= MAX_BYTES {
            share.is_exceeded = true;
            return none;
        }
        let value = self.object.pointer(&finding.pointer).unwrap_or(&Value::Null);
        let parent = finding.pointer.rsplit_once('/').and_then(|(parent, _)| self.object.pointer(parent));
        let place = match (value, parent) {
            (Value::Null, Some(Value::Array(_) | Value::Object(_))) => Place::Gap,
            (_, Some(Value::Array(_) | Value::Object(_))) => Place::Value,
            _ => Place::Nowhere,
        };
        finding.bad_value = if self.show_values { shown(value) } else { None };
        share.findings += 1;
        share.bytes += finding.bad_value.as_ref().map_or(0, |value| value.as_str().len());
        share.bytes += finding.detail.len() + finding.field.len() + finding.pointer.len() + finding.remedy.len();
        self.findings.push(finding);
        Entry { finding: self.findings.last_mut(), share: Some(share), place }
    }
}

impl Before<'_> {
    /// Whether an error was there already, and what is at its place is as it was.
    fn has(&self, finding: &Finding, object: &Value<'_>) -> bool {
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

/// A value as a finding shows it: not where it has parts, and not all of a long text.
fn shown(value: &Value<'_>) -> Option<JsonText> {
    match value {
        Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(JsonText::from(&Value::String(cut(text.as_ref().into(), MAX_VALUE)))),
        other => Some(JsonText::from(other)),
    }
}

/// A text of so many bytes at most; what was cut ends in `…`.
fn cut(text: Cow<'_, str>, limit: usize) -> Cow<'_, str> {
    match text.get(..text.floor_char_boundary(limit)) {
        Some(start) if start.len() < text.len() => format!("{start}…").into(),
        _ => text,
    }
}

impl Entry<'_> {
    /// The finding where it is new, once it has so many more bytes of text.
    fn with(&mut self, bytes: usize) -> Option<&mut Finding> {
        let share = self.share.as_deref_mut()?;
        share.bytes += bytes;
        self.finding.as_deref_mut()
    }

    /// Says what to do in words of this case, instead of the rule's.
    pub fn remedy(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        let text = cut(text.into(), MAX_WORDS);
        if let Some(finding) = self.with(text.len()) {
            finding.remedy = text;
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
    pub fn fix_value(self, value: &Value<'_>) {
        let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) else { return };
        match self.place {
            Place::Value => self.fix(vec![PatchOperation::replace(pointer, value)]),
            Place::Gap => self.fix(vec![PatchOperation::add(pointer, value)]),
            Place::Nowhere => {}
        }
    }

    /// Mends by changes elsewhere.
    pub fn fix(mut self, operations: Vec<PatchOperation>) {
        let bytes = operations.iter().map(PatchOperation::bytes).sum();
        if let Some(finding) = self.with(bytes) {
            finding.fix = Some(operations);
        }
    }

    /// Mends by removing what is at the finding's place.
    pub fn fix_removal(self) {
        if let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) {
            self.fix(vec![PatchOperation::remove(pointer)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use crate::report::Operation;

    static ERROR: Rule = Rule::error("T-001", &["Shoot"], Operation::Both);
    static WARNING: Rule = Rule::warning("T-002", &["Shoot"], Operation::Both);

    fn shown_at(object: &Value<'_>, pointer: &str) -> Option<String> {
        let mut report = Report::new(object);
        report.deny(&ERROR, pointer, "");
        report.into_parts().0.first()?.bad_value.as_ref().map(|value| value.as_str().to_owned())
    }

    #[test]
    fn a_value_is_shown_as_it_was_written_unless_it_has_parts() {
        let object = parse(r#"{"number":1.30,"text":"a\"b","null":null,"list":[1],"object":{"a":{}}}"#).unwrap();
        for (pointer, shown) in [
            ("/number", Some("1.30")),
            ("/text", Some(r#""a\"b""#)),
            ("/null", Some("null")),
            ("/absent", Some("null")),
            ("/list", None),
            ("/object", None),
            ("/object/a", None),
            ("", None),
        ] {
            assert_eq!(shown_at(&object, pointer).as_deref(), shown, "{pointer}");
        }
        let mut secret = Report::of_secret(&object);
        secret.deny(&ERROR, "/number", "");
        assert_eq!(secret.into_parts().0[0].bad_value, None);
    }

    #[test]
    fn a_long_text_is_cut_at_a_character_and_says_so() {
        for (text, shown) in [
            ("x".repeat(256), "x".repeat(256)),
            ("x".repeat(257), "x".repeat(256) + "…"),
            (format!("{}é", "x".repeat(255)), "x".repeat(255) + "…"),
            (format!("{}é", "x".repeat(254)), "x".repeat(254) + "é"),
        ] {
            let object = Value::object([("a", Value::string(text))]);
            assert_eq!(shown_at(&object, "/a"), Some(format!("\"{shown}\"")));
        }
    }

    #[test]
    fn words_are_cut_too() {
        let object = Value::Object(Vec::new());
        let mut report = Report::new(&object);
        report.deny(&ERROR, "", "x".repeat(MAX_WORDS + 1)).remedy("y".repeat(MAX_WORDS + 1));
        let finding = &report.into_parts().0[0];
        assert_eq!(finding.detail, "x".repeat(MAX_WORDS) + "…");
        assert_eq!(finding.remedy, "y".repeat(MAX_WORDS) + "…");
    }

    #[test]
    fn a_report_says_of_which_severity_it_left_findings_out() {
        let object = Value::Object(Vec::new());
        let mut report = Report::new(&object);
        for number in 0..MAX_FINDINGS {
            report.deny(&ERROR, "", number.to_string());
            report.deny(&ERROR, "", "0");
        }
        assert_eq!(report.truncated(), []);
        assert!(!report.is_full(Severity::Error));
        report.deny(&ERROR, "", "one more");
        assert_eq!(report.truncated(), [Severity::Error]);
        assert!(report.is_full(Severity::Error));
        assert_eq!(report.into_parts().0.len(), MAX_FINDINGS);
    }

    #[test]
    fn warnings_never_push_errors_out() {
        let object = Value::Object(Vec::new());
        let mut report = Report::new(&object);
        for number in 0..2 * MAX_FINDINGS {
            report.warn(&WARNING, &Path::root("", ""), format!("{number} {}", "x".repeat(MAX_WORDS - 10)));
        }
        report.deny(&ERROR, "", "wrong");
        assert_eq!(report.truncated(), [Severity::Warning]);
        let (findings, _) = report.into_parts();
        assert_eq!(findings.last().unwrap().detail, "wrong");
    }

    #[test]
    fn what_a_finding_is_told_later_takes_room_too() {
        let object = Value::object([("a", Value::Null)]);
        let fix = Value::string("x".repeat(MAX_BYTES));
        let mut report = Report::new(&object);
        report.error(&ERROR, &Path::root("a", "/a"), ErrorType::Invalid, "").fix_value(&fix);
        assert_eq!(report.truncated(), []);
        report.deny(&ERROR, "", "one more");
        assert_eq!(report.truncated(), [Severity::Error]);
    }

    #[test]
    fn errors_that_were_there_before_take_no_room_of_new_ones() {
        let object = parse(r#"{"a":1,"b":1}"#).unwrap();
        let old_object = parse(r#"{"a":1,"b":2}"#).unwrap();
        let mut old = Report::new(&old_object);
        for number in 0..MAX_FINDINGS {
            old.deny(&ERROR, "/a", number.to_string());
        }
        old.deny(&ERROR, "/b", "changed");
        let (known, _) = old.into_parts();
        let mut report = Report::new(&object).since(Before { object: &old_object, findings: &known });
        for number in 0..2 * MAX_FINDINGS {
            report.deny(&ERROR, "/a", number.to_string());
        }
        report.deny(&ERROR, "/b", "changed");
        assert_eq!(report.truncated(), [Severity::Error]);
        let (findings, _) = report.into_parts();
        assert!(findings.iter().take(MAX_FINDINGS).all(|finding| finding.is_old));
        assert_eq!(findings.iter().filter(|finding| !finding.is_old).count(), MAX_FINDINGS);
    }
}
