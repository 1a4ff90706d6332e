//! `NamespacedCloudProfile`: image mappings that a project adds to its parent CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::NAMESPACED_CLOUD_PROFILE as PROFILE;

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image of which no ID is known, and their nodes would not start.";
/// What happens to machines without an image ID.
const NO_ID: &str = "Machines that need it would find no image ID.";
/// Why the mapping holds nothing beyond `spec.machineImages`.
const EXCESS: &str = "An image ID that the version does not offer could never be chosen.";

rules! {
    NSCP_001 = Rule::error("OS-NSCP-001", PROFILE, Both)
        .summary("A profile in deletion is not judged.")
        .why("Finalizers must go even where the content is wrong.")
        .fix("Let the deletion finish.")
        .informative("A profile in deletion is accepted without running any rule.");
    NSCP_002 = Rule::error("OS-NSCP-002", PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image mapping unnoticed.")
        .fix("Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, \
              and correct the field that is named.");
    NSCP_003 = Rule::error("OS-NSCP-003", PROFILE, Both)
        .summary("`spec.parent.kind` is `CloudProfile`.")
        .why("Images and capabilities are inherited from a CloudProfile only; profiles do not chain.")
        .fix("Set `spec.parent` to `kind: CloudProfile` and the `name` of one.");
    NSCP_004 = Rule::error("OS-NSCP-004", PROFILE, Both)
        .summary("The parent CloudProfile exists.")
        .why("What may be added depends on the images that the parent has.")
        .fix("Set `spec.parent.name` to an existing CloudProfile.");
    NSCP_005 = Rule::error("OS-NSCP-005", PROFILE, Both)
        .summary("`providerConfig` has `machineImages` only.")
        .why("Keystone, floating pools and all else belong to the operators of the landscape.")
        .fix("Remove every field but `apiVersion`, `kind` and `machineImages` from `providerConfig`.");
    NSCP_006 = Rule::error("OS-NSCP-006", PROFILE, Both)
        .summary("Image mappings are well-formed, as in a CloudProfile.")
        .why("Gardener merges the mappings with those of the parent, whose `machineCapabilities` apply.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as OS-CPROF-014 to OS-CPROF-023.");
    NSCP_007 = Rule::error("OS-NSCP-007", PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the image with its versions to `providerConfig.machineImages`, or correct its `name`.");
    NSCP_008 = Rule::error("OS-NSCP-008", PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the version with its image IDs to `providerConfig.machineImages`, or correct `version`.");
    NSCP_009 = Rule::error("OS-NSCP-009", PROFILE, Both)
        .summary("A version of the parent may be listed without a mapping.")
        .why("Image IDs come from the parent; such an entry overrides the expiration date only.")
        .fix("Leave the version out of `providerConfig`.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_010 = Rule::error("OS-NSCP-010", PROFILE, Both)
        .summary("A mapped region has an architecture that the version has in `spec.machineImages`.")
        .why(EXCESS)
        .fix("Remove the region's entry, or add its architecture to the version in `spec.machineImages`.");
    NSCP_011 = Rule::error("OS-NSCP-011", PROFILE, Both)
        .summary("A mapped version has `regions`.")
        .why(NO_ID)
        .fix("Add entries with `name`, `id` and `architecture` to the version's `regions` in `providerConfig`.");
    NSCP_012 = Rule::error("OS-NSCP-012", PROFILE, Both)
        .summary("A mapped region has an image ID for every architecture of the version.")
        .why("A machine type could be used in a region or not by the accident of its architecture.")
        .fix("Add an entry with the region's `name`, this `architecture` and its `id` to the version's `regions`.");
    NSCP_013 = Rule::error("OS-NSCP-013", PROFILE, Both)
        .summary("A mapped flavor has a flavor with equal capabilities in `spec.machineImages`.")
        .why(EXCESS)
        .fix("Remove the flavor from `providerConfig`, or add its capabilities to the version in \
              `spec.machineImages`.");
    NSCP_014 = Rule::error("OS-NSCP-014", PROFILE, Both)
        .summary("Every flavor of an image version is mapped.")
        .why(NO_ID)
        .fix("Add an entry with these `capabilities` and `regions` to the version's `capabilityFlavors` in \
              `providerConfig`.");
    NSCP_015 = Rule::error("OS-NSCP-015", PROFILE, Both)
        .summary("All flavors of an image version are mapped in the same regions.")
        .why("A machine type could be used in a region or not by the accident of its flavor.")
        .fix("Add the region with its image `id` to the flavor in `providerConfig`, or remove it from the other \
              flavors.");
    NSCP_016 = Rule::error("OS-NSCP-016", PROFILE, Both)
        .summary("A version mapped by `regions` has architectures of its flavors in `spec.machineImages` only.")
        .why(EXCESS)
        .fix("Remove the region's entry, or add a flavor with its architecture in `spec.machineImages`.");
    NSCP_017 = Rule::error("OS-NSCP-017", PROFILE, Both)
        .summary("No image version of the parent is mapped again.")
        .why("A project must not replace an image that the operators of the landscape have approved.")
        .fix("Remove the version from `providerConfig`, or add your image under another version.");
    NSCP_018 = Rule::error("OS-NSCP-018", PROFILE, Both)
        .summary("Every mapped image is listed in `spec.machineImages`.")
        .why("An image that is not listed is offered to nobody.")
        .fix("Add the image to `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_019 = Rule::error("OS-NSCP-019", PROFILE, Both)
        .summary("Every mapped image version is listed in `spec.machineImages`.")
        .why("A version that is not listed is offered to nobody.")
        .fix("Add the version to the image in `spec.machineImages`, or remove it from `providerConfig`.");
}
