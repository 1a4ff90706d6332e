//! A Shoot's credentials, CloudProfile, provider configuration and address families.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

rules! {
    SHOOT_001 = Rule::error("OS-SHOOT-001", SHOOT, Both)
        .summary("A Shoot without workers needs no provider configuration.")
        .why("Without nodes there is neither a network nor a machine on OpenStack to judge.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative("A Shoot without workers is accepted without running any rule.");
    SHOOT_002 = Rule::error("OS-SHOOT-002", SHOOT, Both)
        .summary("The Shoot's binding leads to a Secret or an `InternalSecret` with usable credentials.")
        .why("The Keystone domain in it decides which floating pools and classes are allowed.")
        .fix("Set `credentialsBindingName` to a binding whose Secret has `domainName`, `tenantName` and one way to \
              authenticate.");
    SHOOT_003 = Rule::error("OS-SHOOT-003", SHOOT, Both)
        .summary("The Shoot's CloudProfile exists.")
        .why("Floating pools, load balancer providers and server group policies are allowed by it.")
        .fix("Set `kind` and `name` of an existing profile in `spec.cloudProfile`.")
        .doubles(&["ADM-CP-001"]);
    SHOOT_004 = Rule::error("OS-SHOOT-004", SHOOT, Both)
        .summary("A Shoot with workers has a readable `infrastructureConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and `kind: InfrastructureConfig`, \
              and correct the field that is named.");
    SHOOT_005 = Rule::error("OS-SHOOT-005", SHOOT, Both)
        .summary("A Shoot with workers has a readable `controlPlaneConfig`.")
        .why("The cloud controller manager and the CSI drivers take their settings from it.")
        .fix("Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and `kind: ControlPlaneConfig`, \
              and correct the field that is named.");
    SHOOT_006 = Rule::error("OS-SHOOT-006", SHOOT, Both)
        .summary("The CloudProfile has a readable `providerConfig`.")
        .why("Floating pools, load balancer providers and server group policies are listed there.")
        .fix("Ask an operator to repair the CloudProfile, or use another one.");
    SHOOT_007 = Rule::error("OS-SHOOT-007", SHOOT, Both)
        .summary("A new Shoot is held against the CloudProfile first.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes an order only.");
    SHOOT_008 = Rule::error("OS-SHOOT-008", SHOOT, Update)
        .summary("A changed Shoot is held against the old one first.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes an order only.");
    SHOOT_009 = Rule::error("OS-SHOOT-009", SHOOT, Update)
        .summary("The message of the existing extension names forbidden changes of worker pools alone.")
        .why("The existing extension drops other findings where a pool's change is forbidden.")
        .fix("Follow each finding.")
        .informative("The row is about the text of a refusal; it rejects nothing.");
    SHOOT_010 = Rule::error("OS-SHOOT-010", SHOOT, Both)
        .summary("Networking comes first, then infrastructure, control plane, workers and DNS.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes an order only.");
    SHOOT_011 = Rule::error("OS-SHOOT-011", SHOOT, Both)
        .summary("`spec.networking.nodes` is set.")
        .why("Routes and firewall rules of the cluster know nodes by this range.")
        .fix("Set `spec.networking.nodes` to a CIDR that holds the workers, for example `10.250.0.0/16`.");
    SHOOT_012 = Rule::error("OS-SHOOT-012", SHOOT, Both)
        .summary("`spec.networking.ipFamilies` has IPv4.")
        .why("Gardener creates no OpenStack network with IPv6 alone.")
        .fix("Set `ipFamilies` to `[IPv4]`, or to `[IPv4, IPv6]`.");
    SHOOT_013 = Rule::error("OS-SHOOT-013", SHOOT, Both)
        .summary("A dual-stack Shoot has `networks.ipv6`.")
        .why("Nodes, pods and Services need IPv6 ranges, or a pool to take them from.")
        .fix("Set `networks.ipv6.subnetPoolID`, or `nodeCIDR`, `podCIDR` and `serviceCIDR` there.");
}
