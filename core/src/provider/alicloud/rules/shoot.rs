//! Presence and decoding of a Shoot's provider configuration, and VSwitches that exist already.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::{SHOOT, other_kind};

rules! {
    SHOOT_001 = other_kind("ALI-SHOOT-001", SHOOT);
    SHOOT_002 = Rule::error("ALI-SHOOT-002", SHOOT, Both)
        .summary("A Shoot without workers needs no provider configuration.")
        .why("Without nodes there is neither a network nor a machine on Alibaba Cloud to judge.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative("A Shoot without workers is accepted without running any rule.");
    SHOOT_003 = Rule::error("ALI-SHOOT-003", SHOOT, Both)
        .summary("A Shoot with workers has an `infrastructureConfig`.")
        .why("It lays out the VPC and the zones; without it the nodes have no network.")
        .fix("Add `spec.provider.infrastructureConfig` with `networks.vpc` and `networks.zones`.");
    SHOOT_004 = Rule::error("ALI-SHOOT-004", SHOOT, Update)
        .summary("The old Shoot has an `infrastructureConfig`.")
        .why("A Shoot created without workers has no network on Alibaba Cloud, and none is added later.")
        .fix("Create a new Shoot with workers and `infrastructureConfig`; this one cannot get nodes.");
    SHOOT_005 = Rule::error("ALI-SHOOT-005", SHOOT, Both)
        .summary("`infrastructureConfig` is an `InfrastructureConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and `kind: \
              InfrastructureConfig`; \
              correct unknown or doubled fields and wrong types.");
    SHOOT_006 = Rule::error("ALI-SHOOT-006", SHOOT, Update)
        .summary("The old Shoot's `infrastructureConfig` is readable.")
        .why("Whether a change is allowed shows only against the network that exists.")
        .fix("Compare with the Shoot as the garden stores it; if that one is broken, ask an operator to repair it.");
    SHOOT_007 = Rule::error("ALI-SHOOT-007", SHOOT, Both)
        .summary("`controlPlaneConfig` is a `ControlPlaneConfig` of a supported version.")
        .why("The settings of the cloud controller manager and of CSI are read from it.")
        .fix("Set `apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1` and `kind: ControlPlaneConfig`; \
              correct wrong types.");
    SHOOT_008 = Rule::error("ALI-SHOOT-008", SHOOT, Update)
        .summary("The CIDR of an added zone is free in the existing VPC.")
        .why("The zone becomes a VSwitch, and Alibaba Cloud refuses VSwitches that overlap within a VPC.")
        .fix("Give the new zone's `workers` a range that none of the VPC's VSwitches uses.");
    SHOOT_009 = Rule::error("ALI-SHOOT-009", SHOOT, Update)
        .summary("The Shoot's credentials are readable when a zone is added to an existing VPC.")
        .why("They are needed to see which VSwitches the VPC has.")
        .fix("Set `credentialsBindingName` to a binding whose Secret has `accessKeyID` and `accessKeySecret`.");
    SHOOT_010 = Rule::error("ALI-SHOOT-010", SHOOT, Update)
        .summary("Alibaba Cloud can be called with the Shoot's credentials when a zone is added.")
        .why("Without a client nobody sees whether the new zone collides with the VPC's VSwitches.")
        .fix("Check `spec.region` and the access key in the Secret, then apply the change again.");
    SHOOT_011 = Rule::error("ALI-SHOOT-011", SHOOT, Update)
        .summary("The VSwitches of the existing VPC can be listed when a zone is added.")
        .why("Without the list nobody sees whether the new zone collides with one of them.")
        .fix("Grant the RAM user `vpc:DescribeVSwitches`, check that `networks.vpc.id` is right, and apply the change again.");
}
