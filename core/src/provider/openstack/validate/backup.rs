//! Backups: Seeds and BackupBuckets (OS-SEED, OS-BUCKET). OpenStack has no configuration for backups.

use crate::gardener::checks::backup::{CredentialsRules, check_bucket_credentials, check_seed_credentials};
use crate::gardener::checks::kinds::SECRET;
use crate::policy::{Request, RequestError};
use crate::provider::openstack::rules::backup as rules;
use crate::report::Report;

const SEED: CredentialsRules =
    CredentialsRules { present: &rules::SEED_001, supported: &rules::SEED_001, kinds: &[SECRET] };
const BUCKET: CredentialsRules =
    CredentialsRules { present: &rules::BUCKET_001, supported: &rules::BUCKET_001, kinds: &[SECRET] };

/// Judges a Seed.
pub fn seed(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_seed_credentials(request, &SEED, report)
}

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_bucket_credentials(request, &BUCKET, report)
}
