//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (ALI-NSCP).

use super::image_mappings::IMAGES;
use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::images::{MapsImages, judge_namespaced_profile};
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, read};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::namespaced_cloud_profile as rules;
use crate::report::{ErrorType, Report};

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    if profile.metadata.deletion_timestamp.is_some() {
        report.leaves_out("a NamespacedCloudProfile in deletion");
        return Ok(());
    }
    let place = Path::root("", PROVIDER_CONFIG);
    let config = match provider_config(request.object) {
        None => Some(CloudProfileConfig::default()),
        Some(raw) => CloudProfileConfig::read_reporting(raw, Mode::Strict, &place, report, |error| {
            let name = profile.metadata.name;
            let detail =
                format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
            (&rules::NSCP_003, ErrorType::Denied, detail)
        }),
    };
    let Some(config) = config else { return Ok(()) };
    judge_namespaced_profile(request, &profile, &config.images(), &IMAGES, report)
}
