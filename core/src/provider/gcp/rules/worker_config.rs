//! `WorkerConfig` of a worker pool.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// What the capacity of a node template is for.
const CAPACITY: &str = "The cluster-autoscaler counts with this capacity when it starts nodes from zero.";
/// What GCP lets people choose of a disk.
const IOPS_TYPES: &str = "GCP lets people choose the IOPS of these types only.";
/// How to fix IOPS.
const IOPS: &str = "Remove `provisionedIops`, or choose the volume type `pd-extreme`, `hyperdisk-extreme` or `hyperdisk-balanced`.";
/// What GCP lets people choose of a disk.
const THROUGHPUT_TYPES: &str = "GCP lets people choose the throughput of these types only.";
/// How to fix throughput.
const THROUGHPUT: &str =
    "Remove `provisionedThroughput`, or choose the volume type `hyperdisk-throughput` or `hyperdisk-balanced`.";
/// What identifies a service account.
const ACCOUNT: &str = "GCP identifies a service account by its address, which ends in `.gserviceaccount.com`.";
/// How to write the address of a service account.
const EMAIL: &str = "Write the address, for example `nodes@my-project.iam.gserviceaccount.com`.";

rules! {
    WRKC_001 = Rule::error("GCP-WRKC-001", SHOOT, Both)
        .summary("A data volume of a pool with `providerConfig` has a `type`.")
        .why("The type decides whether the disk is a local SSD.")
        .fix("Set `type` of the data volume to a volume type of the CloudProfile.");
    WRKC_002 = Rule::error("GCP-WRKC-002", SHOOT, Both)
        .summary("A pool with local SSDs (`SCRATCH`) has `volume.interface`.")
        .why("A local SSD is attached by NVMe or by SCSI, and the image must have the driver.")
        .fix("Set `volume.interface` of the `WorkerConfig` to `NVME` or `SCSI`.");
    WRKC_003 = Rule::error("GCP-WRKC-003", SHOOT, Both)
        .summary("A pool with local SSDs (`SCRATCH`) has no `volume.encryption`.")
        .why("GCP encrypts local SSDs with keys of its own and takes no other.")
        .fix("Remove `volume.encryption`, or use other volume types.");
    WRKC_004 = Rule::error("GCP-WRKC-004", SHOOT, Both)
        .summary("`volume.interface` goes with local SSDs (`SCRATCH`) alone.")
        .why("Other disks have the interface that GCP gives them.")
        .fix("Remove `volume.interface`, or make all data volumes of the pool `SCRATCH`.");
    WRKC_005 = Rule::error("GCP-WRKC-005", SHOOT, Both)
        .summary("`gpu.acceleratorType` is a type of GPU.")
        .why("GCP knows GPUs by names of lower-case letters, digits and hyphens.")
        .fix("Write a type as `gcloud compute accelerator-types list` shows it, for example `nvidia-l4`.");
    WRKC_006 = Rule::error("GCP-WRKC-006", SHOOT, Both)
        .summary("`gpu.count` is above 0.")
        .why("The section asks for GPUs.")
        .fix("Set the number of GPUs of a machine, or remove `gpu`.");
    WRKC_007 = Rule::error("GCP-WRKC-007", SHOOT, Both)
        .summary("`serviceAccount.email` is the address of a service account.")
        .why(ACCOUNT)
        .fix(EMAIL);
    WRKC_008 = Rule::error("GCP-WRKC-008", SHOOT, Both)
        .summary("`serviceAccount` has a scope.")
        .why("Without a scope the machines may do nothing as this account.")
        .fix("Add a scope, for example `https://www.googleapis.com/auth/compute`, or remove `serviceAccount`.");
    WRKC_009 = Rule::error("GCP-WRKC-009", SHOOT, Both)
        .summary("`serviceAccount.scopes` has OAuth scopes of Google.")
        .why("GCP knows scopes by their URLs only.")
        .fix("Write the URL, for example `https://www.googleapis.com/auth/compute`.");
    WRKC_010 = Rule::error("GCP-WRKC-010", SHOOT, Both)
        .summary("`serviceAccount.scopes` has each scope once.")
        .why("A second mention adds nothing; mostly another scope was meant.")
        .fix("Remove the duplicate.");
    WRKC_011 = Rule::error("GCP-WRKC-011", SHOOT, Both)
        .summary("`volume.interface` is `NVME` or `SCSI`.")
        .why("GCP attaches local SSDs by one of the two.")
        .fix("Set `NVME` or `SCSI`.");
    WRKC_012 = Rule::error("GCP-WRKC-012", SHOOT, Both)
        .summary("`volume.encryption` has a `kmsKeyName`.")
        .why("The only use of the section is to encrypt disks with your own key.")
        .fix("Set `kmsKeyName` to the resource name of a key of Cloud KMS, or remove `encryption`.");
    WRKC_013 = Rule::error("GCP-WRKC-013", SHOOT, Both)
        .summary("`kmsKeyName` is a resource name of a key.")
        .why("GCP knows no key by another text.")
        .fix("Write `projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY` with your names.");
    WRKC_014 = Rule::error("GCP-WRKC-014", SHOOT, Both)
        .summary("`kmsKeyServiceAccount` is the address of a service account.")
        .why(ACCOUNT)
        .fix(EMAIL);
    WRKC_015 = Rule::error("GCP-WRKC-015", SHOOT, Both)
        .summary("`cpu`, `gpu` and `memory` of `nodeTemplate.capacity` are not negative.")
        .why(CAPACITY)
        .fix("Set the quantity to 0 or more, or remove it.");
    WRKC_016 = Rule::error("GCP-WRKC-016", SHOOT, Both)
        .summary("Quantities of `nodeTemplate.virtualCapacity` are not negative.")
        .why(CAPACITY)
        .fix("Set the quantity to 0 or more, or remove it.");
    WRKC_017 = Rule::error("GCP-WRKC-017", SHOOT, Both)
        .summary("Quantities of `nodeTemplate.virtualCapacity` are whole numbers.")
        .why("Kubernetes counts extended resources in whole numbers.")
        .fix("Write a whole number.");
    WRKC_018 = Rule::error("GCP-WRKC-018", SHOOT, Both)
        .summary("`dataVolumes[].sourceImage` is a path of an image.")
        .why("GCP knows an image by its path.")
        .fix("Write a path, for example `projects/my-project/global/images/my-image`.");
    WRKC_019 = Rule::error("GCP-WRKC-019", SHOOT, Both)
        .summary("`dataVolumes` of a `WorkerConfig` name data volumes of the pool.")
        .why("The entry adds settings to the data volume of this name.")
        .fix("Correct the name, or add the data volume to the pool's `dataVolumes`.");
    WRKC_020 = Rule::error("GCP-WRKC-020", SHOOT, Both)
        .summary("`dataVolumes` of a `WorkerConfig` name each data volume once.")
        .why("Two entries for one data volume contradict each other.")
        .fix("Merge the entries.");
    WRKC_021 = Rule::error("GCP-WRKC-021", SHOOT, Both)
        .summary("`provisionedIops` of a data volume goes with a type that has them.")
        .why(IOPS_TYPES)
        .fix(IOPS);
    WRKC_022 = Rule::error("GCP-WRKC-022", SHOOT, Both)
        .summary("`provisionedThroughput` of a data volume goes with a type that has it.")
        .why(THROUGHPUT_TYPES)
        .fix(THROUGHPUT);
    WRKC_023 = Rule::error("GCP-WRKC-023", SHOOT, Both)
        .summary("`provisionedIops` of the boot disk goes with a type that has them.")
        .why(IOPS_TYPES)
        .fix(IOPS);
    WRKC_024 = Rule::error("GCP-WRKC-024", SHOOT, Both)
        .summary("`provisionedThroughput` of the boot disk goes with a type that has it.")
        .why(THROUGHPUT_TYPES)
        .fix(THROUGHPUT);
    WRKC_025 = Rule::error("GCP-WRKC-025", SHOOT, Both)
        .summary("`minCpuPlatform` is a name of a CPU platform.")
        .why("GCP knows CPU platforms by names of letters, digits and blanks.")
        .fix("Write a platform as GCP shows it, for example `Intel Cascade Lake`.");
}
