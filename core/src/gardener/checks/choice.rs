//! Rules on values that are chosen from a list.

use crate::document::Path;
use crate::report::{ErrorType, Report, Rule};
use crate::text::Supported;

/// Reports a text that is none of these values, and offers them.
pub fn check_one_of(rule: &'static Rule, text: &str, values: &[&str], path: &Path<'_>, report: &mut Report<'_>) {
    if values.contains(&text) {
        return;
    }
    let mut supported = Supported::default();
    for value in values {
        supported.add(value);
    }
    report.error(rule, path, ErrorType::NotSupported, supported.words()).choices(values.iter().copied());
}
