//! Worker pools of a Shoot, their changes, and their `WorkerConfig`.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Where machine labels go.
const METADATA: &str = "OpenStack keeps machine labels as metadata of the server.";
/// What the capacity of a node template is for.
const CAPACITY: &str = "The cluster-autoscaler counts with this capacity when it starts nodes from zero.";

rules! {
    WRK_001 = Rule::error("OS-WRK-001", SHOOT, Both)
        .summary("A worker pool names at least one zone.")
        .why("Servers are created in an availability zone; without one there is no place for them.")
        .fix("Add a zone of the Shoot's region to the pool's `zones`.");
    WRK_002 = Rule::error("OS-WRK-002", SHOOT, Both)
        .summary("A worker pool has at most 2147483647 zones.")
        .why("Nodes are spread over zones by a 32-bit count.")
        .fix("List every zone once in the pool's `zones`.")
        .informative("No document that can be read holds so many zones.");
    WRK_003 = Rule::error("OS-WRK-003", SHOOT, Both)
        .summary("A pool's `volume` with a `type` has a `size`.")
        .why("A volume of this type is created only where its size is given.")
        .fix("Set the pool's `volume.size`, for example `50Gi`, or remove `volume.type`.");
    WRK_004 = Rule::error("OS-WRK-004", SHOOT, Both)
        .summary("A worker pool's `providerConfig` is a readable `WorkerConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would create other machines than you meant.")
        .fix("Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and `kind: WorkerConfig`, \
              and correct the field that is named.");
    WRKU_001 = Rule::error("OS-WRKU-001", SHOOT, Update)
        .summary("A worker pool keeps its `zones` and their order; new ones come last.")
        .why("Machines are numbered by the zone's position; another order would replace nodes away from their disks.")
        .fix("Restore the old `zones` in their order and append new ones, or add a pool with the zones you want.");
    WRKU_002 = Rule::error("OS-WRKU-002", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `providerConfig`.")
        .why("In-place updates keep the machines, so what is set when a machine is created cannot change.")
        .fix("Restore the pool's `providerConfig`, or add a new pool with the other one.");
    WRKU_003 = Rule::error("OS-WRKU-003", SHOOT, Update)
        .summary("A pool that is updated in place keeps its `dataVolumes`.")
        .why("In-place updates keep the machines, and their disks come with the machine.")
        .fix("Restore the pool's `dataVolumes`, or add a new pool with the other ones.");
    WRKC_001 = Rule::error("OS-WRKC-001", SHOOT, Both)
        .summary("`serverGroup` has a `policy`.")
        .why("The policy is all that a server group says.")
        .fix("Set `serverGroup.policy` to a policy of the CloudProfile, or remove `serverGroup`.");
    WRKC_002 = Rule::error("OS-WRKC-002", SHOOT, Both)
        .summary("`serverGroup.policy` is one of the CloudProfile's `serverGroupPolicies`.")
        .why("Operators allow the policies that their OpenStack has room for.")
        .fix("Set `serverGroup.policy` to a policy of the CloudProfile, or remove `serverGroup`.");
    WRKC_003 = Rule::error("OS-WRKC-003", SHOOT, Both)
        .summary("A pool whose server group has the policy `affinity` has one zone.")
        .why("The policy asks for all machines on one host, and a host is in one zone.")
        .fix("Leave one zone in the pool's `zones`, or choose another policy.");
    WRKC_004 = Rule::error("OS-WRKC-004", SHOOT, Both)
        .summary("`cpu`, `gpu` and `memory` of `nodeTemplate.capacity` are not negative.")
        .why(CAPACITY)
        .fix("Set the quantity to 0 or more, or remove it.");
    WRKC_005 = Rule::error("OS-WRKC-005", SHOOT, Both)
        .summary("Quantities of `nodeTemplate.virtualCapacity` are not negative.")
        .why(CAPACITY)
        .fix("Set the quantity to a whole number from 0 on, or remove it.");
    WRKC_006 = Rule::error("OS-WRKC-006", SHOOT, Both)
        .summary("Quantities of `nodeTemplate.virtualCapacity` are whole numbers.")
        .why("A virtual resource is counted in pieces.")
        .fix("Set the quantity to a whole number from 0 on.");
    WRKC_007 = Rule::error("OS-WRKC-007", SHOOT, Both)
        .summary("A machine label has a `name`, of at most 255 characters.")
        .why(METADATA)
        .fix("Set `name` to a text without brackets and line breaks.");
    WRKC_008 = Rule::error("OS-WRKC-008", SHOOT, Both)
        .summary("A machine label has a `value`, of at most 255 characters.")
        .why(METADATA)
        .fix("Set `value` to a text without brackets and line breaks.");
    WRKC_009 = Rule::error("OS-WRKC-009", SHOOT, Both)
        .summary("No two machine labels of a pool have the same `name`.")
        .why("A server has one value for a name.")
        .fix("Rename the label, or remove it.");
    WRKC_010 = Rule::error("OS-WRKC-010", SHOOT, Both)
        .summary("A machine label has no name of a pool label.")
        .why("Labels of the pool go to the server as well, and a server has one value for a name.")
        .fix("Rename the machine label, or remove the name from the pool's `labels`.");
    WRKC_011 = Rule::error("OS-WRKC-011", SHOOT, Both)
        .summary("Entries of `additionalSecurityGroups` are not empty.")
        .why("OpenStack finds security groups by name.")
        .fix("Write the name of a security group, or remove the entry.");
    WRKC_012 = Rule::error("OS-WRKC-012", SHOOT, Both)
        .summary("`additionalSecurityGroups` names each security group once.")
        .why("A server is in a security group or is not.")
        .fix("Remove the second entry.");
}
