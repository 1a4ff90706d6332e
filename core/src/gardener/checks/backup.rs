//! Backups: the credentials and the configuration of the object store, in Seeds and in BackupBuckets.

use super::kinds::CredentialsKind;
use crate::document::decode::{DecodeError, Mode};
use crate::document::{Path, Value};
use crate::gardener::provider_config::Config;
use crate::gardener::types::backup::{Backup, BackupBucket, Seed};
use crate::policy::{Request, RequestError, read, read_old};
use crate::report::{ErrorType, Report, Rule};

/// The rules on the credentials of backups.
#[derive(Debug)]
pub struct CredentialsRules {
    /// A backup has credentials.
    pub present: &'static Rule,
    /// The credentials are of a kind that the cloud supports.
    pub supported: &'static Rule,
    /// Those kinds.
    pub kinds: &'static [CredentialsKind],
}

/// The rules on backups, for configurations of kind `C`.
pub struct BackupRules<C> {
    /// On the credentials.
    pub credentials: CredentialsRules,
    /// The configuration in a Seed can be read.
    pub seed: ReadingRules,
    /// The configuration in a BackupBucket can be read.
    pub bucket: ReadingRules,
    /// How the existing extension reads configurations.
    pub reading: Reading,
    /// Judges a configuration by itself.
    pub judge: fn(&Request<'_>, &C, &Path<'_>, &mut Report<'_>),
    /// Judges the change to a configuration from an older one, which comes second.
    pub judge_change: fn(&C, &C, &Path<'_>, &mut Report<'_>),
}

/// The rules for reading a configuration.
#[derive(Debug)]
pub struct ReadingRules {
    /// On creation.
    pub create: &'static Rule,
    /// On an update, the new one.
    pub update: &'static Rule,
    /// On an update, the old one.
    pub old: &'static Rule,
}

/// How an existing extension reads configurations of backups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Each one strictly, and then the old one to compare with. What can be read of a new one is judged.
    NewFirst,
    /// The same; but where nobody can read the new one of a BackupBucket, nothing is judged.
    NewOrNothing,
    /// Each one strictly, the new one first. Where nobody can read one, nothing after it is judged.
    InTurn,
    /// That of a new object leniently. On an update first the old one and then the new one strictly: where nobody
    /// can read one of them, nothing is judged; nor is a BackupBucket that has none.
    OldFirst,
}

/// A Seed's `spec.backup` and a BackupBucket's `spec`, which hold `credentialsRef` and `providerConfig`.
#[derive(Clone, Copy)]
struct BackupPlace {
    path: Path<'static>,
    config: &'static [&'static str],
}

const SEED: BackupPlace =
    BackupPlace { path: Path::root("spec.backup", "/spec/backup"), config: &["spec", "backup", "providerConfig"] };
const BUCKET: BackupPlace = BackupPlace { path: Path::root("spec", "/spec"), config: &["spec", "providerConfig"] };

/// Judges the credentials of a Seed's backup, which a Seed need not have.
pub fn check_seed_credentials(
    request: &Request<'_>,
    rules: &CredentialsRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let seed: Seed<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<Seed<'_>>(old)?;
    }
    if let Some(backup) = &seed.spec.backup {
        check_credentials(backup, &SEED, rules, report);
    }
    Ok(())
}

/// Judges the credentials of a BackupBucket.
pub fn check_bucket_credentials(
    request: &Request<'_>,
    rules: &CredentialsRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let bucket: BackupBucket<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<BackupBucket<'_>>(old)?;
    }
    check_credentials(&bucket.spec, &BUCKET, rules, report);
    Ok(())
}

/// Judges a Seed. Of one without backup, only the old configuration is judged.
pub fn check_seed<'r, C: Config<'r> + Default>(
    request: &Request<'r>,
    rules: &BackupRules<C>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    check_seed_credentials(request, &rules.credentials, report)?;
    if let Some(config) = read_config(request, &SEED, &rules.seed, rules, report) {
        check_change(request, &config, &SEED, rules.seed.old, rules, report);
    }
    Ok(())
}

