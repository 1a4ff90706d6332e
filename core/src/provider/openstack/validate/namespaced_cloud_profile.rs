//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (OS-NSCP).

use crate::policy::{Request, RequestError};
use crate::report::Report;

/// Judges.
#[expect(clippy::unnecessary_wraps)]
pub fn namespaced_cloud_profile(_request: &Request<'_>, _report: &mut Report<'_>) -> Result<(), RequestError> {
    Ok(())
}
