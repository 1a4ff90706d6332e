//! CloudProfiles (ALI-CPROF).

use super::advice;
use super::images::{self, IMAGES, MAPPINGS, Mappings};
use crate::decode::DecodeError;
use crate::gardener::capabilities::{
    AMD64, ARCHITECTURE, Capabilities, Definition, all_with_defaults, limit_definitions, limit_flavors, normalize,
    render, with_defaults,
};
use crate::gardener::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::gardener::provider_config::mend;
use crate::gardener::read;
use crate::json::Value;
use crate::names::NameSet;
use crate::policy::{Refusal, Request};
use crate::provider::alicloud::api::{CloudProfileConfig, Config, MachineImageVersion};
use crate::provider::alicloud::rules::cloud_profile as rules;
use crate::report::{ErrorType, Path, Report, Rule};

/// Judges a CloudProfile. An update is judged like a creation.
pub fn cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
    let profile: CloudProfile<'_> = read(request.object)?;
    let Some(raw) = request.object.at(&["spec", "providerConfig"]) else {
        let detail = "providerConfig must be set for Alicloud cloud profiles";
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        report.error(&rules::CPROF_002, &path, ErrorType::Required, detail).ends();
        return Ok(());
    };
    let config = CloudProfileConfig::read_complaining(raw, |error| {
        unreadable(&rules::CPROF_003, error, raw, error.to_string(), report);
    });
    let Some(config) = config else { return Ok(()) };
    let definitions = &profile.spec.machine_capabilities;
    if config.machine_images.is_empty() {
        let detail = "must provide at least one machine image";
        report.error(&rules::CPROF_005, &MAPPINGS, ErrorType::Required, detail);
    }
    limit_definitions(definitions)?;
    for version in profile.spec.machine_images.iter().flat_map(|image| &image.versions) {
        limit_flavors(version.capability_flavors.len())?;
    }
    images::validate(&config, Some(definitions), report)?;
    every_version_is_mapped(&profile, &config, report);
    advice::cloud_profile(&profile, &config, report);
    Ok(())
}

/// Reports a configuration that cannot be read, at the place of the cause.
pub fn unreadable(
    rule: &'static Rule,
    error: &DecodeError,
    config: &Value<'_>,
    detail: String,
    report: &mut Report<'_>,
) {
    let entry = report.deny(rule, &format!("{PROVIDER_CONFIG}{}", error.pointer()), detail);
    mend::<CloudProfileConfig<'_>>(entry, error, config, PROVIDER_CONFIG);
}

fn every_version_is_mapped(profile: &CloudProfile<'_>, config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let definitions = &profile.spec.machine_capabilities;
    let mappings = Mappings::of(config);
    for (index, image) in
        profile.spec.machine_images.iter().enumerate().filter(|(_, image)| !image.versions.is_empty())
    {
        let path = IMAGES.index(index);
        if mappings.image(image.name).is_none() {
            let detail = format!("must provide an image mapping for image \"{}\" in providerConfig", image.name);
            report.error(&rules::CPROF_020, &path, ErrorType::Required, detail);
            continue;
        }
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            let path = versions.index(index);
            let name = format!("{}@{}", image.name, version.version);
            let Some(mapping) = mappings.version(image.name, version.version) else {
                let detail = format!("machine image version {name} is not defined in the providerConfig");
                report.error(&rules::CPROF_021, &path, ErrorType::Required, detail);
                continue;
            };
            if !definitions.is_empty() {
                let flavors = all_with_defaults(&version.capability_flavors, definitions);
                every_flavor_is_mapped(&name, &flavors, mapping, definitions, &path, report);
            }
        }
    }
}

fn every_flavor_is_mapped(
    name: &str,
    flavors: &[Capabilities<'_>],
    mapping: &MachineImageVersion<'_>,
    definitions: &[Definition<'_>],
    version: &Path<'_>,
    report: &mut Report<'_>,
) {
    let path = version.key("capabilityFlavors");
    let missing = format!("missing providerConfig mapping for machine image version {name} and");
    let keys: Vec<String> = mapping
        .capability_flavors
        .iter()
        .map(|flavor| normalize(&with_defaults(&flavor.capabilities, definitions)))
        .collect();
    let mapped: NameSet<'_> = keys.iter().map(String::as_str).collect();
    for (index, flavor) in flavors.iter().enumerate() {
        let path = path.index(index);
        if mapping.capability_flavors.is_empty() && !mapping.regions.is_empty() {
            for architecture in flavor.get(ARCHITECTURE).into_iter().flatten().filter(|value| **value != AMD64) {
                let detail = format!("{missing} architecture: {architecture}");
                report.error(&rules::CPROF_023, &path, ErrorType::Required, detail);
            }
        } else if !mapped.contains(&normalize(flavor)) {
            let rule = if mapping.capability_flavors.is_empty() { &rules::CPROF_024 } else { &rules::CPROF_022 };
            report.error(rule, &path, ErrorType::Required, format!("{missing} capabilitySet {}", render(flavor)));
        }
    }
}
