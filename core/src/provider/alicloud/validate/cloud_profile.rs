//! CloudProfiles (ALI-CPROF).

use std::fmt::Arguments;

use super::advice;
use super::images::{self, IMAGES, MAPPINGS, Mappings};
use crate::collections::NameSet;
use crate::document::decode::DecodeError;
use crate::document::{Path, Value};
use crate::gardener::capabilities::{AMD64, ARCHITECTURE, Capabilities, Definitions, limit_flavors, render};
use crate::gardener::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::gardener::provider_config::mend;
use crate::policy::{Request, RequestError, read};
use crate::provider::alicloud::api::{CloudProfileConfig, Config, MachineImageVersion};
use crate::provider::alicloud::rules::cloud_profile as rules;
use crate::report::{ErrorType, Report, Rule, Severity};

/// Judges a CloudProfile. An update is judged like a creation.
pub fn cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    let Some(raw) = request.object.at(&["spec", "providerConfig"]) else {
        let detail = "providerConfig must be set for Alicloud cloud profiles";
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        report.error(&rules::CPROF_002, &path, ErrorType::Required, detail).hides_others();
        return Ok(());
    };
    let config = CloudProfileConfig::read_complaining(raw, |error| {
        unreadable(&rules::CPROF_003, error, raw, error.to_string(), report);
    });
    let Some(config) = config else { return Ok(()) };
    if config.machine_images.is_empty() {
        let detail = "must provide at least one machine image";
        report.error(&rules::CPROF_005, &MAPPINGS, ErrorType::Required, detail);
    }
    let definitions = Definitions::new(&profile.spec.machine_capabilities)?;
    for version in profile.spec.machine_images.iter().flat_map(|image| &image.versions) {
        limit_flavors(version.capability_flavors.len())?;
    }
    images::validate(&config, Some(&definitions), report)?;
    every_version_is_mapped(&profile, &config, &definitions, report);
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

fn every_version_is_mapped(
    profile: &CloudProfile<'_>,
    config: &CloudProfileConfig<'_>,
    definitions: &Definitions<'_, '_>,
    report: &mut Report<'_>,
) {
    let mappings = Mappings::of(config);
    // A profile may list a version often: what its mapping offers is made up once.
    let offered: Vec<Vec<String>> = mappings
        .versions
        .iter()
        .map(|version| {
            version.capability_flavors.iter().map(|flavor| definitions.normalize(&flavor.capabilities)).collect()
        })
        .collect();
    let offered: Vec<NameSet<'_>> =
        offered.iter().map(|version| version.iter().map(String::as_str).collect()).collect();
    for (index, image) in
        profile.spec.machine_images.iter().enumerate().filter(|(_, image)| !image.versions.is_empty())
    {
        let path = IMAGES.index(index);
        if !mappings.has_image(image.name) {
            let detail = format!("must provide an image mapping for image \"{}\" in providerConfig", image.name);
            report.error(&rules::CPROF_020, &path, ErrorType::Required, detail);
            continue;
        }
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            if report.is_full(Severity::Error) {
                return;
            }
            let path = versions.index(index);
            let name = format_args!("{}@{}", image.name, version.version);
            let Some((place, mapping)) = mappings.version(image.name, version.version) else {
                let detail = format!("machine image version {name} is not defined in the providerConfig");
                report.error(&rules::CPROF_021, &path, ErrorType::Required, detail);
                continue;
            };
            if let (false, Some(offered)) = (definitions.is_empty(), offered.get(place)) {
                let flavors = &version.capability_flavors;
                every_flavor_is_mapped(name, flavors, mapping, offered, definitions, &path, report);
            }
        }
    }
}

/// No flavor at all stands for one with all values.
fn every_flavor_is_mapped<'v>(
    name: Arguments<'_>,
    flavors: &[Capabilities<'v>],
    mapping: &MachineImageVersion<'_>,
    offered: &NameSet<'_>,
    definitions: &Definitions<'_, 'v>,
    version: &Path<'_>,
    report: &mut Report<'_>,
) {
    let path = version.key("capabilityFlavors");
    let missing = format_args!("missing providerConfig mapping for machine image version {name} and");
    let any = [Capabilities::new()];
    let flavors = if flavors.is_empty() { &any } else { flavors };
    for (index, flavor) in flavors.iter().enumerate() {
        let path = path.index(index);
        if report.is_full(Severity::Error) {
            return;
        }
        if offered.is_empty() && !mapping.regions.is_empty() {
            let mut seen = NameSet::new();
            for architecture in definitions.values(flavor, ARCHITECTURE) {
                if *architecture != AMD64 && seen.insert(architecture) && !report.is_full(Severity::Error) {
                    let detail = format!("{missing} architecture: {architecture}");
                    report.error(&rules::CPROF_023, &path, ErrorType::Required, detail);
                }
            }
        } else if !offered.contains(&definitions.normalize(flavor)) {
            let rule = if offered.is_empty() { &rules::CPROF_024 } else { &rules::CPROF_022 };
            let detail = format!("{missing} capabilitySet {}", render(&definitions.with_defaults(flavor)));
            report.error(rule, &path, ErrorType::Required, detail);
        }
    }
}
