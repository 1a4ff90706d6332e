//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (OS-NSCP).

use super::image_mappings::IMAGES;
use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::images::judge_namespaced_profile;
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, read};
use crate::provider::openstack::api::CloudProfileConfig;
use crate::provider::openstack::image_mapping;
use crate::provider::openstack::rules::namespaced_cloud_profile as rules;
use crate::report::{ErrorType, Report};

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    if profile.metadata.deletion_timestamp.is_some() {
        return Ok(());
    }
    let place = Path::root("", PROVIDER_CONFIG);
    let config = match provider_config(request.object) {
        None => Some(CloudProfileConfig::default()),
        Some(raw) => CloudProfileConfig::read_reporting(raw, Mode::Strict, &place, report, |error| {
            (&rules::NSCP_002, ErrorType::Denied, error.to_string())
        }),
    };
    let Some(mut config) = config else { return Ok(()) };
    let images = CloudProfileConfig {
        api_version: std::mem::take(&mut config.api_version),
        kind: std::mem::take(&mut config.kind),
        machine_images: std::mem::take(&mut config.machine_images),
        ..CloudProfileConfig::default()
    };
    if config != CloudProfileConfig::default() {
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        report.error(&rules::NSCP_005, &path, ErrorType::Forbidden, "must only set machineImages");
    }
    judge_namespaced_profile(request, &profile, &image_mapping::images(&images), &IMAGES, report)
}
