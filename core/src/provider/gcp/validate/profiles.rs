//! CloudProfiles (GCP-CPROF), and NamespacedCloudProfiles, which add image versions to one (GCP-NSCP). An update
//! is judged like a creation.

use super::image_mappings::IMAGES;
use crate::gardener::images::{
    judge_namespaced_profile, judge_profile, read_cloud_profile, read_namespaced_cloud_profile,
};
use crate::policy::{Request, RequestError};
use crate::provider::gcp::api::CloudProfileConfig;
use crate::provider::gcp::image_mapping::images;
use crate::report::Report;

/// Judges a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    judge_profile(&profile, &images(&config), &IMAGES, report)
}

/// Judges a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    judge_namespaced_profile(request, &profile, &images(&config), &IMAGES, report)
}
