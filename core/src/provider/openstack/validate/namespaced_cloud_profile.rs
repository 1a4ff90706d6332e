//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (OS-NSCP).

use super::advice;
use super::image_mappings::IMAGES;
use crate::collections::NameSet;
use crate::document::{PatchOperation, Path, Value};
use crate::gardener::images::{judge_namespaced_profile, read_namespaced_cloud_profile};
use crate::gardener::types::cloud_profile::{PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError};
use crate::provider::openstack::api::CloudProfileConfig;
use crate::provider::openstack::image_mapping;
use crate::provider::openstack::rules::namespaced_cloud_profile as rules;
use crate::report::{ErrorType, Report};

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
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
