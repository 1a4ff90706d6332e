//! CloudProfiles (AZ-CPROF) and NamespacedCloudProfiles (AZ-NSCP).

use crate::policy::{Request, RequestError, unsupported};
use crate::report::Report;

/// Judges a CloudProfile.
pub fn cloud_profile(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}

/// Judges a NamespacedCloudProfile.
pub fn namespaced_cloud_profile(request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Err(unsupported(request.object))
}
