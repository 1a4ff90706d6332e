//! What defaulting sets in `CloudProfiles` and `NamespacedCloudProfiles`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, NAMESPACED_CLOUD_PROFILE, PROFILES};

/// Why a row about skipping sets nothing.
const SKIPPED: &str = "The row says when nothing is set; it sets nothing.";
/// Why a row about a refusal sets nothing.
const REFUSED: &str = "A refusal is answered with an error document, which names no rule.";
/// Where capabilities of an image version come from.
const FLAVORS: &str =
    "Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.";
/// How to change capabilities of an image version.
const MAPPING: &str = "Change the mapping in `providerConfig`; flavors in `spec.machineImages` are overwritten.";
/// How to make a `CloudProfileConfig` readable.
const DECODE: &str = "Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and \
                      correct the field that is named.";

rules! {
    DEF_001 = Rule::default("GCP-DEF-001", PROFILES, Both)
        .summary("An image without `capabilityFlavors` and `architecture` is one for amd64.")
        .why("Most images are.")
        .fix("Set `architecture`.")
        .informative("The value is taken for this wherever the configuration is read; the object stays as it is.");
    DEF_020 = Rule::default("GCP-DEF-020", CLOUD_PROFILE, Both)
        .summary("A CloudProfile without `providerConfig` or `machineCapabilities`, or in deletion, stays as it is.")
        .why("Without capabilities there are no flavors to set.")
        .fix("Define `spec.machineCapabilities` to have flavors set.")
        .informative(SKIPPED);
    DEF_021 = Rule::default("GCP-DEF-021", CLOUD_PROFILE, Both)
        .summary("A CloudProfile with `machineCapabilities` and an unreadable `providerConfig` is refused.")
        .why(FLAVORS)
        .fix(DECODE)
        .informative(REFUSED);
    DEF_022 = Rule::default("GCP-DEF-022", CLOUD_PROFILE, Both)
        .summary("Image versions of a CloudProfile get the `capabilityFlavors` of their mapping in `providerConfig`.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_023 = Rule::default("GCP-DEF-023", PROFILES, Both)
        .summary("Entries without flavors stand for a flavor of each architecture, in order.")
        .why(FLAVORS)
        .fix(MAPPING)
        .informative("The row says what GCP-DEF-022 and GCP-DEF-032 set.");
    DEF_024 = Rule::default("GCP-DEF-024", PROFILES, Both)
        .summary("Flavors of mapped versions are overwritten; of images and versions with one name, the first is meant.")
        .why(FLAVORS)
        .fix(MAPPING)
        .informative("The row says where GCP-DEF-022 and GCP-DEF-032 set flavors.");
    DEF_030 = Rule::default("GCP-DEF-030", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile without `providerConfig`, or in deletion, stays as it is.")
        .why("Without a mapping there are no flavors to set.")
        .fix("Add `spec.providerConfig` to have flavors set.")
        .informative(SKIPPED);
    DEF_031 = Rule::default("GCP-DEF-031", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile with an unreadable `providerConfig` is refused.")
        .why(FLAVORS)
        .fix(DECODE)
        .informative(REFUSED);
    DEF_032 = Rule::default("GCP-DEF-032", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image versions of a NamespacedCloudProfile get the `capabilityFlavors` of their mapping.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_033 = Rule::default("GCP-DEF-033", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image mappings of `providerConfig` are merged into `status.cloudProfileSpec`.")
        .why("Shoots read the parent's and the profile's images from the status alone.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.");
    DEF_034 = Rule::default("GCP-DEF-034", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("The status keeps every entry of a version: its own first, then those of `spec.providerConfig`.")
        .why("A version has an entry for each architecture.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.")
        .informative("The row says how GCP-DEF-033 merges.");
    DEF_035 = Rule::default("GCP-DEF-035", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile with an unreadable `providerConfig` in its status is refused.")
        .why("Image mappings cannot be merged into what is not readable.")
        .fix("Correct the parent CloudProfile, from which Gardener writes the status.")
        .informative(REFUSED);
}
