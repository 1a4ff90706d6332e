//! CloudProfiles (AWS-CPROF), and NamespacedCloudProfiles, which add image versions to one (AWS-NSCP). An update
//! is judged like a creation.

use super::advice;
use super::image_mappings::IMAGES;
use crate::gardener::images::{
    MapsImages, judge_namespaced_profile, judge_profile, read_cloud_profile, read_namespaced_cloud_profile,
};
use crate::policy::{Request, RequestError};
use crate::provider::aws::api::CloudProfileConfig;
use crate::report::Report;

/// Judges a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    let images = config.images();
    judge_profile(&profile, &images, &IMAGES, report)?;
    advice::profiles::cloud_profile(&profile, &images, report);
    Ok(())
}

/// Judges a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    let images = config.images();
    judge_namespaced_profile(request, &profile, &images, &IMAGES, report)?;
    advice::profiles::amis(&images, report);
    Ok(())
}
