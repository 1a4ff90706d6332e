//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (ALI-NSCP).

use std::fmt::Arguments;

use super::cloud_profile::unreadable;
use super::images::{self, MAPPINGS, Mappings};
use crate::collections::{NameMap, NameSet};
use crate::gardener::capabilities::{AMD64, ARCHITECTURE, Capabilities, Definitions, limit_flavors, render};
use crate::gardener::cloud_profile::{CloudProfile, MachineImage, MachineImageVersion};
use crate::policy::{Parent, Request, RequestError, parent, read};
use crate::provider::alicloud::api::{self, CloudProfileConfig, Config};
use crate::provider::alicloud::rules::namespaced_cloud_profile as rules;
use crate::report::{ErrorType, Report, Severity};

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    if profile.metadata.deletion_timestamp.is_some() {
        return Ok(());
    }
    let config = match request.object.at(&["spec", "providerConfig"]) {
        None => CloudProfileConfig::default(),
        Some(raw) => {
            let config = CloudProfileConfig::read_complaining(raw, |error| {
                let name = profile.metadata.name;
                let detail =
                    format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
                unreadable(&rules::NSCP_003, error, raw, detail, report);
            });
            let Some(config) = config else { return Ok(()) };
            config
        }
    };
    let kind = profile.spec.parent.kind;
    if kind != "CloudProfile" {
        let detail = format!("parent reference must be of kind CloudProfile (unsupported kind: {kind})");
        report.deny(&rules::NSCP_004, "/spec/parent/kind", detail).hides_others();
        return Ok(());
    }
    let name = profile.spec.parent.name;
    let parent = match parent(request, name) {
        Parent::Found(parent) => Some(read::<CloudProfile<'_>>(parent)?),
        Parent::Failed(message) => {
            report.deny(&rules::NSCP_005, "/spec/parent/name", message).hides_others();
            None
        }
        Parent::Unknown(query) => {
            let why = format!(
                "what CloudProfile {name} offers is not known here; its images and capabilities are compared on submit"
            );
            report.undecided(&rules::NSCP_005, why, Some(query));
            None
        }
    };
    let definitions =
        parent.as_ref().map(|parent| Definitions::new(&parent.spec.machine_capabilities)).transpose()?;
    for version in profile.spec.machine_images.iter().flat_map(|image| &image.versions) {
        limit_flavors(version.capability_flavors.len())?;
    }
    images::validate(&config, definitions.as_ref(), report)?;
    if let (Some(parent), Some(definitions)) = (&parent, &definitions) {
        images_are_mapped(&profile, parent, &config, definitions, report);
    }
    mappings_are_used(&profile, parent.as_ref(), &config, report);
    Ok(())
}

type Versions<'c, 'v> = NameMap<'v, &'c MachineImageVersion<'v>>;

/// Images by name and version. Of several entries with one name the last counts.
fn by_name<'c, 'v>(images: &'c [MachineImage<'v>]) -> NameMap<'v, Versions<'c, 'v>> {
    let versions =
        |image: &'c MachineImage<'v>| image.versions.iter().map(|version| (version.version, version)).collect();
    images.iter().map(|image| (image.name, versions(image))).collect()
}

fn images_are_mapped(
    profile: &CloudProfile<'_>,
    parent: &CloudProfile<'_>,
    config: &CloudProfileConfig<'_>,
    definitions: &Definitions<'_, '_>,
    report: &mut Report<'_>,
) {
    let (offered, mappings) = (by_name(&parent.spec.machine_images), Mappings::of(config));
    for (name, versions) in by_name(&profile.spec.machine_images).iter() {
        let of_parent = offered.get(name);
        if of_parent.is_none() && !mappings.has_image(name) {
            let detail =
                format!("machine image {name} is not defined in the NamespacedCloudProfile providerConfig");
            report.error(&rules::NSCP_010, &MAPPINGS, ErrorType::Required, detail);
            continue;
        }
        for (version, core) in versions.iter() {
            if report.is_full(Severity::Error) {
                return;
            }
            let Some((_, mapping)) = mappings.version(name, version) else {
                if of_parent.is_none_or(|versions| !versions.contains(version)) {
                    let detail = format!(
                        "machine image version {name}@{version} is not defined in the NamespacedCloudProfile providerConfig"
                    );
                    report.error(&rules::NSCP_011, &MAPPINGS, ErrorType::Required, detail);
                }
                continue;
            };
            if !definitions.is_empty() {
                let name = format_args!("machine image version {name}@{version}");
                flavors_match(name, &core.capability_flavors, mapping, definitions, report);
            }
        }
    }
}

