//! Provider, worker pools and what stands in them.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const TYPE: &str = "Gardener finds the extensions of the cloud by it.";
const WORKERLESS: &str = "Such a Shoot has an API server and nothing in a cloud.";
const REMOVE: &str = "Remove the field, or add `workers`.";
const NAMES: &str = "Gardener makes names of machines and disks of it.";
const LABEL: &str =
    "Write lower case letters, digits and `-`; begin and end with a letter or a digit; 15 characters at most.";
const MACHINE: &str = "Gardener cannot start a machine without it.";
const COUNT: &str = "It is a number of machines.";
const ROLL: &str = "Gardener replaces machines of a pool by it.";
const BY_HAND: &str = "Nobody but the person decides when a machine is updated.";
const NODE: &str = "Nodes of the pool get it, and the Kubernetes API refuses it.";
const KEY: &str =
    "Write a key such as `name` or `example.com/name`: letters, digits, `-`, `_` and `.`, 63 at most.";
const EFFECT: &str = "Write `NoSchedule`, `PreferNoSchedule` or `NoExecute`.";
const SKEW: &str = "Kubernetes supports a kubelet that is up to three minor versions older than its API server, and none that is newer.";
const DISK: &str = "Gardener has the cloud make a disk of that size.";
const SIZE: &str = "Write a size such as `50Gi`.";
const CRI: &str = "Gardener prepares machines for it.";
const AUTOSCALER: &str = "The cluster autoscaler does not start with such a value.";
const TIME: &str = "Write a time such as `20m`.";
const MCM: &str = "Gardener replaces machines by it.";
const SELF: &str = "The control plane of a self-hosted Shoot runs on machines of the Shoot.";
const CRED: &str = "Gardener looks up the object.";
const SYSCTL: &str = "The kernel refuses other settings.";

