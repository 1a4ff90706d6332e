//! What defaulting sets in `CloudProfiles` and `NamespacedCloudProfiles`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, NAMESPACED_CLOUD_PROFILE, PROFILES};

/// Where capabilities of an image version come from.
const FLAVORS: &str =
    "Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.";
/// How to change capabilities of an image version.
const MAPPING: &str = "Change the mapping in `providerConfig`; flavors in `spec.machineImages` are overwritten.";

rules! {
    DEF_001 = Rule::default("AZ-DEF-001", PROFILES, Both)
        .summary("An image without `capabilityFlavors` and `architecture` is one for amd64.")
        .why("Most images are.")
        .fix("Set `architecture`.")
        .informative("The value is taken for this wherever the configuration is read; the object stays as it is.");
    DEF_020 = Rule::default("AZ-DEF-020", CLOUD_PROFILE, Both)
        .summary("Image versions of a CloudProfile with `machineCapabilities` get the `capabilityFlavors` of their mapping.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_021 = Rule::default("AZ-DEF-021", PROFILES, Both)
        .summary("Of entries that map one version, the first with flavors counts.")
        .why(FLAVORS)
        .fix(MAPPING)
        .informative("The row says what AZ-DEF-020 and AZ-DEF-031 set.");
    DEF_022 = Rule::default("AZ-DEF-022", PROFILES, Both)
        .summary("Entries without flavors stand for a flavor of each architecture, with `azure-networking: [basic]` unless \
                  `acceleratedNetworking` is set.")
        .why(FLAVORS)
        .fix(MAPPING)
        .informative("The row says what AZ-DEF-020 and AZ-DEF-031 set.");
    DEF_030 = Rule::default("AZ-DEF-030", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile without `providerConfig`, or in deletion, stays as it is; an unreadable one is \
                  refused.")
        .why("Without a mapping there are no flavors to set.")
        .fix("Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and correct \
              the field that is named.")
        .informative("A refusal is answered with an error document, which names no rule.");
    DEF_031 = Rule::default("AZ-DEF-031", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image versions of a NamespacedCloudProfile get the `capabilityFlavors` of their mapping, where the parent has \
                  `machineCapabilities`.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_032 = Rule::default("AZ-DEF-032", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image mappings and machine types of `providerConfig` are merged into `status.cloudProfileSpec`.")
        .why("Shoots read what the parent and the profile offer from the status alone.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.");
}
