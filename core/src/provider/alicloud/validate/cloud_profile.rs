//! CloudProfiles (ALI-CPROF).

use super::image_mappings::{IMAGES, MAPPINGS};
use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::images::{KnownRegions, MapsImages, judge_profile};
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, read};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::{advice, cloud_profile as rules};
use crate::report::{ErrorType, Report};

/// Judges a CloudProfile. An update is judged like a creation.
pub fn cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    let Some(raw) = provider_config(request.object) else {
        let detail = "providerConfig must be set for Alicloud cloud profiles";
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        report.error(&rules::CPROF_002, &path, ErrorType::Required, detail).hides_others();
        return Ok(());
    };
    let place = Path::root("", PROVIDER_CONFIG);
    let config = CloudProfileConfig::read_reporting(raw, Mode::Strict, &place, report, |error| {
        (&rules::CPROF_003, ErrorType::Denied, error.to_string())
    });
    let Some(config) = config else { return Ok(()) };
    if config.machine_images.is_empty() {
        let detail = "must provide at least one machine image";
        report.error(&rules::CPROF_005, &MAPPINGS, ErrorType::Required, detail);
    }
    let images = config.images();
    judge_profile(&profile, &images, &IMAGES, report)?;
    KnownRegions::of(&profile, &advice::ADV_018).check_images(&images, &MAPPINGS, report);
    Ok(())
}
