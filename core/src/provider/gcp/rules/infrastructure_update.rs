//! Changes of a Shoot's `InfrastructureConfig`.

use crate::report::{Operation::Update, Rule};
use crate::rules;

use super::SHOOT;

/// Why nodes stay in their VPC.
const VPC: &str = "All nodes and load balancers live in this VPC; they cannot move to another.";

rules! {
    INFU_001 = Rule::error("GCP-INFU-001", SHOOT, Update)
        .summary("`networks.vpc` is not removed.")
        .why(VPC)
        .fix("Restore the old `networks.vpc`, or create a new Shoot.");
    INFU_002 = Rule::error("GCP-INFU-002", SHOOT, Update)
        .summary("`networks.vpc.name` stays as it is.")
        .why(VPC)
        .fix("Restore the old `networks.vpc.name`, or create a new Shoot.");
    INFU_003 = Rule::error("GCP-INFU-003", SHOOT, Update)
        .summary("`networks.vpc.cloudRouter` stays as it is.")
        .why("Nodes reach the internet through Cloud NAT of this router.")
        .fix("Restore the old `networks.vpc.cloudRouter`, or create a new Shoot.");
    INFU_004 = Rule::error("GCP-INFU-004", SHOOT, Update)
        .summary("In an existing VPC, `networks.internal` stays as it is once it is set.")
        .why("Internal load balancers have addresses of this subnet.")
        .fix("Restore the old `networks.internal`, or create a new Shoot.");
    INFU_005 = Rule::error("GCP-INFU-005", SHOOT, Update)
        .summary("The range of the workers may only grow.")
        .why("GCP widens the range of a subnet, and neither moves nor narrows it.")
        .fix("Restore the old range, or write one that holds it, for example `10.250.0.0/15` for `10.250.0.0/16`.");
    INFU_006 = Rule::error("GCP-INFU-006", SHOOT, Update)
        .summary("`networks.mtu` stays as it is, also where it is absent.")
        .why("Nodes learn the MTU of the VPC when they start; another one would split the cluster.")
        .fix("Restore the old `networks.mtu`, or create a new Shoot.");
}
