//! Mappings of images, in CloudProfiles (AZ-CPROF-021…055) and NamespacedCloudProfiles (AZ-NSCP-021…035).

use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::images::{
    ArchitectureRules, CapabilityRules, ConfigurationRules, Definitions, Mapped, MappingForm, MappingRules,
    Mismatch, Missing, OfferRules, check_capabilities,
};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURES};
use crate::gardener::types::cloud_profile::PROVIDER_CONFIG;
use crate::provider::azure::api::{Image, MachineImageFlavor, MachineImageVersion};
use crate::provider::azure::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::{ErrorType, Report, Rule, Severity};

/// The place of the configuration.
pub const CONFIG: Path<'_> = Path::root("spec.providerConfig", PROVIDER_CONFIG);

/// How the configuration is read.
pub const CONFIGURATION: ConfigurationRules = ConfigurationRules {
    present: &rules::CPROF_001,
    missing: "providerConfig must be set for Azure cloud profiles",
    cloud_profile: |name, error| {
        (&rules::CPROF_002, format!("could not decode providerConfig of CloudProfile \"{name}\": {error}"))
    },
    namespaced_cloud_profile: |name, error| {
        let detail = format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
        (&namespaced::NSCP_003, detail)
    },
};

/// The rules that every mapping obeys.
pub const MAPPINGS: MappingRules = MappingRules::of(&rules::CPROF_021, &rules::CPROF_022, &rules::CPROF_023);

/// The rules on what profiles offer and on what is mapped.
pub const OFFERS: OfferRules = OfferRules {
    missing,
    mismatch,
    entries_add_up: true,
    first_version_counts: false,
    judges_unmapped: true,
    architectures: Some(ArchitectureRules {
        has_regions: false,
        known: &rules::CPROF_051,
        excess: &namespaced::NSCP_033,
        unmapped: &namespaced::NSCP_022,
        incomplete: &namespaced::NSCP_022,
        plain_has_all: false,
        first_counts: false,
        mapped: Mapped::ImagesFirst,
    }),
};

const CAPABILITIES: CapabilityRules =
    CapabilityRules { defined: &rules::CPROF_027, values: &rules::CPROF_028, architecture: &rules::CPROF_029 };

/// Judges an entry of a version. Without definitions nobody knows which of the two formats is right; then what is
/// written must be complete.
pub fn version(
    [image, version]: [&str; 2],
    entry: &MachineImageVersion<'_>,
    definitions: Option<&Definitions<'_, '_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let (flavors, plain) = (&entry.capability_flavors, entry.image());
    match definitions {
        Some(definitions) if definitions.is_empty() => {
            if !flavors.is_empty() {
                let detail = "capabilityFlavors must not be set when cloudprofile is not using capabilities";
                report.error(&rules::CPROF_032, &path.key("capabilityFlavors"), ErrorType::Forbidden, detail);
            }
            address(&plain, path, report);
            architecture(entry, path, report);
        }
        _ if !flavors.is_empty() => {
            if definitions.is_none() || !has_two_formats(entry, path, report) {
                flavors_by_themselves(flavors, definitions, &path.key("capabilityFlavors"), report);
            }
        }
        _ if plain == Image::default() => {
            let detail =
                format!("must provide either image or capabilityFlavors for machine image {image}@{version}");
            report.error(&rules::CPROF_031, &path.key("image"), ErrorType::Required, detail);
        }
        _ => {
            architecture(entry, path, report);
            address(&plain, path, report);
        }
    }
}

/// Whether an entry with flavors has anything that belongs to an entry without.
fn has_two_formats(entry: &MachineImageVersion<'_>, path: &Path<'_>, report: &mut Report<'_>) -> bool {
    let detail = "must not be set together with capabilityFlavors. Use one format per version.";
    let has_image = entry.image() != Image::default();
    if has_image {
        report.error(&rules::CPROF_024, &path.key("image"), ErrorType::Forbidden, detail);
    }
    let others = [
        (&rules::CPROF_025, "architecture", entry.architecture.is_some()),
        (&rules::CPROF_026, "acceleratedNetworking", entry.accelerated_networking.is_some()),
    ];
    let mut has_two = has_image;
    for (rule, key, is_set) in others {
        if is_set {
            report.error(rule, &path.key(key), ErrorType::Forbidden, detail).fix_removal();
        }
        has_two |= is_set;
    }
    has_two
}

fn architecture(entry: &MachineImageVersion<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let architecture = entry.architecture.unwrap_or(AMD64);
    check_one_of(&rules::CPROF_030, architecture, &ARCHITECTURES, &path.key("architecture"), report);
}

fn flavors_by_themselves(
    flavors: &[MachineImageFlavor<'_>],
    definitions: Option<&Definitions<'_, '_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    for (index, flavor) in flavors.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if let Some(definitions) = definitions {
            let place = path.key("capabilities");
            check_capabilities(&CAPABILITIES, &flavor.capabilities, definitions, &place, report);
        }
        address(&flavor.image(), &path, report);
    }
}

