//! Backups: Seeds and BackupBuckets (AZ-SEED, AZ-BUCKET).

use crate::document::Path;
use crate::gardener::checks::backup::{
    BackupRules, CredentialsRules, Reading, ReadingRules, check_bucket, check_seed,
};
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::gardener::checks::retention::{Retention, RetentionRules, check_retention, check_retention_type};
use crate::kube::duration::Duration;
use crate::policy::{Request, RequestError};
use crate::provider::azure::api::{BackupBucketConfig, Immutability, RotationConfig};
use crate::provider::azure::rules::{backup as rules, profile_advice as advice};
use crate::report::{ErrorType, Report};

/// The unit of a retention.
const DAY: Duration = Duration::from_hours(24);

const RETENTION: RetentionRules = RetentionRules {
    kept: &rules::BUCKET_020,
    locked: &rules::BUCKET_021,
    longer: &rules::BUCKET_022,
    advised: &advice::ADV_035,
    locks: &advice::ADV_036,
};

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
            present: &rules::BUCKET_030,
            supported: &rules::BUCKET_031,
            kinds: &[SECRET, WORKLOAD_IDENTITY],
        },
        seed: ReadingRules { create: &rules::SEED_003, update: &rules::SEED_004, old: &rules::SEED_004 },
        bucket: ReadingRules { create: &rules::BUCKET_040, update: &rules::BUCKET_040, old: &rules::BUCKET_040 },
        reading: Reading::InTurn,
        judge: |_, config, path, report| {
            if let Some(immutability) = &config.immutability {
                immutability_by_itself(immutability, &path.key("immutability"), report);
            }
            if let Some(rotation) = &config.rotation_config {
                rotation_by_itself(rotation, &path.key("rotationConfig"), report);
            }
        },
        judge_change: |new, old, path, report| {
            check_retention(retention(new), retention(old), &path.key("immutability"), &RETENTION, report);
        },
    }
}

fn immutability_by_itself(immutability: &Immutability<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    check_retention_type(&rules::BUCKET_001, immutability.retention_type, path, report);
    let (period, path) = (immutability.retention_period, path.key("retentionPeriod"));
    if period < DAY {
        report.error(&rules::BUCKET_002, &path, ErrorType::Invalid, "must be greater than 24h");
    }
    if period.nanoseconds() % DAY.nanoseconds() != 0 {
        let detail = "must be a positive integer multiple of 24h";
        report.error(&rules::BUCKET_003, &path, ErrorType::Invalid, detail);
    }
}

fn rotation_by_itself(rotation: &RotationConfig, path: &Path<'_>, report: &mut Report<'_>) {
    let (days, place) = (rotation.rotation_period_days, path.key("rotationPeriodDays"));
    if days < 1 {
        let detail = "rotationPeriod must be configured if key rotation is enabled";
        report.error(&rules::BUCKET_010, &place, ErrorType::Required, detail);
        return;
    }
    if days == 1 {
        let detail = "must be equal or greater than 2 days";
        report.error(&rules::BUCKET_011, &place, ErrorType::Invalid, detail);
    }
    if rotation.expiration_period_days.is_some_and(|expiration| expiration <= days) {
        let place = path.key("expirationPeriodDays");
        report.error(&rules::BUCKET_012, &place, ErrorType::Invalid, "must be greater than the rotation period");
    }
}

fn retention(config: &BackupBucketConfig<'_>) -> Option<Retention> {
    let Immutability { retention_period: period, locked: is_locked, .. } =
        config.immutability.filter(|immutability| *immutability != Immutability::default())?;
    Some(Retention { period, is_locked })
}
