//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (OS-DEF-020…035).

use crate::policy::{Defaulted, Request, RequestError};

/// Fills in a CloudProfile.
#[expect(clippy::unnecessary_wraps)]
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Ok(Defaulted::unchanged(request.object))
}

/// Fills in a NamespacedCloudProfile.
#[expect(clippy::unnecessary_wraps)]
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    Ok(Defaulted::unchanged(request.object))
}
