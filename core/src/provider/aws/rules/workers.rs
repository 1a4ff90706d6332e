//! Worker pools of a Shoot, and their changes.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a volume has a size and a type.
const VOLUME: &str = "Amazon EBS creates a volume of a size and a type; there is no default.";
/// Why `io1` needs a configuration.
const IO1: &str = "A volume of type `io1` has the IOPS that its configuration names, and there is no default.";

rules! {
    WRK_001 = Rule::error("AWS-WRK-001", SHOOT, Both)
        .summary("A worker pool has a `volume`.")
        .why("An instance boots from a volume, whose size and type are yours to choose.")
        .fix("Set the pool's `volume`, for example `{ type: gp3, size: 50Gi }`.");
    WRK_002 = Rule::error("AWS-WRK-002", SHOOT, Both)
        .summary("A pool's `volume` has a `size`.")
        .why(VOLUME)
        .fix("Set `volume.size`, for example `50Gi`.");
    WRK_003 = Rule::error("AWS-WRK-003", SHOOT, Both)
        .summary("A pool's `volume` has a `type`.")
        .why(VOLUME)
        .fix("Set `volume.type`, for example `gp3`.");
    WRK_004 = Rule::error("AWS-WRK-004", SHOOT, Both)
        .summary("A pool whose volume is of type `io1` has a `providerConfig`.")
        .why(IO1)
        .fix("Add a `WorkerConfig` with `volume.iops`, or choose the type `gp3`.");
    WRK_005 = Rule::error("AWS-WRK-005", SHOOT, Both)
        .summary("A worker pool has at most 11 data volumes.")
        .why("Device names for more volumes would be those of other disks.")
        .fix("Use fewer and larger data volumes.");
    WRK_006 = Rule::error("AWS-WRK-006", SHOOT, Both)
        .summary("A data volume has a `size`.")
        .why(VOLUME)
        .fix("Set `size` of the data volume, for example `50Gi`.");
    WRK_007 = Rule::error("AWS-WRK-007", SHOOT, Both)
        .summary("A data volume has a `type`.")
        .why(VOLUME)
        .fix("Set `type` of the data volume, for example `gp3`.");
    WRK_008 = Rule::error("AWS-WRK-008", SHOOT, Both)
        .summary("A pool with a data volume of type `io1` has a `providerConfig`.")
        .why(IO1)
        .fix("Add a `WorkerConfig` with `iops` for this data volume, or choose the type `gp3`.");
    WRK_009 = Rule::error("AWS-WRK-009", SHOOT, Both)
        .summary("A worker pool names at least one zone.")
        .why("Instances are created in the subnet of a zone; without one there is no place for them.")
        .fix("Add a zone of `networks.zones` to the pool's `zones`.");
    WRK_010 = Rule::error("AWS-WRK-010", SHOOT, Both)
        .summary("The zones of a worker pool are among `networks.zones`.")
        .why("Only these zones have subnets.")
        .fix("Name a zone of `networks.zones`, or add the zone to `networks.zones` with its ranges.");
    WRK_011 = Rule::error("AWS-WRK-011", SHOOT, Both)
        .summary("A worker pool has at most 2147483647 zones.")
        .why("Nodes are spread over zones by a 32-bit count.")
        .fix("List every zone once in the pool's `zones`.")
        .informative("No document that can be read holds so many zones.");
    WRK_012 = Rule::error("AWS-WRK-012", SHOOT, Both)
        .summary("A pool's `providerConfig` is well-formed.")
        .why("The machines are created by it.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as AWS-WRKC-001 to AWS-WRKC-037.");
    WRKU_001 = Rule::error("AWS-WRKU-001", SHOOT, Update)
        .summary("A worker pool keeps its `zones` and their order; new ones come last.")
        .why("Machines are numbered by the zone's position; another order would replace nodes away from their disks.")
        .fix("Restore the old `zones` in their order and append new ones, or add a pool with the zones you want.");
    WRKU_002 = Rule::error("AWS-WRKU-002", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `providerConfig`.")
        .why("In-place updates keep the machines, so what is set when a machine is created cannot change.")
        .fix("Restore the pool's `providerConfig`, or add a new pool with the other one.");
    WRKU_003 = Rule::error("AWS-WRKU-003", SHOOT, Update)
        .summary("A pool that is updated in place keeps its data volumes.")
        .why("In-place updates keep the machines with their disks.")
        .fix("Restore the pool's `dataVolumes`, or add a new pool with the other ones.");
}
