//! Backups: Seeds and BackupBuckets (AWS-SEED, AWS-BUCKET).

use super::advice;
use crate::document::{Path, Value};
use crate::gardener::checks::backup::{
    BackupRules, CredentialsRules, Reading, ReadingRules, check_bucket, check_seed,
};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::gardener::checks::retention::check_retention_type;
use crate::kube::duration::Duration;
use crate::policy::{Request, RequestError};
use crate::provider::aws::api::BackupBucketConfig;
use crate::provider::aws::rules::backup as rules;
use crate::report::{ErrorType, Report};

/// S3 counts a retention in days.
const DAY: i64 = Duration::from_hours(24).nanoseconds();
/// The mode in which nobody can shorten a retention.
const COMPLIANCE: &str = "compliance";
/// The mode in which people who have the permission can.
const GOVERNANCE: &str = "governance";

/// Judges a Seed.
pub fn seed(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_seed(request, &backup_rules(), report)
}

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_bucket(request, &backup_rules(), report)
}

fn backup_rules<'r>() -> BackupRules<BackupBucketConfig<'r>> {
    let reading =
        || ReadingRules { create: &rules::BUCKET_001, update: &rules::BUCKET_003, old: &rules::BUCKET_002 };
    BackupRules {
        credentials: CredentialsRules {
            present: &rules::BUCKET_010,
            supported: &rules::BUCKET_011,
            kinds: &[SECRET, WORKLOAD_IDENTITY],
        },
        seed: reading(),
        bucket: reading(),
        reading: Reading::OldFirst,
        judge: |_, config, path, report| config_by_itself(config, path, report),
        judge_change: |new, old, path, report| {
            change(new, old, path, report);
            advice::backup::change(new, old, path, report);
        },
    }
}

fn config_by_itself(config: &BackupBucketConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(immutability) = &config.immutability else { return };
    let path = path.key("immutability");
    check_retention_type(&rules::BUCKET_004, immutability.retention_type, &path, report);
    let (period, place) = (immutability.retention_period.nanoseconds(), path.key("retentionPeriod"));
    if period < DAY {
        let detail = "can only be set in days, hence it can't be less than 24hour";
        report.error(&rules::BUCKET_005, &place, ErrorType::Invalid, detail);
    }
    if period % DAY != 0 {
        let detail = "can only be set in days, hence it must be a multiple of 24hour";
        report.error(&rules::BUCKET_006, &place, ErrorType::Invalid, detail);
    }
    if ![COMPLIANCE, GOVERNANCE].contains(&immutability.mode) {
        let detail = "should be either compliance mode or governance mode";
        report
            .error(&rules::BUCKET_007, &path.key("mode"), ErrorType::Invalid, detail)
            .choices([COMPLIANCE, GOVERNANCE].into_iter());
    }
}

fn change(new: &BackupBucketConfig<'_>, old: &BackupBucketConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (Some(new), Some(old)) = (&new.immutability, &old.immutability) else { return };
    if old.mode != COMPLIANCE {
        return;
    }
    let path = path.key("immutability");
    let (period, before) = (new.retention_period, old.retention_period);
    if new.mode == GOVERNANCE {
        let detail = "immutable retention mode can't be change to governance once it is compliance";
        report
            .error(&rules::BUCKET_008, &path.key("mode"), ErrorType::Forbidden, detail)
            .fix_value(&Value::string(COMPLIANCE));
    } else if period < before {
        let detail = format!(
            "reducing the retention period from {before} to {period} is prohibited when the immutable retention mode is \
             compliance"
        );
        report.error(&rules::BUCKET_009, &path.key("retentionPeriod"), ErrorType::Forbidden, detail);
    }
}
