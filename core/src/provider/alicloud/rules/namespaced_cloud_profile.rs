//! `NamespacedCloudProfile`: image mappings that a project adds to its parent CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{NAMESPACED_CLOUD_PROFILE as PROFILE, other_kind};

rules! {
    NSCP_001 = other_kind("ALI-NSCP-001", PROFILE);
    NSCP_002 = Rule::error("ALI-NSCP-002", PROFILE, Both)
        .summary("A profile in deletion is not judged.")
        .why("Finalizers must go even where the content is wrong.")
        .fix("Let the deletion finish.")
        .informative("A profile in deletion is accepted without running any rule.");
    NSCP_003 = Rule::error("ALI-NSCP-003", PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image mapping unnoticed.")
        .fix("Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, \
              and correct the field that is named.");
    NSCP_004 = Rule::error("ALI-NSCP-004", PROFILE, Both)
        .summary("`spec.parent.kind` is `CloudProfile`.")
        .why("Images and capabilities are inherited from a CloudProfile only; profiles do not chain.")
        .fix("Set `spec.parent` to `kind: CloudProfile` and the `name` of one.");
    NSCP_005 = Rule::error("ALI-NSCP-005", PROFILE, Both)
        .summary("The parent CloudProfile exists and can be read.")
        .why("What may be added depends on the images that the parent has.")
        .fix("Set `spec.parent.name` to an existing CloudProfile.");
    NSCP_006 = Rule::error("ALI-NSCP-006", PROFILE, Both)
        .summary("Image mappings are well-formed, as in a CloudProfile.")
        .why("They are merged with those of the parent, whose `machineCapabilities` apply.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as ALI-CPROF-006 to ALI-CPROF-015.");
    NSCP_010 = Rule::error("ALI-NSCP-010", PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped here or in the parent.")
        .why("Users could choose an image of which no ID is known, and their nodes would not start.")
        .fix("Add the image with its versions to `providerConfig.machineImages`, or correct its `name`.");
    NSCP_011 = Rule::error("ALI-NSCP-011", PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped here or in the parent.")
        .why("Users could choose a version of which no ID is known, and their nodes would not start.")
        .fix("Add the version with its image IDs to `providerConfig.machineImages`, or correct `version`.");
    NSCP_012 = Rule::error("ALI-NSCP-012", PROFILE, Both)
        .summary("A version of the parent may be listed without a mapping.")
        .why("Image IDs come from the parent; such an entry overrides the expiration date only.")
        .fix("Leave the version out of `providerConfig`.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_013 = Rule::error("ALI-NSCP-013", PROFILE, Both)
        .summary("The flavors of an image version are readable.")
        .why("Images and machine types are matched by the capabilities of flavors.")
        .fix("Write every entry of `capabilityFlavors` as a map from capability to a list of values.")
        .informative("What Gardener stores is always readable; the conversion does not fail.");
    NSCP_014 = Rule::error("ALI-NSCP-014", PROFILE, Both)
        .summary("A mapped flavor has a flavor with equal capabilities in `spec.machineImages`.")
        .why("A flavor that the version does not offer could never be chosen.")
        .fix("Remove the flavor from `providerConfig`, or add its capabilities to the version in \
              `spec.machineImages`.");
    NSCP_015 = Rule::error("ALI-NSCP-015", PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why("Machines that need this flavor would find no image ID.")
        .fix("Add an entry with these `capabilities` and `regions` to the version's `capabilityFlavors` in \
              `providerConfig`.");
    NSCP_016 = Rule::error("ALI-NSCP-016", PROFILE, Both)
        .summary("All flavors of an image version are mapped in the same regions.")
        .why("Otherwise a machine type could be used in a region or not by the accident of its flavor.")
        .fix("Add the region with its image `id` to the flavor in `providerConfig`, or remove it from the other \
              flavors.");
    NSCP_017 = Rule::error("ALI-NSCP-017", PROFILE, Both)
        .summary("A version mapped by `regions` offers amd64.")
        .why("`regions` stands for amd64, which `spec.machineImages` does not offer for this version.")
        .fix("Map the version by `capabilityFlavors` with its architecture, or offer amd64 in `spec.machineImages`.");
    NSCP_018 = Rule::error("ALI-NSCP-018", PROFILE, Both)
        .summary("A version mapped by `regions` offers amd64 only.")
        .why("`regions` stands for amd64; machines of another architecture would find no image ID.")
        .fix("Map the version by `capabilityFlavors`, one per architecture, or offer it for amd64 only.");
    NSCP_019 = Rule::error("ALI-NSCP-019", PROFILE, Both)
        .summary("A mapped version has image IDs for every flavor of `spec.machineImages`.")
        .why("The entry has neither flavors nor regions, so machines would find no image ID.")
        .fix("Add `capabilityFlavors` with `capabilities` and `regions` to the version in `providerConfig`.");
    NSCP_020 = Rule::error("ALI-NSCP-020", PROFILE, Both)
        .summary("No image version of the parent is mapped again.")
        .why("A project must not replace an image that the operators of the landscape have approved.")
        .fix("Remove the version from `providerConfig`, or add your image under another version.");
    NSCP_021 = Rule::error("ALI-NSCP-021", PROFILE, Both)
        .summary("Every mapped image is listed in `spec.machineImages`.")
        .why("An image that is not listed is offered to nobody.")
        .fix("Add the image to `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_022 = Rule::error("ALI-NSCP-022", PROFILE, Both)
        .summary("Every mapped image version is listed in `spec.machineImages`.")
        .why("A version that is not listed is offered to nobody.")
        .fix("Add the version to the image in `spec.machineImages`, or remove it from `providerConfig`.");
}