/// Judges the address of an image, of which there is one.
fn address(image: &Image<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if image.addresses().count() != 1 {
        let detail = "must provide either urn, id, sharedGalleryImageID or communityGalleryImageID";
        report.error(&rules::CPROF_033, path, ErrorType::Required, detail);
    }
    if let Some(urn) = image.urn {
        let form = "please use the format `Publisher:Offer:Sku:Version` for the urn";
        let fault = (urn.split(':').count() != 4).then_some(form);
        form_of(&rules::CPROF_034, ["urn", "urn"], urn, fault, path, report);
    }
    if let Some(id) = image.id {
        form_of(&rules::CPROF_035, ["id", "id"], id, None, path, report);
    }
    if let Some(id) = image.community_gallery_image_id {
        let faults = [
            "please use the format `/CommunityGalleries/<gallery id>/Images/<image id>/versions/<version id>` for the \
             communityGalleryImageID",
            "communityGalleryImageID must start with '/CommunityGalleries/' prefix",
        ];
        let fault = gallery_fault(id, "CommunityGalleries", faults);
        let name = "communityGalleryImageID";
        form_of(&rules::CPROF_036, [name, name], id, fault, path, report);
    }
    if let Some(id) = image.shared_gallery_image_id {
        let faults = [
            "please use the format `/SharedGalleries/<sharedGalleryName>/Images/<sharedGalleryImageName>/Versions/\
             <sharedGalleryImageVersionName>` for the SharedGalleryImageID",
            "SharedGalleryImageID must start with '/SharedGalleries/' prefix",
        ];
        let fault = gallery_fault(id, "SharedGalleries", faults);
        let names = ["sharedGalleryImageID", "SharedGalleryImageID"];
        form_of(&rules::CPROF_037, names, id, fault, path, report);
    }
}

/// What is wrong with the id of a gallery's image: its parts, or the first of them.
fn gallery_fault(id: &str, galleries: &str, [form, beginning]: [&'static str; 2]) -> Option<&'static str> {
    let mut parts = id.split('/');
    if parts.clone().count() != 7 {
        return Some(form);
    }
    (!parts.nth(1).is_some_and(|part| part.eq_ignore_ascii_case(galleries))).then_some(beginning)
}

/// Reports an address that is empty or has another form. It has a key, and a name in messages.
fn form_of(
    rule: &'static Rule,
    [key, name]: [&str; 2],
    address: &str,
    fault: Option<&str>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let path = path.key(key);
    if address.is_empty() {
        report.error(rule, &path, ErrorType::Required, format!("{name} cannot be empty when defined"));
    } else if let Some(fault) = fault {
        report.error(rule, &path, ErrorType::Invalid, fault);
    }
}

fn missing(missing: &Missing<'_>, _: bool) -> (&'static Rule, String) {
    const UNDEFINED: &str = "is not defined in the providerConfig";
    match missing {
        Missing::Image { image } => {
            (&rules::CPROF_050, format!("must provide a provider image mapping for image \"{image}\""))
        }
        Missing::Version { .. } => (&rules::CPROF_053, missing.to_string()),
        Missing::Flavor { version: [image, version], capabilities, is_unmapped } => {
            let what = format!("machine image version {image}@{version} and capabilityFlavor {capabilities}");
            let rule = if *is_unmapped { &rules::CPROF_055 } else { &rules::CPROF_054 };
            (rule, format!("{what} {UNDEFINED}"))
        }
        Missing::Architecture { version: [image, version], architecture } => {
            let what = format!("machine image version {image}@{version} and architecture: {architecture}");
            (&rules::CPROF_052, format!("{what} {UNDEFINED}"))
        }
    }
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let rule = match mismatch {
        Mismatch::MissingFlavor([image, version], flavor, form) => {
            let detail = format!(
                "machine image version {image}@{version} and capabilityFlavor {flavor} is not defined in the \
                 NamespacedCloudProfile providerConfig"
            );
            let is_plain = *form != MappingForm::Flavors;
            return (if is_plain { &namespaced::NSCP_025 } else { &namespaced::NSCP_024 }, detail);
        }
        Mismatch::Image(_) => &namespaced::NSCP_021,
        Mismatch::Version(_) => &namespaced::NSCP_023,
        // An image of Azure is in all regions.
        Mismatch::MissingRegion(..) => &namespaced::NSCP_024,
        Mismatch::InParent(_) => &namespaced::NSCP_030,
        Mismatch::UnknownImage(_) => &namespaced::NSCP_031,
        Mismatch::UnknownVersion(_) => &namespaced::NSCP_032,
        Mismatch::ExcessFlavor(..) => &namespaced::NSCP_034,
        Mismatch::ExcessArchitecture(..) => &namespaced::NSCP_035,
    };
    (rule, mismatch.to_string())
}
