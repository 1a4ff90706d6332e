//! What defaulting sets in Shoots, `CloudProfiles` and `NamespacedCloudProfiles`, and what a webhook on Seeds sets
//! in the Secret `cloudprovider`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{CLOUD_PROFILE, NAMESPACED_CLOUD_PROFILE, PROFILES, SECRET, SHOOT};

/// Why a row about skipping sets nothing.
const SKIPPED: &str = "The row says when nothing is set; it sets nothing.";
/// Why a row about a refusal sets nothing.
const REFUSED: &str = "A refusal is answered with an error document, which names no rule.";
/// Why a row about the Secret `cloudprovider` sets nothing.
const WEBHOOK: &str =
    "A webhook on Seeds changes the Secret of the control plane; no function of the policy does.";
/// Where capabilities of an image version come from.
const FLAVORS: &str =
    "Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.";
/// How to change capabilities of an image version.
const MAPPING: &str = "Change the flavors in `providerConfig`; those in `spec.machineImages` are overwritten.";
/// How to make a `CloudProfileConfig` readable.
const DECODE: &str = "Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and \
                      `kind: CloudProfileConfig`, and correct the field that is named.";

rules! {
    DEF_001 = Rule::default("OS-DEF-001", SHOOT, Both)
        .summary("A Shoot that moves to another Seed stays as it is.")
        .why("Both Seeds must see the same Shoot.")
        .fix("Wait until the Shoot has moved.")
        .informative(SKIPPED);
    DEF_002 = Rule::default("OS-DEF-002", SHOOT, Update)
        .summary("A Shoot in migration or restoration stays as it is.")
        .why("Both Seeds must see the same Shoot.")
        .fix("Wait until the Shoot is restored.")
        .informative(SKIPPED);
    DEF_003 = Rule::default("OS-DEF-003", SHOOT, Update)
        .summary("A Shoot whose `spec` does not change stays as it is.")
        .why("Labels and annotations must not alter a running cluster.")
        .fix("Change `spec` to have defaults set.")
        .informative(SKIPPED);
    DEF_004 = Rule::default("OS-DEF-004", SHOOT, Both)
        .summary("A Shoot without workers or in deletion stays as it is.")
        .why("Defaults of OpenStack are about nodes.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative(SKIPPED);
    DEF_005 = Rule::default("OS-DEF-005", SHOOT, Both)
        .summary("The default `overlay` is on for Calico and Cilium, unless an operator decides otherwise, else off.")
        .why("Pods reach each other across nodes without routes of OpenStack.")
        .fix("Set `overlay.enabled` in `spec.networking.providerConfig` yourself.")
        .informative("The row says the value that OS-DEF-006 and OS-DEF-008 set.");
    DEF_006 = Rule::default("OS-DEF-006", SHOOT, Create)
        .summary("`networking.providerConfig.overlay` of a new Shoot gets the default of its network type.")
        .why("Whether pods use an overlay must be settled before the cluster runs.")
        .fix("Set `overlay.enabled` in `spec.networking.providerConfig` yourself.");
    DEF_007 = Rule::default("OS-DEF-007", SHOOT, Update)
        .summary("`networking.providerConfig.overlay` is kept where it is left out.")
        .why("Switching the overlay of a running cluster by omission would disturb its traffic.")
        .fix("Write `overlay.enabled` explicitly to change it.");
    DEF_008 = Rule::default("OS-DEF-008", SHOOT, Both)
        .summary("A network without overlay gets `overlay.createPodRoutes: true`.")
        .why("Without an overlay pods are reached by routes between nodes.")
        .fix("Set `overlay.createPodRoutes` in `spec.networking.providerConfig` yourself.");
    DEF_009 = Rule::default("OS-DEF-009", SHOOT, Both)
        .summary("`networking.providerConfig` is written as a compact JSON object, at least `{}`.")
        .why("The network defaults are set in it, so it must be an object.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    DEF_010 = Rule::default("OS-DEF-010", SHOOT, Both)
        .summary("An `overlay` object without a boolean `enabled` is refused.")
        .why("Nobody should guess whether the cluster has an overlay.")
        .fix("Set `overlay.enabled` to `true` or `false`, or remove `overlay`.")
        .informative(REFUSED);
    DEF_011 = Rule::default("OS-DEF-011", SHOOT, Both)
        .summary("A `networking.providerConfig` that is no object is refused.")
        .why("The network defaults are set in it.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.")
        .informative(REFUSED);
    DEF_012 = Rule::default("OS-DEF-012", SHOOT, Both)
        .summary("An enabled node-local DNS gets `forceTCPToUpstreamDNS: false`.")
        .why("Gardener's own default is TCP, which networks of OpenStack do not need.")
        .fix("Set `systemComponents.nodeLocalDNS.forceTCPToUpstreamDNS` yourself.");
    DEF_020 = Rule::default("OS-DEF-020", CLOUD_PROFILE, Both)
        .summary("A CloudProfile without `providerConfig` or `machineCapabilities`, or in deletion, stays as it is.")
        .why("Without capabilities there are no flavors to set.")
        .fix("Define `spec.machineCapabilities` to have flavors set.")
        .informative(SKIPPED);
    DEF_021 = Rule::default("OS-DEF-021", CLOUD_PROFILE, Both)
        .summary("A CloudProfile with `machineCapabilities` and an unreadable `providerConfig` is refused.")
        .why(FLAVORS)
        .fix(DECODE)
        .informative(REFUSED);
    DEF_022 = Rule::default("OS-DEF-022", PROFILES, Both)
        .summary("Image versions get the `capabilityFlavors` of their mapping in `providerConfig`.")
        .why(FLAVORS)
        .fix(MAPPING);
    DEF_023 = Rule::default("OS-DEF-023", PROFILES, Both)
        .summary("Of several mappings of one image version the last one counts.")
        .why("Mappings are read in their order.")
        .fix("Map each version once.")
        .informative("The row says which mapping OS-DEF-022 takes.");
    DEF_030 = Rule::default("OS-DEF-030", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile without `providerConfig`, or in deletion, stays as it is.")
        .why("Without a mapping there are no flavors to set.")
        .fix("Add `spec.providerConfig` to have flavors set.")
        .informative(SKIPPED);
    DEF_031 = Rule::default("OS-DEF-031", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile with an unreadable `providerConfig` is refused.")
        .why(FLAVORS)
        .fix(DECODE)
        .informative(REFUSED);
    DEF_032 = Rule::default("OS-DEF-032", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile whose parent does not exist is refused.")
        .why("The parent's `machineCapabilities` decide whether image versions get flavors.")
        .fix("Set `spec.parent.name` to an existing CloudProfile.")
        .informative(REFUSED);
    DEF_033 = Rule::default("OS-DEF-033", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image mappings of `providerConfig` are merged into `status.cloudProfileSpec`.")
        .why("Shoots read the parent's and the profile's images from the status alone.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.");
    DEF_034 = Rule::default("OS-DEF-034", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("An image version of `spec.providerConfig` replaces the one of the status.")
        .why("The profile knows its own images best.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.")
        .informative("The row says how OS-DEF-033 merges.");
    DEF_035 = Rule::default("OS-DEF-035", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("A NamespacedCloudProfile with an unreadable `providerConfig` in its status is refused.")
        .why("Image mappings cannot be merged into what is not readable.")
        .fix("Correct the parent CloudProfile, from which Gardener writes the status.")
        .informative(REFUSED);
    DEF_040 = Rule::default("OS-DEF-040", SECRET, Both)
        .summary("The Secret `cloudprovider` stays as it is where the CloudProfile has no `providerConfig`.")
        .why("Keystone's URL is known from it only.")
        .fix("Add `spec.providerConfig` to the CloudProfile.")
        .informative(WEBHOOK);
    DEF_041 = Rule::default("OS-DEF-041", SECRET, Both)
        .summary("`authURL` becomes the Keystone URL of the Shoot's region, else `keystoneURL`.")
        .why("Credentials go to the Keystone of the CloudProfile only.")
        .fix("Set `keystoneURLs` or `keystoneURL` in the CloudProfile.")
        .informative(WEBHOOK);
    DEF_042 = Rule::default("OS-DEF-042", SECRET, Both)
        .summary("`caCert` becomes that of the Keystone URL, else `keystoneCACert`.")
        .why("Clients check Keystone's certificate with it.")
        .fix("Set `caCert` or `keystoneCACert` in the CloudProfile.")
        .informative(WEBHOOK);
    DEF_043 = Rule::default("OS-DEF-043", SECRET, Both)
        .summary("`insecure` becomes `true` with `keystoneForceInsecure`, else the webhook removes `insecure`.")
        .why("Operators alone decide whether certificates are checked.")
        .fix("Set `keystoneForceInsecure` in the CloudProfile.")
        .informative(WEBHOOK);
    DEF_044 = Rule::default("OS-DEF-044", SECRET, Both)
        .summary("A Secret `cloudprovider` is refused where the CloudProfile's `providerConfig` is not readable.")
        .why("Keystone's URL is known from it only.")
        .fix(DECODE)
        .informative(WEBHOOK);
}
