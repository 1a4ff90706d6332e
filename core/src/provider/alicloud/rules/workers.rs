//! Worker pools of a Shoot and their changes.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

rules! {
    WRK_001 = Rule::error("ALI-WRK-001", SHOOT, Both)
        .summary("A worker pool has a `volume`.")
        .why("Every ECS instance boots from a system disk, whose type and size have no default.")
        .fix("Add `volume` with `type` (for example `cloud_essd`) and `size` (for example `50Gi`).")
        .doubles(&["GDN-WRK-043"]);
    WRK_002 = Rule::error("ALI-WRK-002", SHOOT, Both)
        .summary("A worker pool's `volume` has a `type`.")
        .why("The system disk is created with this disk category; there is no default.")
        .fix("Set `volume.type` to a volume type of the CloudProfile, for example `cloud_essd`.");
    WRK_003 = Rule::error("ALI-WRK-003", SHOOT, Both)
        .summary("A worker pool's `volume` has a `size`.")
        .why("The system disk is created with this size; there is no default.")
        .fix("Set `volume.size`, for example `50Gi`.")
        .doubles(&["GDN-WRK-042"]);
    WRK_004 = Rule::error("ALI-WRK-004", SHOOT, Both)
        .summary("A worker pool has at most 64 `dataVolumes`.")
        .why("An ECS instance takes no more than 64 data disks.")
        .fix("Remove entries of `dataVolumes` until 64 are left, or use fewer and larger ones.");
    WRK_005 = Rule::error("ALI-WRK-005", SHOOT, Both)
        .summary("A data volume's `name` is a valid disk name.")
        .why("Alibaba Cloud takes disk names of two or more letters, digits or `.` `-` `_` `:`, beginning with a \
              letter.")
        .fix("Rename the data volume, for example to `kubelet-dir`.");
    WRK_006 = Rule::error("ALI-WRK-006", SHOOT, Both)
        .summary("A data volume's `name` has at most 64 characters.")
        .why("It becomes part of the disk's name on Alibaba Cloud, whose length is limited.")
        .fix("Shorten the `name` of the data volume to 64 characters or fewer.");
    WRK_007 = Rule::error("ALI-WRK-007", SHOOT, Both)
        .summary("A data volume has a `type`.")
        .why("The data disk is created with this disk category; there is no default.")
        .fix("Set the data volume's `type` to a volume type of the CloudProfile, for example `cloud_essd`.");
    WRK_008 = Rule::error("ALI-WRK-008", SHOOT, Both)
        .summary("A data volume has a `size`.")
        .why("The data disk is created with this size; there is no default.")
        .fix("Set the data volume's `size`, for example `50Gi`.")
        .doubles(&["GDN-WRK-046"]);
    WRK_009 = Rule::error("ALI-WRK-009", SHOOT, Both)
        .summary("A worker pool names at least one zone.")
        .why("ECS instances are created in a zone's VSwitch; without a zone there is no place for them.")
        .fix("Add the `name` of an entry of `networks.zones` to the pool's `zones`.");
    WRK_010 = Rule::error("ALI-WRK-010", SHOOT, Both)
        .summary("A worker pool uses zones of `networks.zones` only.")
        .why("Other zones have no VSwitch, so no node could start there.")
        .fix("Name a zone of `infrastructureConfig.networks.zones`, or append the missing zone there with \
              `workers`.")
        .doubles(&["ADM-ZONE-002"]);
    WRK_011 = Rule::error("ALI-WRK-011", SHOOT, Both)
        .summary("A worker pool has at most 2147483647 zones.")
        .why("Nodes are spread over zones by a 32-bit count.")
        .fix("List every zone once in the pool's `zones`.")
        .informative("No document that can be read holds so many zones.");
    WRKU_001 = Rule::error("ALI-WRKU-001", SHOOT, Update)
        .summary("A worker pool keeps its `zones` and their order; new ones come last.")
        .why("Machines are numbered by the zone's position; another order would replace nodes away from their disks.")
        .fix("Restore the old `zones` in their order and append new ones, or add a pool with the zones you want.");
    WRKU_002 = Rule::error("ALI-WRKU-002", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `providerConfig`.")
        .why("In-place updates keep the machines, so what is set when a machine is created cannot change.")
        .fix("Restore the pool's `providerConfig`, or add a new pool with the other one.");
    WRKU_003 = Rule::error("ALI-WRKU-003", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `dataVolumes`.")
        .why("In-place updates keep the machines, and their disks come with the machine.")
        .fix("Restore the pool's `dataVolumes`, or add a new pool with the other ones.");
}
