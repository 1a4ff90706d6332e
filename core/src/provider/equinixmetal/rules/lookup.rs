//! Which image a worker pool gets.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{PROFILES, SHOOT};

rules! {
    LKP_001 = Rule::warning("EQX-LKP-001", PROFILES, Both)
        .summary("An image version is mapped once.")
        .why("The first mapping of a name and version counts, in every region and for every architecture.")
        .fix("Remove the later entry, or correct its `version`.");
    LKP_002 = Rule::warning("EQX-LKP-002", &["CloudProfile", "Shoot"], Both)
        .summary("A worker pool's image is mapped in the CloudProfile, and so is every image on offer.")
        .why("Pools that have the image live on what was remembered, without iPXE script.")
        .fix("Choose an image version that is mapped.");
    LKP_003 = Rule::warning("EQX-LKP-003", SHOOT, Both)
        .summary("An image that a pool starts to use is mapped in the CloudProfile.")
        .why("Neither the profile nor the workers' status knows it, and no machine is created.")
        .fix("Choose an image version that is mapped.");
    LKP_004 = Rule::warning("EQX-LKP-004", &["Worker"], Both)
        .summary("The workers' status remembers each image in use once.")
        .why("Pools find it there when the CloudProfile no longer maps it.")
        .fix("Nothing: the status is written again each time.")
        .informative("It says what the extension writes; it judges nothing.");
}
