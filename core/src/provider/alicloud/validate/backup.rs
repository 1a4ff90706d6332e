//! Backups: Seeds and BackupBuckets (ALI-SEED, ALI-BUCKET).

use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::provider_config::mend;
use crate::gardener::seed::{Backup, BackupBucket, Seed};
use crate::policy::{Request, RequestError, read, read_old};
use crate::provider::alicloud::api::{BackupBucketConfig, Config, Immutability};
use crate::provider::alicloud::rules::backup as rules;
use crate::report::{ErrorType, Report, Rule};

/// Where a kind keeps its backup settings, and the rules for reading them.
struct Place {
    /// Printed path of what holds `providerConfig` and `credentialsRef`.
    field: &'static str,
    /// The same as a pointer.
    pointer: &'static str,
    /// The same as keys.
    keys: &'static [&'static str],
    create: &'static Rule,
    update: &'static Rule,
    old: &'static Rule,
}

const SEED: Place = Place {
    field: "spec.backup",
    pointer: "/spec/backup",
    keys: &["spec", "backup", "providerConfig"],
    create: &rules::SEED_003,
    update: &rules::SEED_005,
    old: &rules::SEED_006,
};

const BUCKET: Place = Place {
    field: "spec",
    pointer: "/spec",
    keys: &["spec", "providerConfig"],
    create: &rules::BUCKET_002,
    update: &rules::BUCKET_003,
    old: &rules::BUCKET_004,
};

/// Judges a Seed; one without backup has nothing to judge but its past.
pub fn seed(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let seed: Seed<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<Seed<'_>>(old)?;
    }
    if let Some(backup) = &seed.spec.backup {
        credentials(backup, &SEED, report);
    }
    if let Some(config) = config(request, &SEED, report) {
        update(request, &config, &SEED, report);
    }
    Ok(())
}

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let bucket: BackupBucket<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<BackupBucket<'_>>(old)?;
    }
    let config = config(request, &BUCKET, report);
    credentials(&bucket.spec, &BUCKET, report);
    if let Some(config) = config {
        update(request, &config, &BUCKET, report);
    }
    Ok(())
}

fn credentials(backup: &Backup<'_>, place: &Place, report: &mut Report<'_>) {
    let base = Path::root(place.field, place.pointer);
    let path = base.key("credentialsRef");
    match backup.credentials_ref {
        None => {
            report.error(&rules::BUCKET_014, &path, ErrorType::Required, "must be set");
        }
        Some(reference) if (reference.api_version, reference.kind) != ("v1", "Secret") => {
            let detail = "supported values: \"/v1, Kind=Secret\"";
            report.error(&rules::BUCKET_015, &path, ErrorType::NotSupported, detail);
        }
        Some(_) => {}
    }
}

/// Judges the configuration by itself; `None` where it cannot be read.
fn config<'r>(request: &Request<'r>, place: &Place, report: &mut Report<'_>) -> Option<BackupBucketConfig<'r>> {
    let base = Path::root(place.field, place.pointer);
    let path = base.key("providerConfig");
    let config = match request.object.at(place.keys) {
        None => BackupBucketConfig::default(),
        Some(config) => BackupBucketConfig::read_complaining(config, |error| {
            let (rule, which) = match request.old_object {
                None => (place.create, ""),
                Some(_) => (place.update, "new "),
            };
            let pointer = format!("{}{}", path.pointer(), error.pointer());
            let detail = format!("failed to decode {which}provider config: {error}");
            let entry = report.error(rule, &Path::root(&path.field(), &pointer), ErrorType::Invalid, detail);
            mend::<BackupBucketConfig<'_>>(entry, error, config, &path.pointer());
        })?,
    };
    let path = path.key("immutability");
    if let Some(immutability) = &config.immutability {
        if immutability.retention_type != "bucket" {
            report
                .error(&rules::BUCKET_010, &path.key("retentionType"), ErrorType::Invalid, "must be 'bucket'")
                .fix_value(&Value::string("bucket"));
        }
        if immutability.retention_period < 1 {
            let detail = "can only be set in days, hence it can't be less than 1 day";
            report.error(&rules::BUCKET_011, &path.key("retentionPeriod"), ErrorType::Invalid, detail);
        }
    }
    Some(config)
}

/// Judges the change from the old configuration, where there is one.
fn update(request: &Request<'_>, new: &BackupBucketConfig<'_>, place: &Place, report: &mut Report<'_>) {
    let Some(old) = request.old_object.and_then(|old| old.at(place.keys)) else { return };
    let base = Path::root(place.field, place.pointer);
    let path = base.key("providerConfig");
    match BackupBucketConfig::read(old, Mode::Lenient) {
        Ok(old) => {
            if let (Some(new), Some(old)) = (&new.immutability, &old.immutability) {
                immutability_update(new, old, &path.key("immutability"), report);
            }
        }
        Err(error) => {
            let detail = format!("failed to decode old provider config: {error}");
            report.error(place.old, &path, ErrorType::Invalid, detail).hides_others();
        }
    }
}

fn immutability_update(new: &Immutability<'_>, old: &Immutability<'_>, path: &Path<'_>, report: &mut Report<'_>) {
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
