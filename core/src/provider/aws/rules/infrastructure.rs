//! `InfrastructureConfig` of a Shoot: VPC, subnets of zones, and tags.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// What an id is for.
const ID: &str = "AWS finds a resource by its id; another text names no resource.";
/// Why a range must be readable.
const RANGE: &str = "AWS creates the subnet or the VPC with exactly this range.";
/// Why existing and new subnets exclude each other.
const ONE_WAY: &str =
    "Gardener either manages all subnets with their route tables and NAT gateways, or none of them.";
/// Why load balancers need subnets in all zones.
const ALL_ZONES: &str = "A load balancer that lacks a subnet in one of the zones does not reach the nodes there.";
/// Why ranges are disjoint.
const DISJOINT: &str = "An address in two of them could not be routed.";
/// What Gardener does with tags.
const TAGS: &str = "Gardener finds its resources by this tag, and could no longer correct the tag.";
/// How to leave such a tag alone.
const OTHER_TAG: &str = "Remove the entry, or write the key of a tag of your own.";
/// How to find the id of a subnet.
const SUBNET: &str = "Write the subnet's id, for example `subnet-0a1b2c3d4e5f60718`.";

rules! {
    INF_001 = Rule::error("AWS-INF-001", SHOOT, Both)
        .summary("`networks.zones` has a zone.")
        .why("Nodes and load balancers live in the subnets of zones.")
        .fix("Add a zone with `name`, `workers`, `public` and `internal` to `networks.zones`.");
    INF_002 = Rule::error("AWS-INF-002", SHOOT, Both)
        .summary("`gatewayEndpoints` names services of AWS.")
        .why("The name becomes the end of the service's name, `com.amazonaws.<region>.<name>`.")
        .fix("Write the name of a service with a gateway endpoint: `s3` or `dynamodb`.");
    INF_003 = Rule::error("AWS-INF-003", SHOOT, Both)
        .summary("`gatewayEndpoints` goes with subnets that Gardener creates.")
        .why("An endpoint needs an entry in every route table, and those of existing subnets are yours.")
        .fix("Remove `gatewayEndpoints`, and create the endpoints in your VPC yourself.");
    INF_004 = Rule::error("AWS-INF-004", SHOOT, Both)
        .summary("`nodesSecurityGroupID` is the id of a security group.")
        .why(ID)
        .fix("Write the group's id, for example `sg-0a1b2c3d4e5f60718`.");
    INF_005 = Rule::error("AWS-INF-005", SHOOT, Both)
        .summary("`nodesSecurityGroupID` goes with an existing VPC.")
        .why("A security group belongs to a VPC; a VPC that does not exist yet has none.")
        .fix("Set `networks.vpc.id` to the VPC of the group, or remove `nodesSecurityGroupID`.");
    INF_006 = Rule::error("AWS-INF-006", SHOOT, Both)
        .summary("All zones have `workers`, or all have `workersSubnetID`.")
        .why(ONE_WAY)
        .fix("Give every zone a range in `workers`, or every zone an existing subnet in `workersSubnetID`.");
    INF_007 = Rule::error("AWS-INF-007", SHOOT, Both)
        .summary("A zone has `workers` or `workersSubnetID`.")
        .why("Nodes need a subnet.")
        .fix("Give every zone a range in `workers`, for example `10.250.0.0/19`.");
    INF_008 = Rule::error("AWS-INF-008", SHOOT, Both)
        .summary("With existing subnets, `elasticFileSystem` has the `id` of an existing file system.")
        .why("Gardener creates no mount targets in subnets that it does not manage.")
        .fix("Set `elasticFileSystem.id`, or set `elasticFileSystem.enabled: false`.");
    INF_009 = Rule::error("AWS-INF-009", SHOOT, Both)
        .summary("All zones with existing subnets have `publicSubnetID`, or none has.")
        .why(ALL_ZONES)
        .fix("Set `publicSubnetID` in the other zones too, or remove it everywhere.");
    INF_010 = Rule::error("AWS-INF-010", SHOOT, Both)
        .summary("All zones with existing subnets have `internalSubnetID`, or none has.")
        .why(ALL_ZONES)
        .fix("Set `internalSubnetID` in the other zones too, or remove it everywhere.");
    INF_011 = Rule::error("AWS-INF-011", SHOOT, Both)
        .summary("A zone's `name` is that of an availability zone.")
        .why("AWS creates subnets in an availability zone.")
        .fix("Write the zone's name in lower case, for example `eu-central-1a`.");
    INF_012 = Rule::error("AWS-INF-012", SHOOT, Both)
        .summary("Each zone has `workers` or `workersSubnetID`.")
        .why("Nodes of the zone need a subnet.")
        .fix("Set `workers` of the zone, for example `10.250.0.0/19`, or `workersSubnetID`.");
    INF_013 = Rule::error("AWS-INF-013", SHOOT, Both)
        .summary("A zone has either `workers` or `workersSubnetID`.")
        .why(ONE_WAY)
        .fix("Keep `workers` or `workersSubnetID`, and remove the other.");
    INF_014 = Rule::error("AWS-INF-014", SHOOT, Both)
        .summary("`workersSubnetID` is the id of a subnet.")
        .why(ID)
        .fix(SUBNET);
    INF_015 = Rule::error("AWS-INF-015", SHOOT, Both)
        .summary("Existing subnets go with an existing VPC.")
        .why("A subnet belongs to a VPC; a VPC that does not exist yet has none.")
        .fix("Set `networks.vpc.id` to the VPC of the subnets, and remove `networks.vpc.cidr`.");
    INF_016 = Rule::error("AWS-INF-016", SHOOT, Both)
        .summary("No two zones have the same `workersSubnetID`.")
        .why("A subnet is in one availability zone.")
        .fix("Write a subnet of the zone.");
    INF_017 = Rule::error("AWS-INF-017", SHOOT, Both)
        .summary("A zone with `workersSubnetID` has no `internal` range.")
        .why(ONE_WAY)
        .fix("Remove `internal`; name an existing subnet in `internalSubnetID`, or tag it with `kubernetes.io/role/internal-elb`.");
    INF_018 = Rule::error("AWS-INF-018", SHOOT, Both)
        .summary("A zone with `workersSubnetID` has no `public` range.")
        .why(ONE_WAY)
        .fix("Remove `public`; name an existing subnet in `publicSubnetID`, or tag it with `kubernetes.io/role/elb`.");
    INF_019 = Rule::error("AWS-INF-019", SHOOT, Both)
        .summary("`publicSubnetID` is the id of a subnet of an existing VPC, and no other one for load balancers has it.")
        .why("A subnet is in one availability zone, and is either public or internal.")
        .fix("Write the id of the zone's public subnet, for example `subnet-0a1b2c3d4e5f60718`.");
    INF_020 = Rule::error("AWS-INF-020", SHOOT, Both)
        .summary("`internalSubnetID` is the id of a subnet of an existing VPC, and no other one for load balancers has it.")
        .why("A subnet is in one availability zone, and is either public or internal.")
        .fix("Write the id of the zone's internal subnet, for example `subnet-0a1b2c3d4e5f60718`.");
    INF_021 = Rule::error("AWS-INF-021", SHOOT, Both)
        .summary("`internalSubnetID` and `publicSubnetID` of a zone are two subnets.")
        .why("A public subnet routes to the internet gateway, an internal one to a NAT gateway.")
        .fix("Write another subnet in one of them.");
    INF_022 = Rule::error("AWS-INF-022", SHOOT, Both)
        .summary("`publicSubnetID` goes with `workersSubnetID`.")
        .why(ONE_WAY)
        .fix("Remove `publicSubnetID` and give a range in `public`, or set `workersSubnetID`.");
    INF_023 = Rule::error("AWS-INF-023", SHOOT, Both)
        .summary("`internalSubnetID` goes with `workersSubnetID`.")
        .why(ONE_WAY)
        .fix("Remove `internalSubnetID` and give a range in `internal`, or set `workersSubnetID`.");
    INF_024 = Rule::error("AWS-INF-024", SHOOT, Both)
        .summary("The ranges of a zone start at their first address.")
        .why("A subnet takes a network address only; with host bits set it is unclear which range is meant.")
        .fix("Write the network address, for example `10.250.0.0/19` instead of `10.250.0.7/19`.");
    INF_025 = Rule::error("AWS-INF-025", SHOOT, Both)
        .summary("`elasticIPAllocationID` goes with the ranges `workers` and `public`.")
        .why("The address is that of the NAT gateway, which Gardener creates in the public subnet.")
        .fix("Set `workers` and `public` of the zone, or remove `elasticIPAllocationID`.");
    INF_026 = Rule::error("AWS-INF-026", SHOOT, Both)
        .summary("No two zones have the same `elasticIPAllocationID`.")
        .why("An Elastic IP belongs to one NAT gateway.")
        .fix("Allocate an Elastic IP for each zone.");
    INF_027 = Rule::error("AWS-INF-027", SHOOT, Both)
        .summary("`elasticIPAllocationID` is the allocation id of an Elastic IP.")
        .why(ID)
        .fix("Write the allocation id, for example `eipalloc-0a1b2c3d4e5f60718`, and not the address.");
    INF_028 = Rule::error("AWS-INF-028", SHOOT, Both)
        .summary("The ranges of a zone are CIDRs.")
        .why(RANGE)
        .fix("Write address and prefix length, for example `10.250.0.0/19`.");
    INF_029 = Rule::error("AWS-INF-029", SHOOT, Both)
        .summary("`workers` of each zone lies within `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by `nodes` only.")
        .fix("Move `workers` into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_030 = Rule::error("AWS-INF-030", SHOOT, Both)
        .summary("`networks.vpc` has an `id` or a `cidr`.")
        .why("The subnets need an existing VPC, or a range to create one with.")
        .fix("Set `networks.vpc.cidr`, for example `10.250.0.0/16`, or `networks.vpc.id`.");
    INF_031 = Rule::error("AWS-INF-031", SHOOT, Both)
        .summary("`networks.vpc` has either an `id` or a `cidr`.")
        .why("An existing VPC has its range already.")
        .fix("Keep `id` to use the existing VPC or `cidr` to create one, and remove the other.");
    INF_032 = Rule::error("AWS-INF-032", SHOOT, Both)
        .summary("`networks.vpc.cidr` is a CIDR that holds nodes and subnets, and is apart from pods and Services.")
        .why("Subnets are parts of the VPC; an address of a pod or a Service within the VPC could not be routed.")
        .fix("Choose a `networks.vpc.cidr` that holds `spec.networking.nodes` and all ranges of zones, and keep \
              `spec.networking.pods` and `services` out of it.");
    INF_033 = Rule::error("AWS-INF-033", SHOOT, Both)
        .summary("`networks.vpc.id` is the id of a VPC.")
        .why(ID)
        .fix("Write the VPC's id, for example `vpc-0a1b2c3d4e5f60718`.");
    INF_034 = Rule::error("AWS-INF-034", SHOOT, Both)
        .summary("The ranges of all zones are disjoint.")
        .why(DISJOINT)
        .fix("Give each subnet a range of its own.");
    INF_035 = Rule::error("AWS-INF-035", SHOOT, Both)
        .summary("The ranges of zones are apart from `spec.networking.pods`.")
        .why(DISJOINT)
        .fix("Move the zone's range out of `spec.networking.pods`.");
    INF_036 = Rule::error("AWS-INF-036", SHOOT, Both)
        .summary("The ranges of zones are apart from `spec.networking.services`.")
        .why(DISJOINT)
        .fix("Move the zone's range out of `spec.networking.services`.");
    INF_037 = Rule::error("AWS-INF-037", SHOOT, Both)
        .summary("`ipv6IpamPool.cidrBlock` is a CIDR that starts at its first address.")
        .why("AWS takes exactly this range from the pool.")
        .fix("Write the network address and the prefix length, for example `2001:db8:0:100::/56`.");
    INF_038 = Rule::error("AWS-INF-038", SHOOT, Both)
        .summary("`ipv6IpamPool.cidrBlock` goes with IPv6 in `spec.networking.ipFamilies`.")
        .why("A VPC without IPv6 needs no such range.")
        .fix("Add `IPv6` to `spec.networking.ipFamilies`, or remove `cidrBlock`.");
    INF_039 = Rule::error("AWS-INF-039", SHOOT, Both)
        .summary("`ipv6IpamPool.cidrBlock` goes with the `id` of the pool.")
        .why("A range can only be taken from a pool that is known.")
        .fix("Set `ipv6IpamPool.id`, or remove `cidrBlock`.");
    INF_040 = Rule::error("AWS-INF-040", SHOOT, Both)
        .summary("`ipv6IpamPool.cidrBlock` is a `/56`.")
        .why("A VPC has an IPv6 range of this size, a `/64` for each of 256 subnets.")
        .fix("Write a range with the prefix length 56.");
    INF_041 = Rule::error("AWS-INF-041", SHOOT, Both)
        .summary("`ignoreTags.keys` has keys of tags.")
        .why("AWS knows no tag with another key.")
        .fix("Write up to 128 letters, digits, blanks and `_` `.` `:` `/` `=` `+` `-` `@`.");
    INF_042 = Rule::error("AWS-INF-042", SHOOT, Both)
        .summary("`ignoreTags.keys` does not have `Name`.")
        .why(TAGS)
        .fix(OTHER_TAG);
    INF_043 = Rule::error("AWS-INF-043", SHOOT, Both)
        .summary("`ignoreTags.keys` has no key that begins with `kubernetes.io` or `gardener.cloud`.")
        .why(TAGS)
        .fix(OTHER_TAG);
    INF_044 = Rule::error("AWS-INF-044", SHOOT, Both)
        .summary("`ignoreTags.keyPrefixes` has beginnings of keys of tags.")
        .why("AWS knows no tag with another key.")
        .fix("Write up to 128 letters, digits, blanks and `_` `.` `:` `/` `=` `+` `-` `@`.");
    INF_045 = Rule::error("AWS-INF-045", SHOOT, Both)
        .summary("`ignoreTags.keyPrefixes` has no beginning of `Name`.")
        .why(TAGS)
        .fix("Write a longer beginning, which `Name` does not have.");
    INF_046 = Rule::error("AWS-INF-046", SHOOT, Both)
        .summary("`ignoreTags.keyPrefixes` has nothing that begins with `kubernetes.io` or `gardener.cloud`.")
        .why(TAGS)
        .fix(OTHER_TAG);
    INF_047 = Rule::error("AWS-INF-047", SHOOT, Both)
        .summary("`ignoreTags.keyPrefixes` has no beginning of `kubernetes.io` or `gardener.cloud`.")
        .why(TAGS)
        .fix("Write a longer beginning, which neither of them has.");
}
