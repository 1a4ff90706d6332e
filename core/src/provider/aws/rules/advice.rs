//! Advice on Shoots, beyond what rejects: what has no effect, disrupts, costs, or is refused by AWS later.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// How to take a change that replaces nodes.
const PLAN: &str =
    "Keep the old value, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption budgets.";

rules! {
    ADV_001 = Rule::warning("AWS-ADV-001", SHOOT, Both)
        .summary("`workers` of a zone has an address for every node that its pools may have.")
        .why("Every node takes an address, and AWS reserves five in each subnet; the pools stop short of `maximum`.")
        .fix("Choose a larger `workers` on a new Shoot, append a zone, or lower `maximum`.");
    ADV_002 = Rule::warning("AWS-ADV-002", SHOOT, Both)
        .summary("The ranges of a zone and of a VPC are from `/16` to `/28`.")
        .why("AWS creates neither smaller nor larger subnets and VPCs.")
        .fix("Write a prefix length from 16 to 28; load balancers need a `/27` or larger with 8 free addresses.");
    ADV_003 = Rule::warning("AWS-ADV-003", SHOOT, Create)
        .summary("An existing VPC is prepared for the Shoot.")
        .why("Gardener refuses a VPC without DNS names, and public subnets without an internet gateway.")
        .fix("Switch `enableDnsSupport` and `enableDnsHostnames` on, attach an internet gateway, and set `domain-name` in the \
              DHCP options to `<region>.compute.internal` (in `us-east-1`: `ec2.internal`).");
    ADV_004 = Rule::warning("AWS-ADV-004", SHOOT, Update)
        .summary("`elasticIPAllocationID` stays as it is.")
        .why("Gardener replaces the NAT gateway of the zone: outgoing traffic is interrupted and has another source address.")
        .fix("Keep the old value, or change it in a quiet hour after adapting allowlists that hold the old address.");
    ADV_005 = Rule::warning("AWS-ADV-005", SHOOT, Both)
        .summary("IPv6 next to IPv4 is asked for by `spec.networking.ipFamilies`, not by `dualStack`.")
        .why("`dualStack` gives the VPC and the subnets IPv6, but neither pods nor Services.")
        .fix("Set `ipFamilies: [IPv4, IPv6]` to have IPv6 in the cluster, and leave `dualStack` out on a new Shoot.");
    ADV_006 = Rule::warning("AWS-ADV-006", SHOOT, Both)
        .summary("A Shoot for production sets no feature gates of the cloud controller manager.")
        .why("Alpha features or disabled stable ones can make the cluster unstable.")
        .fix("Remove `cloudControllerManager.featureGates`, or try them on a Shoot of another `purpose`.");
    ADV_007 = Rule::warning("AWS-ADV-007", SHOOT, Both)
        .summary("IOPS and throughput of a volume are within what its type allows.")
        .why("Amazon EBS refuses other values, and no node of the pool starts.")
        .fix("Write a value in the range that is named.");
    ADV_008 = Rule::warning("AWS-ADV-008", SHOOT, Both)
        .summary("IOPS and throughput are set for volume types that take them.")
        .why("Amazon EBS refuses them for other types, and no node of the pool starts.")
        .fix("Remove the value, or choose the volume type `gp3`.");
    ADV_009 = Rule::warning("AWS-ADV-009", SHOOT, Both)
        .summary("A volume has the smallest size of its type, or more.")
        .why("Amazon EBS refuses smaller volumes, and no node of the pool starts.")
        .fix("Set a larger `size`.");
    ADV_010 = Rule::warning("AWS-ADV-010", SHOOT, Both)
        .summary("The metadata service asks for session tokens (`httpTokens: required`).")
        .why("Without tokens (IMDSv1), a request that a pod is tricked into can read the credentials of the node.")
        .fix("Set `httpTokens: required`. Where `instanceMetadataOptions` is set, `httpTokens` has no default.");
    ADV_011 = Rule::warning("AWS-ADV-011", SHOOT, Update)
        .summary("What instances are created with stays as it is.")
        .why("Instances get it when EC2 creates them, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_012 = Rule::warning("AWS-ADV-012", SHOOT, Update)
        .summary("Machine type, image and volumes of a worker pool stay as they are.")
        .why("They come with the machine, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_013 = Rule::warning("AWS-ADV-013", SHOOT, Both)
        .summary("Pools of spot instances can lose their nodes.")
        .why("EC2 takes spot instances back with two minutes' notice.")
        .fix("Run only what bears interruptions there, and keep system components in another pool.");
    ADV_014 = Rule::warning("AWS-ADV-014", SHOOT, Both)
        .summary("A zone has a `public` range where the VPC is new.")
        .why("Without a public subnet the zone has no NAT gateway of its own, and public load balancers do not reach it.")
        .fix("Set `public` of the zone, for example `10.250.32.0/20`.");
    ADV_015 = Rule::warning("AWS-ADV-015", SHOOT, Both)
        .summary("`spec.kubernetes.version` is a text, not a number.")
        .why("YAML reads `1.30` as the number 1.3, which is another version.")
        .fix("Put the version into quotes, for example `\"1.30.4\"`.");
}
