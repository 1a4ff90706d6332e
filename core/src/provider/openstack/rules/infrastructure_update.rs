//! Changes of a Shoot's `InfrastructureConfig`.

use crate::report::{Operation::Update, Rule};
use crate::rules;

use super::SHOOT;

/// Why the subnet of the workers stays.
const SUBNET: &str = "A subnet keeps its range for life; another one would need a new subnet with all its nodes.";
/// Why pool and subnet of external addresses stay.
const EXTERNAL: &str = "The router and the load balancers hold addresses of it.";

rules! {
    INFU_001 = Rule::error("OS-INFU-001", SHOOT, Update)
        .summary("`networks.id` stays as it is.")
        .why("All nodes and load balancers live in this network; they cannot move to another.")
        .fix("Restore the old `networks.id`, or create a new Shoot.");
    INFU_002 = Rule::error("OS-INFU-002", SHOOT, Update)
        .summary("`networks.router` stays as it is.")
        .why("The subnet of the nodes is connected with this router.")
        .fix("Restore the old `networks.router`, or create a new Shoot.");
    INFU_003 = Rule::error("OS-INFU-003", SHOOT, Update)
        .summary("`networks.worker` stays as it is, and does not become `workers`.")
        .why(SUBNET)
        .fix("Restore the old `networks.worker`; `workers` is for new Shoots.");
    INFU_004 = Rule::error("OS-INFU-004", SHOOT, Update)
        .summary("`networks.workers` stays as it is.")
        .why(SUBNET)
        .fix("Restore the old `networks.workers`, or create a new Shoot.");
    INFU_005 = Rule::error("OS-INFU-005", SHOOT, Update)
        .summary("`networks.ipv6` stays as it is, also where it is absent.")
        .why("Nodes, pods and Services hold addresses of these ranges, or of none.")
        .fix("Restore the old `networks.ipv6`, or create a new Shoot.");
    INFU_006 = Rule::error("OS-INFU-006", SHOOT, Update)
        .summary("`networks.subnetPool` stays as it is.")
        .why("The range of the nodes' subnet came out of this pool.")
        .fix("Restore the old `networks.subnetPool`, or create a new Shoot.");
    INFU_007 = Rule::error("OS-INFU-007", SHOOT, Update)
        .summary("`networks.shareNetwork` stays as it is once it is enabled.")
        .why("Volumes of the cluster may lie in the share network.")
        .fix("Restore `networks.shareNetwork.enabled: true`.");
    INFU_008 = Rule::error("OS-INFU-008", SHOOT, Update)
        .summary("`floatingPoolName` stays as it is.")
        .why(EXTERNAL)
        .fix("Restore the old `floatingPoolName`, or create a new Shoot.");
    INFU_009 = Rule::error("OS-INFU-009", SHOOT, Update)
        .summary("`floatingPoolSubnetName` stays as it is.")
        .why(EXTERNAL)
        .fix("Restore the old `floatingPoolSubnetName`, or create a new Shoot.");
}
