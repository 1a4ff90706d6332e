//! `ControlPlaneConfig` of a Shoot, by itself and against the CloudProfile.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

rules! {
    CPC_001 = Rule::error("OS-CPC-001", SHOOT, Both)
        .summary("`loadBalancerProvider` is set.")
        .why("OpenStack creates load balancers with a provider, and there is no default.")
        .fix("Set `loadBalancerProvider` to a provider of the CloudProfile, for example `amphora`.");
    CPC_002 = Rule::error("OS-CPC-002", SHOOT, Both)
        .summary("`loadBalancerClasses` are well-formed.")
        .why("The cloud controller manager reads the classes.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as OS-LBC-001 to OS-LBC-013.");
    CPC_003 = Rule::error("OS-CPC-003", SHOOT, Both)
        .summary("No load balancer class of a Shoot has the purpose `vpn`.")
        .why("The load balancer of the VPN is the operator's; its class comes from the CloudProfile only.")
        .fix("Set `purpose` to `default` or `private`, or remove it.");
    CPC_004 = Rule::error("OS-CPC-004", SHOOT, Both)
        .summary("`cloudControllerManager.featureGates` names gates that the Kubernetes version has, at allowed \
              values.")
        .why("The cloud controller manager does not start with a gate that it does not know or that is locked.")
        .fix("Remove the gate, or correct its spelling (case counts); `spec.kubernetes.version` must be a full \
              version.");
    CPC_005 = Rule::error("OS-CPC-005", SHOOT, Both)
        .summary("`storage.csiManila.enabled` goes with an enabled share network.")
        .why("The CSI driver for Manila creates its volumes in the share network.")
        .fix("Set `networks.shareNetwork.enabled: true` in `infrastructureConfig`, or switch the driver off.");
    CPCP_001 = Rule::error("OS-CPCP-001", SHOOT, Both)
        .summary("`loadBalancerProvider` is a provider of the CloudProfile.")
        .why("Operators list the providers that a region has; those of the Shoot's region come before those without \
              one.")
        .fix("Set `loadBalancerProvider` to a provider that the CloudProfile has for the Shoot's region.");
    CPCP_002 = Rule::error("OS-CPCP-002", SHOOT, Both)
        .summary("`loadBalancerClasses` go with a floating pool of the CloudProfile.")
        .why("The pool decides which classes are allowed.")
        .fix("Set `floatingPoolName` in `infrastructureConfig` to a floating pool of the CloudProfile; a `*` there stands for \
              any text.");
    CPCP_003 = Rule::error("OS-CPCP-003", SHOOT, Both)
        .summary("A load balancer class equals one of the floating pool's, whatever its name and purpose.")
        .why("A pool with classes offers these networks and subnets, and no others.")
        .fix("Copy networks and subnets of a listed class.");
    CPCP_004 = Rule::error("OS-CPCP-004", SHOOT, Update)
        .summary("An update is held against the CloudProfile where provider, classes, pool or `zone` change.")
        .why("What the CloudProfile allowed once stays allowed.")
        .fix("Follow each finding.")
        .informative("The row says when OS-CPCP-001 to OS-CPCP-003 run; it rejects nothing.");
}
