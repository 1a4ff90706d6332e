//! `InfrastructureConfig` of a Shoot: floating pool, network of the workers, router and IPv6.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// Why a range must be readable.
const RANGE: &str = "OpenStack creates the subnet with exactly this range.";
/// How to write a range of IPv4.
const CIDR: &str = "Write address and prefix length, for example `10.250.0.0/19`.";
/// Why a range must begin with its network address.
const CANONICAL: &str =
    "A subnet takes a network address only; with host bits set it is unclear which range is meant.";
/// How to write a range of IPv4 that begins with its network address.
const NETWORK: &str = "Write the network address, for example `10.250.0.0/19` instead of `10.250.0.7/19`.";
/// What an ID of OpenStack looks like.
const UUID: &str = "OpenStack identifies the resource by a UUID; another text names no resource.";

rules! {
    INF_001 = Rule::error("OS-INF-001", SHOOT, Both)
        .summary("`floatingPoolName` names a floating pool.")
        .why("The router of the Shoot and its load balancers get their external addresses from this pool.")
        .fix("Set `floatingPoolName` to a floating pool of the CloudProfile, without brackets and line breaks.");
    INF_002 = Rule::error("OS-INF-002", SHOOT, Both)
        .summary("`networks` has `workers` or `subnetPool`.")
        .why("The subnet of the nodes needs a range, or a pool to take one from.")
        .fix("Set `networks.workers`, for example `10.250.0.0/19`, or `networks.subnetPool`.");
    INF_003 = Rule::error("OS-INF-003", SHOOT, Both)
        .summary("`networks` has either `workers` or `subnetPool`.")
        .why("A fixed range and a range out of a pool exclude each other.")
        .fix("Keep `networks.workers` or `networks.subnetPool`, and remove the other.");
    INF_004 = Rule::error("OS-INF-004", SHOOT, Both)
        .summary("`networks.worker` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_005 = Rule::error("OS-INF-005", SHOOT, Both)
        .summary("`networks.worker` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_006 = Rule::error("OS-INF-006", SHOOT, Both)
        .summary("`networks.workers` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_007 = Rule::error("OS-INF-007", SHOOT, Both)
        .summary("`networks.workers` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_008 = Rule::error("OS-INF-008", SHOOT, Both)
        .summary("The range of the workers lies within `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by `nodes` only.")
        .fix("Move `networks.workers` into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_009 = Rule::error("OS-INF-009", SHOOT, Both)
        .summary("`networks.subnetPool` has an `id`.")
        .why("The range of the workers comes out of this pool.")
        .fix("Set `networks.subnetPool.id` to the ID of a subnet pool, or use `networks.workers`.");
    INF_010 = Rule::error("OS-INF-010", SHOOT, Both)
        .summary("`networks.subnetPool.prefixLength` is between 1 and 32.")
        .why("The number is the prefix length of an IPv4 range.")
        .fix("Set `networks.subnetPool.prefixLength` to a number from 1 to 32, for example `24`.");
    INF_011 = Rule::error("OS-INF-011", SHOOT, Both)
        .summary("`networks.id` is a UUID.")
        .why(UUID)
        .fix("Set `networks.id` to the ID of the existing network, or remove it to have a network created.");
    INF_012 = Rule::error("OS-INF-012", SHOOT, Both)
        .summary("`networks.router` has an `id`.")
        .why("The only use of `networks.router` is to bring your own router.")
        .fix("Set `networks.router.id`, or remove `networks.router` to have a router created.");
    INF_013 = Rule::error("OS-INF-013", SHOOT, Both)
        .summary("`networks.router.id` is a UUID.")
        .why(UUID)
        .fix("Set `networks.router.id` to the ID of the existing router, or remove `networks.router`.");
    INF_014 = Rule::error("OS-INF-014", SHOOT, Both)
        .summary("`floatingPoolSubnetName` is a name or a pattern of a subnet.")
        .why("Gardener connects the router with a subnet of the floating pool that has this name.")
        .fix("Write the subnet's name without brackets and line breaks, or remove `floatingPoolSubnetName`.");
    INF_015 = Rule::error("OS-INF-015", SHOOT, Both)
        .summary("`floatingPoolSubnetName` goes with a router that Gardener creates.")
        .why("An existing router has its external address already.")
        .fix("Remove `floatingPoolSubnetName` or `networks.router`.");
    INF_016 = Rule::error("OS-INF-016", SHOOT, Both)
        .summary("`networks.ipv6` has a `subnetPoolID` or ranges.")
        .why("IPv6 subnets need ranges, or a pool to take them from.")
        .fix("Set `networks.ipv6.subnetPoolID`, or `nodeCIDR`, `podCIDR` and `serviceCIDR`.");
    INF_017 = Rule::error("OS-INF-017", SHOOT, Both)
        .summary("`networks.ipv6` has all of `nodeCIDR`, `podCIDR` and `serviceCIDR`, or none.")
        .why("The pool is not asked where a range is given, so the others would be missing.")
        .fix("Set the missing range, or remove all three and use `subnetPoolID`.");
    INF_018 = Rule::error("OS-INF-018", SHOOT, Both)
        .summary("The ranges of `networks.ipv6` are CIDRs.")
        .why(RANGE)
        .fix("Write address and prefix length, for example `2001:db8::/64`.");
    INF_019 = Rule::error("OS-INF-019", SHOOT, Both)
        .summary("The ranges of `networks.ipv6` start at their first address.")
        .why(CANONICAL)
        .fix("Write the network address, for example `2001:db8::/64` instead of `2001:db8::1/64`.");
    INF_020 = Rule::error("OS-INF-020", SHOOT, Both)
        .summary("The ranges of `networks.ipv6` are of IPv6.")
        .why("Ranges of IPv4 have their place in `networks.workers` and `spec.networking`.")
        .fix("Write a range of IPv6, for example `2001:db8::/64`.");
    INF_021 = Rule::error("OS-INF-021", SHOOT, Both)
        .summary("The ranges of `networks.ipv6` do not overlap.")
        .why("An address of both a node and a pod could not be routed.")
        .fix("Give nodes, pods and services a range each.");
}
