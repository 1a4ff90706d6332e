//! Advice beyond what the existing extension checks: what has another effect than it seems, or fails later.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::{PROFILES, SECRETS, SHOOT};

rules! {
    ADV_001 = Rule::warning("EQX-ADV-001", SHOOT, Both)
        .summary("`reservedDevicesOnly` is `true` or left out.")
        .why("`false` does nothing: machines are ordered on demand where no reservation is free.")
        .fix("Remove it, or set `true` to use reserved devices only.");
    ADV_002 = Rule::warning("EQX-ADV-002", SHOOT, Both)
        .summary("A pool with `reservedDevicesOnly: true` lists `reservationIDs`.")
        .why("Without a reservation none can be free, and no machine is created.")
        .fix("List reservations, or remove `reservedDevicesOnly`.");
    ADV_003 = Rule::warning("EQX-ADV-003", SHOOT, Update)
        .summary("A pool's reservations stay as they are.")
        .why("A change reaches new machines only; those that run are not replaced.")
        .fix("Replace the machines by hand, or use a new pool, if they are to follow.");
    ADV_004 = Rule::warning("EQX-ADV-004", SHOOT, Both)
        .summary("A worker pool has at most one zone.")
        .why("Zones become facilities of one machine deployment; nothing spreads machines evenly.")
        .fix("Make a pool per zone where each needs nodes.");
    ADV_005 = Rule::warning("EQX-ADV-005", SHOOT, Both)
        .summary("All worker pools have a `volume`, or none.")
        .why("One pool's `volume` moves the kubelet's directory on all nodes and, on Flatcar, takes all free disks.")
        .fix("Set `volume` on all pools or on none.");
    ADV_006 = Rule::warning("EQX-ADV-006", SHOOT, Both)
        .summary("Worker pools with a `volume` use the image `flatcar`.")
        .why("Disks of other systems are not set up, while the kubelet's directory moves all the same.")
        .fix("Use `flatcar`, or remove `volume`.");
    ADV_007 = Rule::warning("EQX-ADV-007", SHOOT, Both)
        .summary("A Shoot with `dataVolumes` has a `volume`.")
        .why("Disks are set up where a pool has a `volume`; `dataVolumes` alone do nothing.")
        .fix("Add `volume` to the pools, or remove `dataVolumes`.");
    ADV_008 = Rule::warning("EQX-ADV-008", SHOOT, Both)
        .summary("A worker pool's image leads to an operating system or an iPXE script.")
        .why("Machines are ordered with neither, and Equinix Metal cannot install them.")
        .fix("Choose another image version, or have its `id` filled in.");
    ADV_009 = Rule::warning("EQX-ADV-009", PROFILES, Update)
        .summary("An image version with an iPXE script stays mapped while it is used.")
        .why("Workers remember the `id` of a removed version, but not its script.")
        .fix("Keep the entry until no Shoot uses the version.");
    ADV_010 = Rule::warning("EQX-ADV-010", SECRETS, Both)
        .summary("`projectID` is not blank.")
        .why("An empty value passes every check, and Equinix Metal then finds no project.")
        .fix("Copy the ID of the project, and base64-encode it once.");
    ADV_011 = Rule::warning("EQX-ADV-011", SECRETS, Both)
        .summary("No key of a Secret is another one, misspelt.")
        .why("Nobody reads the misspelt key, and Shoots miss the right one.")
        .fix("Rename the key; upper and lower case count.");
}
