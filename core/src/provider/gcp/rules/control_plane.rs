//! `ControlPlaneConfig` of a Shoot.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// What the numbers of a hyperdisk class are.
const PARAMETER: &str =
    "The storage class creates every disk with this number, and GCP has no default for it there.";
/// What GCP lets people choose of a hyperdisk.
const TYPE: &str = "GCP lets people choose IOPS for hyperdisk-balanced and hyperdisk-extreme, and throughput for \
                    hyperdisk-balanced and hyperdisk-throughput.";
/// How to write IOPS.
const IOPS: &str = "Set a number above 0, for example `3000`.";
/// How to write throughput.
const THROUGHPUT: &str = "Set a quantity, for example `140Mi`.";

rules! {
    CPC_001 = Rule::error("GCP-CPC-001", SHOOT, Both)
        .summary("`controlPlaneConfig` has a `zone`.")
        .why("The cloud controller manager needs one zone as its own.")
        .fix("Set `zone` to a zone of a worker pool.");
    CPC_002 = Rule::error("GCP-CPC-002", SHOOT, Both)
        .summary("`zone` is a zone that the CloudProfile lists for the region.")
        .why("Operators list the zones that a landscape offers.")
        .fix("Set `zone` to a zone of a worker pool, in `spec.region`.");
    CPC_003 = Rule::error("GCP-CPC-003", SHOOT, Both)
        .summary("`zone` is a zone of a worker pool.")
        .why("The cloud controller manager looks for the nodes there first.")
        .fix("Set `zone` to a zone that one of the worker pools has.");
    CPC_004 = Rule::error("GCP-CPC-004", SHOOT, Both)
        .summary("`cloudControllerManager.featureGates` has gates of the Shoot's Kubernetes version.")
        .why("The cloud controller manager does not start with a gate that it does not know or cannot set.")
        .fix("Correct or remove the feature gate.");
    CPC_005 = Rule::error("GCP-CPC-005", SHOOT, Both)
        .summary("`storage.defaultStorageClass` is a storage class of Gardener.")
        .why("Gardener marks one of its own classes as the default one.")
        .fix("Set one of the supported values, for example `default`.");
    CPC_006 = Rule::error("GCP-CPC-006", SHOOT, Both)
        .summary("A hyperdisk class is the default one only where it is enabled.")
        .why("The class is deployed only where it is enabled.")
        .fix("Set `enabled: true` in the section of the class, or choose another `defaultStorageClass`.");
    CPC_007 = Rule::error("GCP-CPC-007", SHOOT, Both)
        .summary("An enabled `hyperDiskBalanced` or `hyperDiskExtreme` has `provisionedIopsOnCreate`.")
        .why(PARAMETER)
        .fix(IOPS);
    CPC_008 = Rule::error("GCP-CPC-008", SHOOT, Both)
        .summary("An enabled `hyperDiskBalanced` or `hyperDiskThroughput` has `provisionedThroughputOnCreate`.")
        .why(PARAMETER)
        .fix(THROUGHPUT);
    CPC_009 = Rule::error("GCP-CPC-009", SHOOT, Both)
        .summary("`hyperDiskThroughput` has no `provisionedIopsOnCreate`.")
        .why(TYPE)
        .fix("Remove `provisionedIopsOnCreate`.");
    CPC_010 = Rule::error("GCP-CPC-010", SHOOT, Both)
        .summary("`provisionedIopsOnCreate` is above 0.")
        .why("GCP creates no disk without IOPS.")
        .fix(IOPS);
    CPC_011 = Rule::error("GCP-CPC-011", SHOOT, Both)
        .summary("`hyperDiskExtreme` has no `provisionedThroughputOnCreate`.")
        .why(TYPE)
        .fix("Remove `provisionedThroughputOnCreate`.");
    CPC_012 = Rule::error("GCP-CPC-012", SHOOT, Both)
        .summary("`provisionedThroughputOnCreate` is a quantity.")
        .why("The CSI driver reads the text as a quantity.")
        .fix(THROUGHPUT);
    CPCU_001 = Rule::error("GCP-CPCU-001", SHOOT, Update)
        .summary("`zone` stays as it is.")
        .why("Volumes and routes of the cluster were made for this zone.")
        .fix("Restore the old `zone`.");
}
