//! `InfrastructureConfig` of a Shoot: zones, VPC, NAT gateways and dual-stack.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INF_001 = Rule::error("ALI-INF-001", SHOOT, Both)
        .summary("`networks.zones` names at least one zone.")
        .why("Every zone becomes a VSwitch; without one the nodes have no network.")
        .fix("Add an entry with `name` and `workers` to `networks.zones`.");
    INF_002 = Rule::error("ALI-INF-002", SHOOT, Both)
        .summary("A zone's `worker` starts at the first address of its range.")
        .why("VSwitches take network addresses only; with host bits set it is unclear which range is meant.")
        .fix("Write the network address, for example `10.250.0.0/19` instead of `10.250.0.7/19`.");
    INF_003 = Rule::error("ALI-INF-003", SHOOT, Both)
        .summary("A zone's `workers` starts at the first address of its range.")
        .why("VSwitches take network addresses only; with host bits set it is unclear which range is meant.")
        .fix("Write the network address, for example `10.250.0.0/19` instead of `10.250.0.7/19`.");
    INF_004 = Rule::error("ALI-INF-004", SHOOT, Both)
        .summary("A zone's `natGateway` names an elastic IP.")
        .why("The only use of `natGateway` is to bring your own elastic IP.")
        .fix("Set `natGateway.eipAllocationID`, or remove `natGateway` to have an elastic IP created.");
    INF_005 = Rule::error("ALI-INF-005", SHOOT, Both)
        .summary("`natGateway.eipAllocationID` is not empty.")
        .why("An empty ID names no elastic IP that could be attached.")
        .fix("Fill in the allocation ID (`eip-…`), or remove `natGateway` to have an elastic IP created.");
    INF_006 = Rule::error("ALI-INF-006", SHOOT, Both)
        .summary("A zone's `workers` and `worker` are CIDRs.")
        .why("A VSwitch is created with exactly this range.")
        .fix("Write address and prefix length, for example `10.250.0.0/19`.");
    INF_007 = Rule::error("ALI-INF-007", SHOOT, Both)
        .summary("Every zone's CIDR lies within `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by `nodes` only.")
        .fix("Move the zone's `workers` into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_008 = Rule::error("ALI-INF-008", SHOOT, Both)
        .summary("Comparisons skip a `nodes`, `pods` or `services` that is no CIDR.")
        .why("The spelling of these ranges is judged by Gardener itself.")
        .fix("Write `spec.networking.nodes`, `pods` and `services` as CIDRs, for example `10.250.0.0/16`.")
        .informative("Unreadable ranges of `spec.networking` only switch off the rules that compare with them.");
    INF_011 = Rule::error("ALI-INF-011", SHOOT, Both)
        .summary("`networks.vpc` has either `id` or `cidr`.")
        .why("The Shoot moves into an existing VPC or gets a new one; both or neither leaves that open.")
        .fix("Keep `networks.vpc.id` for an existing VPC or `networks.vpc.cidr` for a new one, and remove the \
              other.");
    INF_012 = Rule::error("ALI-INF-012", SHOOT, Both)
        .summary("`networks.vpc.cidr` starts at the first address of its range.")
        .why("A VPC takes a network address only; with host bits set it is unclear which range is meant.")
        .fix("Write the network address, for example `10.250.0.0/16` instead of `10.250.0.1/16`.");
    INF_013 = Rule::error("ALI-INF-013", SHOOT, Both)
        .summary("`networks.vpc.cidr` is a CIDR.")
        .why("The new VPC is created with exactly this range.")
        .fix("Write address and prefix length, for example `10.250.0.0/16`.");
    INF_014 = Rule::error("ALI-INF-014", SHOOT, Both)
        .summary("`spec.networking.nodes` lies within `networks.vpc.cidr`.")
        .why("Nodes get their addresses from the VPC; an address outside of it can never be given.")
        .fix("Widen `networks.vpc.cidr`, or shrink `spec.networking.nodes` to fit into it.");
    INF_015 = Rule::error("ALI-INF-015", SHOOT, Both)
        .summary("Every zone's CIDR lies within `networks.vpc.cidr`.")
        .why("Alibaba Cloud creates a VSwitch only inside the range of its VPC.")
        .fix("Move the zone's `workers` into `networks.vpc.cidr`, or choose a wider range for a new VPC.");
    INF_016 = Rule::error("ALI-INF-016", SHOOT, Both)
        .summary("`spec.networking.pods` and `services` do not overlap with `networks.vpc.cidr`.")
        .why("An address in both would be routed to a node instead of the pod or Service.")
        .fix("Choose `pods` and `services` outside of the VPC's range, for example in `172.16.0.0/12`.");
    INF_017 = Rule::error("ALI-INF-017", SHOOT, Both)
        .summary("`useCustomRouteTable` in an existing VPC goes with `gardenerManagedNATGateway: true`.")
        .why("The Shoot's own route table leads to the Shoot's own NAT gateway; a gateway of yours is not in it.")
        .fix("Set `networks.vpc.gardenerManagedNATGateway: true`, or remove `useCustomRouteTable`.");
    INF_018 = Rule::error("ALI-INF-018", SHOOT, Both)
        .summary("The CIDRs of zones do not overlap.")
        .why("Each becomes a VSwitch, and Alibaba Cloud refuses VSwitches that overlap within a VPC.")
        .fix("Give every zone its own range, for example `10.250.0.0/19` and `10.250.32.0/19`.");
    INF_019 = Rule::error("ALI-INF-019", SHOOT, Both)
        .summary("Zone CIDRs do not overlap with `spec.networking.pods`.")
        .why("An address of both a node and a pod could not be routed.")
        .fix("Move the zone's `workers` out of the pod range; `pods` can be chosen on a new Shoot only.");
    INF_020 = Rule::error("ALI-INF-020", SHOOT, Both)
        .summary("Zone CIDRs do not overlap with `spec.networking.services`.")
        .why("Traffic to such a node would be taken for traffic to a Service.")
        .fix("Move the zone's `workers` out of the service range; `services` can be chosen on a new Shoot only.");
    INF_021 = Rule::error("ALI-INF-021", SHOOT, Both)
        .summary("Dual-stack is used in a region that has Network Load Balancers.")
        .why("Services get IPv6 addresses from a Network Load Balancer (NLB), which some regions lack.")
        .fix("Remove `dualStack`, or create the Shoot in one of the listed regions.");
    INF_022 = Rule::error("ALI-INF-022", SHOOT, Both)
        .summary("With dual-stack in an existing VPC every zone sets `ipv6CidrBlock`.")
        .why("Other VSwitches of the VPC may hold a /64 block, so none can be chosen for you.")
        .fix("Set `ipv6CidrBlock` (0 to 255) of the zone to a /64 block that is free in the VPC.");
    INF_023 = Rule::error("ALI-INF-023", SHOOT, Both)
        .summary("`ipv6CidrBlock` is between 0 and 255.")
        .why("The VPC has an IPv6 range of /56, which holds 256 blocks of /64, one per VSwitch.")
        .fix("Set the zone's `ipv6CidrBlock` to a number from 0 to 255.");
    INF_024 = Rule::error("ALI-INF-024", SHOOT, Both)
        .summary("A zone without `ipv6CidrBlock` finds the block of its position free.")
        .why("The zone's index is its default block; another zone has claimed that one.")
        .fix("Set `ipv6CidrBlock` of this zone to a number from 0 to 255 that no other zone uses.");
    INF_025 = Rule::error("ALI-INF-025", SHOOT, Both)
        .summary("No two zones have the same `ipv6CidrBlock`.")
        .why("VSwitches of one VPC cannot share a /64 block; zones without a value use their index.")
        .fix("Change one of the two zones to a number from 0 to 255 that is free.");
}
