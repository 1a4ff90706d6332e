//! Load balancer classes, in a Shoot's `ControlPlaneConfig` and in floating pools of a CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::WITH_CLASSES;

/// What an ID of OpenStack looks like.
const UUID: &str = "OpenStack identifies networks and subnets by a UUID; another text names none.";
/// Why a class has one way to its subnet.
const ONE_WAY: &str = "Each of them chooses the floating subnet, and nothing says which one counts.";
/// How to leave one way to the subnet.
const KEEP_ONE: &str = "Keep one of `floatingSubnetID`, `floatingSubnetName` and `floatingSubnetTags`.";

rules! {
    LBC_001 = Rule::error("OS-LBC-001", WITH_CLASSES, Both)
        .summary("`purpose` of a load balancer class is `default`, `private` or, in a CloudProfile, `vpn`.")
        .why("The purpose decides for which Services the class counts.")
        .fix("Set `purpose` to `default` or `private`, or remove it.");
    LBC_002 = Rule::error("OS-LBC-002", WITH_CLASSES, Both)
        .summary("`floatingNetworkID` of a load balancer class is a UUID.")
        .why(UUID)
        .fix("Set `floatingNetworkID` to the ID of an external network, or remove it.");
    LBC_003 = Rule::error("OS-LBC-003", WITH_CLASSES, Both)
        .summary("`floatingSubnetID` of a load balancer class is a UUID.")
        .why(UUID)
        .fix("Set `floatingSubnetID` to the ID of a subnet of the external network, or remove it.");
    LBC_004 = Rule::error("OS-LBC-004", WITH_CLASSES, Both)
        .summary("A load balancer class has a `name`, of at most 255 characters.")
        .why("Services choose the class by its name.")
        .fix("Set `name` to a text without brackets and line breaks.");
    LBC_005 = Rule::error("OS-LBC-005", WITH_CLASSES, Both)
        .summary("`floatingSubnetName` is a name or a pattern of a subnet.")
        .why("The cloud controller manager looks for the subnet by this name.")
        .fix("Write the subnet's name without brackets and line breaks, or remove `floatingSubnetName`.");
    LBC_006 = Rule::error("OS-LBC-006", WITH_CLASSES, Both)
        .summary("`floatingSubnetTags` lists tags of subnets.")
        .why("The cloud controller manager looks for the subnet by these tags.")
        .fix("Write the tags with commas between them, without brackets and line breaks, or remove \
              `floatingSubnetTags`.");
    LBC_007 = Rule::error("OS-LBC-007", WITH_CLASSES, Both)
        .summary("A load balancer class does not choose its subnet by ID, name and tags at once.")
        .why(ONE_WAY)
        .fix(KEEP_ONE);
    LBC_008 = Rule::error("OS-LBC-008", WITH_CLASSES, Both)
        .summary("`floatingSubnetID` stands without `floatingSubnetName` and `floatingSubnetTags`.")
        .why(ONE_WAY)
        .fix(KEEP_ONE);
    LBC_009 = Rule::error("OS-LBC-009", WITH_CLASSES, Both)
        .summary("`floatingSubnetName` stands without `floatingSubnetTags`.")
        .why(ONE_WAY)
        .fix(KEEP_ONE);
    LBC_010 = Rule::error("OS-LBC-010", WITH_CLASSES, Both)
        .summary("`floatingSubnetTags` stands without `floatingSubnetID` and `floatingSubnetName`.")
        .why(ONE_WAY)
        .fix(KEEP_ONE)
        .informative("OS-LBC-008 and OS-LBC-009 reject every class that this row could reject.");
    LBC_011 = Rule::error("OS-LBC-011", WITH_CLASSES, Both)
        .summary("No two load balancer classes have the same `name`.")
        .why("Services choose the class by its name.")
        .fix("Rename one of the classes, or remove it.");
    LBC_012 = Rule::error("OS-LBC-012", WITH_CLASSES, Both)
        .summary("At most one load balancer class is the default, by `purpose` or by `name`.")
        .why("Services that choose no class use the default one.")
        .fix("Remove `purpose: default`, or rename the class that is called `default`.");
    LBC_013 = Rule::error("OS-LBC-013", WITH_CLASSES, Both)
        .summary("At most one load balancer class is private, by `purpose` or by `name`.")
        .why("The subnet of the private class becomes the cluster's own.")
        .fix("Remove `purpose: private`, or rename the class that is called `private`.");
}
