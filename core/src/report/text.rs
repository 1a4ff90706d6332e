//! Findings about texts.

use super::{ErrorType, Report, Rule};
use crate::document::Path;
use crate::text::TextRule;

impl Report<'_> {
    /// Adds an error for each thing that is wrong with a text.
    pub fn text(&mut self, rule: &'static Rule, path: &Path<'_>, text: &str, must: &TextRule) {
        for fault in must.faults(text) {
            let error_type = if fault.is_missing { ErrorType::Required } else { ErrorType::Invalid };
            let reported = self.error(rule, path, error_type, fault.detail);
            if must.is_hidden() {
                reported.hide_value();
            }
        }
    }
}
