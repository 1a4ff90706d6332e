//! Advice on the retention of backups.

use crate::document::Path;
use crate::provider::gcp::api::BackupBucketConfig;
use crate::provider::gcp::rules::advice as rules;
use crate::report::Report;

/// Looks at a change of the configuration at `path`.
pub fn change(
    new: &BackupBucketConfig<'_>,
    old: &BackupBucketConfig<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let path = path.key("immutability");
    let [now, then] = [new, old].map(|config| config.immutability);
    let is_locked = then.is_some_and(|immutability| immutability.locked);
    match now {
        None if then.is_some() && !is_locked => {
            report.warn(&rules::ADV_020, &path, "new backups can be changed and deleted at once");
        }
        Some(immutability) if immutability.locked && !is_locked => {
            let detail = format!("nobody can unlock it or shorten {} again", immutability.retention_period);
            report.warn(&rules::ADV_021, &path.key("locked"), detail);
        }
        _ => {}
    }
}
