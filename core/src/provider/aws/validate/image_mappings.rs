//! Mappings of images to AMIs, in CloudProfiles (AWS-CPROF-003…024) and NamespacedCloudProfiles
//! (AWS-NSCP-001…017).

use crate::gardener::images::{
    ArchitectureRules, CapabilityRules, ConfigurationRules, ImageRules, Mapped, MappingForm, MappingRules,
    Mismatch, Missing, OfferRules, OneForm, RegionArchitecture, RegionRules, check_regions,
};
use crate::provider::aws::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::Rule;

/// The rules on how a version lists its images.
const REGIONS: RegionRules = RegionRules {
    one_form: OneForm {
        rule: &rules::CPROF_006,
        key: Some("regions"),
        detail: "must not be set together with capabilityFlavors. Use one format per version.",
    },
    capabilities: CapabilityRules {
        defined: &rules::CPROF_008,
        values: &rules::CPROF_009,
        architecture: &rules::CPROF_010,
    },
    regions: Some(&rules::CPROF_011),
    region: &rules::CPROF_012,
    id: &rules::CPROF_013,
    id_key: "ami",
    id_missing: "must provide an ami",
    architecture: Some(RegionArchitecture {
        known: &rules::CPROF_015,
        in_flavor: &rules::CPROF_014,
        in_flavor_detail: "must not be set in capability flavor regions as architecture is defined via capabilities",
    }),
    flavors: &rules::CPROF_007,
};

/// The rules on images.
pub const IMAGES: ImageRules = ImageRules {
    configuration: ConfigurationRules {
        present: &rules::CPROF_001,
        missing: "providerConfig must be set for AWS cloud profiles",
        cloud_profile: |name, error| {
            (&rules::CPROF_025, format!("could not decode providerConfig of CloudProfile \"{name}\": {error}"))
        },
        namespaced_cloud_profile: |name, error| {
            let detail =
                format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
            (&namespaced::NSCP_018, detail)
        },
    },
    any: &rules::CPROF_002,
    mapping: MappingRules::of(&rules::CPROF_003, &rules::CPROF_004, &rules::CPROF_005),
    version: |version, mapping, definitions, path, report| {
        check_regions(version, mapping, definitions, &REGIONS, path, report);
    },
    offers: OfferRules {
        missing,
        mismatch,
        entries_add_up: false,
        first_version_counts: true,
        judges_unmapped: false,
        architectures: Some(ArchitectureRules {
            has_regions: true,
            known: &rules::CPROF_023,
            excess: &namespaced::NSCP_006,
            unmapped: &namespaced::NSCP_007,
            incomplete: &namespaced::NSCP_008,
            plain_has_all: false,
            first_counts: false,
            mapped: Mapped::Versions,
        }),
    },
    parent_kind: &namespaced::NSCP_001,
    parent: &namespaced::NSCP_019,
};

fn missing(missing: &Missing<'_>, has_capabilities: bool) -> (&'static Rule, String) {
    let rule = match (missing, has_capabilities) {
        (Missing::Image { .. }, _) => &rules::CPROF_017,
        (Missing::Version { .. }, true) => &rules::CPROF_018,
        (Missing::Flavor { is_unmapped: false, .. }, _) => &rules::CPROF_019,
        (Missing::Architecture { .. }, true) => &rules::CPROF_020,
        (Missing::Flavor { is_unmapped: true, .. }, _) => &rules::CPROF_021,
        (Missing::Version { .. }, false) => &rules::CPROF_022,
        (Missing::Architecture { .. }, false) => &rules::CPROF_024,
    };
    (rule, missing.to_string())
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let rule = match mismatch {
        Mismatch::Image(_) => &namespaced::NSCP_003,
        Mismatch::Version(_) => &namespaced::NSCP_004,
        Mismatch::ExcessFlavor(..) => &namespaced::NSCP_009,
        Mismatch::MissingFlavor(_, _, MappingForm::Flavors) => &namespaced::NSCP_010,
        Mismatch::MissingRegion(..) => &namespaced::NSCP_011,
        Mismatch::ExcessArchitecture(..) => &namespaced::NSCP_012,
        Mismatch::MissingFlavor(_, _, MappingForm::Architectures) => &namespaced::NSCP_013,
        Mismatch::MissingFlavor(_, _, MappingForm::Nothing) => &namespaced::NSCP_014,
        Mismatch::InParent(_) => &namespaced::NSCP_015,
        Mismatch::UnknownImage(_) => &namespaced::NSCP_016,
        Mismatch::UnknownVersion(_) => &namespaced::NSCP_017,
    };
    (rule, mismatch.to_string())
}
