//! A report collects findings, within limits.

use std::borrow::Cow;

use super::limits::{MAX_BYTES, MAX_FINDINGS, MAX_VALUE, MAX_WORDS, Share, cut};
use super::reported::{Place, Reported};
use super::{Before, Cause, ErrorType, Finding, Release, Rule, Severity, Undecided, template};
use crate::call::Query;
use crate::document::{JsonText, Path, Value};

/// The release of the existing software that a report is of.
#[derive(Clone, Debug)]
struct Judge {
    release: Release,
    is_given: bool,
    name: String,
}

/// Collects findings about one object.
#[derive(Debug)]
pub struct Report<'d> {
    object: &'d Value<'d>,
    show_values: bool,
    before: Option<Before<'d>>,
    findings: Vec<Finding>,
    undecided: Vec<Undecided>,
    left_out: Vec<Cow<'static, str>>,
    release: Option<Judge>,
    is_open: bool,
    errors: Share,
    old_errors: Share,
    warnings: Share,
}

impl<'d> Report<'d> {
    /// A report about an object whose values findings may show.
    pub fn new(object: &'d Value<'d>) -> Self {
        Self {
            object,
            show_values: true,
            before: None,
            findings: Vec::new(),
            undecided: Vec::new(),
            left_out: Vec::new(),
            release: None,
            is_open: false,
            errors: Share::default(),
            old_errors: Share::default(),
            warnings: Share::default(),
        }
    }

    /// A report about an object whose values findings must not show.
    pub fn of_secret(object: &'d Value<'d>) -> Self {
        Self { show_values: false, ..Self::new(object) }
    }

    /// The report that distinguishes new errors from errors that the old object had. Old errors take no room of
    /// new ones.
    pub fn since(self, before: Before<'d>) -> Self {
        Self { before: Some(before), ..self }
    }

    /// Says by which release of the existing software the object is judged, and whether the caller named it: the
    /// report keeps what rules of this release find.
    pub fn judges_as(&mut self, release: Release, is_given: bool, name: String) {
        self.release = Some(Judge { release, is_given, name });
    }

    /// A report about another object of the same request, which the same release judges.
    pub fn of_release<'o>(&self, object: &'o Value<'o>) -> Report<'o> {
        Report { release: self.release.clone(), ..Report::new(object) }
    }

    /// The release by which the object is judged, in words; none where the policy knows one release.
    pub fn judge_name(&mut self) -> Option<String> {
        self.release.as_mut().map(|judge| std::mem::take(&mut judge.name))
    }

    /// Whether the release by which the object is judged has a rule.
    fn has(&self, rule: &Rule) -> bool {
        self.release.as_ref().is_none_or(|judge| rule.is_of(judge.release))
    }

