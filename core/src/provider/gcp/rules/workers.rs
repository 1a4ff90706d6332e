//! Worker pools of a Shoot and their changes.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a boot disk must be described.
const BOOT_DISK: &str = "GCP creates no instance without a boot disk of a certain type and size.";

rules! {
    WRK_001 = Rule::error("GCP-WRK-001", SHOOT, Both)
        .summary("A worker pool has a `volume`.")
        .why(BOOT_DISK)
        .fix("Set `volume` with `type` and `size`, for example `pd-balanced` and `50Gi`.");
    WRK_002 = Rule::error("GCP-WRK-002", SHOOT, Both)
        .summary("A worker pool's `volume` has a `type`.")
        .why(BOOT_DISK)
        .fix("Set `volume.type` to a volume type of the CloudProfile, for example `pd-balanced`.");
    WRK_003 = Rule::error("GCP-WRK-003", SHOOT, Both)
        .summary("A boot disk is no local SSD.")
        .why("Local SSDs (`SCRATCH`) are empty and lose their data when the instance stops.")
        .fix("Set `volume.type` to another type, for example `pd-ssd`, and add local SSDs as `dataVolumes`.");
    WRK_004 = Rule::error("GCP-WRK-004", SHOOT, Both)
        .summary("A worker pool's `volume` has a `size`.")
        .why(BOOT_DISK)
        .fix("Set `volume.size`, for example `50Gi`.");
    WRK_005 = Rule::error("GCP-WRK-005", SHOOT, Both)
        .summary("A worker pool names at least one zone.")
        .why("Instances are created in a zone; without one there is no place for them.")
        .fix("Add a zone of the Shoot's region to the pool's `zones`.");
    WRK_006 = Rule::error("GCP-WRK-006", SHOOT, Both)
        .summary("A worker pool has at most 2147483647 zones.")
        .why("Nodes are spread over zones by a 32-bit count.")
        .fix("List every zone once in the pool's `zones`.")
        .informative("No document that can be read holds so many zones.");
    WRKU_001 = Rule::error("GCP-WRKU-001", SHOOT, Update)
        .summary("A worker pool keeps its `zones` and their order; new ones come last.")
        .why("Machines are numbered by the zone's position; another order would replace nodes away from their disks.")
        .fix("Restore the old `zones` in their order and append new ones, or add a pool with the zones you want.");
    WRKU_002 = Rule::error("GCP-WRKU-002", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `providerConfig`.")
        .why("In-place updates keep the machines, so what is set when a machine is created cannot change.")
        .fix("Restore the pool's `providerConfig`, or add a new pool with the other one.");
    WRKU_003 = Rule::error("GCP-WRKU-003", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `dataVolumes`.")
        .why("In-place updates keep the machines, and their disks come with the machine.")
        .fix("Restore the pool's `dataVolumes`, or add a new pool with the other ones.");
}
