//! Shoots (AZ-DEF-010…015).

use crate::policy::{Defaulted, Request, RequestError, unsupported};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Err(unsupported(request.object))
}
