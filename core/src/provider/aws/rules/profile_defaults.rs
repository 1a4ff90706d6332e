//! What defaulting sets in `CloudProfiles` and `NamespacedCloudProfiles`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, NAMESPACED_CLOUD_PROFILE, PROFILES};

/// Why a row about skipping sets nothing.
const SKIPPED: &str = "The row says when nothing is set; it sets nothing.";
/// Why a row about decoding sets nothing.
const DECODED: &str = "The value is taken for this wherever the configuration is read; the object stays as it is.";
/// Where capabilities of an image version come from.
const FLAVORS: &str =
    "Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.";
/// How to change capabilities of an image version.
const MAPPING: &str = "Change the flavors in `providerConfig`; those in `spec.machineImages` are overwritten.";

rules! {
    DEF_003 = Rule::default("AWS-DEF-003", PROFILES, Both)
        .summary("An AMI of `regions` without `architecture` is one for amd64.")
        .why("Most AMIs are.")
        .fix("Set `architecture` of the region.")
        .informative(DECODED);
    DEF_004 = Rule::default("AWS-DEF-004", PROFILES, Both)
        .summary("An AMI of a flavor has no `architecture`; the architecture `ignore` is none.")
        .why("The flavor's capabilities have the architecture.")
        .fix("Remove `architecture` from the region.")
        .informative(DECODED);
    DEF_005 = Rule::default("AWS-DEF-005", &["Worker"], Both)
        .summary("An image of a Worker's status without `architecture` is one for amd64.")
        .why("Older versions of the extension recorded none.")
        .fix("Nothing is to be done: the status is written by the extension.")
        .informative("No function of the policy reads the status of a Worker.");
    DEF_030 = Rule::default("AWS-DEF-030", CLOUD_PROFILE, Both)
        .summary("A CloudProfile without `providerConfig` or `machineCapabilities`, or in deletion, stays as it is.")
        .why("Without capabilities there are no flavors to set.")
        .fix("Define `spec.machineCapabilities` to have flavors set.")
        .informative(SKIPPED);
    DEF_031 = Rule::default("AWS-DEF-031", CLOUD_PROFILE, Both)
        .summary("Image versions of a CloudProfile get the `capabilityFlavors` of their mapping in `providerConfig`.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_032 = Rule::default("AWS-DEF-032", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile without `providerConfig`, or in deletion, stays as it is.")
        .why("Without a mapping there are no flavors to set.")
        .fix("Add `spec.providerConfig` to have flavors set.")
        .informative(SKIPPED);
    DEF_033 = Rule::default("AWS-DEF-033", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image versions of a NamespacedCloudProfile get the `capabilityFlavors` of their mapping.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_034 = Rule::default("AWS-DEF-034", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image mappings of `providerConfig` are merged into `status.cloudProfileSpec`.")
        .why("Shoots read the parent's and the profile's images from the status alone.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.");
}
