//! Backups: Seeds and BackupBuckets (ALI-SEED, ALI-BUCKET).

use crate::document::{Path, Value};
use crate::gardener::checks::backup::{
    BackupRules, CredentialsRules, Reading, ReadingRules, check_bucket, check_seed,
};
use crate::gardener::checks::kinds::SECRET;
use crate::gardener::checks::retention::check_retention_type;
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::api::BackupBucketConfig;
use crate::provider::alicloud::rules::backup as rules;
use crate::report::{ErrorType, Report};

/// Judges a Seed.
pub fn seed(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_seed(request, &backup_rules(), report)
}

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_bucket(request, &backup_rules(), report)
}

fn backup_rules<'r>() -> BackupRules<BackupBucketConfig<'r>> {
    BackupRules {
        credentials: CredentialsRules {
            present: &rules::BUCKET_014,
            supported: &rules::BUCKET_015,
            kinds: &[SECRET],
        },
        seed: ReadingRules { create: &rules::SEED_003, update: &rules::SEED_005, old: &rules::SEED_006 },
        bucket: ReadingRules { create: &rules::BUCKET_002, update: &rules::BUCKET_003, old: &rules::BUCKET_004 },
        reading: Reading::NewFirst,
        judge: |_, config, path, report| judge_retention(config, path, report),
        judge_change: |new, old, path, report| change(new, old, path, report),
    }
}

/// Judges the retention of a configuration by itself.
pub fn judge_retention(config: &BackupBucketConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(immutability) = &config.immutability else { return };
    let path = path.key("immutability");
    check_retention_type(&rules::BUCKET_010, immutability.retention_type, &path, report);
    if immutability.retention_period < 1 {
        let detail = "can only be set in days, hence it can't be less than 1 day";
        report.error(&rules::BUCKET_011, &path.key("retentionPeriod"), ErrorType::Invalid, detail);
    }
}

fn change(new: &BackupBucketConfig<'_>, old: &BackupBucketConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (Some(new), Some(old)) = (&new.immutability, &old.immutability) else { return };
    let path = path.key("immutability");
    if old.locked && !new.locked {
        let detail = "immutable retention policy lock cannot be unlocked once it is locked";
        report
            .error(&rules::BUCKET_012, &path.key("locked"), ErrorType::Forbidden, detail)
            .fix_value(&Value::Bool(true));
    }
    let (days, before) = (new.retention_period, old.retention_period);
    if days < before {
        let detail = format!("reducing the retention period from {before} to {days} days is prohibited");
        report.error(&rules::BUCKET_013, &path.key("retentionPeriod"), ErrorType::Forbidden, detail);
    }
}
