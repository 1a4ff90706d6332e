//! CloudProfiles (OS-CPROF).

use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn cloud_profile(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}
