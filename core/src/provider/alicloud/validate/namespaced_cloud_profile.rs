//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (ALI-NSCP).

use super::image_mappings::IMAGES;
use crate::gardener::images::{MapsImages, judge_namespaced_profile, read_namespaced_cloud_profile};
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::report::Report;

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    judge_namespaced_profile(request, &profile, &config.images(), &IMAGES, report)
}