rules! {
    GDN_PROV_001 = Rule::error("GDN-PROV-001", SHOOT, Both)
        .summary("The Shoot names its provider.")
        .why(TYPE)
        .fix("Set `spec.provider.type` to the provider of the CloudProfile, for example `alicloud`.");
    GDN_PROV_002 = Rule::error("GDN-PROV-002", SHOOT, Both)
        .summary("The provider type is a DNS label.")
        .why(TYPE)
        .fix("Write the provider type of the CloudProfile.");
    GDN_PROV_003 = Rule::error("GDN-PROV-003", SHOOT, Both)
        .summary("A Shoot without workers has no configuration of an infrastructure.")
        .why(WORKERLESS)
        .fix(REMOVE);
    GDN_PROV_004 = Rule::error("GDN-PROV-004", SHOOT, Both)
        .summary("A Shoot without workers has no configuration of a control plane of the provider.")
        .why(WORKERLESS)
        .fix(REMOVE);
    GDN_PROV_005 = Rule::error("GDN-PROV-005", SHOOT, Both)
        .summary("A Shoot without workers has no settings of workers.")
        .why(WORKERLESS)
        .fix(REMOVE);
    GDN_WRK_001 = Rule::error("GDN-WRK-001", SHOOT, Both)
        .summary("The name of a worker pool is a DNS label.")
        .why(NAMES)
        .fix(LABEL);
    GDN_WRK_002 = Rule::error("GDN-WRK-002", SHOOT, Both)
        .summary("The name of a worker pool has 15 bytes at most.")
        .why(NAMES)
        .fix("Shorten the name.");
    GDN_WRK_003 = Rule::error("GDN-WRK-003", SHOOT, Both)
        .summary("A worker pool has a machine type.")
        .why(MACHINE)
        .fix("Set `machine.type` to a machine type of the CloudProfile.");
    GDN_WRK_004 = Rule::error("GDN-WRK-004", SHOOT, Both)
        .summary("A worker pool has a machine image.")
        .why(MACHINE)
        .fix("Set `machine.image` to an image of the CloudProfile.");
    GDN_WRK_005 = Rule::error("GDN-WRK-005", SHOOT, Both)
        .summary("A machine image has a name.")
        .why(MACHINE)
        .fix("Set `machine.image.name`.");
    GDN_WRK_006 = Rule::error("GDN-WRK-006", SHOOT, Both)
        .summary("A machine image has a version.")
        .why(MACHINE)
        .fix("Set `machine.image.version`.");
    GDN_WRK_007 = Rule::error("GDN-WRK-007", SHOOT, Both)
        .summary("`minimum` is not negative.")
        .why(COUNT)
        .fix("Write 0 or more.");
    GDN_WRK_008 = Rule::error("GDN-WRK-008", SHOOT, Both)
        .summary("`maximum` is not negative.")
        .why(COUNT)
        .fix("Write 0 or more.");
    GDN_WRK_009 = Rule::error("GDN-WRK-009", SHOOT, Both)
        .summary("`maximum` is not less than `minimum`.")
        .why("The autoscaler chooses a number between them.")
        .fix("Raise `maximum`, or lower `minimum`.");
    GDN_WRK_010 = Rule::error("GDN-WRK-010", SHOOT, Both)
        .summary("`maxSurge` is a number or a percentage.")
        .why(ROLL)
        .fix("Write a number such as `1`, or a percentage such as `10%`.");
    GDN_WRK_011 = Rule::error("GDN-WRK-011", SHOOT, Both)
        .summary("`maxSurge` is not negative.")
        .why(ROLL)
        .fix("Write 0 or more.");
    GDN_WRK_012 = Rule::error("GDN-WRK-012", SHOOT, Both)
        .summary("`maxUnavailable` is a number or a percentage, and not negative.")
        .why(ROLL)
        .fix("Write a number such as `0`, or a percentage such as `10%`.");
    GDN_WRK_013 = Rule::error("GDN-WRK-013", SHOOT, Both)
        .summary("`maxUnavailable` is 100 % at most.")
        .why(ROLL)
        .fix("Write `100%` or less.");
    GDN_WRK_014 = Rule::error("GDN-WRK-014", SHOOT, Both)
        .summary("A pool that people update in place by hand has no `maxSurge`.")
        .why(BY_HAND)
        .fix("Remove `maxSurge`.");
    GDN_WRK_015 = Rule::error("GDN-WRK-015", SHOOT, Both)
        .summary("A pool that people update in place by hand has no `maxUnavailable`.")
        .why(BY_HAND)
        .fix("Remove `maxUnavailable`.");
    GDN_WRK_016 = Rule::error("GDN-WRK-016", SHOOT, Both)
        .summary("`maxSurge` and `maxUnavailable` are not both 0.")
        .why("No machine could be replaced: Gardener may neither add one nor take one away.")
        .fix("Set `maxSurge` or `maxUnavailable` to 1 or more.");
    GDN_WRK_017 = Rule::error("GDN-WRK-017", SHOOT, Both)
        .summary("Labels of nodes have keys and values that Kubernetes allows.")
        .why(NODE)
        .fix("Correct the label: letters, digits, `-`, `_` and `.`, 63 at most; the key may begin with `example.com/`.");
    GDN_WRK_018 = Rule::error("GDN-WRK-018", SHOOT, Both)
        .summary("Annotations of nodes have keys that Kubernetes allows, and 256 KiB at most.")
        .why(NODE)
        .fix(KEY);
    GDN_WRK_020 = Rule::error("GDN-WRK-020", SHOOT, Both)
        .summary("A taint has a key that Kubernetes allows.")
        .why(NODE)
        .fix(KEY);
    GDN_WRK_021 = Rule::error("GDN-WRK-021", SHOOT, Both)
        .summary("A taint is not the one that Gardener sets itself.")
        .why("Gardener removes this taint once what a node needs is running.")
        .fix("Remove the taint.");
    GDN_WRK_022 = Rule::error("GDN-WRK-022", SHOOT, Both)
        .summary("A taint has a value that Kubernetes allows.")
        .why(NODE)
        .fix("Write letters, digits, `-`, `_` and `.`, 63 at most; begin and end with a letter or a digit.");
    GDN_WRK_023 = Rule::error("GDN-WRK-023", SHOOT, Both)
        .summary("A taint has an effect.")
        .why(NODE)
        .fix(EFFECT);
    GDN_WRK_024 = Rule::error("GDN-WRK-024", SHOOT, Both)
        .summary("The effect of a taint is one that Kubernetes knows.")
        .why(NODE)
        .fix(EFFECT);
    GDN_WRK_025 = Rule::error("GDN-WRK-025", SHOOT, Both)
        .summary("A worker pool has a taint of a key and effect once.")
        .why(NODE)
        .fix("Remove one of the taints.");
    GDN_WRK_030 = Rule::error("GDN-WRK-030", SHOOT, Both)
        .summary("The Kubernetes versions of Shoot and worker pool can be compared.")
        .why(SKEW)
        .fix("Write versions such as `1.33.7`.");
    GDN_WRK_031 = Rule::error("GDN-WRK-031", SHOOT, Both)
        .summary("The Kubernetes version of a worker pool is not higher than that of the Shoot.")
        .why(SKEW)
        .fix("Leave out the version of the pool, or update the Shoot first.");
    GDN_WRK_032 = Rule::error("GDN-WRK-032", SHOOT, Both)
        .summary("The Kubernetes version of a worker pool is a semantic version.")
        .why(SKEW)
        .fix("Write a version such as `1.33.7`, or leave out the version of the pool.");
    GDN_WRK_033 = Rule::error("GDN-WRK-033", SHOOT, Both)
        .summary("A worker pool is three minor versions of Kubernetes behind the Shoot at most.")
        .why(SKEW)
        .fix("Raise the version of the pool, or leave it out.");
    GDN_WRK_040 = Rule::error("GDN-WRK-040", SHOOT, Both)
        .summary("`caBundle` begins with a certificate in PEM.")
        .why("Machines could not trust what they cannot read.")
        .fix("Paste certificates from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`.");
    GDN_WRK_041 = Rule::error("GDN-WRK-041", SHOOT, Both)
        .summary("The name of a system disk is a DNS label of 15 bytes at most.")
        .why(NAMES)
        .fix(LABEL);
    GDN_WRK_042 = Rule::error("GDN-WRK-042", SHOOT, Both)
        .summary("The size of a system disk is a whole number of `Gi`.")
        .why(DISK)
        .fix(SIZE);
    GDN_WRK_043 = Rule::error("GDN-WRK-043", SHOOT, Both)
        .summary("A worker pool with data volumes has a system disk.")
        .why(DISK)
        .fix("Set `volume.size`.");
    GDN_WRK_044 = Rule::error("GDN-WRK-044", SHOOT, Both)
        .summary("The name of a data volume is a DNS label of 15 bytes at most.")
        .why(NAMES)
        .fix(LABEL);
    GDN_WRK_045 = Rule::error("GDN-WRK-045", SHOOT, Both)
        .summary("Data volumes of a worker pool have different names.")
        .why(NAMES)
        .fix("Rename one of them.");
    GDN_WRK_046 = Rule::error("GDN-WRK-046", SHOOT, Both)
        .summary("The size of a data volume is a whole number of `Gi`.")
        .why(DISK)
        .fix(SIZE);
    GDN_WRK_047 = Rule::error("GDN-WRK-047", SHOOT, Both)
        .summary("The kubelet's data volume is a data volume of the worker pool.")
        .why("The kubelet's files are put there.")
        .fix("Write the name of a data volume, or remove `kubeletDataVolumeName`.");
    GDN_WRK_048 = Rule::error("GDN-WRK-048", SHOOT, Both)
        .summary("The container runtime interface is one that Gardener knows.")
        .why(CRI)
        .fix("Write `containerd`, or leave out `cri`.");
    GDN_WRK_049 = Rule::error("GDN-WRK-049", SHOOT, Both)
        .summary("A container runtime has a type.")
        .why(CRI)
        .fix("Set `type`, for example `gvisor`.");
    GDN_WRK_050 = Rule::error("GDN-WRK-050", SHOOT, Both)
        .summary("A worker pool has a container runtime of a type once.")
        .why(CRI)
        .fix("Remove one of them.");
    GDN_WRK_051 = Rule::error("GDN-WRK-051", SHOOT, Both)
        .summary("The architecture of a worker pool is one that Gardener knows.")
        .why(MACHINE)
        .fix("Write `amd64` or `arm64`, or leave out `architecture`.");
    GDN_WRK_052 = Rule::error("GDN-WRK-052", SHOOT, Both)
        .summary("`scaleDownUtilizationThreshold` is between 0 and 1.")
        .why(AUTOSCALER)
        .fix("Write a number between 0 and 1, for example `0.5`.");
    GDN_WRK_053 = Rule::error("GDN-WRK-053", SHOOT, Both)
        .summary("`scaleDownGpuUtilizationThreshold` is between 0 and 1.")
        .why(AUTOSCALER)
        .fix("Write a number between 0 and 1, for example `0.5`.");
    GDN_WRK_054 = Rule::error("GDN-WRK-054", SHOOT, Both)
        .summary("The times of the autoscaler are not negative.")
        .why(AUTOSCALER)
        .fix(TIME);
    GDN_WRK_055 = Rule::error("GDN-WRK-055", SHOOT, Both)
        .summary("The times of the machine controller manager are not negative.")
        .why(MCM)
        .fix(TIME);
    GDN_WRK_056 = Rule::error("GDN-WRK-056", SHOOT, Both)
        .summary("`maxEvictRetries` is not negative.")
        .why(MCM)
        .fix("Write 0 or more.");
    GDN_WRK_057 = Rule::error("GDN-WRK-057", SHOOT, Both)
        .summary("`inPlaceUpdateTimeout` is there for updates in place only, and not negative.")
        .why(MCM)
        .fix("Remove `inPlaceUpdateTimeout`, or write a time such as `20m` where the pool is updated in place.");
    GDN_WRK_058 = Rule::error("GDN-WRK-058", SHOOT, Both)
        .summary("`disableHealthTimeout` is true for updates in place only.")
        .why("Machines that fail would never be replaced.")
        .fix("Remove `disableHealthTimeout`.");
    GDN_WRK_059 = Rule::error("GDN-WRK-059", SHOOT, Both)
        .summary("The update strategy is one that Gardener knows.")
        .why(ROLL)
        .fix("Write `AutoRollingUpdate`, or leave out `updateStrategy`.");
    GDN_WRK_060 = Rule::error("GDN-WRK-060", SHOOT, Both)
        .summary("`priority` is -1 or more.")
        .why(AUTOSCALER)
        .fix("Write -1 or more.");
    GDN_WRK_061 = Rule::error("GDN-WRK-061", SHOOT, Both)
        .summary("The pool of a self-hosted control plane has one machine.")
        .why(SELF)
        .fix("Set `minimum` and `maximum` to 1.");
    GDN_WRK_062 = Rule::error("GDN-WRK-062", SHOOT, Both)
        .summary("The backup of a self-hosted control plane names a cloud.")
        .why(SELF)
        .fix("Set `controlPlane.backup.provider`.");
    GDN_WRK_063 = Rule::error("GDN-WRK-063", SHOOT, Both)
        .summary("A backup in another cloud names a region there.")
        .why(SELF)
        .fix("Set `controlPlane.backup.region`.");
    GDN_WRK_064 = Rule::error("GDN-WRK-064", SHOOT, Both)
        .summary("The backup of a self-hosted control plane has credentials.")
        .why(SELF)
        .fix("Set `controlPlane.backup.credentialsRef`.");
    GDN_CRED_001 = Rule::error("GDN-CRED-001", SHOOT, Both)
        .summary("A reference to credentials has a version.")
        .why(CRED)
        .fix("Set `apiVersion`, for example to `v1`.");
    GDN_CRED_002 = Rule::error("GDN-CRED-002", SHOOT, Both)
        .summary("A reference to credentials has a kind.")
        .why(CRED)
        .fix("Set `kind`, for example to `Secret`.");
    GDN_CRED_003 = Rule::error("GDN-CRED-003", SHOOT, Both)
        .summary("A reference to credentials has a name.")
        .why(CRED)
        .fix("Set `name`.");
    GDN_CRED_004 = Rule::error("GDN-CRED-004", SHOOT, Both)
        .summary("The name of credentials is a DNS subdomain.")
        .why(CRED)
        .fix("Write the name of an object: lower case letters, digits, `-` and `.`.");
    GDN_CRED_005 = Rule::error("GDN-CRED-005", SHOOT, Both)
        .summary("A reference to credentials has a namespace.")
        .why(CRED)
        .fix("Set `namespace`.");
    GDN_CRED_006 = Rule::error("GDN-CRED-006", SHOOT, Both)
        .summary("The namespace of credentials is a DNS subdomain.")
        .why(CRED)
        .fix("Write the name of a namespace: lower case letters, digits, `-` and `.`.");
    GDN_CRED_007 = Rule::error("GDN-CRED-007", SHOOT, Both)
        .summary("Credentials are a Secret, an InternalSecret or a WorkloadIdentity.")
        .why(CRED)
        .fix("Write `apiVersion: v1` and `kind: Secret`.");
    GDN_WRK_066 = Rule::error("GDN-WRK-066", SHOOT, Both)
        .summary("The credentials of a backup are in the namespace of the Shoot.")
        .why(SELF)
        .fix("Write the namespace of the Shoot.");
    GDN_WRK_067 = Rule::error("GDN-WRK-067", SHOOT, Both)
        .summary("The credentials of a backup are no WorkloadIdentity.")
        .why("Gardener does not support that yet.")
        .fix("Refer to a Secret.");
    GDN_WRK_068 = Rule::error("GDN-WRK-068", SHOOT, Both)
        .summary("A self-hosted control plane is exposed by DNS or by an extension, not by both.")
        .why(SELF)
        .fix("Remove `dns` or `extension`.");
    GDN_WRK_069 = Rule::error("GDN-WRK-069", SHOOT, Both)
        .summary("An extension that exposes a control plane has a type, which is a DNS label.")
        .why(SELF)
        .fix("Set `controlPlane.exposure.extension.type`.");
    GDN_WRK_070 = Rule::error("GDN-WRK-070", SHOOT, Both)
        .summary("The key of a sysctl is one that Linux may have.")
        .why(SYSCTL)
        .fix("Write a key such as `net.ipv4.ip_forward`.");
    GDN_WRK_071 = Rule::error("GDN-WRK-071", SHOOT, Both)
        .summary("The key of a sysctl has 4086 bytes at most.")
        .why(SYSCTL)
        .fix("Write a key such as `net.ipv4.ip_forward`.");
    GDN_WRK_072 = Rule::error("GDN-WRK-072", SHOOT, Both)
        .summary("A part of the key of a sysctl has 255 bytes at most.")
        .why(SYSCTL)
        .fix("Write a key such as `net.ipv4.ip_forward`.");
    GDN_WRK_073 = Rule::error("GDN-WRK-073", SHOOT, Both)
        .summary("A sysctl has a value.")
        .why(SYSCTL)
        .fix("Write a value, or remove the sysctl.");
    GDN_WRK_081 = Rule::error("GDN-WRK-081", SHOOT, Both)
        .since(147)
        .summary("`machinePreserveTimeout` is not negative.")
        .why(MCM)
        .fix(TIME);
    GDN_WRK_082 = Rule::error("GDN-WRK-082", SHOOT, Both)
        .since(147)
        .summary("`autoPreserveFailedMachineMax` is not negative.")
        .why(COUNT)
        .fix("Write 0 or more.");
    GDN_WRK_083 = Rule::error("GDN-WRK-083", SHOOT, Both)
        .since(147)
        .summary("`autoPreserveFailedMachineMax` leaves one machine of the pool for system components.")
        .why("System components do not run on a failed machine that is preserved.")
        .fix("Write a number that is less than `maximum`.");
    GDN_WRK_084 = Rule::error("GDN-WRK-084", SHOOT, Both)
        .since(147)
        .summary("`autoPreserveFailedMachineMax` is not more than `maximum`.")
        .why(COUNT)
        .fix("Write a number up to `maximum`.");
    GDN_WRK_085 = Rule::error("GDN-WRK-085", SHOOT, Both)
        .since(148)
        .summary("A self-hosted control plane that is not highly available runs on one machine.")
        .why(SELF)
        .fix("Set `maximum: 1`.");
    GDN_WRK_086 = Rule::error("GDN-WRK-086", SHOOT, Both)
        .since(148)
        .summary("A self-hosted control plane that is highly available runs on three machines.")
        .why(SELF)
        .fix("Remove `controlPlane.highAvailability`: up to Gardener 1.150, another rule allows one machine only.");
    GDN_WRK_087 = Rule::error("GDN-WRK-087", SHOOT, Both)
        .since(148)
        .summary("`maxSurge` of a self-hosted control plane that is highly available is 1.")
        .why(SELF)
        .fix("Set `maxSurge: 1`.");
    GDN_WRK_088 = Rule::error("GDN-WRK-088", SHOOT, Both)
        .since(148)
        .summary("`maxUnavailable` of a self-hosted control plane that is highly available is 1.")
        .why(SELF)
        .fix("Set `maxUnavailable: 1`.");
    GDN_WRK_089 = Rule::error("GDN-WRK-089", SHOOT, Both)
        .since(148)
        .summary("A self-hosted control plane that tolerates the failure of a zone has machines in three zones.")
        .why(SELF)
        .fix("Name three zones.");
    GDN_PROV_010 = Rule::error("GDN-PROV-010", SHOOT, Both)
        .summary("Worker pools have different names.")
        .why(NAMES)
        .fix("Rename one of them.");
    GDN_PROV_011 = Rule::error("GDN-PROV-011", SHOOT, Both)
        .summary("One worker pool at most has the control plane.")
        .why(SELF)
        .fix("Remove `controlPlane` of one of the pools.");
    GDN_PROV_020 = Rule::error("GDN-PROV-020", SHOOT, Both)
        .summary("A worker pool that may run system components has a machine in each of its zones.")
        .why("System components are spread over the zones.")
        .fix("Raise `maximum` to the number of zones, or remove a zone.");
    GDN_PROV_021 = Rule::error("GDN-PROV-021", SHOOT, Both)
        .summary("A worker pool with machines may run system components.")
        .why("The cluster does not work without them.")
        .fix("Raise `maximum` of a pool, or remove its `systemComponents`.");
    GDN_PROV_022 = Rule::error("GDN-PROV-022", SHOOT, Both)
        .summary("Pools of a self-hosted Shoot that may run system components are in the zones of the control plane.")
        .why(SELF)
        .fix("Choose zones of the pool with `controlPlane`, or set `systemComponents.allow` to `false`.");
    GDN_PROV_030 = Rule::error("GDN-PROV-030", SHOOT, Both)
        .summary("A node's range of addresses has room for the most pods of a kubelet.")
        .why("A pod without an address does not start.")
        .fix("Lower `nodeCIDRMaskSize`, or lower `maxPods`.");
}
