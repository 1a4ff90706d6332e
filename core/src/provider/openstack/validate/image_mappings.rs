//! Mappings of images to ids, in CloudProfiles (OS-CPROF-014…030) and NamespacedCloudProfiles (OS-NSCP-003…019).

use crate::gardener::images::{
    ArchitectureRules, CapabilityRules, ConfigurationRules, ImageRules, Mapped, MappingRules, Mismatch, Missing,
    OfferRules, OneForm, RegionArchitecture, RegionRules, check_regions,
};
use crate::provider::openstack::rules::{cloud_profile as rules, namespaced_cloud_profile as namespaced};
use crate::report::Rule;

/// The rules on how a version lists its images.
const REGIONS: RegionRules = RegionRules {
    one_form: OneForm {
        rule: &rules::CPROF_017,
        key: None,
        detail: "must not set both regions and capabilityFlavors on the same version",
    },
    capabilities: CapabilityRules::one(&rules::CPROF_018),
    regions: None,
    region: &rules::CPROF_019,
    id: &rules::CPROF_020,
    id_key: "id",
    id_missing: "must provide an image ID",
    architecture: Some(RegionArchitecture {
        known: &rules::CPROF_021,
        in_flavor: &rules::CPROF_022,
        in_flavor_detail: "must be defined in .capabilities.architecture",
    }),
    flavors: &rules::CPROF_023,
};

/// The rules on images.
pub const IMAGES: ImageRules = ImageRules {
    configuration: ConfigurationRules {
        present: &rules::CPROF_001,
        missing: "providerConfig must be set for OpenStack cloud profiles",
        cloud_profile: |_, error| (&rules::CPROF_002, error.to_string()),
        namespaced_cloud_profile: |_, error| (&namespaced::NSCP_002, error.to_string()),
    },
    any: &rules::CPROF_013,
    mapping: MappingRules::of(&rules::CPROF_014, &rules::CPROF_015, &rules::CPROF_016),
    version: |version, mapping, definitions, path, report| {
        check_regions(version, mapping, definitions, &REGIONS, path, report);
    },
    offers: OfferRules {
        missing,
        mismatch,
        entries_add_up: false,
        first_version_counts: false,
        judges_unmapped: true,
        architectures: Some(ArchitectureRules {
            has_regions: true,
            known: &rules::CPROF_029,
            excess: &namespaced::NSCP_010,
            unmapped: &namespaced::NSCP_011,
            incomplete: &namespaced::NSCP_012,
            plain_has_all: true,
            first_counts: true,
            mapped: Mapped::Versions,
        }),
    },
    parent_kind: &namespaced::NSCP_003,
    parent: &namespaced::NSCP_004,
};

fn missing(missing: &Missing<'_>, has_capabilities: bool) -> (&'static Rule, String) {
    let rule = match missing {
        Missing::Image { .. } => &rules::CPROF_024,
        Missing::Version { .. } => &rules::CPROF_025,
        Missing::Flavor { is_unmapped: false, .. } => &rules::CPROF_026,
        Missing::Architecture { .. } if has_capabilities => {
            return (&rules::CPROF_027, missing.to_string().replace("architecture: ", "architecture "));
        }
        Missing::Flavor { is_unmapped: true, .. } => &rules::CPROF_028,
        Missing::Architecture { .. } => &rules::CPROF_030,
    };
    (rule, missing.to_string())
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let rule = match mismatch {
        Mismatch::Image(_) => &namespaced::NSCP_007,
        Mismatch::Version(_) => &namespaced::NSCP_008,
        Mismatch::ExcessFlavor(..) => &namespaced::NSCP_013,
        Mismatch::MissingFlavor(..) => &namespaced::NSCP_014,
        Mismatch::MissingRegion(..) => &namespaced::NSCP_015,
        Mismatch::ExcessArchitecture([image, version], architecture) => {
            let detail = format!(
                "machine image version {image}@{version} has an excess architecture \"{architecture}\" in regions, \
                 which is not defined in the machineImages spec"
            );
            return (&namespaced::NSCP_016, detail);
        }
        Mismatch::InParent(_) => &namespaced::NSCP_017,
        Mismatch::UnknownImage(_) => &namespaced::NSCP_018,
        Mismatch::UnknownVersion(_) => &namespaced::NSCP_019,
    };
    (rule, mismatch.to_string())
}
