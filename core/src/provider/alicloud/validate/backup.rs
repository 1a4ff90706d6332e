//! Backups: Seeds and BackupBuckets (ALI-SEED, ALI-BUCKET).

use crate::decode::{DecodeError, Mode};
use crate::gardener::seed::{Backup, BackupBucket, Seed};
use crate::gardener::{read, read_old};
use crate::json::Value;
use crate::policy::{Refusal, Request};
use crate::provider::alicloud::api::{BackupBucketConfig, Config};
use crate::provider::alicloud::rules::backup as rules;
use crate::report::{ErrorType, Path, Report, Rule};

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

/// Judges a Seed; one without backup has nothing to judge.
pub fn seed(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
    let seed: Seed<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<Seed<'_>>(old)?;
    }
    if let Some(backup) = &seed.spec.backup {
        credentials(backup, &SEED, report);
        config(request, &SEED, report);
    }
    Ok(())
}

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
    let bucket: BackupBucket<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<BackupBucket<'_>>(old)?;
    }
    config(request, &BUCKET, report);
    credentials(&bucket.spec, &BUCKET, report);
    Ok(())
}

fn credentials(backup: &Backup<'_>, place: &Place, report: &mut Report<'_>) {
    let base = Path::root(place.field, place.pointer);
    let path = base.key("credentialsRef");
    match backup.credentials_ref {
        None => drop(report.error(&rules::BUCKET_014, &path, ErrorType::Required, "must be set")),
        Some(reference) if (reference.api_version, reference.kind) != ("v1", "Secret") => {
            let detail = "supported values: \"/v1, Kind=Secret\"";
            report.error(&rules::BUCKET_015, &path, ErrorType::NotSupported, detail);
        }
        Some(_) => {}
    }
}

fn config(request: &Request<'_>, place: &Place, report: &mut Report<'_>) {
    let base = Path::root(place.field, place.pointer);
    let path = base.key("providerConfig");
    let empty = BackupBucketConfig::default;
    let read = |object: &Value<'_>, mode| -> Result<Option<Immutable>, DecodeError> {
        let config = match object.at(place.keys) {
            None => empty(),
            Some(config) => BackupBucketConfig::read(config, mode)?,
        };
        Ok(config.immutability.map(|immutability| Immutable {
            is_bucket: immutability.retention_type == "bucket",
            days: immutability.retention_period,
            locked: immutability.locked,
        }))
    };
    let new = match read(request.object, Mode::Strict) {
        Ok(new) => new,
        Err(error) => {
            let (rule, which) = match request.old_object {
                None => (place.create, ""),
                Some(_) => (place.update, "new "),
            };
            let pointer = format!("{}{}", path.pointer(), error.pointer());
            let detail = format!("failed to decode {which}provider config: {error}");
            report.error(rule, &Path::root(&path.field(), &pointer), ErrorType::Invalid, detail);
            return;
        }
    };
    if let Some(new) = &new {
        let path = path.key("immutability");
        if !new.is_bucket {
            let path = path.key("retentionType");
            report
                .error(&rules::BUCKET_010, &path, ErrorType::Invalid, "must be 'bucket'")
                .fix_value(&Value::string("bucket"));
        }
        if new.days < 1 {
            let detail = "can only be set in days, hence it can't be less than 1 day";
            report.error(&rules::BUCKET_011, &path.key("retentionPeriod"), ErrorType::Invalid, detail);
        }
    }
    let Some(old) = request.old_object else { return };
    match read(old, Mode::Lenient) {
        Ok(old) => {
            if let (Some(new), Some(old)) = (new, old) {
                immutability_update(&new, &old, &path.key("immutability"), report);
            }
        }
        Err(error) => {
            let detail = format!("failed to decode old provider config: {error}");
            report.error(place.old, &path, ErrorType::Invalid, detail);
        }
    }
}

/// A retention policy.
struct Immutable {
    is_bucket: bool,
    days: i64,
    locked: bool,
}

fn immutability_update(new: &Immutable, old: &Immutable, path: &Path<'_>, report: &mut Report<'_>) {
    if old.locked && !new.locked {
        let detail = "immutable retention policy lock cannot be unlocked once it is locked";
        report
            .error(&rules::BUCKET_012, &path.key("locked"), ErrorType::Forbidden, detail)
            .fix_value(&Value::Bool(true));
    }
    if new.days < old.days {
        let detail = format!("reducing the retention period from {} to {} days is prohibited", old.days, new.days);
        report.error(&rules::BUCKET_013, &path.key("retentionPeriod"), ErrorType::Forbidden, detail);
    }
}
