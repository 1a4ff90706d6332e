//! Shoots: the network plug-in and the node-local DNS (OS-DEF-001…012).

use crate::policy::{Defaulted, Request, RequestError};

/// Fills in a Shoot.
#[expect(clippy::unnecessary_wraps)]
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Ok(Defaulted::unchanged(request.object))
}
