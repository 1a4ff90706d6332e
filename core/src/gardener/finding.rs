//! Findings of shared rules: errors for one provider, warnings for another.

use crate::document::Path;
use crate::report::{ErrorType, Report, Reported, Rule, Severity};

/// Reports what a rule complains about, as gravely as the rule says. What the existing extension denies in plain
/// text names no field.
pub(super) fn complain<'r>(
    rule: &'static Rule,
    path: &Path<'_>,
    error_type: ErrorType,
    detail: impl Into<String>,
    report: &'r mut Report<'_>,
) -> Reported<'r> {
    let pointer = path.pointer();
    let path = if error_type == ErrorType::Denied { &Path::root("", &pointer) } else { path };
    match rule.severity {
        Some(Severity::Warning) => report.warn(rule, path, detail),
        _ => report.error(rule, path, error_type, detail),
    }
}

/// Whether the report keeps no further finding of a rule.
pub(super) fn is_full(rule: &Rule, report: &Report<'_>) -> bool {
    report.is_full(rule.severity.unwrap_or(Severity::Error))
}
