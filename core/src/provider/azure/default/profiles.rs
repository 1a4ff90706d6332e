//! CloudProfiles and NamespacedCloudProfiles (AZ-DEF-001, AZ-DEF-020…032).

use crate::policy::{Defaulted, Request, RequestError, unsupported};

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Err(unsupported(request.object))
}

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Err(unsupported(request.object))
}
