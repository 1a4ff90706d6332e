//! Changes of a Shoot's `InfrastructureConfig`.

use crate::report::{Operation::Update, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INFU_001 = Rule::error("ALI-INFU-001", SHOOT, Update)
        .summary("`networks.vpc` keeps `id`, `cidr` and `gardenerManagedNATGateway`.")
        .why("All nodes, VSwitches and load balancers live in this VPC; they cannot move to another.")
        .fix("Restore the old `networks.vpc` (for `gardenerManagedNATGateway`, absent and `false` differ), \
              or create a new Shoot.");
    INFU_002 = Rule::error("ALI-INFU-002", SHOOT, Update)
        .summary("`networks.vpc.useCustomRouteTable` stays as it was on creation.")
        .why("Changing the route table under running VSwitches would cut off the nodes.")
        .fix("Restore the old value of `useCustomRouteTable`, or create a new Shoot with the other one.");
    INFU_003 = Rule::error("ALI-INFU-003", SHOOT, Update)
        .summary("No zone is removed from `networks.zones`.")
        .why("Its VSwitch may hold nodes and load balancers, and its position counts for the others.")
        .fix("Restore the entry in `networks.zones`; leave the zone out of new worker pools if it should have no \
              nodes.");
    INFU_004 = Rule::error("ALI-INFU-004", SHOOT, Update)
        .summary("Existing zones keep their `name` and order.")
        .why("A VSwitch belongs to one zone for life; another name would need a new one with all its nodes.")
        .fix("Restore name and order of the old entries, and append new zones at the end of `networks.zones`.");
    INFU_005 = Rule::error("ALI-INFU-005", SHOOT, Update)
        .summary("A zone that moves from `worker` to `workers` keeps its CIDR.")
        .why("Only the field's name may change: another range would need a new VSwitch with all its nodes.")
        .fix("Copy the old value of `worker` to `workers` unchanged.");
    INFU_006 = Rule::error("ALI-INFU-006", SHOOT, Update)
        .summary("Existing zones keep their `workers`.")
        .why("The range of a VSwitch is fixed; another one would need a new VSwitch with all its nodes.")
        .fix("Restore the old `workers`; for more addresses append a zone to `networks.zones`.");
    INFU_007 = Rule::error("ALI-INFU-007", SHOOT, Update)
        .summary("Existing zones keep their `worker`, unless it moves to `workers`.")
        .why("The range of a VSwitch is fixed; another one would need a new VSwitch with all its nodes.")
        .fix("Restore the old `worker`, or replace it by `workers` with the same CIDR.");
    INFU_008 = Rule::error("ALI-INFU-008", SHOOT, Update)
        .summary("`ipv6CidrBlock` is not removed from a zone.")
        .why("The VSwitch holds this /64 block; without the value the zone would claim the block of its index.")
        .fix("Restore the zone's `ipv6CidrBlock`.");
    INFU_009 = Rule::error("ALI-INFU-009", SHOOT, Update)
        .summary("A zone's `natGateway` names an elastic IP.")
        .why("The only use of `natGateway` is to bring your own elastic IP.")
        .fix("Set `natGateway.eipAllocationID`, or remove `natGateway`.")
        .informative("The same finding is reported as ALI-INF-004, which also holds on create.");
    INFU_010 = Rule::error("ALI-INFU-010", SHOOT, Update)
        .summary("`natGateway.eipAllocationID` is not empty.")
        .why("An empty ID names no elastic IP that could be attached.")
        .fix("Fill in the allocation ID, or remove `natGateway`.")
        .informative("The same finding is reported as ALI-INF-005, which also holds on create.");
    INFU_011 = Rule::error("ALI-INFU-011", SHOOT, Update)
        .summary("Dual-stack is not disabled once it is enabled.")
        .why("Nodes, Services and load balancers hold IPv6 addresses that would vanish under them.")
        .fix("Restore `dualStack.enabled: true`, or create a new Shoot without it.");
}
