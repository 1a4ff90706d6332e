//! Backups: Seeds and BackupBuckets (OS-SEED, OS-BUCKET).

use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn seed(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn backup_bucket(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}
