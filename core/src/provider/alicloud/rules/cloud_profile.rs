//! CloudProfile: the mapping of machine images to image IDs. The content of a mapping is judged
//! alike in a `NamespacedCloudProfile`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, other_kind};

const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];

rules! {
    CPROF_001 = other_kind("ALI-CPROF-001", CLOUD_PROFILE);
    CPROF_002 = Rule::error("ALI-CPROF-002", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a `providerConfig`.")
        .why("Without it no machine image leads to an image ID, and no node can be created.")
        .fix("Add `spec.providerConfig` of kind `CloudProfileConfig` with `machineImages`.");
    CPROF_003 = Rule::error("ALI-CPROF-003", CLOUD_PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image mapping unnoticed.")
        .fix("Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, \
              and correct the field that is named.");
    CPROF_004 = Rule::error("ALI-CPROF-004", CLOUD_PROFILE, Both)
        .summary("`spec.machineCapabilities` is readable.")
        .why("Images and machine types are matched by these capabilities.")
        .fix("Write every entry of `machineCapabilities` with `name` and a list of `values`.")
        .informative("What Gardener stores is always readable; the conversion does not fail.");
    CPROF_005 = Rule::error("ALI-CPROF-005", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without an image ID no node can be created.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_006 = Rule::error("ALI-CPROF-006", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Images of `spec.machineImages` find their mapping by name.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_007 = Rule::error("ALI-CPROF-007", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("Image IDs belong to a version; an image without one maps nothing.")
        .fix("Add an entry with `version` and image IDs to `versions`, or remove the image.");
    CPROF_008 = Rule::error("ALI-CPROF-008", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Versions of `spec.machineImages` find their image IDs by it.")
        .fix("Set `version` to that of the image in `spec.machineImages`.");
    CPROF_010 = Rule::error("ALI-CPROF-010", PROFILES, Both)
        .summary("An image version has either `regions` or `capabilityFlavors`.")
        .why("`regions` means amd64 only; next to flavors it is open which image ID counts.")
        .fix("Move the entries of `regions` into a flavor with `architecture: [amd64]`, and remove `regions`.");
    CPROF_011 = Rule::error("ALI-CPROF-011", PROFILES, Both)
        .summary("A flavor's `capabilities` are defined in `machineCapabilities`, with one `architecture`.")
        .why("A flavor with other values fits no machine, and an image runs on one architecture only.")
        .fix("Use names and values of `spec.machineCapabilities`; with several architectures set exactly one.");
    CPROF_012 = Rule::error("ALI-CPROF-012", PROFILES, Both)
        .summary("An image version, or each of its flavors, maps at least one region.")
        .why("An image ID on Alibaba Cloud is valid in one region; without regions there is none.")
        .fix("Add an entry with `name` and `id` to `regions` for every region that offers the image.");
    CPROF_013 = Rule::error("ALI-CPROF-013", PROFILES, Both)
        .summary("A region of an image mapping has a `name`.")
        .why("Shoots find the image ID by their region.")
        .fix("Set `name` to the region of the image, for example `eu-central-1`.");
    CPROF_014 = Rule::error("ALI-CPROF-014", PROFILES, Both)
        .summary("A region of an image mapping has an `id`.")
        .why("ECS instances are created from this image ID.")
        .fix("Set `id` to the image's ID in that region, or remove the region.");
    CPROF_015 = Rule::error("ALI-CPROF-015", PROFILES, Both)
        .summary("`capabilityFlavors` are used only where `machineCapabilities` are defined.")
        .why("Without definitions flavors match nothing, and images are chosen by `regions` alone.")
        .fix("Move the region entries to `regions` of the version, or define `spec.machineCapabilities` in the \
              CloudProfile.");
    CPROF_020 = Rule::error("ALI-CPROF-020", CLOUD_PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped in `providerConfig`.")
        .why("Users could choose an image of which no ID is known, and their nodes would not start.")
        .fix("Add the image to `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_021 = Rule::error("ALI-CPROF-021", CLOUD_PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped in `providerConfig`.")
        .why("Users could choose a version of which no ID is known, and their nodes would not start.")
        .fix("Add the version to the image in `providerConfig.machineImages`, or remove it from \
              `spec.machineImages`.");
    CPROF_022 = Rule::error("ALI-CPROF-022", CLOUD_PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why("Machines that need this flavor would find no image ID.")
        .fix("Add an entry with these `capabilities` and `regions` to the version's `capabilityFlavors` in \
              `providerConfig`.");
    CPROF_023 = Rule::error("ALI-CPROF-023", CLOUD_PROFILE, Both)
        .summary("An image version mapped by `regions` is offered for amd64 only.")
        .why("`regions` says nothing of the architecture and stands for amd64.")
        .fix("Map the version by `capabilityFlavors`, one per architecture, or offer it in `spec.machineImages` for \
              amd64 only.");
    CPROF_024 = Rule::error("ALI-CPROF-024", CLOUD_PROFILE, Both)
        .summary("A mapped version has image IDs for every flavor of `spec.machineImages`.")
        .why("The entry has neither flavors nor regions, so machines would find no image ID.")
        .fix("Add `capabilityFlavors` with `capabilities` and `regions` to the version in `providerConfig`.");
}
