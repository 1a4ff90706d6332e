//! What is judged with the cloud's answers, before an infrastructure is made or fixed.

use crate::report::Operation::{Both, Create};
use crate::report::Rule;
use crate::rules;

use super::INFRASTRUCTURE;

rules! {
    ICV_001 = Rule::error("ALI-ICV-001", INFRASTRUCTURE, Both)
        .summary("The infrastructure has a readable `InfrastructureConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and `kind: \
              InfrastructureConfig`; correct unknown or doubled fields and wrong types.");
    ICV_002 = Rule::error("ALI-ICV-002", INFRASTRUCTURE, Both)
        .summary("The credentials of the Shoot's account can be read.")
        .why("Nothing is known of the cloud, and nothing can be made there, without them.")
        .fix("Put `accessKeyID` and `accessKeySecret` into the Secret that the Shoot's SecretBinding or CredentialsBinding, or \
              the Infrastructure's `spec.secretRef`, names; or name a file with that Secret with `--credentials FILE`.");
    ICV_003 = Rule::error("ALI-ICV-003", INFRASTRUCTURE, Both)
        .summary("Alibaba Cloud can be called with the credentials, in the Shoot's region.")
        .why("Nothing is known of the cloud, and nothing can be made there, without a client.")
        .fix("Check `spec.region` and the access key in the Secret.");
    ICV_004 = Rule::error("ALI-ICV-004", INFRASTRUCTURE, Both)
        .summary("The existing VPC can be looked up.")
        .why("Its range and its state decide what can be made in it.")
        .fix("Grant the RAM user `vpc:DescribeVpcs`, check the access key and the region, and try again.");
    ICV_005 = Rule::error("ALI-ICV-005", INFRASTRUCTURE, Both)
        .summary("The existing VPC is there.")
        .why("A network can only be laid out in a VPC of the Shoot's account and region.")
        .fix("Correct `networks.vpc.id`, or make the VPC in the Shoot's account and region.");
    ICV_006 = Rule::error("ALI-ICV-006", INFRASTRUCTURE, Both)
        .summary("The NAT gateways of the existing VPC can be listed.")
        .why("Nodes reach the Internet by the one that is yours.")
        .fix("Grant the RAM user `vpc:DescribeNatGateways`, and try again.");
    ICV_007 = Rule::error("ALI-ICV-007", INFRASTRUCTURE, Both)
        .summary("The tags of the NAT gateways in the existing VPC can be read.")
        .why("They keep gateways of other Shoots apart from yours.")
        .fix("Grant the RAM user `vpc:ListTagResources`, and try again.");
    ICV_008 = Rule::error("ALI-ICV-008", INFRASTRUCTURE, Both)
        .summary("The existing VPC has a NAT gateway of yours, unless Gardener makes one.")
        .why("Without one the nodes cannot reach the Internet. Those of other Shoots may go at any time and do not count.")
        .fix("Make a NAT gateway in the VPC, or set `networks.vpc.gardenerManagedNATGateway: true`.");
    ICV_009 = Rule::error("ALI-ICV-009", INFRASTRUCTURE, Both)
        .summary("The existing VPC has a single NAT gateway of yours, unless Gardener makes one.")
        .why("Nothing says which of several the nodes should use.")
        .fix("Leave one NAT gateway without a tag `kubernetes.io/cluster/…` in the VPC, or use another VPC.");
    ICV_010 = Rule::error("ALI-ICV-010", INFRASTRUCTURE, Both)
        .summary("The IPv6 range of the existing VPC can be looked up for dual-stack.")
        .why("The VSwitches get their IPv6 ranges from it.")
        .fix("Grant the RAM user `vpc:DescribeVpcs`, and try again.")
        .informative("The VPC is looked up once; ALI-ICV-004 and ALI-ICV-005 say where that fails.");
    ICV_011 = Rule::error("ALI-ICV-011", INFRASTRUCTURE, Both)
        .summary("IPv6 is on in the existing VPC of a dual-stack Shoot.")
        .why("The VSwitches get their IPv6 ranges from the VPC's, and your VPC is not changed.")
        .fix("Turn IPv6 on in the VPC, or leave `dualStack` out.");
    ICV_012 = Rule::error("ALI-ICV-012", INFRASTRUCTURE, Both)
        .summary("The IPv6 gateways of the existing VPC can be listed for dual-stack.")
        .why("IPv6 traffic to and from the Internet goes through one.")
        .fix("Grant the RAM user `vpc:DescribeIpv6Gateways`, and try again.");
    ICV_013 = Rule::error("ALI-ICV-013", INFRASTRUCTURE, Both)
        .summary("The existing VPC of a dual-stack Shoot has an IPv6 gateway.")
        .why("IPv6 traffic to and from the Internet goes through it, and none is made in your VPC.")
        .fix("Make an IPv6 gateway in the VPC, or leave `dualStack` out.");
    ICV_014 = Rule::error("ALI-ICV-014", INFRASTRUCTURE, Create)
        .summary("The VSwitches of the existing VPC can be listed.")
        .why("They show which ranges are taken, and whether other Shoots live in the VPC.")
        .fix("Grant the RAM user `vpc:DescribeVSwitches`, and try again.");
    ICV_015 = Rule::error("ALI-ICV-015", INFRASTRUCTURE, Create)
        .summary("In a VPC with other Shoots, one with a NAT gateway made by Gardener has a route table of its own.")
        .why("The VPC's own route table has one way to the Internet; a second NAT gateway would take it from the other \
              Shoots.")
        .fix("Set `networks.vpc.useCustomRouteTable: true`.");
    ICV_016 = Rule::error("ALI-ICV-016", INFRASTRUCTURE, Create)
        .summary("The CIDR of each zone is free in the existing VPC.")
        .why("A zone becomes a VSwitch, and Alibaba Cloud refuses VSwitches that overlap within a VPC.")
        .fix("Give the zone's `workers` a range that none of the VPC's VSwitches uses.");
    ICV_017 = Rule::error("ALI-ICV-017", INFRASTRUCTURE, Both)
        .summary("The zones that offer enhanced NAT gateways can be listed.")
        .why("A NAT gateway made by Gardener is in the first zone, which has to be one of them.")
        .fix("Grant the RAM user `vpc:ListEnhanhcedNatGatewayAvailableZones` (spelled like that), and try again.");
    ICV_018 = Rule::error("ALI-ICV-018", INFRASTRUCTURE, Both)
        .summary("The first zone offers enhanced NAT gateways, where Gardener makes one.")
        .why("The NAT gateway of the Shoot is made in the VSwitch of its first zone.")
        .fix("Put a zone first in `networks.zones` that offers enhanced NAT gateways; the finding lists them.");
    ICV_019 = Rule::error("ALI-ICV-019", INFRASTRUCTURE, Both)
        .summary("The elastic IPs that you bring can be looked up.")
        .why("Their addresses become those from which the nodes of a zone are seen.")
        .fix("Grant the RAM user `vpc:DescribeEipAddresses`, check `natGateway.eipAllocationID`, and try again.");
    ICV_020 = Rule::error("ALI-ICV-020", INFRASTRUCTURE, Both)
        .summary("The elastic IPs that you bring are there.")
        .why("Only an elastic IP of the Shoot's account and region can be associated.")
        .fix("Allocate the elastic IP in the Shoot's region and account, or correct `natGateway.eipAllocationID`.");
    ICV_021 = Rule::error("ALI-ICV-021", INFRASTRUCTURE, Both)
        .summary("Each zone has an elastic IP of its own.")
        .why("The egress of a zone is to be seen from an address that no other zone has.")
        .fix("Name another elastic IP in `natGateway.eipAllocationID` of one of the zones, or leave it out there.");
    PLAN_001 = Rule::error("ALI-PLAN-001", INFRASTRUCTURE, Both)
        .summary("All that a plan stands on can be read from Alibaba Cloud.")
        .why("A plan made without knowing what is there could make it twice, or remove what is not the Shoot's.")
        .fix("Allow the RAM user the call that the finding names: `trellis ram-policy` prints all calls. Where Alibaba Cloud did \
              not answer, check network and `spec.region`. Then run the same command again.");
}
