//! The networks of a Shoot.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const RANGE: &str = "Nodes, pods and services get their addresses from these ranges.";

rules! {
    GDN_NET_001 = Rule::error("GDN-NET-001", SHOOT, Both)
        .summary("A Shoot without workers sets neither `type`, `providerConfig`, `pods` nor `nodes` of `networking`.")
        .why("It has no nodes and no pods; `services` stays allowed.")
        .fix("Remove the field, or add a worker pool.");
    GDN_NET_003 = Rule::error("GDN-NET-003", SHOOT, Both)
        .summary("A Shoot with workers names its network plug-in.")
        .why("Without one, no pod gets an address.")
        .fix("Set `networking.type`, for example `calico` or `cilium`.");
    GDN_NET_004 = Rule::error("GDN-NET-004", SHOOT, Both)
        .summary("The type of the network plug-in fits into the name of a label.")
        .why("Gardener labels objects with it.")
        .fix("Write the name of a network extension, for example `calico` or `cilium`.");
    GDN_NET_005 = Rule::error("GDN-NET-005", SHOOT, Both)
        .summary("An IP family is `IPv4` or `IPv6`.")
        .why("There are no others.")
        .fix("Write `IPv4` or `IPv6`.");
    GDN_NET_006 = Rule::error("GDN-NET-006", SHOOT, Both)
        .summary("`ipFamilies` has each family once.")
        .why("The order of two families says which one comes first.")
        .fix("Remove the family that is there twice.");
    GDN_NET_007 = Rule::error("GDN-NET-007", SHOOT, Both)
        .summary("`networking.nodes` is a range in canonical CIDR notation, of the IP family of the Shoot.")
        .why(RANGE)
        .fix("Write a range from its first address on, such as `10.250.0.0/16`, or `2001:db8:1::/48` for IPv6.");
    GDN_NET_008 = Rule::error("GDN-NET-008", SHOOT, Both)
        .summary("`networking.pods` is a range in canonical CIDR notation, of the IP family of the Shoot.")
        .why(RANGE)
        .fix("Write a range from its first address on, such as `10.96.0.0/11`, or `2001:db8:2::/48` for IPv6.");
    GDN_NET_009 = Rule::error("GDN-NET-009", SHOOT, Both)
        .summary("`networking.services` is a range in canonical CIDR notation, of the IP family of the Shoot.")
        .why(RANGE)
        .fix("Write a range from its first address on, such as `192.168.0.0/17`, or `2001:db8:3::/112` for IPv6.");
    ADM_NET_003 = Rule::error("ADM-NET-003", SHOOT, Both)
        .summary("The ranges of nodes, pods and services of a Shoot with IPv4 do not overlap.")
        .why("An address would be that of a node and of a pod. Before Gardener 1.146, the rule waits until the Shoot has a seed.")
        .fix("Choose ranges that do not overlap.");
}
