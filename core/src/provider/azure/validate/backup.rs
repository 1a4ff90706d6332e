//! Seeds and BackupBuckets (AZ-SEED, AZ-BUCKET).

use crate::policy::{Request, RequestError, unsupported};
use crate::report::Report;

/// Judges a BackupBucket.
pub fn backup_bucket(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}

/// Judges a Seed.
pub fn seed(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}
