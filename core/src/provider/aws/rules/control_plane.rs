//! `ControlPlaneConfig` of a Shoot.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CPC_001 = Rule::error("AWS-CPC-001", SHOOT, Both)
        .summary("`cloudControllerManager.featureGates` names feature gates of Kubernetes.")
        .why("The cloud controller manager does not start with a gate that it does not know.")
        .fix("Remove the gate, or correct its spelling; case counts.");
    CPC_002 = Rule::error("AWS-CPC-002", SHOOT, Both)
        .summary("The Shoot's version of Kubernetes has the feature gates.")
        .why("A gate comes with a version, and goes with a later one.")
        .fix("Remove the gate; `spec.kubernetes.version` must be a full version, for example `1.33.2`.");
    CPC_003 = Rule::error("AWS-CPC-003", SHOOT, Both)
        .summary("A feature gate that is locked to its default has that value.")
        .why("The cloud controller manager does not start with another value.")
        .fix("Remove the gate: it has its default then.");
    CPC_004 = Rule::error("AWS-CPC-004", SHOOT, Both)
        .summary("`loadBalancerController.ingressClassName` is the name of an IngressClass.")
        .why("The AWS Load Balancer Controller looks for Ingresses of this class.")
        .fix("Write up to 253 lower-case letters, digits, `.` and `-`, for example `alb`; or remove the field.");
}
