//! Mappings of images to ids, in CloudProfiles (ALI-CPROF-006…024) and NamespacedCloudProfiles (ALI-NSCP-004…022).

use crate::gardener::images::{
    CapabilityRules, ConfigurationRules, ImageRules, MappingForm, MappingRules, Mismatch, Missing, OfferRules,
    OneForm, RegionRules, check_regions,
};
use crate::provider::alicloud::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::Rule;

/// The rules on how a version lists its images.
const REGIONS: RegionRules = RegionRules {
    one_form: OneForm {
        rule: &rules::CPROF_010,
        key: Some("regions"),
        detail: "must not be set together with capabilityFlavors. Use one format per version.",
    },
    capabilities: CapabilityRules::one(&rules::CPROF_011),
    regions: Some(&rules::CPROF_012),
    region: &rules::CPROF_013,
    id: &rules::CPROF_014,
    id_key: "id",
    id_missing: "must provide an id",
    architecture: None,
    flavors: &rules::CPROF_015,
};

/// The rules on images.
pub const IMAGES: ImageRules = ImageRules {
    configuration: ConfigurationRules {
        present: &rules::CPROF_002,
        missing: "providerConfig must be set for Alicloud cloud profiles",
        cloud_profile: |_, error| (&rules::CPROF_003, error.to_string()),
        namespaced_cloud_profile: |name, error| {
            let detail =
                format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
            (&namespaced::NSCP_003, detail)
        },
    },
    any: &rules::CPROF_005,
    mapping: MappingRules::of(&rules::CPROF_006, &rules::CPROF_007, &rules::CPROF_008),
    version: |version, mapping, definitions, path, report| {
        check_regions(version, mapping, definitions, &REGIONS, path, report);
    },
    offers: OfferRules {
        missing,
        mismatch,
        architectures: None,
        entries_add_up: false,
        first_version_counts: false,
        judges_unmapped: true,
    },
    parent_kind: &namespaced::NSCP_004,
    parent: &namespaced::NSCP_005,
};

fn missing(missing: &Missing<'_>, _has_capabilities: bool) -> (&'static Rule, String) {
    let rule = match missing {
        Missing::Image { .. } => &rules::CPROF_020,
        Missing::Version { .. } => &rules::CPROF_021,
        Missing::Flavor { is_unmapped: false, .. } => &rules::CPROF_022,
        Missing::Architecture { .. } => &rules::CPROF_023,
        Missing::Flavor { is_unmapped: true, .. } => &rules::CPROF_024,
    };
    (rule, missing.to_string())
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let rule = match mismatch {
        Mismatch::Image(_) => &namespaced::NSCP_010,
        Mismatch::Version(_) => &namespaced::NSCP_011,
        Mismatch::ExcessFlavor(..) => &namespaced::NSCP_014,
        Mismatch::MissingFlavor(_, _, MappingForm::Flavors) => &namespaced::NSCP_015,
        Mismatch::MissingRegion(..) => &namespaced::NSCP_016,
        Mismatch::ExcessArchitecture(..) => &namespaced::NSCP_017,
        Mismatch::MissingFlavor(_, _, MappingForm::Architectures) => &namespaced::NSCP_018,
        Mismatch::MissingFlavor(_, _, MappingForm::Nothing) => &namespaced::NSCP_019,
        Mismatch::InParent(_) => &namespaced::NSCP_020,
        Mismatch::UnknownImage(_) => &namespaced::NSCP_021,
        Mismatch::UnknownVersion(_) => &namespaced::NSCP_022,
    };
    (rule, mismatch.to_string())
}
