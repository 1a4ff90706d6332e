//! Backups: Seeds and BackupBuckets (GCP-SEED, GCP-BUCKET).

use crate::document::Path;
use crate::gardener::checks::backup::{
    BackupRules, CredentialsRules, Reading, ReadingRules, check_bucket, check_seed,
};
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::kinds::{SECRET, WORKLOAD_IDENTITY};
use crate::gardener::checks::retention::{Retention, RetentionRules, check_retention, check_retention_type};
use crate::kube::duration::Duration;
use crate::policy::{Request, RequestError};
use crate::provider::gcp::api::{BackupBucketConfig, Immutability};
use crate::provider::gcp::rules::{advice, backup as rules};
use crate::provider::gcp::settings::Settings;
use crate::report::{ErrorType, Report};
use crate::text::Url;

/// The shortest retention.
const DAY: Duration = Duration::from_hours(24);

const RETENTION: RetentionRules = RetentionRules {
    kept: &rules::BUCKET_006,
    locked: &rules::BUCKET_007,
    longer: &rules::BUCKET_008,
    advised: &advice::ADV_020,
    locks: &advice::ADV_021,
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
    let reading =
        || ReadingRules { create: &rules::BUCKET_011, update: &rules::BUCKET_012, old: &rules::BUCKET_013 };
    BackupRules {
        credentials: CredentialsRules {
            present: &rules::BUCKET_009,
            supported: &rules::BUCKET_010,
            kinds: &[SECRET, WORKLOAD_IDENTITY],
        },
        seed: reading(),
        bucket: reading(),
        reading: Reading::NewOrNothing,
        judge: |request, config, path, report| config_by_itself(request, config, path, report),
        judge_change: |new, old, path, report| {
            check_retention(retention(new), retention(old), &path.key("immutability"), &RETENTION, report);
        },
    }
}

fn config_by_itself(
    request: &Request<'_>,
    config: &BackupBucketConfig<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if let Some(immutability) = &config.immutability {
        let path = path.key("immutability");
        check_retention_type(&rules::BUCKET_001, immutability.retention_type, &path, report);
        if immutability.retention_period < DAY {
            let detail = "must be a positive duration greater than 24h";
            report.error(&rules::BUCKET_002, &path.key("retentionPeriod"), ErrorType::Invalid, detail);
        }
    }
    if let Some(url) = config.store.and_then(|store| store.endpoint_override) {
        let path = path.key("store");
        endpoint(url, &Settings::of(request).endpoints, &path.key("endpointOverride"), report);
    }
}

fn endpoint(url: &str, allowed: &[&str], path: &Path<'_>, report: &mut Report<'_>) {
    match Url::parse(url) {
        None => {
            let detail = "invalid URL, parsing failed with error: it is no URL";
            report.error(&rules::BUCKET_003, path, ErrorType::Invalid, detail);
        }
        Some(parsed) if parsed.scheme != "https" => {
            report.error(&rules::BUCKET_004, path, ErrorType::Invalid, "must use https scheme");
        }
        Some(_) => {}
    }
    check_one_of(&rules::BUCKET_005, url, allowed, path, report);
}

fn retention(config: &BackupBucketConfig<'_>) -> Option<Retention> {
    let Immutability { retention_period: period, locked: is_locked, .. } =
        config.immutability.filter(|immutability| *immutability != Immutability::default())?;
    Some(Retention { period, is_locked })
}
