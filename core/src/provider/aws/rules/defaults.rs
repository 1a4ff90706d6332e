//! What `default` sets in a Shoot, and what webhooks in seeds and Shoots set.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, SHOOT};

/// Why a row about webhooks sets nothing here.
const WEBHOOK: &str = "A webhook in the seed or in the Shoot does this, not `default`.";
/// Why a row sets nothing.
const SKIPPED: &str = "The row says when nothing is set.";
/// Why the network is left alone.
const LEFT_ALONE: &str = "Defaults are for a specification that somebody writes.";

const ETCD: &[&str] = &["Etcd"];
const SERVICE: &[&str] = &["Service"];

rules! {
    DEF_001 = Rule::default("AWS-DEF-001", SHOOT, Both)
        .summary("A written `controlPlaneConfig` without `storage` gets it.")
        .why("The default of AWS-DEF-002 stands in it.")
        .fix("Set `storage` yourself.")
        .informative("AWS-DEF-002 sets `storage` together with its member.");
    DEF_002 = Rule::default("AWS-DEF-002", SHOOT, Both)
        .summary("A written `controlPlaneConfig` gets `storage.managedDefaultClass: true`.")
        .why("Gardener's storage class is the default one, unless you bring your own.")
        .fix("Set `storage.managedDefaultClass: false` to choose another default class in the cluster.");
    DEF_010 = Rule::default("AWS-DEF-010", SHOOT, Both)
        .summary("A Shoot that moves to another seed stays as it is.")
        .why(LEFT_ALONE)
        .fix("Wait until the Shoot has moved.")
        .informative(SKIPPED);
    DEF_011 = Rule::default("AWS-DEF-011", SHOOT, Update)
        .summary("A Shoot that is being migrated or restored stays as it is.")
        .why(LEFT_ALONE)
        .fix("Wait until the Shoot is restored.")
        .informative(SKIPPED);
    DEF_012 = Rule::default("AWS-DEF-012", SHOOT, Update)
        .summary("A Shoot whose specification does not change stays as it is.")
        .why(LEFT_ALONE)
        .fix("Write the setting that you want.")
        .informative(SKIPPED);
    DEF_013 = Rule::default("AWS-DEF-013", SHOOT, Both)
        .summary("A Shoot without workers stays as it is.")
        .why("It has nothing on AWS.")
        .fix("Add workers.")
        .informative(SKIPPED);
    DEF_014 = Rule::default("AWS-DEF-014", SHOOT, Both)
        .summary("A Shoot that is being deleted stays as it is.")
        .why(LEFT_ALONE)
        .fix("Nothing is to be done.")
        .informative(SKIPPED);
    DEF_020 = Rule::default("AWS-DEF-020", SHOOT, Create)
        .summary("A new Shoot gets `networking.providerConfig.overlay.enabled: false`.")
        .why("Routes of the VPC reach pods faster than an overlay.")
        .fix("Set `overlay.enabled: true` in `spec.networking.providerConfig` to have an overlay.");
    DEF_021 = Rule::default("AWS-DEF-021", SHOOT, Update)
        .summary("`networking.providerConfig.overlay` is kept where it is left out.")
        .why("Switching the overlay of a running cluster by omission would disturb its traffic.")
        .fix("Write `overlay.enabled` explicitly to change it.");
    DEF_022 = Rule::default("AWS-DEF-022", SHOOT, Both)
        .summary("`networking.providerConfig` is an object, at least `{}`.")
        .why("The network defaults are set in it.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    DEF_023 = Rule::default("AWS-DEF-023", SHOOT, Both)
        .summary("An `overlay` object without a boolean `enabled` is refused.")
        .why("Nobody should guess whether the cluster has an overlay.")
        .fix("Set `overlay.enabled` to `true` or `false`, or remove `overlay`.")
        .informative("`default` answers with an error instead of a change.");
    DEF_024 = Rule::default("AWS-DEF-024", SHOOT, Both)
        .summary("A `controlPlaneConfig` that is not readable is refused.")
        .why("Defaults are set in it.")
        .fix("Correct this field.")
        .informative("`default` answers with an error instead of a change.");
    DEF_025 = Rule::default("AWS-DEF-025", SHOOT, Both)
        .summary("`cloudControllerManager.useCustomRouteController` becomes `true` without an overlay, else `false`.")
        .why("Without an overlay each node needs a route to its pods, which the custom route controller keeps.")
        .fix("Set `overlay.enabled` in `spec.networking.providerConfig`; the field follows.");
    DEF_026 = Rule::default("AWS-DEF-026", SHOOT, Both)
        .summary("A Shoot with IPv6 alone or with both families gets `loadBalancerController.enabled: true`.")
        .why("Only the AWS Load Balancer Controller creates load balancers with IPv6.")
        .fix("Set `ipFamilies: [IPv4]` to do without the controller.");
    DEF_027 = Rule::default("AWS-DEF-027", SHOOT, Both)
        .summary("`controlPlaneConfig` is made where the Shoot has none, and says what it is.")
        .why("Defaults are set in it.")
        .fix("Write `controlPlaneConfig` with `apiVersion` and `kind`.");
    DEF_028 = Rule::default("AWS-DEF-028", SHOOT, Both)
        .summary("An enabled node-local DNS gets `forceTCPToUpstreamDNS: false`.")
        .why("Gardener's own default is TCP, which networks of AWS do not need.")
        .fix("Set `systemComponents.nodeLocalDNS.forceTCPToUpstreamDNS` yourself.");
    DEF_029 = Rule::default("AWS-DEF-029", SHOOT, Create)
        .summary("A new Shoot gets `enableMTUCustomizer: false`.")
        .why("Nodes of a VPC may send larger packets than 1460 bytes.")
        .fix("Set `enableMTUCustomizer: true` in `infrastructureConfig` where the path to other networks needs small packets.");
    DEF_040 = Rule::default("AWS-DEF-040", ETCD, Both)
        .summary("A new etcd gets the storage class and the capacity of the extension's configuration.")
        .why("The main etcd needs a fast disk.")
        .fix("Set `etcd.storage` in the configuration of the extension.")
        .informative(WEBHOOK);
    DEF_041 = Rule::default("AWS-DEF-041", ETCD, Update)
        .summary("The main etcd keeps its storage class and capacity.")
        .why("A volume cannot change its class.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_042 = Rule::default("AWS-DEF-042", SECRET, Both)
        .summary("The Secret `cloudprovider` with an access key gets a `credentialsFile`.")
        .why("Clients of AWS read credentials from such a file.")
        .fix("Provide `accessKeyID` and `secretAccessKey`.")
        .informative(WEBHOOK);
    DEF_043 = Rule::default("AWS-DEF-043", SECRET, Both)
        .summary("The Secret `cloudprovider` of a WorkloadIdentity gets `roleARN`, the path of the token and a \
                  `credentialsFile`.")
        .why("Clients of AWS exchange the token for credentials of the role.")
        .fix("Set `roleARN` in the WorkloadIdentity.")
        .informative(WEBHOOK);
    DEF_044 = Rule::default("AWS-DEF-044", &["PersistentVolumeClaimAutoscaler"], Both)
        .summary("`cooldownDuration` of a scale-up is at least 6 hours.")
        .why("Amazon EBS modifies a volume once in 6 hours.")
        .fix("Set 6 hours or more.")
        .informative(WEBHOOK);
    DEF_045 = Rule::default("AWS-DEF-045", &["ConfigMap"], Both)
        .summary("The nginx-ingress add-on uses the PROXY protocol.")
        .why("Load balancers of AWS pass on the address of a client that way.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_046 = Rule::default("AWS-DEF-046", SERVICE, Both)
        .summary("Services of type LoadBalancer are changed where the cluster's DNS has IPv6.")
        .why("Only then load balancers have both families.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_047 = Rule::default("AWS-DEF-047", SERVICE, Update)
        .summary("An existing Service without dual-stack is left to the old controller.")
        .why("Its load balancer would be replaced.")
        .fix("Set the annotation for `dualstack` to have the load balancer replaced.")
        .informative(WEBHOOK);
    DEF_048 = Rule::default("AWS-DEF-048", SERVICE, Both)
        .summary("Internal Services, and those to be ignored, stay as they are.")
        .why("Nobody outside of the VPC calls them.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_049 = Rule::default("AWS-DEF-049", SERVICE, Both)
        .summary("Other Services get the annotations of a dual-stack load balancer.")
        .why("The AWS Load Balancer Controller creates load balancers by these annotations.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
    DEF_050 = Rule::default("AWS-DEF-050", &["Pod"], Create)
        .summary("Pods of Terraform get the token of the WorkloadIdentity.")
        .why("Terraform calls AWS with it.")
        .fix("Nothing is to be done.")
        .informative(WEBHOOK);
}