    /// Adds an error, unless the report has one of the same type, field and detail.
    pub fn error(
        &mut self,
        rule: &'static Rule,
        path: &Path<'_>,
        error_type: ErrorType,
        detail: impl Into<String>,
    ) -> Reported<'_> {
        self.add(rule, Severity::Error, path, error_type, detail.into())
    }

    /// Adds an error that is not about a field.
    pub fn deny(&mut self, rule: &'static Rule, pointer: &str, detail: impl Into<String>) -> Reported<'_> {
        self.add(rule, Severity::Error, &Path::root("", pointer), ErrorType::Denied, detail.into())
    }

    /// Adds a warning.
    pub fn warn(&mut self, rule: &'static Rule, path: &Path<'_>, detail: impl Into<String>) -> Reported<'_> {
        self.add(rule, Severity::Warning, path, ErrorType::Warning, detail.into())
    }

    /// Says that Trellis could not judge a rule.
    pub fn undecided(&mut self, rule: &'static Rule, why: impl Into<String>, query: Option<Query>) {
        if !self.has(rule) {
            return;
        }
        self.is_open |= rule.severity != Some(Severity::Warning);
        self.undecided.push(Undecided { rule: rule.id, why: why.into(), query });
    }

    /// Says that each error of another report is one only where a person changed the value, which nobody knows
    /// here. Errors of this report are known to be errors.
    pub fn open_if_changed(&mut self, other: Report<'_>) {
        for Finding { rule, severity, field, detail, pointer, .. } in other.findings {
            let is_known = self.findings.iter().any(|own| own.rule == rule && own.pointer == pointer);
            if severity == Severity::Error && !is_known {
                let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
                let why = format!(
                    "`{field}`{detail}: accepted where the stored object has this value; if you changed it, give the original with \
                     `--old`"
                );
                self.is_open = true;
                self.undecided.push(Undecided { rule, why: cut(why.into(), MAX_WORDS).into_owned(), query: None });
            }
        }
    }

    /// Takes over all that another report says, unless this one says it already. `place` says where in this
    /// report's object a place of the other one's is.
    pub fn adopt(&mut self, other: Report<'_>, place: impl Fn(String) -> String) {
        self.is_open |= other.is_open;
        self.undecided.extend(other.undecided);
        self.left_out.extend(other.left_out);
        for mut finding in other.findings {
            finding.pointer = place(finding.pointer);
            for operation in finding.fix.iter_mut().flatten().chain(&mut finding.assume) {
                operation.path = place(std::mem::take(&mut operation.path));
                operation.from = operation.from.take().map(&place);
            }
            if let Some(cause) = &mut finding.caused_by {
                cause.pointer = place(std::mem::take(&mut cause.pointer));
            }
            finding.is_old = self.before.is_some_and(|before| before.has(&finding, self.object));
            let Finding { error_type, field, detail, severity, .. } = &finding;
            if !self.is_full(*severity) && self.position(*error_type, field, detail).is_none() {
                self.keep(finding);
            }
        }
    }

    /// The place of the finding of a type, field and detail in the list, where the report has it.
    fn position(&self, error_type: ErrorType, field: &str, detail: &str) -> Option<usize> {
        let is_same = |own: &Finding| own.error_type == error_type && own.detail == detail && own.field == field;
        self.findings.iter().position(is_same)
    }

    /// Keeps a finding, as long as there is room, with the share of the report that it takes from.
    fn keep(&mut self, finding: Finding) -> Option<(&mut Finding, &mut Share)> {
        let share = match finding.severity {
            Severity::Error if finding.is_old => &mut self.old_errors,
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if share.findings >= MAX_FINDINGS || share.bytes >= MAX_BYTES {
            share.is_exceeded = true;
            return None;
        }
        share.findings += 1;
        share.bytes += finding.bad_value.as_ref().map_or(0, |value| value.as_str().len());
        share.bytes += finding.detail.len() + finding.field.len() + finding.pointer.len() + finding.remedy.len();
        self.findings.push(finding);
        Some((self.findings.last_mut()?, share))
    }

    /// Says that no rule judges a part of the object, and which part.
    pub fn leaves_out(&mut self, part: impl Into<Cow<'static, str>>) {
        self.left_out.push(part.into());
    }

    /// The parts of the object that no rule judges.
    pub fn left_out(&self) -> &[Cow<'static, str>] {
        &self.left_out
    }

    /// The first error of a rule, as the cause of others.
    pub fn error_of(&self, rule: &Rule) -> Option<Cause> {
        self.first_error(|found| found.rule == rule.id)
    }

    /// The first error at a place (an RFC 6901 pointer), as the cause of others.
    pub fn error_at(&self, pointer: &str) -> Option<Cause> {
        self.first_error(|found| found.pointer == pointer)
    }

    fn first_error(&self, is_it: impl Fn(&Finding) -> bool) -> Option<Cause> {
        let found = self.findings.iter().find(|found| found.severity == Severity::Error && is_it(found))?;
        Some(Cause { rule: found.rule, pointer: found.pointer.clone() })
    }

    /// Whether Trellis could not judge a rule that may reject the object.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the report left out a finding of that severity: it keeps no further one. Of errors, only new ones
    /// count.
    pub fn is_full(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors.is_exceeded,
            Severity::Warning => self.warnings.is_exceeded,
        }
    }

    /// How many errors the report keeps.
    pub fn error_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    /// The severities of the findings that the report left out for want of room.
    pub fn truncated(&self) -> Vec<Severity> {
        let errors = self.errors.is_exceeded || self.old_errors.is_exceeded;
        let mut truncated = Vec::new();
        for &(is_exceeded, severity) in
            &[(errors, Severity::Error), (self.warnings.is_exceeded, Severity::Warning)]
        {
            if is_exceeded {
                truncated.push(severity);
            }
        }
        truncated
    }

    /// The findings and the undecided rules, each in the order in which they came.
    pub fn into_parts(mut self) -> (Vec<Finding>, Vec<Undecided>) {
        self.findings.iter_mut().for_each(template::advise);
        (self.findings, self.undecided)
    }

    fn add(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        path: &Path<'_>,
        error_type: ErrorType,
        detail: String,
    ) -> Reported<'_> {
        let none = Reported { finding: None, share: None, place: Place::Nowhere, shows_release: false };
        let shows_release = self.release.as_ref().is_some_and(|judge| !judge.is_given);
        if self.is_full(severity) || !self.has(rule) {
            return none;
        }
        let is_whole = detail.len() <= MAX_WORDS;
        let (detail, field) = (cut(detail.into(), MAX_WORDS).into_owned(), path.field());
        if let Some(index) = self.position(error_type, &field, &detail) {
            return Reported { finding: self.findings.get_mut(index), ..none };
        }
        let mut finding = Finding {
            rule: rule.id,
            severity,
            error_type,
            field,
            pointer: path.pointer(),
            bad_value: None,
            detail,
            summary: Cow::Borrowed(""),
            remedy: Cow::Borrowed(rule.fix),
            fix: None,
            assume: Vec::new(),
            choices: Vec::new(),
            supported: Vec::new(),
            at_key: false,
            caused_by: None,
            assumed: false,
            since: rule.since.filter(|_| shows_release),
            hides_others: false,
            is_old: false,
        };
        // Two long details may differ in the part that was cut off.
        finding.is_old = is_whole && self.before.is_some_and(|before| before.has(&finding, self.object));
        let value = self.object.pointer(&finding.pointer).unwrap_or(&Value::Null);
        let parent = finding.pointer.rsplit_once('/').and_then(|(parent, _)| self.object.pointer(parent));
        let place = match (value, parent) {
            (Value::Null, Some(Value::Array(_) | Value::Object(_))) => Place::Gap,
            (_, Some(Value::Array(_) | Value::Object(_))) => Place::Value,
            _ => Place::Nowhere,
        };
        finding.bad_value = if self.show_values { shown(value) } else { None };
        match self.keep(finding) {
            Some((finding, share)) => {
                Reported { finding: Some(finding), share: Some(share), place, shows_release }
            }
            None => none,
        }
    }
}

/// A value as a finding shows it: no list and no object, and only the beginning of a long text.
fn shown(value: &Value<'_>) -> Option<JsonText> {
    match value {
        Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(JsonText::from(&Value::String(cut(text.as_ref().into(), MAX_VALUE)))),
        other => Some(JsonText::from(other)),
    }
}

#[cfg(test)]
mod tests;
