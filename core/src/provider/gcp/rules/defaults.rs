//! What `default` sets in a Shoot, and what a webhook in seeds sets.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, SHOOT};

/// Why a row about webhooks sets nothing here.
const WEBHOOK: &str = "A webhook in the seed does this, not `default`.";
/// Why a row sets nothing.
const SKIPPED: &str = "The row says when nothing is set.";
/// Why a row about a refusal sets nothing.
const REFUSED: &str = "A refusal is answered with an error document, which names no rule.";
/// Why the network is left alone.
const LEFT_ALONE: &str = "Defaults are for a specification that somebody writes.";
/// How credentials come to the control plane.
const MOUNTED: &str = "Components of the control plane read the token and its configuration from files.";

rules! {
    DEF_002 = Rule::default("GCP-DEF-002", SHOOT, Both)
        .summary("`storage` without `managedDefaultStorageClass` has `true`.")
        .why("Gardener's storage class is the default one, unless you bring your own.")
        .fix("Set `storage.managedDefaultStorageClass: false` to choose another default class in the cluster.")
        .informative("The program that reads the configuration fills this in; the object does not change.");
    DEF_003 = Rule::default("GCP-DEF-003", SHOOT, Both)
        .summary("`storage` without `managedDefaultVolumeSnapshotClass` has `true`.")
        .why("Gardener's volume snapshot class is the default one, unless you bring your own.")
        .fix("Set `storage.managedDefaultVolumeSnapshotClass: false` to choose another default class in the cluster.")
        .informative("The program that reads the configuration fills this in; the object does not change.");
    DEF_010 = Rule::default("GCP-DEF-010", SHOOT, Create)
        .summary("A new Shoot gets `networking.providerConfig.overlay.enabled: false`.")
        .why("Routes of the VPC reach pods faster than an overlay.")
        .fix("Set `overlay.enabled: true` in `spec.networking.providerConfig` to have an overlay.");
    DEF_011 = Rule::default("GCP-DEF-011", SHOOT, Update)
        .summary("`networking.providerConfig.overlay` is kept where it is left out.")
        .why("Switching the overlay of a running cluster by omission would disturb its traffic.")
        .fix("Write `overlay.enabled` explicitly to change it.");
    DEF_012 = Rule::default("GCP-DEF-012", SHOOT, Both)
        .summary("A network without overlay gets `snatToUpstreamDNS.enabled: false`.")
        .why("Without an overlay, the VPC knows the addresses of pods, and answers find their way back.")
        .fix("Set `overlay.enabled: true` in `spec.networking.providerConfig` to have the translation of addresses.");
    DEF_013 = Rule::default("GCP-DEF-013", SHOOT, Both)
        .summary("`networking.providerConfig` is an object, at least `{}`.")
        .why("The network defaults are set in it.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    DEF_014 = Rule::default("GCP-DEF-014", SHOOT, Both)
        .summary("A Shoot that moves to another seed stays as it is.")
        .why(LEFT_ALONE)
        .fix("Wait until the Shoot has moved.")
        .informative(SKIPPED);
    DEF_015 = Rule::default("GCP-DEF-015", SHOOT, Update)
        .summary("A Shoot that is being migrated or restored stays as it is.")
        .why(LEFT_ALONE)
        .fix("Wait until the Shoot is restored.")
        .informative(SKIPPED);
    DEF_016 = Rule::default("GCP-DEF-016", SHOOT, Update)
        .summary("A Shoot whose specification does not change stays as it is.")
        .why(LEFT_ALONE)
        .fix("Write the setting that you want.")
        .informative(SKIPPED);
    DEF_017 = Rule::default("GCP-DEF-017", SHOOT, Both)
        .summary("A Shoot without workers or in deletion stays as it is.")
        .why(LEFT_ALONE)
        .fix("Add workers.")
        .informative(SKIPPED);
    DEF_018 = Rule::default("GCP-DEF-018", SHOOT, Both)
        .summary("A `networking.providerConfig` that is no object is refused.")
        .why("The network defaults are set in it.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.")
        .informative(REFUSED);
    DEF_019 = Rule::default("GCP-DEF-019", SHOOT, Both)
        .summary("An `overlay` without a boolean `enabled` is refused.")
        .why("Nobody should guess whether the cluster has an overlay.")
        .fix("Set `overlay.enabled` to `true` or `false`, or remove `overlay`.")
        .informative(REFUSED);
    DEF_040 = Rule::default("GCP-DEF-040", SECRET, Both)
        .summary("The Secret `cloudprovider` of a WorkloadIdentity gets `credentialsConfig` and `projectID`.")
        .why(MOUNTED)
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_041 = Rule::default("GCP-DEF-041", SECRET, Both)
        .summary("`credentialsConfig` is that of the WorkloadIdentity with the file of the token as `credential_source`.")
        .why(MOUNTED)
        .fix("Change the WorkloadIdentity.")
        .informative(WEBHOOK);
    DEF_042 = Rule::default("GCP-DEF-042", SECRET, Both)
        .summary("A Secret `cloudprovider` whose `config` is not readable is refused.")
        .why(MOUNTED)
        .fix("Correct the WorkloadIdentity.")
        .informative(WEBHOOK);
    DEF_043 = Rule::default("GCP-DEF-043", SECRET, Both)
        .summary("Other Secrets stay as they are.")
        .why("A service account key needs nothing more.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
}
