//! CloudProfiles (ALI-CPROF).

use super::image_mappings::IMAGES;
use crate::gardener::images::{KnownRegions, MAPPINGS, MapsImages, judge_profile, read_cloud_profile};
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::advice;
use crate::report::Report;

/// Judges a CloudProfile. An update is judged like a creation.
pub fn cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    let images = config.images();
    judge_profile(&profile, &images, &IMAGES, report)?;
    let mut known = KnownRegions::of(&profile, &advice::ADV_018);
    known.check_images(&images, &MAPPINGS);
    known.report(report);
    Ok(())
}
