//! Shoots: the order in which their parts are judged (OS-SHOOT).

use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn shoot(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}
