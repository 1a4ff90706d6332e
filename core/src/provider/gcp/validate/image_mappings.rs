//! Mappings of images, in CloudProfiles (GCP-CPROF-003…025) and NamespacedCloudProfiles (GCP-NSCP-002…018).

use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::images::{
    ArchitectureRules, CapabilityRules, ConfigurationRules, Definitions, ImageRules, Mapped, Mapping, MappingForm,
    MappingRules, Mismatch, Missing, OfferRules, RegionImage, check_capabilities, render,
};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURES};
use crate::provider::gcp::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::{ErrorType, Report, Rule, Severity};

const CAPABILITIES: CapabilityRules = CapabilityRules::one(&rules::CPROF_008);

/// The rules on images.
pub const IMAGES: ImageRules = ImageRules {
    configuration: ConfigurationRules {
        present: &rules::CPROF_001,
        missing: "providerConfig must be set for GCP cloud profiles",
        cloud_profile: |name, error| {
            (&rules::CPROF_002, format!("could not decode providerConfig of CloudProfile \"{name}\": {error}"))
        },
        namespaced_cloud_profile: |_, error| (&namespaced::NSCP_002, error.to_string()),
    },
    any: &rules::CPROF_003,
    mapping: MappingRules::of(&rules::CPROF_004, &rules::CPROF_005, &rules::CPROF_006),
    version,
    offers: OfferRules {
        missing,
        mismatch,
        entries_add_up: true,
        first_version_counts: false,
        judges_unmapped: true,
        architectures: Some(ArchitectureRules {
            has_regions: false,
            known: &rules::CPROF_024,
            excess: &namespaced::NSCP_017,
            unmapped: &namespaced::NSCP_008,
            incomplete: &namespaced::NSCP_008,
            plain_has_all: false,
            first_counts: false,
            mapped: Mapped::Versions,
        }),
    },
    parent_kind: &namespaced::NSCP_003,
    parent: &namespaced::NSCP_004,
};

/// Judges an entry of a version. Without definitions nobody knows which of the two forms is right; then what is
/// written must be complete.
fn version(
    name: [&str; 2],
    mapping: &Mapping<'_, '_>,
    definitions: Option<&Definitions<'_, '_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let plain = mapping.regions.first().copied().unwrap_or_default();
    let has_flavors = !mapping.flavors.is_empty();
    match definitions {
        Some(definitions) if definitions.is_empty() => {
            if has_flavors {
                let detail = "capabilityFlavors must not be set when cloudprofile is not using capabilities";
                report.error(&rules::CPROF_013, &path.key("capabilityFlavors"), ErrorType::Forbidden, detail);
            }
            without_capabilities(name, &plain, path, report);
        }
        _ if has_flavors && !plain.id.is_empty() && definitions.is_some() => {
            let detail = "must not be set together with capabilityFlavors. Use one format per version.";
            report.error(&rules::CPROF_007, &path.key("image"), ErrorType::Forbidden, detail);
        }
        _ if has_flavors => {
            flavors(name, mapping, definitions, &path.key("capabilityFlavors"), report);
            if plain.architecture.is_some_and(|architecture| !architecture.is_empty()) {
                let detail = "must not set architecture when capabilityFlavors is defined";
                report
                    .error(&rules::CPROF_010, &path.key("architecture"), ErrorType::Forbidden, detail)
                    .fix_removal();
            }
        }
        _ if plain.id.is_empty() => {
            let [image, version] = name;
            let detail =
                format!("must provide either image or capabilityFlavors for machine image {image}@{version}");
            report.error(&rules::CPROF_012, &path.key("image"), ErrorType::Required, detail);
        }
        _ => architecture(&rules::CPROF_011, &plain, path, report),
    }
}

fn without_capabilities(
    [image, version]: [&str; 2],
    plain: &RegionImage<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if plain.id.is_empty() {
        let architecture = plain.architecture.unwrap_or(AMD64);
        let detail = format!(
            "must provide the image field for image version {image}@{version} and architecture: {architecture}"
        );
        report.error(&rules::CPROF_014, &path.key("image"), ErrorType::Required, detail);
    }
    architecture(&rules::CPROF_015, plain, path, report);
}

fn architecture(rule: &'static Rule, plain: &RegionImage<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    check_one_of(rule, plain.architecture.unwrap_or(AMD64), &ARCHITECTURES, &path.key("architecture"), report);
}

fn flavors(
    [image, version]: [&str; 2],
    mapping: &Mapping<'_, '_>,
    definitions: Option<&Definitions<'_, '_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    for (index, (capabilities, images)) in mapping.flavors.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if let Some(definitions) = definitions {
            check_capabilities(&CAPABILITIES, capabilities, definitions, &path.key("capabilities"), report);
        }
        if images.iter().all(|image| image.id.is_empty()) {
            let flavor = render(capabilities);
            let detail = format!(
                "must provide the image field for image version {image}@{version} and capabilityFlavor: {{{flavor} }}"
            );
            report.error(&rules::CPROF_009, &path.key("image"), ErrorType::Required, detail);
        }
    }
}

fn missing(missing: &Missing<'_>, _: bool) -> (&'static Rule, String) {
    const UNDEFINED: &str = "is not defined in the providerConfig";
    match missing {
        Missing::Image { .. } => (&rules::CPROF_020, missing.to_string()),
        Missing::Version { .. } => (&rules::CPROF_021, missing.to_string()),
        Missing::Flavor { version: [image, version], capabilities, is_unmapped } => {
            let what = format!("machine image version {image}@{version} and capabilityFlavor {capabilities}");
            let rule = if *is_unmapped { &rules::CPROF_023 } else { &rules::CPROF_022 };
            (rule, format!("{what} {UNDEFINED}"))
        }
        Missing::Architecture { version: [image, version], architecture } => {
            let what = format!("machine image version {image}@{version} and architecture: {architecture}");
            (&rules::CPROF_025, format!("{what} {UNDEFINED}"))
        }
    }
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let reported = mismatch.to_string();
    match mismatch {
        Mismatch::Image(_) => (&namespaced::NSCP_006, reported),
        Mismatch::Version(_) => (&namespaced::NSCP_009, reported),
        Mismatch::ExcessFlavor([image, version], flavor) => {
            let detail = format!(
                "machine image version {image}@{version} has an excess capabilityFlavor {flavor}, which is not defined in the \
                 NamespacedCloudProfile machineImages spec"
            );
            (&namespaced::NSCP_010, detail)
        }
        Mismatch::MissingFlavor([image, version], flavor, form) => {
            let detail = format!(
                "machine image version {image}@{version} and capabilityFlavor {flavor} is not defined in the \
                 NamespacedCloudProfile providerConfig"
            );
            let is_plain = *form != MappingForm::Flavors;
            (if is_plain { &namespaced::NSCP_013 } else { &namespaced::NSCP_011 }, detail)
        }
        // An image of GCP is in all regions.
        Mismatch::MissingRegion(..) => (&namespaced::NSCP_011, reported),
        Mismatch::ExcessArchitecture(..) => (&namespaced::NSCP_012, reported),
        Mismatch::InParent(_) => (&namespaced::NSCP_014, reported),
        Mismatch::UnknownImage(_) => (&namespaced::NSCP_015, reported),
        Mismatch::UnknownVersion(_) => (&namespaced::NSCP_016, reported),
    }
}
