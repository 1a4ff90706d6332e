//! What is wrong with credentials: as findings of their own, and as the one text of what refers to them.

use std::borrow::Cow;

use super::spelling::{Spelling, follow};
use crate::document::Path;
use crate::gardener::types::secret::SECRET_DATA;
use crate::report::{ErrorType, Report, Rule};

/// What is wrong with credentials.
#[derive(Clone, Debug, PartialEq)]
pub struct CredentialsFault {
    /// The rule.
    pub rule: &'static Rule,
    /// The key of a Secret, or the place in a configuration as the end of a pointer; none where the whole is
    /// wrong.
    pub key: Option<String>,
    /// The place, as the existing extensions print it.
    pub field: String,
    /// What is wrong.
    pub error_type: ErrorType,
    /// The words of the existing extension.
    pub detail: String,
    /// The key that the Secret lacks, where the fault is that of the whole data.
    pub lacking: Option<&'static str>,
    /// The text that is right in any case.
    pub meant: Option<&'static str>,
    /// What the existing extensions show of the value, where they show values. It is never the secret part.
    value: Cow<'static, str>,
}

impl CredentialsFault {
    /// A fault of a key of a Secret, or of its data.
    pub fn of_secret(
        rule: &'static Rule,
        key: Option<&str>,
        error_type: ErrorType,
        detail: impl Into<String>,
    ) -> Self {
        let field = key.map_or_else(|| SECRET_DATA.field(), |key| SECRET_DATA.entry(key).field());
        Self::at(rule, key, field, error_type, detail)
    }

    /// A fault at a place.
    pub fn at(
        rule: &'static Rule,
        key: Option<&str>,
        field: String,
        error_type: ErrorType,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            key: key.map(str::to_owned),
            field,
            error_type,
            detail: detail.into(),
            lacking: None,
            meant: None,
            value: Cow::Borrowed("\"\""),
        }
    }

    /// Shows a value, as Go prints it.
    pub fn with_value(self, value: impl Into<Cow<'static, str>>) -> Self {
        Self { value: value.into(), ..self }
    }

    /// The fault is that of a member of the document that the key holds.
    pub fn of_member(mut self, member: &str) -> Self {
        self.field = format!("{}.{member}", self.field);
        self
    }

    /// As Go prints a field error.
    fn printed(&self) -> String {
        let Self { field, error_type, detail, value, .. } = self;
        match error_type {
            ErrorType::Required => format!("{field}: Required value: {detail}"),
            ErrorType::Forbidden => format!("{field}: Forbidden: {detail}"),
            ErrorType::NotSupported => format!("{field}: Unsupported value: {value}: {detail}"),
            _ => format!("{field}: Invalid value: {value}: {detail}"),
        }
    }
}

/// All faults as one text, as Go prints several errors; none where nothing is wrong.
pub fn refusal(faults: &[CredentialsFault]) -> Option<String> {
    let mut reported = Vec::new();
    for fault in faults {
        let text = fault.printed();
        if !reported.contains(&text) {
            reported.push(text);
        }
    }
    match reported.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}

/// Reports the faults of a Secret. `place` says where a finding about a key, or about the whole data, points. No
/// value is shown, also where the pointer leads to a reference to the Secret.
pub fn report_secret(
    faults: Vec<CredentialsFault>,
    spelling: &Spelling<'_>,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    for fault in faults {
        let pointer = place(fault.key.as_deref());
        let entry = report.error(fault.rule, &Path::root(&fault.field, &pointer), fault.error_type, fault.detail);
        let lacking = fault.lacking.or(fault.key.as_deref()).unwrap_or_default();
        let entry = follow(entry.hide_value(), spelling.cause(lacking, &place).as_ref());
        if fault.error_type == ErrorType::Forbidden {
            spelling.suggest(fault.key.as_deref().unwrap_or_default(), &place, entry);
        }
    }
}