/// No flavor at all stands for one with all values.
fn flavors_match<'v>(
    name: Arguments<'_>,
    core: &[Capabilities<'v>],
    mapping: &api::MachineImageVersion<'_>,
    definitions: &Definitions<'_, 'v>,
    report: &mut Report<'_>,
) {
    let any = [Capabilities::new()];
    let core = if core.is_empty() { &any } else { core };
    if !mapping.capability_flavors.is_empty() {
        return mapped_flavors_match(name, core, mapping, definitions, report);
    }
    let architectures = |flavor| definitions.values(flavor, ARCHITECTURE).iter();
    let (rule, amd64) = if mapping.regions.is_empty() {
        (&rules::NSCP_019, false)
    } else {
        if !core.iter().any(|flavor| architectures(flavor).any(|value| *value == AMD64)) {
            let detail = format!(
                "{name} has an excess architecture \"amd64\", which is not defined in the machineImages spec"
            );
            report.error(&rules::NSCP_017, &MAPPINGS, ErrorType::Forbidden, detail);
        }
        (&rules::NSCP_018, true)
    };
    for flavor in core.iter().filter(|flavor| !amd64 || architectures(flavor).any(|value| *value != AMD64)) {
        if report.is_full(Severity::Error) {
            return;
        }
        report.error(rule, &MAPPINGS, ErrorType::Required, missing(name, flavor, definitions));
    }
}

fn missing<'v>(name: Arguments<'_>, flavor: &Capabilities<'v>, definitions: &Definitions<'_, 'v>) -> String {
    format!(
        "{name} has a capabilityFlavor {} not defined in the NamespacedCloudProfile providerConfig",
        render(&definitions.with_defaults(flavor))
    )
}

fn mapped_flavors_match<'v>(
    name: Arguments<'_>,
    core: &[Capabilities<'v>],
    mapping: &api::MachineImageVersion<'v>,
    definitions: &Definitions<'_, 'v>,
    report: &mut Report<'_>,
) {
    let keys: Vec<String> = core.iter().map(|flavor| definitions.normalize(flavor)).collect();
    let specified: NameSet<'_> = keys.iter().map(String::as_str).collect();
    let mapped_keys: Vec<String> =
        mapping.capability_flavors.iter().map(|flavor| definitions.normalize(&flavor.capabilities)).collect();
    let mut mapped: NameMap<'_, NameSet<'_>> = NameMap::new();
    for (flavor, key) in mapping.capability_flavors.iter().zip(&mapped_keys) {
        if !specified.contains(key) && !report.is_full(Severity::Error) {
            let detail = format!(
                "{name} has an excess capabilityFlavor {}, which is not defined in the machineImages spec",
                render(&flavor.capabilities)
            );
            report.error(&rules::NSCP_014, &MAPPINGS, ErrorType::Forbidden, detail);
        }
        mapped.or_insert_with(key, NameSet::new).extend(flavor.regions.iter().map(|region| region.name));
    }
    let regions: NameSet<'_> = mapped.iter().flat_map(|(_, regions)| regions.iter()).collect();
    let mut seen = NameSet::new();
    for (flavor, key) in core.iter().zip(&keys) {
        if report.is_full(Severity::Error) {
            return;
        }
        let Some(of_flavor) = mapped.get(key) else {
            let detail = missing(name, flavor, definitions);
            report.error(&rules::NSCP_015, &MAPPINGS, ErrorType::Required, detail);
            continue;
        };
        if !seen.insert(key) {
            continue;
        }
        for region in regions.iter().filter(|region| !of_flavor.contains(region)) {
            if report.is_full(Severity::Error) {
                return;
            }
            let detail = format!(
                "{name} is missing region \"{region}\" in capabilityFlavor {} in the NamespacedCloudProfile providerConfig",
                render(&definitions.with_defaults(flavor))
            );
            report.error(&rules::NSCP_016, &MAPPINGS, ErrorType::Required, detail);
        }
    }
}

fn mappings_are_used(
    profile: &CloudProfile<'_>,
    parent: Option<&CloudProfile<'_>>,
    config: &CloudProfileConfig<'_>,
    report: &mut Report<'_>,
) {
    let offered = parent.map(|parent| by_name(&parent.spec.machine_images)).unwrap_or_default();
    let specified = by_name(&profile.spec.machine_images);
    for (index, image) in config.machine_images.iter().enumerate() {
        let path = MAPPINGS.index(index);
        let versions = path.key("versions");
        let of_parent = offered.get(image.name);
        for (index, version) in image.versions.iter().enumerate() {
            if report.is_full(Severity::Error) {
                return;
            }
            if of_parent.is_some_and(|versions| versions.contains(version.version)) {
                let detail = format!(
                    "machine image version {}@{} is already defined in the parent CloudProfile",
                    image.name, version.version
                );
                report.error(&rules::NSCP_020, &versions.index(index), ErrorType::Forbidden, detail);
            }
        }
        let Some(of_profile) = specified.get(image.name) else {
            let detail = format!(
                "machine image {} is not defined in the NamespacedCloudProfile .spec.machineImages",
                image.name
            );
            report.error(&rules::NSCP_021, &path, ErrorType::Required, detail);
            continue;
        };
        for (index, _) in
            image.versions.iter().enumerate().filter(|(_, version)| !of_profile.contains(version.version))
        {
            let detail = "machine image version is not defined in the NamespacedCloudProfile";
            report.error(&rules::NSCP_022, &versions.index(index), ErrorType::Invalid, detail);
        }
    }
}
