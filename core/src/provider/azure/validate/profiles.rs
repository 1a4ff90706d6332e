//! CloudProfiles (AZ-CPROF), and NamespacedCloudProfiles, which add image versions and machine types to one
//! (AZ-NSCP). An update is judged like a creation.

use super::advice;
use super::image_mappings::{CONFIG, CONFIGURATION, MAPPINGS, OFFERS, version};
use crate::document::Path;
use crate::gardener::images::{
    Definitions, check_mappings, check_namespaced_profile, check_parent_kind, check_profile, limit_flavors,
    limit_profile, read_cloud_profile, read_namespaced_cloud_profile, read_parent,
};
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::policy::{Request, RequestError};
use crate::provider::azure::api::{CloudProfileConfig, DomainCount};
use crate::provider::azure::image_mapping::{entries, images};
use crate::provider::azure::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::{ErrorType, Report, Rule};

/// Judges a CloudProfile. What it offers is held against a configuration that is right by itself.
pub fn cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_cloud_profile::<CloudProfileConfig<'r>>(request, &CONFIGURATION, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    let definitions = Definitions::new(&profile.spec.machine_capabilities)?;
    let before = report.error_count();
    domains(&config, report);
    if config.machine_images.is_empty() {
        let detail = "must provide at least one machine image";
        report.error(&rules::CPROF_020, &MAPPINGS.place, ErrorType::Required, detail);
    }
    mappings(&profile, &config, Some(&definitions), report)?;
    if report.error_count() == before {
        check_profile(&profile, &images(&config), &definitions, &OFFERS, report);
    }
    advice::profiles::cloud_profile(&profile, &config, report);
    Ok(())
}

/// Judges a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &CONFIGURATION, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    if !check_parent_kind(&profile, &namespaced::NSCP_004, report) {
        return Ok(());
    }
    let parent = read_parent(request, &profile, &namespaced::NSCP_005, report)?;
    let definitions =
        parent.as_ref().map(|parent| Definitions::new(&parent.spec.machine_capabilities)).transpose()?;
    of_landscape(&config, report);
    mappings(&profile, &config, definitions.as_ref(), report)?;
    let known = parent.as_ref().zip(definitions.as_ref());
    check_namespaced_profile(&profile, known, &images(&config), &MAPPINGS.place, &OFFERS, report);
    machine_types(&profile, parent.as_ref(), &config, report);
    Ok(())
}

fn mappings(
    profile: &CloudProfile<'_>,
    config: &CloudProfileConfig<'_>,
    definitions: Option<&Definitions<'_, '_>>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    limit_profile(profile)?;
    let images = entries(config);
    for (_, entry) in images.iter().flat_map(|image| &image.versions) {
        limit_flavors(entry.capability_flavors.len())?;
    }
    check_mappings(&images, &MAPPINGS, report, |name, entry, path, report| {
        version(name, entry, definitions, path, report);
    });
    Ok(())
}

/// Judges the domain counts of a CloudProfile.
fn domains(config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let fault = [&rules::CPROF_010, &rules::CPROF_011, &rules::CPROF_012];
    domain_counts(fault, config.count_fault_domains.as_deref(), &CONFIG.key("countFaultDomains"), report);
    let update = [&rules::CPROF_013; 3];
    domain_counts(update, config.count_update_domains.as_deref(), &CONFIG.key("countUpdateDomains"), report);
}

fn domain_counts(
    [any, region, count]: [&'static Rule; 3],
    counts: Option<&[DomainCount<'_>]>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let counts = counts.unwrap_or_default();
    if counts.is_empty() {
        report.error(any, path, ErrorType::Required, "must provide at least one domain count");
    }
    for (index, entry) in counts.iter().enumerate() {
        let path = path.index(index);
        if entry.region.is_empty() {
            report.error(region, &path.key("region"), ErrorType::Required, "must provide a region");
        }
        if entry.count < 0 {
            report.error(count, &path.key("count"), ErrorType::Invalid, "count must not be negative");
        }
    }
}

/// A project does not set what belongs to the landscape.
fn of_landscape(config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    for &(rule, key, is_set, what) in &[
        (&namespaced::NSCP_010, "cloudConfiguration", config.cloud_configuration.is_some(), "cloud configuration"),
        (
            &namespaced::NSCP_011,
            "countUpdateDomains",
            config.count_update_domains.is_some(),
            "count update domains",
        ),
        (&namespaced::NSCP_012, "countFaultDomains", config.count_fault_domains.is_some(), "count fault domains"),
    ] {
        if is_set {
            let detail = format!("{what} is not allowed in a NamespacedCloudProfile providerConfig");
            report.error(rule, &CONFIG.key(key), ErrorType::Forbidden, detail).fix_removal();
        }
    }
}

/// A project describes the machine types that it adds, and no others.
fn machine_types(
    profile: &CloudProfile<'_>,
    parent: Option<&CloudProfile<'_>>,
    config: &CloudProfileConfig<'_>,
    report: &mut Report<'_>,
) {
    let (own, of_parent) = (profile.machine_names(), parent.map(CloudProfile::machine_names).unwrap_or_default());
    let path = CONFIG.key("machineTypes");
    for (index, machine) in config.machine_types.iter().enumerate() {
        let (path, name) = (path.index(index), machine.name);
        if of_parent.contains(name) {
            let detail = format!("machine type {name} is already defined in the parent CloudProfile");
            report.error(&namespaced::NSCP_040, &path, ErrorType::Forbidden, detail).fix_removal();
        }
        if !own.contains(name) {
            let detail =
                format!("machine type {name} is not defined in the NamespacedCloudProfile .spec.machineTypes");
            report.error(&namespaced::NSCP_041, &path, ErrorType::Required, detail);
        }
    }
}
