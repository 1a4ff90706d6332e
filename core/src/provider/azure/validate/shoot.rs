//! Shoots (AZ-SHOOT).

use crate::policy::{Request, RequestError, unsupported};
use crate::report::Report;

/// Judges a Shoot.
pub fn shoot(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}
