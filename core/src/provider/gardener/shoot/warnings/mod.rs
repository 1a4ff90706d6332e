//! What Gardener warns of in a Shoot that it accepts (WRN).

mod fields;
mod rotations;
#[cfg(test)]
mod tests;

use super::Check;
use crate::policy::RequestError;
use crate::report::Report;

/// Warns of credentials that are due for a rotation, and of what later versions refuse. Gardener warns where the
/// values of the Shoot have no error, and whatever the profile says; it warns of no subresource.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    if check.request.context("subresource").is_some() {
        return Ok(());
    }
    if let Some(old) = check.old {
        rotations::judge(check, old, report)?;
    }
    fields::judge(check, report);
    Ok(())
}
