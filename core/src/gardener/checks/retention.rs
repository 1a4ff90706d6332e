//! How long backups cannot be changed and deleted: a retention that is locked is never weakened.

use crate::document::{Path, Value};
use crate::kube::duration::Duration;
use crate::report::{ErrorType, Report, Rule};

/// The rules on the change of a retention.
#[derive(Debug)]
pub struct RetentionRules {
    /// A locked retention is not removed.
    pub kept: &'static Rule,
    /// A locked retention stays locked.
    pub locked: &'static Rule,
    /// A locked retention does not get shorter.
    pub longer: &'static Rule,
    /// Advice: a retention is not removed.
    pub advised: &'static Rule,
    /// Advice: a retention is locked only once it is right.
    pub locks: &'static Rule,
}

/// How long backups are retained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retention {
    /// From their creation on.
    pub period: Duration,
    /// Whether nobody can unlock or shorten it.
    pub is_locked: bool,
}

/// Checks what the retention at `path` is set on: the bucket.
pub fn check_retention_type(rule: &'static Rule, retention_type: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if retention_type != "bucket" {
        report
            .error(rule, &path.key("retentionType"), ErrorType::Invalid, "must be 'bucket'")
            .fix_value(&Value::string("bucket"));
    }
}

/// Checks the change of the retention at `path`.
pub fn check_retention(
    new: Option<Retention>,
    old: Option<Retention>,
    path: &Path<'_>,
    rules: &RetentionRules,
    report: &mut Report<'_>,
) {
    let was_locked = old.is_some_and(|old| old.is_locked);
    match (new, old) {
        (None, Some(_)) if was_locked => {
            let detail = "immutability cannot be disabled once it is locked";
            report.error(rules.kept, path, ErrorType::Invalid, detail);
        }
        (None, Some(_)) => {
            report.warn(rules.advised, path, "new backups can be changed and deleted at once");
        }
        (Some(new), _) if new.is_locked && !was_locked => {
            let detail = format!("nobody can unlock it or shorten {} again", new.period);
            report.warn(rules.locks, &path.key("locked"), detail);
        }
        (Some(new), Some(_)) if was_locked && !new.is_locked => {
            let detail = "immutable retention policy lock cannot be unlocked once it is locked";
            report
                .error(rules.locked, &path.key("locked"), ErrorType::Forbidden, detail)
                .fix_value(&Value::Bool(true));
        }
        (Some(new), Some(old)) if was_locked && new.period < old.period => {
            let (period, before) = (new.period, old.period);
            let detail = format!(
                "reducing the retention period from {before} to {period} is prohibited when the immutable retention policy is locked"
            );
            report
                .error(rules.longer, &path.key("retentionPeriod"), ErrorType::Forbidden, detail)
                .fix_value(&Value::string(before.to_string()));
        }
        _ => {}
    }
}
