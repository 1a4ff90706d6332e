//! Advice on the retention of backups.

use crate::document::Path;
use crate::provider::aws::api::BackupBucketConfig;
use crate::provider::aws::rules::profile_advice as rules;
use crate::report::Report;

/// Looks at a change of the configuration at `path`.
pub fn change(
    new: &BackupBucketConfig<'_>,
    old: &BackupBucketConfig<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if new.immutability.is_none() && old.immutability.is_some() {
        let detail = "new backups can be changed and deleted at once";
        report.warn(&rules::ADV_035, &path.key("immutability"), detail);
    }
}
