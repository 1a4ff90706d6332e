//! Checks that the existing extension makes while it runs.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CHK_001 = Rule::warning("EQX-CHK-001", SHOOT, Both)
        .summary("All worker pools use one image name if any has a `volume`.")
        .why("Disks are set up for one operating system; with several, no node is provisioned.")
        .fix("Use one image for all pools, or remove `volume` from all of them.");
    CHK_002 = Rule::warning("EQX-CHK-002", &["ConfigMap"], Both)
        .summary("The resource manager's ConfigMap is readable.")
        .why("A namespace for MetalLB is added to it.")
        .fix("Let Gardener write the ConfigMap again.")
        .informative("The ConfigMap is Gardener's own, on the seed; it comes with the webhooks.");
    CHK_003 = Rule::warning("EQX-CHK-003", &["Node"], Both)
        .summary("A node's provider ID is a device ID, with or without `equinixmetal://`.")
        .why("The node's network is asked for by it; the node is skipped otherwise.")
        .fix("Let the cloud controller manager set it.")
        .informative("Nodes are seen only while the extension runs.");
    CHK_004 = Rule::warning("EQX-CHK-004", &["Node"], Both)
        .summary("A device's private address shows its network.")
        .why("The VPN learns the networks of nodes from it.")
        .fix("Look at the device's addresses in the console of Equinix Metal.")
        .informative("Only Equinix Metal knows a device's addresses.");
}
