//! When a person may force a deletion (GDN-FD-001, 003, 004).

#[cfg(test)]
mod tests;

use super::Change;
use crate::document::Value;
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::force_deletion::{PATH, is_forced, not_deleted, not_needed};
use crate::report::{ErrorType, Report};

/// Judges the change of the annotation.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    match (is_forced(change.old), is_forced(change.new)) {
        (true, false) => {
            let detail = "force-deletion annotation cannot be removed once set";
            report
                .error(&rules::GDN_FD_003, &PATH, ErrorType::Forbidden, detail)
                .fix_value(&Value::string("true"));
        }
        (false, true) => {
            if !change.check.is_deleted() {
                not_deleted(report);
            }
            if change.check.lacks_status() {
                let why =
                    "the Shoot's status says whether its deletion needs force, and the old manifest has none";
                report.undecided(&rules::GDN_FD_004, why, None);
            } else {
                not_needed(&rules::GDN_FD_004, change.check.status(), report);
            }
        }
        _ => {}
    }
}
