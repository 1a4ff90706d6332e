//! Worker pools of a Shoot, and their changes.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a volume has a size and a type.
const VOLUME: &str = "Azure creates a disk of a size and a type; there is no default.";
/// Why nobody chooses encryption.
const ENCRYPTED: &str = "Azure encrypts all disks; there is nothing to choose.";
/// Why pools that are updated in place hold a setting.
const IN_PLACE: &str = "A pool that is updated in place keeps its machines with their disks.";

rules! {
    WRK_001 = Rule::error("AZ-WRK-001", SHOOT, Both)
        .summary("A worker pool has a `volume`.")
        .why("A machine boots from a disk, whose size and type are yours to choose.")
        .fix("Set the pool's `volume`, for example `{ type: StandardSSD_LRS, size: 50Gi }`.");
    WRK_002 = Rule::error("AZ-WRK-002", SHOOT, Both)
        .summary("A pool's `volume` has a `type`.")
        .why(VOLUME)
        .fix("Set `volume.type`, for example `StandardSSD_LRS`.");
    WRK_003 = Rule::error("AZ-WRK-003", SHOOT, Both)
        .summary("A pool's `volume` has a `size`.")
        .why(VOLUME)
        .fix("Set `volume.size`, for example `50Gi`.");
    WRK_004 = Rule::error("AZ-WRK-004", SHOOT, Both)
        .summary("A pool's `volume` does not set `encrypted`.")
        .why(ENCRYPTED)
        .fix("Remove `volume.encrypted`.");
    WRK_005 = Rule::error("AZ-WRK-005", SHOOT, Both)
        .summary("A worker pool has at most 64 data volumes.")
        .why("Azure attaches no more disks to a machine.")
        .fix("Use fewer and larger data volumes.");
    WRK_006 = Rule::error("AZ-WRK-006", SHOOT, Both)
        .summary("A data volume has a `type` and a `size`, and does not set `encrypted`.")
        .why(VOLUME)
        .fix("Set `type` and `size` of the data volume, and remove `encrypted`.");
    WRK_010 = Rule::error("AZ-WRK-010", SHOOT, Both)
        .summary("In a Shoot with `zoned: true`, a worker pool has zones.")
        .why("Azure creates a machine in a zone that somebody chose.")
        .fix("Set the pool's `zones`, for example `['1', '2', '3']`.");
    WRK_011 = Rule::error("AZ-WRK-011", SHOOT, Both)
        .summary("In a Shoot without `zoned: true`, a worker pool has no zones.")
        .why("The machines of a pool are in a scale set, which has no zone.")
        .fix("Remove the pool's `zones`, or set `zoned: true` on a new Shoot.");
    WRK_012 = Rule::error("AZ-WRK-012", SHOOT, Both)
        .summary("A worker pool has at most 2147483647 zones.")
        .why("The existing extension counts them with 32 bits.")
        .fix("Use fewer zones.")
        .informative("No document that can be read holds so many zones.");
    WRK_013 = Rule::error("AZ-WRK-013", SHOOT, Both)
        .summary("A worker pool names each zone once.")
        .why("A zone has one share of the pool's machines.")
        .fix("Remove the repeated zone.");
    WRK_014 = Rule::error("AZ-WRK-014", SHOOT, Both)
        .summary("With subnets in zones, each zone of a pool has one.")
        .why("A machine needs the subnet of its zone.")
        .fix("Add the zone to `networks.zones`, or choose a zone that is there.");
    WRKU_001 = Rule::error("AZ-WRKU-001", SHOOT, Update)
        .summary("Zones of a worker pool are only added, behind the others.")
        .why("Machines and volumes stay in their zones, and the order decides which machines a zone has.")
        .fix("Keep the old zones in their order, and add further ones behind them.");
    WRKU_002 = Rule::error("AZ-WRKU-002", SHOOT, Update)
        .summary("`providerConfig` of a pool that is updated in place does not change.")
        .why(IN_PLACE)
        .fix("Keep `providerConfig`, or add a new pool with the new one.");
    WRKU_003 = Rule::error("AZ-WRKU-003", SHOOT, Update)
        .summary("`dataVolumes` of a pool that is updated in place do not change.")
        .why(IN_PLACE)
        .fix("Keep `dataVolumes`, or add a new pool with the new ones.");
}
