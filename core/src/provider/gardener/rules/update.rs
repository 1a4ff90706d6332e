//! What must not change in a Shoot.

use crate::report::Operation::Update;
use crate::report::Rule;
use crate::rules;

use super::KINDS;

const SHOOT: &[&str] = &["Shoot"];
const FIXED: &str = "Gardener built the cluster with the old value, and cannot change it.";
const IDENTITY: &str = "It says which object this is.";
const DNS: &str = "Clients know the cluster by its domain.";
const VERSIONS: &str = "Kubernetes supports no other change of versions.";
const IN_PLACE: &str = "An update in place keeps the machines.";
const RUNNING: &str = "An update in place that is under way would lose its way.";
const ASLEEP: &str = "A control plane that sleeps cannot encrypt its data again.";
const AWAKE: &str = "Leave the Shoot awake until this phase of the rotation has ended.";
const RESTORE: &str = "Write the value of the old object.";

const ENCRYPTION: &str = "Gardener encrypts again all that etcd keeps, one change after the other.";

rules! {
    GDN_UPD_001 = Rule::error("GDN-UPD-001", KINDS, Update)
        .summary("Nobody adds a finalizer to an object that is being deleted.")
        .why("The deletion would wait for it.")
        .fix("Remove the finalizers that are named.");
    GDN_UPD_002 = Rule::error("GDN-UPD-002", KINDS, Update)
        .summary("`resourceVersion` is not empty where an update has it.")
        .why("The API server compares it with the version that is stored.")
        .fix("Remove `metadata.resourceVersion`, or write that of the stored object.");
    GDN_UPD_003 = Rule::error("GDN-UPD-003", KINDS, Update)
        .summary("`generation` does not fall.")
        .why("The API server counts it.")
        .fix("Remove `metadata.generation`.");
    GDN_UPD_004 = Rule::error("GDN-UPD-004", KINDS, Update)
        .summary("`name`, `namespace`, `uid` and the times of creation and deletion stay.")
        .why(IDENTITY)
        .fix(RESTORE);
    GDN_UPD_010 = Rule::error("GDN-UPD-010", SHOOT, Update)
        .summary("`spec` of a Shoot that is being deleted stays.")
        .why("Gardener deletes what it built by the old one.")
        .fix("Take the changes back.");
    GDN_UPD_011 = Rule::error("GDN-UPD-011", SHOOT, Update)
        .summary("The region stays.")
        .why(FIXED)
        .fix("Write the old region, or create another Shoot.");
    GDN_UPD_013 = Rule::error("GDN-UPD-013", SHOOT, Update)
        .summary("`credentialsBindingName` stays set.")
        .why("Without credentials, Gardener can neither change nor delete the cluster.")
        .fix("Write the name of a CredentialsBinding.");
    GDN_UPD_014 = Rule::error("GDN-UPD-014", SHOOT, Update)
        .summary("`secretBindingName` stays, or `credentialsBindingName` replaces it.")
        .why("Credentials of another account would not reach what is there.")
        .fix("Write the old name, or remove `secretBindingName` and set `credentialsBindingName`.");
    GDN_UPD_015 = Rule::error("GDN-UPD-015", SHOOT, Update)
        .summary("`dns` stays set.")
        .why(DNS)
        .fix(RESTORE);
    GDN_UPD_016 = Rule::error("GDN-UPD-016", SHOOT, Update)
        .summary("The domain of a Shoot stays.")
        .why(DNS)
        .fix(RESTORE);
    GDN_UPD_017 = Rule::error("GDN-UPD-017", SHOOT, Update)
        .summary("A Shoot with a seed keeps its primary DNS provider.")
        .why(DNS)
        .fix("Mark a provider as `primary`.");
    GDN_UPD_018 = Rule::error("GDN-UPD-018", SHOOT, Update)
        .summary("The primary DNS provider of a Shoot with a seed keeps a type.")
        .why(DNS)
        .fix("Write the old `type`.");
    GDN_UPD_019 = Rule::error("GDN-UPD-019", SHOOT, Update)
        .summary("The type of the primary DNS provider of a Shoot with a seed stays.")
        .why(DNS)
        .fix("Write the old `type`.");
    GDN_UPD_020 = Rule::error("GDN-UPD-020", SHOOT, Update)
        .summary("The Kubernetes version stays set.")
        .why(VERSIONS)
        .fix("Write the old version, or a later one.");
    GDN_UPD_021 = Rule::error("GDN-UPD-021", SHOOT, Update)
        .summary("The Kubernetes version can be compared with the old one.")
        .why(VERSIONS)
        .fix("Write a version such as `1.33.7`.");
    GDN_UPD_022 = Rule::error("GDN-UPD-022", SHOOT, Update)
        .summary("The Kubernetes version does not fall.")
        .why(VERSIONS)
        .fix("Write the old version, or a later one.");
    GDN_UPD_023 = Rule::error("GDN-UPD-023", SHOOT, Update)
        .summary("An upgrade of Kubernetes skips no minor version.")
        .why(VERSIONS)
        .fix("Upgrade to the next minor version first.");
    GDN_UPD_024 = Rule::error("GDN-UPD-024", SHOOT, Update)
        .summary("`nodeCIDRMaskSize` stays.")
        .why("Nodes already have ranges of that size.")
        .fix(RESTORE);
    GDN_UPD_025 = Rule::error("GDN-UPD-025", SHOOT, Update)
        .summary("`nodeCIDRMaskSizeIPv6` stays once it is set.")
        .why("Nodes already have ranges of that size.")
        .fix(RESTORE);
    GDN_UPD_026 = Rule::error("GDN-UPD-026", SHOOT, Update)
        .summary("A Shoot with workers keeps at least one worker pool.")
        .why(FIXED)
        .fix("Keep a worker pool, or create another Shoot.");
    GDN_UPD_027 = Rule::error("GDN-UPD-027", SHOOT, Update)
        .summary("A Shoot without workers gets none.")
        .why(FIXED)
        .fix("Remove `workers`, or create another Shoot.");
    GDN_ADV_001 = Rule::warning("GDN-ADV-001", SHOOT, Update)
        .summary("A worker pool stays.")
        .why("Gardener deletes the nodes of a pool that is removed, and moves what runs there only if other nodes have room for it.")
        .fix("Make room in other pools before, and look at taints, node selectors and volumes that are bound to a zone.");
    GDN_ADV_002 = Rule::error("GDN-ADV-002", SHOOT, Update)
        .summary("The CloudProfile has a version of each minor version through which an upgrade goes.")
        .why("Gardener takes one minor version after the other.")
        .fix("Ask the operators of the CloudProfile for a version of this minor version.");
    GDN_UPD_030 = Rule::error("GDN-UPD-030", SHOOT, Update)
        .summary("The provider type stays.")
        .why(FIXED)
        .fix("Write the old type, or create another Shoot.");
    GDN_UPD_031 = Rule::error("GDN-UPD-031", SHOOT, Update)
        .summary("A new worker pool is updated in place only where the operators turned the feature on.")
        .why("The API server's feature gate `InPlaceNodeUpdates` is off where nobody turned it on.")
        .fix("Write `updateStrategy: AutoRollingUpdate`, or leave out `updateStrategy`.");
    GDN_UPD_032 = Rule::error("GDN-UPD-032", SHOOT, Update)
        .summary("A worker pool that is updated in place stays so.")
        .why(IN_PLACE)
        .fix("Write the old `updateStrategy`, or add another pool.");
    GDN_UPD_033 = Rule::error("GDN-UPD-033", SHOOT, Update)
        .summary("A worker pool whose machines are replaced does not become one that is updated in place.")
        .why(IN_PLACE)
        .fix("Write the old `updateStrategy`, or add another pool.");
    GDN_UPD_034 = Rule::error("GDN-UPD-034", SHOOT, Update)
        .summary("A worker pool that is updated in place keeps its machine type.")
        .why(IN_PLACE)
        .fix("Write the old machine type, or add another pool.");
    GDN_UPD_035 = Rule::error("GDN-UPD-035", SHOOT, Update)
        .summary("A worker pool that is updated in place keeps the name of its image.")
        .why(IN_PLACE)
        .fix("Write the old name, or add another pool.");
    GDN_UPD_036 = Rule::error("GDN-UPD-036", SHOOT, Update)
        .summary("A worker pool that is updated in place keeps its container runtime interface.")
        .why(IN_PLACE)
        .fix("Write the old name, or add another pool.");
    GDN_UPD_037 = Rule::error("GDN-UPD-037", SHOOT, Update)
        .summary("A worker pool that is updated in place keeps its volume.")
        .why(IN_PLACE)
        .fix("Write the old volume, or add another pool.");
    GDN_UPD_038 = Rule::error("GDN-UPD-038", SHOOT, Update)
        .summary("Provider and region of a control plane's backup stay.")
        .why("The backup lies there.")
        .fix(RESTORE);
    GDN_UPD_039 = Rule::error("GDN-UPD-039", SHOOT, Update)
        .summary("The backup of a control plane stays.")
        .why("Without it, nobody restores the control plane.")
        .fix(RESTORE);
    GDN_UPD_040 = Rule::error("GDN-UPD-040", SHOOT, Update)
        .summary("A self-hosted Shoot stays so, and another one does not become self-hosted.")
        .why(FIXED)
        .fix("Write `controlPlane` of the worker pool as in the old object.");
    GDN_UPD_041 = Rule::error("GDN-UPD-041", SHOOT, Update)
        .summary("The worker pool that runs the control plane stays the same.")
        .why(FIXED)
        .fix("Write `controlPlane` at the old pool.");
    GDN_UPD_050 = Rule::error("GDN-UPD-050", SHOOT, Update)
        .summary("The Kubernetes version of a worker pool does not fall, and skips no minor version where the pool is updated in place.")
        .why(VERSIONS)
        .fix("Write the old version, or the next one that the Shoot allows.");
    GDN_UPD_051 = Rule::error("GDN-UPD-051", SHOOT, Update)
        .summary("A worker pool that is updated in place names the version of its image.")
        .why(IN_PLACE)
        .fix("Write `machine.image.version`.");
    GDN_UPD_052 = Rule::error("GDN-UPD-052", SHOOT, Update)
        .summary("The image of a worker pool that is updated in place does not become older.")
        .why(IN_PLACE)
        .fix("Write the old version, or a later one.");
    GDN_UPD_061 = Rule::error("GDN-UPD-061", SHOOT, Update)
        .summary("The network plug-in stays.")
        .why(FIXED)
        .fix("Write the old type, or create another Shoot.");
    GDN_UPD_062 = Rule::error("GDN-UPD-062", SHOOT, Update)
        .summary("The range of pods stays once it is set.")
        .why(FIXED)
        .fix("Write the old range, or create another Shoot.");
    GDN_UPD_063 = Rule::error("GDN-UPD-063", SHOOT, Update)
        .summary("The range of services stays once it is set.")
        .why(FIXED)
        .fix("Write the old range, or create another Shoot.");
    GDN_UPD_064 = Rule::error("GDN-UPD-064", SHOOT, Update)
        .summary("IP families stay, but `[IPv4]` and `[IPv4, IPv6]` may replace each other.")
        .why("Gardener can migrate a cluster between these two alone.")
        .fix("Write the old families.");
    GDN_UPD_065 = Rule::error("GDN-UPD-065", SHOOT, Update)
        .summary("The scheduler of the Shoot stays.")
        .why("It has chosen the seed.")
        .fix(RESTORE);
    GDN_UPD_070 = Rule::error("GDN-UPD-070", SHOOT, Update)
        .summary("The encrypted resources stay while Gardener rotates the key of etcd.")
        .why("Gardener encrypts again all that etcd keeps, one change after the other.")
        .fix("Complete the rotation, and change the resources then.");
    GDN_UPD_071 = Rule::error("GDN-UPD-071", SHOOT, Update)
        .summary("The encrypted resources stay until Gardener is done with the last change of them.")
        .why("Gardener encrypts again all that etcd keeps, one change after the other.")
        .fix("Wait until `status.credentials.encryptionAtRest` names the resources and the provider of the specification.");
    GDN_UPD_072 = Rule::error("GDN-UPD-072", SHOOT, Update)
        .summary("The encrypted resources of a hibernated Shoot stay.")
        .why("Its API server, which encrypts, does not run.")
        .fix("Wake the Shoot up, and change the resources then.");
    GDN_UPD_073 = Rule::error("GDN-UPD-073", SHOOT, Update)
        .until(144)
        .summary("The encryption of a Shoot keeps its type.")
        .why("Gardener does not encrypt what etcd keeps with another type.")
        .fix("Write the type that the Shoot has.");
    GDN_UPD_074 = Rule::error("GDN-UPD-074", SHOOT, Update)
        .since(144)
        .summary("The type of encryption changes only of a Shoot that Gardener has created and may work on.")
        .why(ENCRYPTION)
        .fix("Wait until the last operation of the Shoot has succeeded, and change the type then.");
    GDN_UPD_075 = Rule::error("GDN-UPD-075", SHOOT, Update)
        .since(144)
        .summary("The type of encryption stays while the key of etcd is rotated.")
        .why(ENCRYPTION)
        .fix("Complete the rotation, and change the type then.");
    GDN_UPD_076 = Rule::error("GDN-UPD-076", SHOOT, Update)
        .since(144)
        .summary("The type of encryption stays while Gardener works on another change of the encryption.")
        .why(ENCRYPTION)
        .fix("Wait until `status.credentials.encryptionAtRest` names the resources and the provider of the specification.");
    GDN_UPD_077 = Rule::error("GDN-UPD-077", SHOOT, Update)
        .since(144)
        .summary("The type of encryption of a hibernated Shoot stays.")
        .why("Its API server, which encrypts, does not run.")
        .fix("Wake the Shoot up, and change the type then.");
    GDN_UPD_078 = Rule::error("GDN-UPD-078", SHOOT, Update)
        .since(144)
        .summary("The type of encryption and the encrypted resources change one after the other.")
        .why(ENCRYPTION)
        .fix("Change the one first, and the other when Gardener is done with it.");
    GDN_UPD_080 = Rule::error("GDN-UPD-080", SHOOT, Update)
        .summary("A hibernated control plane does not become highly available.")
        .why("Its etcd could not form a cluster.")
        .fix("Wake the Shoot up before you set `highAvailability`.");
    GDN_UPD_081 = Rule::error("GDN-UPD-081", SHOOT, Update)
        .summary("What a highly available control plane with a seed tolerates stays.")
        .why(FIXED)
        .fix(RESTORE);
    GDN_UPD_090 = Rule::error("GDN-UPD-090", SHOOT, Update)
        .summary("A Shoot does not go to sleep while its etcd gets another encryption key.")
        .why(ASLEEP)
        .fix(AWAKE);
    GDN_UPD_091 = Rule::error("GDN-UPD-091", SHOOT, Update)
        .summary("A Shoot does not go to sleep while the key of its service accounts is renewed.")
        .why(ASLEEP)
        .fix(AWAKE);
    GDN_UPD_092 = Rule::error("GDN-UPD-092", SHOOT, Update)
        .summary("A Shoot does not go to sleep before etcd encrypts what the Shoot wants encrypted.")
        .why(ASLEEP)
        .fix("Leave the Shoot awake until Gardener has encrypted the resources.");
    GDN_FD_003 = Rule::error("GDN-FD-003", SHOOT, Update)
        .summary("A deletion that somebody forced stays forced.")
        .why("Gardener may already have left resources behind.")
        .fix("Write the annotation again, with the value `true`.");
    GDN_FD_004 = Rule::error("GDN-FD-004", SHOOT, Update)
        .summary("Nobody forces the deletion of a Shoot whose status has no error that needs it.")
        .why("Force is for a deletion that failed with an error of the user or the cloud.")
        .fix("Remove the annotation, and let Gardener delete the Shoot; force it once that fails.");
    GDN_UPD_100 = Rule::error("GDN-UPD-100", SHOOT, Update)
        .summary("A Shoot whose node-local DNS is switched has a Kubernetes version that can be read.")
        .why("The version decides whether the switch is allowed.")
        .fix("Set a version such as `1.33.7` before you switch the node-local DNS.");
    GDN_UPD_101 = Rule::error("GDN-UPD-101", SHOOT, Update)
        .summary("A Shoot whose node-local DNS is switched has worker pools whose Kubernetes versions can be read.")
        .why("The versions decide whether the switch is allowed.")
        .fix("Set a version such as `1.33.7` before you switch the node-local DNS.");
    GDN_UPD_102 = Rule::error("GDN-UPD-102", SHOOT, Update)
        .summary("The node-local DNS is not switched for pools that are updated in place, before Kubernetes 1.34 or with IPVS.")
        .why("Nodes would need other settings, which an update in place does not bring.")
        .fix("Take the change back, or upgrade to Kubernetes 1.34 and leave IPVS first.");
    GDN_UPD_111 = Rule::error("GDN-UPD-111", SHOOT, Update)
        .summary("While worker pools are updated in place, the Kubernetes version can be read.")
        .why(RUNNING)
        .fix("Write a version such as `1.33.7`.");
    GDN_UPD_112 = Rule::error("GDN-UPD-112", SHOOT, Update)
        .summary("While a worker pool is updated in place, its Kubernetes version can be read.")
        .why(RUNNING)
        .fix("Write a version such as `1.33.7`.");
    GDN_UPD_113 = Rule::error("GDN-UPD-113", SHOOT, Update)
        .summary("A worker pool that is being updated in place stays as it is, and so do its kubelet and its Kubernetes version.")
        .why(RUNNING)
        .fix("Wait until the update has ended, or force it with the annotation `gardener.cloud/operation: force-in-place-update`.");
    GDN_UPD_120 = Rule::error("GDN-UPD-120", SHOOT, Update)
        .since(150)
        .summary("A control plane that becomes one of three zones keeps the zones that it has.")
        .why("Its etcd has its disks there.")
        .fix("Name the old zones among the new ones.");
    GDN_UPD_121 = Rule::error("GDN-UPD-121", SHOOT, Update)
        .since(150)
        .summary("The zones of a control plane stay.")
        .why("Its etcd has its disks there.")
        .fix("Write the zones that the Shoot has, or leave out `controlPlane.zones`.");
}
