//! What the existing extension asks AWS before it creates an infrastructure.

use crate::report::{Operation::Both, Rule};
use crate::rules;

const INFRASTRUCTURE: &[&str] = &["Infrastructure"];

/// Why the rules judge nothing.
const CLOUD: &str = "The check needs answers of AWS, which no function of the policy asks for.";
/// What IPv6 needs.
const IPV6: &str = "Nodes and load balancers of a Shoot with IPv6 have addresses of IPv6.";

rules! {
    CFGV_001 = Rule::error("AWS-CFGV-001", INFRASTRUCTURE, Both)
        .summary("AWS can be called with the Shoot's credentials.")
        .why("Nothing can be created on AWS without them.")
        .fix("Provide a Secret with an access key, or a WorkloadIdentity with a role.")
        .informative(CLOUD);
    CFGV_002 = Rule::error("AWS-CFGV-002", INFRASTRUCTURE, Both)
        .summary("IPv6 is needed with `dualStack.enabled` or with IPv6 in `ipFamilies`.")
        .why(IPV6)
        .fix("Follow the finding.")
        .informative("The row says when the rules on IPv6 run.");
    CFGV_003 = Rule::error("AWS-CFGV-003", INFRASTRUCTURE, Both)
        .summary("An existing VPC exists, with `enableDnsSupport` and `enableDnsHostnames` on.")
        .why("Nodes know each other by the DNS names of the VPC.")
        .fix("Set `networks.vpc.id` to your VPC, and switch both attributes on.")
        .informative(CLOUD);
    CFGV_004 = Rule::error("AWS-CFGV-004", INFRASTRUCTURE, Both)
        .summary("An existing VPC of a Shoot with IPv6 has an IPv6 range.")
        .why(IPV6)
        .fix("Associate an IPv6 range with the VPC.")
        .informative(CLOUD);
    CFGV_005 = Rule::error("AWS-CFGV-005", INFRASTRUCTURE, Both)
        .summary("An existing VPC has an internet gateway where Gardener creates public subnets.")
        .why("Public subnets route to the internet gateway.")
        .fix("Attach an internet gateway to the VPC.")
        .informative(CLOUD);
    CFGV_006 = Rule::error("AWS-CFGV-006", INFRASTRUCTURE, Both)
        .summary("The DHCP options of an existing VPC have the domain name of the region.")
        .why("Nodes are known by the host names that AWS gives them.")
        .fix("Set `domain-name` to `<region>.compute.internal`; in `us-east-1`, to `ec2.internal`.")
        .informative(CLOUD);
    CFGV_007 = Rule::error("AWS-CFGV-007", INFRASTRUCTURE, Both)
        .summary("The ranges of zones lie within the ranges of an existing VPC, clear of its other subnets.")
        .why("Subnets are parts of the VPC.")
        .fix("Choose ranges within those of the VPC that no other subnet has.")
        .informative(CLOUD);
    CFGV_008 = Rule::error("AWS-CFGV-008", INFRASTRUCTURE, Both)
        .summary("Existing subnets exist, in the VPC and in the zone.")
        .why("Nodes of a zone are created in its subnet.")
        .fix("Write subnets of the VPC that are in the availability zone.")
        .informative(CLOUD);
    CFGV_009 = Rule::error("AWS-CFGV-009", INFRASTRUCTURE, Both)
        .summary("Existing subnets of a Shoot with IPv6 have an IPv6 range.")
        .why(IPV6)
        .fix("Associate a `/64` of the VPC's IPv6 range with the subnet.")
        .informative(CLOUD);
    CFGV_010 = Rule::error("AWS-CFGV-010", INFRASTRUCTURE, Both)
        .summary("Existing subnets have one IPv6 range only.")
        .why("With several it is left to chance which one counts.")
        .fix("Remove the other associations from the subnet.")
        .informative(CLOUD);
    CFGV_011 = Rule::error("AWS-CFGV-011", INFRASTRUCTURE, Both)
        .summary("Existing subnets of nodes give instances an IPv6 address.")
        .why("A node needs the address when it starts.")
        .fix("Switch `AssignIpv6AddressOnCreation` of the subnet on.")
        .informative(CLOUD);
    CFGV_012 = Rule::error("AWS-CFGV-012", INFRASTRUCTURE, Both)
        .summary("Existing subnets of load balancers have an IPv4 range.")
        .why("AWS creates no load balancer in a subnet with IPv6 alone.")
        .fix("Name subnets with IPv4.")
        .informative(CLOUD);
    CFGV_013 = Rule::error("AWS-CFGV-013", INFRASTRUCTURE, Both)
        .summary("Existing subnets of nodes lie within `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by `nodes` only.")
        .fix("Choose a `spec.networking.nodes` that holds the subnets.")
        .informative(CLOUD);
    CFGV_014 = Rule::error("AWS-CFGV-014", INFRASTRUCTURE, Both)
        .summary("`nodesSecurityGroupID` exists, in the VPC.")
        .why("Instances take security groups of their VPC only.")
        .fix("Write a security group of the VPC.")
        .informative(CLOUD);
    CFGV_015 = Rule::error("AWS-CFGV-015", INFRASTRUCTURE, Both)
        .summary("An existing VPC has a public subnet.")
        .why("The cloud controller manager needs one for public load balancers.")
        .fix("Give a zone a `public` range, or tag an existing subnet with `kubernetes.io/role/elb` and the cluster's tag.")
        .informative(CLOUD);
    CFGV_016 = Rule::error("AWS-CFGV-016", INFRASTRUCTURE, Both)
        .summary("The Elastic IPs of `elasticIPAllocationID` exist, and nothing else has them.")
        .why("The NAT gateway of the zone gets the address.")
        .fix("Allocate an Elastic IP for the zone, and write its allocation id.")
        .informative(CLOUD);
}
