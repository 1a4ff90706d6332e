//! `NamespacedCloudProfile`: images and machine types that a project adds to its parent CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::NAMESPACED_CLOUD_PROFILE as PROFILE;

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image that Azure does not know, and their nodes would not start.";
/// What happens to machines without an image.
const NO_IMAGE: &str = "Machines that need it would find no image.";
/// Why the mapping holds nothing beyond `spec.machineImages`.
const EXCESS: &str = "An image that the version does not offer could never be chosen.";
/// How to fix an architecture that is too much.
const LESS: &str = "Remove the entry from `providerConfig`, or offer its architecture in `spec.machineImages`.";
/// Why a project adds images and machine types only.
const INHERITED: &str = "It belongs to the landscape, and comes from the parent alone.";

rules! {
    NSCP_001 = Rule::error("AZ-NSCP-001", PROFILE, Both)
        .summary("A NamespacedCloudProfile in deletion is not judged.")
        .why("Nobody can choose its images any more.")
        .fix("Nothing is to be done.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_002 = Rule::error("AZ-NSCP-002", PROFILE, Both)
        .summary("A NamespacedCloudProfile without `providerConfig` is judged as one that maps nothing.")
        .why("A profile may change expiration dates and other settings alone.")
        .fix("Add `providerConfig` where the profile adds images.")
        .informative("The row says what is accepted; it rejects nothing.");
    NSCP_003 = Rule::error("AZ-NSCP-003", PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image unnoticed.")
        .fix("Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and correct \
              the field that is named.");
    NSCP_004 = Rule::error("AZ-NSCP-004", PROFILE, Both)
        .summary("`spec.parent.kind` is `CloudProfile`.")
        .why("Images and capabilities are inherited from a CloudProfile only; profiles do not chain.")
        .fix("Set `spec.parent` to `kind: CloudProfile` and the `name` of one.");
    NSCP_005 = Rule::error("AZ-NSCP-005", PROFILE, Both)
        .summary("The parent CloudProfile exists.")
        .why("What may be added depends on what the parent has.")
        .fix("Set `spec.parent.name` to an existing CloudProfile.");
    NSCP_010 = Rule::error("AZ-NSCP-010", PROFILE, Both)
        .summary("`providerConfig` has no `cloudConfiguration`.")
        .why(INHERITED)
        .fix("Remove `cloudConfiguration`.");
    NSCP_011 = Rule::error("AZ-NSCP-011", PROFILE, Both)
        .summary("`providerConfig` has no `countUpdateDomains`.")
        .why(INHERITED)
        .fix("Remove `countUpdateDomains`.");
    NSCP_012 = Rule::error("AZ-NSCP-012", PROFILE, Both)
        .summary("`providerConfig` has no `countFaultDomains`.")
        .why(INHERITED)
        .fix("Remove `countFaultDomains`.");
    NSCP_020 = Rule::error("AZ-NSCP-020", PROFILE, Both)
        .summary("Image mappings are well-formed, as in a CloudProfile.")
        .why("Gardener merges the mappings with those of the parent, whose `machineCapabilities` apply.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as AZ-CPROF-021 to AZ-CPROF-037.");
    NSCP_021 = Rule::error("AZ-NSCP-021", PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the image with its versions to `providerConfig.machineImages`, or correct its `name`.");
    NSCP_022 = Rule::error("AZ-NSCP-022", PROFILE, Both)
        .summary("Without `machineCapabilities`, every architecture of a version of a new image is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, this `architecture` and the address of the image to \
              `providerConfig.machineImages`.");
    NSCP_023 = Rule::error("AZ-NSCP-023", PROFILE, Both)
        .summary("With `machineCapabilities`, every image version of `spec.machineImages` is mapped here or in the parent.")
        .why(MAPPED)
        .fix("Add the version with its images to `providerConfig.machineImages`, or correct `version`.");
    NSCP_024 = Rule::error("AZ-NSCP-024", PROFILE, Both)
        .summary("Every flavor of an image version that is mapped by flavors is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with these `capabilities` and the address of the image to the version's `capabilityFlavors` in \
              `providerConfig`.");
    NSCP_025 = Rule::error("AZ-NSCP-025", PROFILE, Both)
        .summary("A version mapped without flavors has an image for each architecture of its flavors.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, the missing `architecture` and the address of the image in `providerConfig`.");
    NSCP_030 = Rule::error("AZ-NSCP-030", PROFILE, Both)
        .summary("No image version of the parent is mapped again.")
        .why("A project must not replace an image that the operators of the landscape have approved.")
        .fix("Remove the version from `providerConfig`, or add your image under another version.");
    NSCP_031 = Rule::error("AZ-NSCP-031", PROFILE, Both)
        .summary("Every mapped image is listed in `spec.machineImages`.")
        .why("An image that is not listed is offered to nobody.")
        .fix("Add the image to `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_032 = Rule::error("AZ-NSCP-032", PROFILE, Both)
        .summary("Every mapped image version is listed in `spec.machineImages`.")
        .why("A version that is not listed is offered to nobody.")
        .fix("Add the version to the image in `spec.machineImages`, or remove it from `providerConfig`.");
    NSCP_033 = Rule::error("AZ-NSCP-033", PROFILE, Both)
        .summary("Without `machineCapabilities`, a mapped architecture is one that the version has in `spec.machineImages`.")
        .why(EXCESS)
        .fix(LESS);
    NSCP_034 = Rule::error("AZ-NSCP-034", PROFILE, Both)
        .summary("A mapped flavor has a flavor with equal capabilities in `spec.machineImages`.")
        .why(EXCESS)
        .fix("Remove the flavor from `providerConfig`, or add its capabilities to the version in `spec.machineImages`.");
    NSCP_035 = Rule::error("AZ-NSCP-035", PROFILE, Both)
        .summary("A version mapped without flavors has architectures of its flavors in `spec.machineImages` only.")
        .why(EXCESS)
        .fix(LESS);
    NSCP_040 = Rule::error("AZ-NSCP-040", PROFILE, Both)
        .summary("No machine type of the parent is described again.")
        .why("What a machine type of the landscape can do is for its operators to say.")
        .fix("Remove the machine type from `providerConfig.machineTypes`.");
    NSCP_041 = Rule::error("AZ-NSCP-041", PROFILE, Both)
        .summary("Every machine type of `providerConfig` is listed in `spec.machineTypes`.")
        .why("A machine type that is not listed is offered to nobody.")
        .fix("Add the machine type to `spec.machineTypes`, or remove it from `providerConfig`.");
}
