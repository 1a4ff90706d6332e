//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (OS-NSCP).

use super::advice;
use super::image_mappings::IMAGES;
use crate::collections::NameSet;
use crate::document::decode::Mode;
use crate::document::{PatchOperation, Path, Value};
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
        report.leaves_out("a NamespacedCloudProfile in deletion");
        return Ok(());
    }
    let place = Path::root("", PROVIDER_CONFIG);
    let config = match provider_config(request.object) {
        None => Some(CloudProfileConfig::default()),
        Some(raw) => CloudProfileConfig::read_reporting(raw, Mode::Strict, &place, report, |error| {
            (&rules::NSCP_002, ErrorType::Denied, error.to_string())
        }),
    };
    let Some(config) = config else { return Ok(()) };
    only_images(&config, provider_config(request.object), report);
    judge_namespaced_profile(request, &profile, &image_mapping::images(&config), &IMAGES, report)?;
    advice::names_of_images(&config.machine_images, report);
    Ok(())
}

fn only_images(config: &CloudProfileConfig<'_>, raw: Option<&Value<'_>>, report: &mut Report<'_>) {
    if !config.has_only_images() {
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        let (mut seen, mut removals) = (NameSet::new(), Vec::new());
        if let Some(Value::Object(members)) = raw {
            for (key, _) in members {
                let is_other = !matches!(key.as_ref(), "apiVersion" | "kind" | "machineImages");
                if is_other && seen.insert(key) {
                    removals.push(PatchOperation::remove(path.key(key).pointer()));
                }
            }
        }
        let detail = "must only set machineImages";
        report.error(&rules::NSCP_005, &path, ErrorType::Forbidden, detail).fix(removals);
    }
}
