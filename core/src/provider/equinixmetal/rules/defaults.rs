//! What webhooks of the existing extension set. Shoots and CloudProfiles are left as they are.

use crate::report::{Operation::Both, Rule};
use crate::rules;

const WEBHOOK: &str = "It changes an object of the control plane or of the cluster, and comes with the webhooks.";

rules! {
    DEF_001 = Rule::default("EQX-DEF-001", &["Etcd"], Both)
        .summary("Every Etcd gets storage class and capacity: 10Gi, for `etcd-main` as configured.")
        .why("The seed's operator chooses the disks; existing ones follow.")
        .fix("Set `etcd.storage` in the extension's configuration.")
        .informative(WEBHOOK);
    DEF_002 = Rule::default("EQX-DEF-002", &["ConfigMap"], Both)
        .summary("The resource manager gets `metallb-system` as a target namespace.")
        .why("It is meant for MetalLB, whose objects are in `kube-system` though.")
        .fix("Nothing; the entry may be there several times.")
        .informative(WEBHOOK);
    DEF_003 = Rule::default("EQX-DEF-003", &["Deployment"], Both)
        .summary("`vpn-shoot` gets an init container that writes down the node network.")
        .why("The network is known on the device only.")
        .fix("Nothing: it runs once per pod.")
        .informative(WEBHOOK);
}
