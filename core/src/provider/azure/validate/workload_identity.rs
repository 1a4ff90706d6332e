//! WorkloadIdentities (AZ-WI).

use crate::policy::{Request, RequestError, unsupported};
use crate::report::Report;

/// Judges a WorkloadIdentity.
pub fn workload_identity(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}
