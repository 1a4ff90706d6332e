//! What `default` sets in a Shoot, and what webhooks in seeds set.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a row about webhooks sets nothing here.
const WEBHOOK: &str = "A webhook in the seed does this, not `default`.";
/// Why a row about readers sets nothing here.
const READER: &str = "The program that reads the configuration fills this in; the object does not change.";
/// Why a row sets nothing.
const SKIPPED: &str = "The row says when nothing is set.";
/// What to do about a row that sets nothing.
const NOTHING: &str = "Nothing is to be done.";
/// What the zone of a migration is for.
const MIGRATION: &str = "The zone that takes over the one subnet has to be known until its machines are replaced.";
/// Why the control plane needs credentials.
const CLOUD: &str = "Components of the control plane log in to Azure with them.";
/// How a seed of Azure names zones and disks.
const SEED: &str = "Gardener names zones by their numbers, and Azure by region and number.";

rules! {
    DEF_002 = Rule::default("AZ-DEF-002", SHOOT, Both)
        .summary("`storage` without `managedDefaultStorageClass` or `managedDefaultVolumeSnapshotClass` has `true`.")
        .why("Gardener's classes are the default ones, unless you bring your own.")
        .fix("Set the field to `false` to choose another default class in the cluster.")
        .informative(READER);
    DEF_003 = Rule::default("AZ-DEF-003", SHOOT, Both)
        .summary("An `InfrastructureStatus` without `outboundAccessType` has `LoadBalancer`.")
        .why("Older clusters reach the internet through the load balancer.")
        .fix(NOTHING)
        .informative(READER);
    DEF_010 = Rule::default("AZ-DEF-010", SHOOT, Both)
        .summary("A Shoot that moves, is being deleted or does not change, and one without workers, stays as it is.")
        .why("Defaults are for a specification that somebody writes.")
        .fix("Write the setting that you want.")
        .informative(SKIPPED);
    DEF_011 = Rule::default("AZ-DEF-011", SHOOT, Both)
        .summary("`networking.providerConfig` is filled in where the network plug-in is Cilium, or nobody chose one.")
        .why("Calico has no overlay on Azure.")
        .fix("Choose the network plug-in in `spec.networking.type`.")
        .informative(SKIPPED);
    DEF_012 = Rule::default("AZ-DEF-012", SHOOT, Create)
        .summary("A new Shoot gets `networking.providerConfig.overlay.enabled: false`.")
        .why("Routes of the virtual network reach pods faster than an overlay.")
        .fix("Set `overlay.enabled: true` in `spec.networking.providerConfig` to have an overlay.");
    DEF_013 = Rule::default("AZ-DEF-013", SHOOT, Update)
        .summary("`networking.providerConfig.overlay` is kept where it is left out.")
        .why("Switching the overlay of a running cluster by omission would disturb its traffic.")
        .fix("Write `overlay.enabled` explicitly to change it.");
    DEF_014 = Rule::default("AZ-DEF-014", SHOOT, Both)
        .summary("`networking.providerConfig` is an object, at least `{}`.")
        .why("The network defaults are set in it.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    DEF_015 = Rule::default("AZ-DEF-015", SHOOT, Both)
        .summary("An enabled node-local DNS gets `forceTCPToUpstreamDNS: false`.")
        .why("The DNS of Azure answers by UDP.")
        .fix("Set `forceTCPToUpstreamDNS: true` in `spec.systemComponents.nodeLocalDNS` to ask by TCP.");
    DEF_040 = Rule::default("AZ-DEF-040", SHOOT, Update)
        .summary("An `Infrastructure` with a readable configuration gets the zone of a migration.")
        .why(MIGRATION)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_041 = Rule::default("AZ-DEF-041", SHOOT, Update)
        .summary("The zone of a migration is forgotten where no zone has it any more.")
        .why(MIGRATION)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_042 = Rule::default("AZ-DEF-042", SHOOT, Update)
        .summary("An `Infrastructure` without zones has no zone of a migration.")
        .why(MIGRATION)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_043 = Rule::default("AZ-DEF-043", SHOOT, Update)
        .summary("The zone of a migration is restored from the state.")
        .why(MIGRATION)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_044 = Rule::default("AZ-DEF-044", SHOOT, Update)
        .summary("An `Infrastructure` that has subnets in zones already gets no zone of a migration.")
        .why(MIGRATION)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_045 = Rule::default("AZ-DEF-045", SHOOT, Update)
        .summary("The zone of a migration is the first with the range that the workers had.")
        .why(MIGRATION)
        .fix("Give one zone the range that `networks.workers` had.")
        .informative(WEBHOOK);
    DEF_050 = Rule::default("AZ-DEF-050", SHOOT, Both)
        .summary("A `Network` with Calico gets the backend `none`.")
        .why("Routes of the virtual network lead to pods.")
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_060 = Rule::default("AZ-DEF-060", SHOOT, Both)
        .summary("Calico with eBPF finds the interface of accelerated networking.")
        .why("The interface has another name then.")
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_070 = Rule::default("AZ-DEF-070", SHOOT, Create)
        .summary("Pods in a seed on Azure get zones with the name of the region.")
        .why(SEED)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_071 = Rule::default("AZ-DEF-071", SHOOT, Both)
        .summary("A control plane with high availability has zones without the name of the region.")
        .why(SEED)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_080 = Rule::default("AZ-DEF-080", SHOOT, Both)
        .summary("The Secret `cloudprovider` of a WorkloadIdentity gets `clientID`, `tenantID`, `subscriptionID` and the file of the token.")
        .why(CLOUD)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_081 = Rule::default("AZ-DEF-081", SHOOT, Both)
        .summary("A Secret `cloudprovider` without `tenantID` is refused.")
        .why(CLOUD)
        .fix("Set `tenantID` in the Secret.")
        .informative(WEBHOOK);
    DEF_082 = Rule::default("AZ-DEF-082", SHOOT, Both)
        .summary("A Secret `cloudprovider` with `clientID` or `clientSecret` stays as it is.")
        .why(CLOUD)
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_083 = Rule::default("AZ-DEF-083", SHOOT, Both)
        .summary("A Secret `cloudprovider` without a client gets the one that the operator has for the tenant.")
        .why(CLOUD)
        .fix("Set `clientID` and `clientSecret` in the Secret.")
        .informative(WEBHOOK);
    DEF_090 = Rule::default("AZ-DEF-090", SHOOT, Both)
        .summary("An `Etcd` in a seed on Azure gets a volume of 10 GiB.")
        .why("Backups of etcd need a volume.")
        .fix(NOTHING)
        .informative(WEBHOOK);
    DEF_091 = Rule::default("AZ-DEF-091", SHOOT, Both)
        .summary("The `Etcd` `etcd-main` gets the volume that the operator chose.")
        .why("The main etcd needs a faster volume.")
        .fix(NOTHING)
        .informative(WEBHOOK);
}
