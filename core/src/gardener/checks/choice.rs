//! Rules on values that are chosen from a list.

use crate::document::Path;
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::Supported;

/// Reports a text that is none of these values, and offers them.
pub fn check_one_of<'r>(
    rule: &'static Rule,
    text: &str,
    values: &[&str],
    path: &Path<'_>,
    report: &'r mut Report<'_>,
) -> Option<Reported<'r>> {
    if values.contains(&text) {
        return None;
    }
    let mut supported = Supported::default();
    for value in values {
        supported.add(value);
    }
    Some(report.error(rule, path, ErrorType::NotSupported, supported.words()).choices(values.iter().copied()))
}