/// Judges a BackupBucket.
pub fn check_bucket<'r, C: Config<'r> + Default>(
    request: &Request<'r>,
    rules: &BackupRules<C>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let is_judged = rules.reading != Reading::OldFirst || request.object.at(BUCKET.config).is_some();
    let config = is_judged.then(|| read_config(request, &BUCKET, &rules.bucket, rules, report)).flatten();
    if matches!(rules.reading, Reading::NewOrNothing | Reading::InTurn) && config.is_none() {
        return Ok(());
    }
    if rules.reading != Reading::OldFirst {
        check_bucket_credentials(request, &rules.credentials, report)?;
    }
    if let Some(config) = config {
        check_change(request, &config, &BUCKET, rules.bucket.old, rules, report);
    }
    if rules.reading == Reading::OldFirst {
        check_bucket_credentials(request, &rules.credentials, report)?;
    }
    Ok(())
}

fn check_credentials(backup: &Backup<'_>, place: &BackupPlace, rules: &CredentialsRules, report: &mut Report<'_>) {
    let path = place.path.key("credentialsRef");
    match backup.credentials_ref {
        None => {
            report.error(rules.present, &path, ErrorType::Required, "must be set");
        }
        Some(reference) if CredentialsKind::of(&reference, rules.kinds).is_none() => {
            let detail = CredentialsKind::supported(rules.kinds);
            report.error(rules.supported, &path, ErrorType::NotSupported, detail);
        }
        Some(_) => {}
    }
}

/// The configuration, once it is judged by itself; none where nobody can read it.
fn read_config<'r, C: Config<'r> + Default>(
    request: &Request<'r>,
    place: &BackupPlace,
    reading: &ReadingRules,
    rules: &BackupRules<C>,
    report: &mut Report<'_>,
) -> Option<C> {
    let path = place.path.key("providerConfig");
    if let (Reading::OldFirst, Some(Err(error))) = (rules.reading, old_config::<C>(request, place, rules.reading))
    {
        unreadable_old(reading.old, &error, &path, report);
        return None;
    }
    let Some(new) = request.object.at(place.config) else { return Some(C::default()) };
    let (rule, which) = match request.old_object {
        None => (reading.create, ""),
        Some(_) => (reading.update, "new "),
    };
    let words = |error: &DecodeError| {
        (rule, ErrorType::Invalid, format!("failed to decode {which}provider config: {error}"))
    };
    let is_bucket = place.config == BUCKET.config;
    let config = match (rules.reading, request.old_object) {
        (Reading::NewOrNothing, _) if is_bucket => C::read_wholly(new, Mode::Strict, &path, report, words)?,
        (Reading::NewFirst | Reading::NewOrNothing, _) => {
            C::read_reporting(new, Mode::Strict, &path, report, words)?
        }
        (Reading::InTurn, _) | (Reading::OldFirst, Some(_)) => {
            C::read_wholly(new, Mode::Strict, &path, report, words)?
        }
        (Reading::OldFirst, None) => C::read_wholly(new, Mode::Lenient, &path, report, words)?,
    };
    (rules.judge)(request, &config, &path, report);
    Some(config)
}

/// The old configuration, where there is one.
fn old_config<'r, C: Config<'r>>(
    request: &Request<'r>,
    place: &BackupPlace,
    reading: Reading,
) -> Option<Result<C, DecodeError>> {
    let old: &'r Value<'r> = request.old_object?.at(place.config)?;
    let mode = if reading == Reading::InTurn { Mode::Strict } else { Mode::Lenient };
    Some(C::read(old, mode))
}

fn unreadable_old(rule: &'static Rule, error: &DecodeError, path: &Path<'_>, report: &mut Report<'_>) {
    let detail = format!("failed to decode old provider config: {error}");
    report.error(rule, path, ErrorType::Invalid, detail).hides_others();
}

/// Judges the change from the old configuration, where there is one.
fn check_change<'r, C: Config<'r>>(
    request: &Request<'r>,
    new: &C,
    place: &BackupPlace,
    rule: &'static Rule,
    rules: &BackupRules<C>,
    report: &mut Report<'_>,
) {
    let path = place.path.key("providerConfig");
    match old_config(request, place, rules.reading) {
        None => {}
        Some(Ok(old)) => (rules.judge_change)(new, &old, &path, report),
        Some(Err(error)) => unreadable_old(rule, &error, &path, report),
    }
}
