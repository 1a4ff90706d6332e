//! CloudProfile: the mapping of machine images to AMIs. The content of a mapping is judged alike in a
//! `NamespacedCloudProfile`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES};

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image of which no AMI is known, and their nodes would not start.";
/// Why each flavor and architecture is mapped.
const NO_AMI: &str = "Machines that need it would find no AMI.";
/// What an architecture may be.
const ARCHITECTURE: &str = "Machines of AWS are amd64 or arm64.";

rules! {
    CPROF_001 = Rule::error("AWS-CPROF-001", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a `providerConfig`.")
        .why("AMIs of images are known from it only.")
        .fix("Add `spec.providerConfig` of kind `CloudProfileConfig`.");
    CPROF_002 = Rule::error("AWS-CPROF-002", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without an image no node can be created.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_003 = Rule::error("AWS-CPROF-003", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Images of `spec.machineImages` find their mapping by name.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_004 = Rule::error("AWS-CPROF-004", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("AMIs belong to a version; an image without one maps nothing.")
        .fix("Add an entry with `version` and AMIs to `versions`, or remove the image.");
    CPROF_005 = Rule::error("AWS-CPROF-005", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Versions of `spec.machineImages` find their AMIs by it.")
        .fix("Set `version` to that of the image in `spec.machineImages`.");
    CPROF_006 = Rule::error("AWS-CPROF-006", PROFILES, Both)
        .summary("An image version has either `regions` or `capabilityFlavors`.")
        .why("Where both are set, nothing says which AMI counts.")
        .fix("Move the entries of `regions` into flavors with their `architecture`, and remove `regions`.");
    CPROF_007 = Rule::error("AWS-CPROF-007", PROFILES, Both)
        .summary("`capabilityFlavors` are used only where `machineCapabilities` are defined.")
        .why("Without definitions flavors match nothing, and AMIs are chosen by `regions` alone.")
        .fix("Move the region entries to `regions` of the version, or define `spec.machineCapabilities` in the \
              CloudProfile.");
    CPROF_008 = Rule::error("AWS-CPROF-008", PROFILES, Both)
        .summary("A flavor's `capabilities` are defined in `machineCapabilities`.")
        .why("No machine type is matched by a capability that is not defined.")
        .fix("Use names of `spec.machineCapabilities`.");
    CPROF_009 = Rule::error("AWS-CPROF-009", PROFILES, Both)
        .summary("Values of a flavor's `capabilities` are defined in `machineCapabilities`.")
        .why("A flavor with another value fits no machine.")
        .fix("Use values that `spec.machineCapabilities` defines for the capability.");
    CPROF_010 = Rule::error("AWS-CPROF-010", PROFILES, Both)
        .summary("A flavor names exactly one `architecture` where several are defined.")
        .why("An AMI runs on one architecture only.")
        .fix("Set `architecture` of the flavor to a list with one value.");
    CPROF_011 = Rule::error("AWS-CPROF-011", PROFILES, Both)
        .summary("A mapped version, or each of its flavors, has `regions`.")
        .why("An AMI exists in one region only; without regions there is none.")
        .fix("Add an entry with `name` and `ami` for every region that offers the image.");
    CPROF_012 = Rule::error("AWS-CPROF-012", PROFILES, Both)
        .summary("A region of an image mapping has a `name`.")
        .why("Shoots find the AMI by their region.")
        .fix("Set `name` to a region of `spec.regions`.");
    CPROF_013 = Rule::error("AWS-CPROF-013", PROFILES, Both)
        .summary("A region of an image mapping has an `ami`.")
        .why("Nodes are started from this AMI.")
        .fix("Set `ami` to the AMI's id in that region, or remove the region.");
    CPROF_014 = Rule::error("AWS-CPROF-014", PROFILES, Both)
        .summary("A region of a flavor has no `architecture`.")
        .why("The flavor's capabilities have the architecture.")
        .fix("Remove `architecture` from the region, and set it in the flavor's `capabilities`.");
    CPROF_015 = Rule::error("AWS-CPROF-015", PROFILES, Both)
        .summary("`architecture` of a region is `amd64` or `arm64`.")
        .why(ARCHITECTURE)
        .fix("Set `architecture` to `amd64` or `arm64`; without it the AMI is one for amd64.");
    CPROF_016 = Rule::error("AWS-CPROF-016", CLOUD_PROFILE, Both)
        .summary("An image of `spec.machineImages` without versions needs no mapping.")
        .why("AMIs belong to versions.")
        .fix("Add versions to the image to offer it.")
        .informative("The row says what is accepted; it rejects nothing.");
    CPROF_017 = Rule::error("AWS-CPROF-017", CLOUD_PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the image to `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_018 = Rule::error("AWS-CPROF-018", CLOUD_PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the version to the image in `providerConfig.machineImages`, or remove it from \
              `spec.machineImages`.");
    CPROF_019 = Rule::error("AWS-CPROF-019", CLOUD_PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why(NO_AMI)
        .fix("Add an entry with these `capabilities` and `regions` to the version's `capabilityFlavors` in \
              `providerConfig`.");
    CPROF_020 = Rule::error("AWS-CPROF-020", CLOUD_PROFILE, Both)
        .summary("A version mapped by `regions` has an AMI for each architecture of every flavor.")
        .why(NO_AMI)
        .fix("Add an entry with `name`, `ami` and this `architecture` to the version's `regions` in \
              `providerConfig`.");
    CPROF_021 = Rule::error("AWS-CPROF-021", CLOUD_PROFILE, Both)
        .summary("A mapped version has AMIs for every flavor of `spec.machineImages`.")
        .why("The entry has neither flavors nor regions.")
        .fix("Add `capabilityFlavors` with `capabilities` and `regions` to the version in `providerConfig`.");
    CPROF_022 = Rule::error("AWS-CPROF-022", CLOUD_PROFILE, Both)
        .summary("Without capabilities, every image version with `architectures` is mapped.")
        .why(MAPPED)
        .fix("Add the version with `regions` to the image in `providerConfig.machineImages`, or remove it from \
              `spec.machineImages`.");
    CPROF_023 = Rule::error("AWS-CPROF-023", CLOUD_PROFILE, Both)
        .summary("`architectures` of an image version are `amd64` and `arm64`.")
        .why(ARCHITECTURE)
        .fix("Correct `architectures` of the version in `spec.machineImages`.")
        .doubles(&["GDN-CPR-043"]);
    CPROF_024 = Rule::error("AWS-CPROF-024", CLOUD_PROFILE, Both)
        .summary("Without capabilities, a mapped version has an AMI for each of its `architectures`.")
        .why(NO_AMI)
        .fix("Add an entry with `name`, `ami` and this `architecture` to the version's `regions` in \
              `providerConfig`.");
    CPROF_025 = Rule::error("AWS-CPROF-025", CLOUD_PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an AMI unnoticed.")
        .fix("Set `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and \
              correct the field that is named.");
}
