//! Secrets and bindings (AZ-SEC, AZ-CRED).

use crate::policy::{Request, RequestError, unsupported};
use crate::report::Report;

/// Judges a Secret.
pub fn secret(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}

/// Judges a SecretBinding or CredentialsBinding.
pub fn binding(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}
