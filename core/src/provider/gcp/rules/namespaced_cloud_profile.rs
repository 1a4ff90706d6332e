//! `NamespacedCloudProfile`: images that a project adds to its parent CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::NAMESPACED_CLOUD_PROFILE as PROFILE;

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image that GCP does not know, and their nodes would not start.";
/// What happens to machines without an image.
const NO_IMAGE: &str = "Machines that need it would find no image.";
/// Why the mapping holds nothing beyond `spec.machineImages`.
const EXCESS: &str = "An image that the version does not offer could never be chosen.";
/// How to fix an architecture that is too much.
const LESS: &str = "Remove the entry from `providerConfig`, or offer its architecture in `spec.machineImages`.";

rules! {
    NSCP_001 = Rule::error("GCP-NSCP-001", PROFILE, Both)
        .summary("A NamespacedCloudProfile in deletion is not judged.")
        .why("Nobody can choose its images any more.")
        .fix("Nothing is to be done.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_002 = Rule::error("GCP-NSCP-002", PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image unnoticed.")
        .fix("Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and correct the \
              field that is named.");
    NSCP_003 = Rule::error("GCP-NSCP-003", PROFILE, Both)
        .summary("`spec.parent.kind` is `CloudProfile`.")
        .why("Images and capabilities are inherited from a CloudProfile only; profiles do not chain.")
        .fix("Set `spec.parent` to `kind: CloudProfile` and the `name` of one.");
    NSCP_004 = Rule::error("GCP-NSCP-004", PROFILE, Both)
        .summary("The parent CloudProfile exists.")
        .why("What may be added depends on the images that the parent has.")
        .fix("Set `spec.parent.name` to an existing CloudProfile.");
    NSCP_005 = Rule::error("GCP-NSCP-005", PROFILE, Both)
        .summary("Image mappings are well-formed, as in a CloudProfile.")
        .why("Gardener merges the mappings with those of the parent, whose `machineCapabilities` apply.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as GCP-CPROF-004 to GCP-CPROF-015.");
    NSCP_006 = Rule::error("GCP-NSCP-006", PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the image with its versions to `providerConfig.machineImages`, or correct its `name`.");
    NSCP_007 = Rule::error("GCP-NSCP-007", PROFILE, Both)
        .summary("A version of the parent may be listed without a mapping.")
        .why("Its images come from the parent; such an entry overrides the expiration date only.")
        .fix("Leave the version out of `providerConfig`.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_008 = Rule::error("GCP-NSCP-008", PROFILE, Both)
        .summary("Without `machineCapabilities`, every architecture of an image version is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, `image` and this `architecture` to `providerConfig.machineImages`.");
    NSCP_009 = Rule::error("GCP-NSCP-009", PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the version with its images to `providerConfig.machineImages`, or correct `version`.");
    NSCP_010 = Rule::error("GCP-NSCP-010", PROFILE, Both)
        .summary("A mapped flavor has a flavor with equal capabilities in `spec.machineImages`.")
        .why(EXCESS)
        .fix("Remove the flavor from `providerConfig`, or add its capabilities to the version in `spec.machineImages`.");
    NSCP_011 = Rule::error("GCP-NSCP-011", PROFILE, Both)
        .summary("Every flavor of an image version that is mapped by flavors is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with these `capabilities` and `image` to the version's `capabilityFlavors` in `providerConfig`.");
    NSCP_012 = Rule::error("GCP-NSCP-012", PROFILE, Both)
        .summary("A version mapped without flavors has architectures of its flavors in `spec.machineImages` only.")
        .why(EXCESS)
        .fix(LESS);
    NSCP_013 = Rule::error("GCP-NSCP-013", PROFILE, Both)
        .summary("A version mapped without flavors has an image for each architecture of its flavors.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, `image` and the missing `architecture` in `providerConfig`.");
    NSCP_014 = Rule::error("GCP-NSCP-014", PROFILE, Both)
        .summary("No image version of the parent is mapped again.")
        .why("A project must not replace an image that the operators of the landscape have approved.")
        .fix("Remove the version from `providerConfig`, or add your image under another version.");
    NSCP_015 = Rule::error("GCP-NSCP-015", PROFILE, Both)
        .summary("Every mapped image is listed in `spec.machineImages`.")
        .why("An image that is not listed is offered to nobody.")
        .fix("Add the image to `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_016 = Rule::error("GCP-NSCP-016", PROFILE, Both)
        .summary("Every mapped image version is listed in `spec.machineImages`.")
        .why("A version that is not listed is offered to nobody.")
        .fix("Add the version to the image in `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_017 = Rule::error("GCP-NSCP-017", PROFILE, Both)
        .summary("Without `machineCapabilities`, a mapped architecture is one that the version has in `spec.machineImages`.")
        .why(EXCESS)
        .fix(LESS);
    NSCP_018 = Rule::error("GCP-NSCP-018", PROFILE, Both)
        .summary("The same holds of each entry of a version that the parent has, too.")
        .why(EXCESS)
        .fix(LESS)
        .informative("Its findings are those of GCP-NSCP-012, and are reported once.");
}
