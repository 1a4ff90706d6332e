//! Changes of a Shoot's `InfrastructureConfig`.

use crate::report::{Operation::Update, Rule};
use crate::rules;

use super::SHOOT;

/// Why subnets stay.
const SUBNET: &str =
    "A subnet keeps its range for life; another one would need a new subnet with all that is in it.";
/// Why existing subnets stay.
const EXISTING: &str = "Load balancers have addresses in the subnet.";
/// Why the VPC stays.
const VPC: &str = "All nodes and load balancers live in the VPC; they cannot move to another.";

rules! {
    INFU_001 = Rule::error("AWS-INFU-001", SHOOT, Update)
        .summary("`elasticFileSystem` stays as it is once it is set.")
        .why("Volumes of the cluster may lie in the file system.")
        .fix("Restore the old `elasticFileSystem`.");
    INFU_002 = Rule::error("AWS-INFU-002", SHOOT, Update)
        .summary("`enableDedicatedTenancyForVPC` stays as it is, also where it is absent.")
        .why("AWS sets the tenancy of a VPC when it creates the VPC.")
        .fix("Restore the old value, or create a new Shoot.");
    INFU_003 = Rule::error("AWS-INFU-003", SHOOT, Update)
        .summary("`networks.vpc.id` stays as it is.")
        .why(VPC)
        .fix("Restore the old `networks.vpc.id`, or create a new Shoot.");
    INFU_004 = Rule::error("AWS-INFU-004", SHOOT, Update)
        .summary("`networks.vpc.cidr` stays as it is.")
        .why(VPC)
        .fix("Restore the old `networks.vpc.cidr`, or create a new Shoot.");
    INFU_005 = Rule::error("AWS-INFU-005", SHOOT, Update)
        .summary("`networks.vpc.ipv6IpamPool` stays as it is once it is set.")
        .why("The IPv6 range of the VPC came out of this pool.")
        .fix("Restore the old `networks.vpc.ipv6IpamPool`.");
    INFU_006 = Rule::error("AWS-INFU-006", SHOOT, Update)
        .summary("`networks.nodesSecurityGroupID` stays as it is, also where it is absent.")
        .why("Running nodes have the security group.")
        .fix("Restore the old `networks.nodesSecurityGroupID`, or create a new Shoot.");
    INFU_007 = Rule::error("AWS-INFU-007", SHOOT, Update)
        .summary("No zone is removed from `networks.zones`.")
        .why("Nodes, volumes and load balancers may be in the zone.")
        .fix("Restore the zone. A worker pool can leave a zone without it.");
    INFU_008 = Rule::error("AWS-INFU-008", SHOOT, Update)
        .summary("A zone keeps its `name` and its position.")
        .why("A subnet stays in its availability zone.")
        .fix("Restore the old order of the zones, and append new ones.");
    INFU_009 = Rule::error("AWS-INFU-009", SHOOT, Update)
        .summary("`public` of a zone stays as it is once it is set.")
        .why(SUBNET)
        .fix("Restore the old `public`.");
    INFU_010 = Rule::error("AWS-INFU-010", SHOOT, Update)
        .summary("`internal` of a zone stays as it is once it is set.")
        .why(SUBNET)
        .fix("Restore the old `internal`.");
    INFU_011 = Rule::error("AWS-INFU-011", SHOOT, Update)
        .summary("`workers` of a zone stays as it is once it is set.")
        .why(SUBNET)
        .fix("Restore the old `workers`.");
    INFU_012 = Rule::error("AWS-INFU-012", SHOOT, Update)
        .summary("`workersSubnetID` of a zone stays as it is, also where it is absent.")
        .why("Nodes and their volumes are in the zone's subnet.")
        .fix("Restore the old `workersSubnetID`, or create a new Shoot.");
    INFU_013 = Rule::error("AWS-INFU-013", SHOOT, Update)
        .summary("`publicSubnetID` of a zone stays as it is once it is set.")
        .why(EXISTING)
        .fix("Restore the old `publicSubnetID`.");
    INFU_014 = Rule::error("AWS-INFU-014", SHOOT, Update)
        .summary("`internalSubnetID` of a zone stays as it is once it is set.")
        .why(EXISTING)
        .fix("Restore the old `internalSubnetID`.");
    INFU_015 = Rule::error("AWS-INFU-015", SHOOT, Update)
        .summary("`dualStack.enabled` stays on once it is on.")
        .why("Nodes and load balancers have IPv6 addresses.")
        .fix("Restore `dualStack.enabled: true`.");
}
