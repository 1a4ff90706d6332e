//! Secrets with credentials, and the bindings that refer to them (OS-SEC, OS-CRED).

use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn secret(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn binding(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}
