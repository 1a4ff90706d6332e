//! What forbids a plan of a Shoot's network, once the configuration is known to fit the cloud.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::INFRASTRUCTURE;

rules! {
    PLAN_002 = Rule::error("ALI-PLAN-002", INFRASTRUCTURE, Both)
        .summary("A VSwitch of the Shoot stays, unless its removal is allowed.")
        .why("Its nodes lose their network, its SNAT entry goes, and the elastic IP of a zone that goes is given up.")
        .fix("Restore the zone with its old range; or, when it has no nodes any more, set the annotation \
              `alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource: \"true\"` on the \
              Infrastructure.");
    PLAN_003 = Rule::error("ALI-PLAN-003", INFRASTRUCTURE, Both)
        .summary("What is managed is the Shoot's own: VPC and NAT gateway have its tags or names, and the NAT gateway stands \
                  in one of its VSwitches.")
        .why("What somebody else made is never changed or deleted; and a NAT gateway cannot move, so that one in a \
              VSwitch of somebody else's may lose its place at any time.")
        .fix("Name what is somebody else's by `networks.vpc.id`, and leave out `gardenerManagedNATGateway` for their NAT \
              gateway. One of the Shoot's that stands elsewhere has to be deleted; another one is made in the first zone.");
    PLAN_004 = Rule::error("ALI-PLAN-004", INFRASTRUCTURE, Both)
        .summary("The elastic IP of a zone is free, or associated with the Shoot's NAT gateway.")
        .why("An elastic IP serves one thing at a time; taking it away would cut off what uses it.")
        .fix("Unassociate the elastic IP from what it serves, or name another one in `natGateway.eipAllocationID`.");
    PLAN_005 = Rule::error("ALI-PLAN-005", INFRASTRUCTURE, Both)
        .summary("The role `AliyunServiceRoleForNatgw` is the service-linked role of NAT gateways.")
        .why("NAT gateways act by that role; one of the same name that somebody made does not let them.")
        .fix("Delete the role `AliyunServiceRoleForNatgw` in the account; the right one is made when it is needed.");
    PLAN_006 = Rule::error("ALI-PLAN-006", INFRASTRUCTURE, Both)
        .summary("An image is known for every worker pool.")
        .why("Nodes start from an image of the Shoot's region; the CloudProfile names them.")
        .fix("Choose an image version that the CloudProfile offers in the Shoot's region, or let an operator add it.");
    PLAN_007 = Rule::error("ALI-PLAN-007", INFRASTRUCTURE, Both)
        .summary("Images of Alibaba Cloud's own are not copied encrypted.")
        .why("Only images of one's own, or shared ones, can be copied; nodes encrypt system disks of others themselves.")
        .fix("Leave out `volume.encrypted` of the worker pool, or choose another image.");
    PLAN_008 = Rule::error("ALI-PLAN-008", INFRASTRUCTURE, Both)
        .summary("One stack at most makes the encrypted copy of an image.")
        .why("Of several stacks of the same name, nobody knows whose copy is meant.")
        .fix("Delete all stacks of that name but one in Resource Orchestration Service.");
    PLAN_009 = Rule::error("ALI-PLAN-009", INFRASTRUCTURE, Both)
        .summary("What the configuration refers to is there, and does not go with something of the Shoot's.")
        .why("What somebody else made is neither made nor removed here.")
        .fix("Make it, or refer to another one.")
        .informative("Told earlier, by ALI-ICV-005, ALI-ICV-008, ALI-ICV-013 and ALI-ICV-020.");
    PLAN_020 = Rule::error("ALI-PLAN-020", INFRASTRUCTURE, Both)
        .summary("A managed elastic IP that has to go serves nothing but the Shoot's NAT gateway.")
        .why("Somebody bound it to something else: it cannot be released while that uses it, and taking it away would cut \
              that off.")
        .fix("Unassociate the elastic IP from the named instance, and give that another one; then run again.");
}
