//! Advice beyond what rejects: what is deprecated, has no effect, replaces machines, or is refused by GCP later.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

const BACKUPS: &[&str] = &["Seed", "BackupBucket"];

/// How to take a change that replaces nodes.
const PLAN: &str =
    "Keep the old value, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption budgets.";

rules! {
    ADV_001 = Rule::warning("GCP-ADV-001", SHOOT, Both)
        .summary("`networks.workers` is used instead of the deprecated `worker`.")
        .why("`worker` is the old name of the field, and may go.")
        .fix("Rename `worker` to `workers` and keep the CIDR.");
    ADV_002 = Rule::warning("GCP-ADV-002", SHOOT, Both)
        .summary("`networks` has one of `workers` and `worker`.")
        .why("`worker` has no effect next to `workers`.")
        .fix("Remove `worker`.");
    ADV_003 = Rule::warning("GCP-ADV-003", SHOOT, Both)
        .summary("The range of the workers has an address for every node that the pools may have.")
        .why("Every node takes an address, and GCP reserves four in each subnet; the pools stop short of `maximum`.")
        .fix("Widen `networks.workers` and `spec.networking.nodes`, or lower `maximum`.");
    ADV_004 = Rule::warning("GCP-ADV-004", SHOOT, Both)
        .summary("The addresses of `natIPNames` have ports for every node that the pools may have.")
        .why("Cloud NAT gives each node `minPortsPerVM` of the 64512 ports of an address; a node without ports reaches nothing \
              outside.")
        .fix("Add addresses to `natIPNames`, lower `minPortsPerVM`, or set `enableDynamicPortAllocation: true` with a small \
              `minPortsPerVM`.");
    ADV_005 = Rule::warning("GCP-ADV-005", SHOOT, Create)
        .summary("Without overlay, pods of an existing VPC have a range of their own.")
        .why("Pods are reached by routes of the VPC; Shoots whose pod ranges overlap in one VPC do not work.")
        .fix("Choose a `spec.networking.pods` that nothing else in the VPC uses, or set `overlay.enabled: true`.");
    ADV_006 = Rule::warning("GCP-ADV-006", SHOOT, Both)
        .summary("A Shoot for production sets no feature gates of the cloud controller manager.")
        .why("Alpha features or disabled stable ones can make the cluster unstable.")
        .fix("Remove `cloudControllerManager.featureGates`, or try them on a Shoot of another `purpose`.");
    ADV_007 = Rule::warning("GCP-ADV-007", SHOOT, Both)
        .summary("`spec.kubernetes.version` is a text, not a number.")
        .why("YAML reads `1.30` as the number 1.3, which is another version.")
        .fix("Put the version into quotes, for example `\"1.30.4\"`.");
    ADV_008 = Rule::warning("GCP-ADV-008", SHOOT, Both)
        .summary("A data volume is not created from the image of the machines.")
        .why("Garden Linux finds its file systems by label; a second disk from such an image has the same labels, and the node \
              may start from the wrong one.")
        .fix("Remove `sourceImage`, or make sure that the image has no file system with a label of the operating system.");
    ADV_009 = Rule::warning("GCP-ADV-009", SHOOT, Both)
        .summary("A boot disk is neither `hyperdisk-extreme` nor `hyperdisk-throughput`.")
        .why("GCP starts no instance from such a disk.")
        .fix("Choose another `volume.type`, for example `hyperdisk-balanced`.");
    ADV_010 = Rule::warning("GCP-ADV-010", SHOOT, Both)
        .summary("A pool of machines that come with GPUs says so in `gpu`.")
        .why("Without `gpu`, the cluster-autoscaler does not know of the GPUs, and instances are not stopped for maintenance.")
        .fix("Set `gpu.acceleratorType` to the type that is named, and `gpu.count` to the number that the machine type has.");
    ADV_011 = Rule::warning("GCP-ADV-011", SHOOT, Update)
        .summary("The `providerConfig` of a worker pool stays as it is.")
        .why("Instances get it when GCP creates them, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_012 = Rule::warning("GCP-ADV-012", SHOOT, Update)
        .summary("Machine type, image and volumes of a worker pool stay as they are.")
        .why("They come with the machine, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_013 = Rule::warning("GCP-ADV-013", SHOOT, Both)
        .summary("`nodeTemplate.capacity` has `cpu`, `gpu` and `memory`.")
        .why("The cluster-autoscaler takes what is left out as 0 when it starts nodes from zero.")
        .fix("Add the missing resources, as the nodes have them.");
    ADV_014 = Rule::warning("GCP-ADV-014", SHOOT, Both)
        .summary("`defaultStorageClass` goes with `managedDefaultStorageClass`.")
        .why("Where Gardener marks no class as the default one, the choice has no effect.")
        .fix("Remove `defaultStorageClass`, or set `managedDefaultStorageClass: true`.");
    ADV_020 = Rule::warning("GCP-ADV-020", BACKUPS, Update)
        .summary("`immutability` of backups is not removed.")
        .why("New backups can be changed and deleted at once.")
        .fix("Restore `immutability`, or make sure that nobody needs the protection.");
    ADV_021 = Rule::warning("GCP-ADV-021", BACKUPS, Update)
        .summary("`immutability.locked` is set only once the retention is right.")
        .why("Nobody can unlock or shorten a locked retention, and the bucket cannot be deleted while objects are retained.")
        .fix("Set `locked: false` until you are sure of `retentionPeriod`.");
    ADV_022 = Rule::warning("GCP-ADV-022", &["Secret", "SecretBinding", "CredentialsBinding"], Both)
        .summary("No key of a Secret is another one, misspelt.")
        .why("Nobody reads the misspelt key, and Gardener misses the right one.")
        .fix("Rename the key; upper and lower case count.");
}
