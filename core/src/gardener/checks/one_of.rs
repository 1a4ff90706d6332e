//! Rules on texts of which a cloud knows a few.

use crate::document::Path;
use crate::report::{ErrorType, Report, Rule};
use crate::text::Supported;

/// Reports a text that is none of those that the cloud knows.
pub fn one_of(rule: &'static Rule, text: &str, values: &[&str], path: &Path<'_>, report: &mut Report<'_>) {
    if values.contains(&text) {
        return;
    }
    let mut supported = Supported::default();
    for value in values {
        supported.add(value);
    }
    report.error(rule, path, ErrorType::NotSupported, supported.words()).choices(values.iter().copied());
}
