//! What forbids a plan of a Shoot's network, once the configuration is known to fit the cloud.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::INFRASTRUCTURE;

rules! {
    PLAN_002 = Rule::error("ALI-PLAN-002", INFRASTRUCTURE, Both)
        .summary("A VSwitch of the Shoot stays, unless its removal is allowed.")
        .why("Its nodes lose their network, its SNAT entry goes, and the elastic IP of a zone that goes is given up.")
        .fix("Restore the zone with its old range; or, when it has no nodes any more, set the annotation \
              `alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource: \"true\"` on the Shoot, or \
              on the Infrastructure where that is what you plan.");
    PLAN_003 = Rule::error("ALI-PLAN-003", INFRASTRUCTURE, Both)
        .summary("What is managed is the Shoot's own: VPC and NAT gateway have its tags or names, and the NAT gateway stands \
                  in one of its VSwitches.")
        .why("What somebody else made is never changed or deleted; and a NAT gateway cannot move, so that one in a \
              VSwitch of somebody else's may lose its place at any time.")
        .fix("Where the finding names a VPC of somebody else's, write its id into `networks.vpc.id`; where it names a NAT \
              gateway of theirs, leave out `gardenerManagedNATGateway`. Where the NAT gateway is the Shoot's own and stands \
              in a VSwitch of somebody else's, delete it in Alibaba Cloud and run the same command again: Trellis creates \
              another one in the first zone.");
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
    PLAN_010 = Rule::error("ALI-PLAN-010", INFRASTRUCTURE, Both)
        .summary("The credentials belong to the account that the state names.")
        .why("In another account nothing of the network is found: it would be built once more there, and the ids of the one \
              that is there already, and billed, would be lost.")
        .fix("Give credentials of the account that the state names. Where the network moved to another account on purpose, \
              change the state with `trellis state rebind`.");
    PLAN_011 = Rule::error("ALI-PLAN-011", INFRASTRUCTURE, Both)
        .summary("The account of the credentials is known before something is changed.")
        .why("A state belongs to an account. Without knowing whose the credentials are, nobody knows whether what is \
              recorded is theirs.")
        .fix("Allow the credentials `sts:GetCallerIdentity`, and see to it that the service STS can be reached.");
    PLAN_012 = Rule::error("ALI-PLAN-012", INFRASTRUCTURE, Both)
        .summary("Something that is found is recorded, unless a person says that it is the Shoot's.")
        .why("A tag or a name can be anybody's: another Shoot of the same name, in another landscape, has the same.")
        .fix("Where it is this Shoot's, say so with `--adopt`, or in a seed with the annotation \
              `infrastructure.trellis.gardener.cloud/adopt: \"true\"` on the Infrastructure. Where its state is kept elsewhere, \
              import it with `trellis state import`, or name its directory with `--state-dir`.");
    PLAN_013 = Rule::error("ALI-PLAN-013", INFRASTRUCTURE, Both)
        .summary("Of a network that is to go, something that is recorded is found.")
        .why("Where nothing is found, the cloud, the region or the account may be the wrong one, and the network may still be \
              there and be billed. In a seed whose account is the recorded one, this is a warning.")
        .fix("Check `--cloud`, the region and the credentials. Where somebody deleted everything, give up the record with \
              `--forget`, or in a seed with the annotation `infrastructure.trellis.gardener.cloud/forget: \"true\"` on the \
              Infrastructure.");
    PLAN_014 = Rule::error("ALI-PLAN-014", INFRASTRUCTURE, Both)
        .summary("Of a state that names no account, or was rebound, something that is recorded is found.")
        .why("Where nothing is found, the credentials may be another account's: the network would be built once more.")
        .fix("Check the credentials, `--cloud` and the region. Where somebody deleted everything, and it is to be built in \
              this account, say so with `--adopt`.");
    PLAN_020 = Rule::error("ALI-PLAN-020", INFRASTRUCTURE, Both)
        .summary("A managed elastic IP that has to go serves nothing but the Shoot's NAT gateway.")
        .why("Somebody bound it to something else: it cannot be released while that uses it, and taking it away would cut \
              that off.")
        .fix("Unassociate the elastic IP from the named instance, and give that another one; then run again.");
    PLAN_021 = Rule::warning("ALI-PLAN-021", INFRASTRUCTURE, Both)
        .summary("A VPC that has to go has no security groups of others.")
        .why("Alibaba Cloud does not delete a VPC that has a security group, and Trellis does not delete what is not the \
              Shoot's. Everything else of the network goes, and the VPC stays.")
        .fix("Delete the security groups that the finding names; then run again.");
}
