//! `ControlPlaneConfig` of a Shoot.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CPC_001 = Rule::error("ALI-CPC-001", SHOOT, Both)
        .summary("`cloudControllerManager.featureGates` names gates that Kubernetes has.")
        .why("The cloud controller manager does not start with a gate that it does not know.")
        .fix("Correct the gate's spelling (case counts), or remove it.");
    CPC_002 = Rule::error("ALI-CPC-002", SHOOT, Both)
        .summary("`spec.kubernetes.version` is readable when feature gates are set.")
        .why("Which gates exist depends on the Kubernetes version.")
        .fix("Set `spec.kubernetes.version` to a full version in quotes, for example `\"1.33.2\"`.");
    CPC_003 = Rule::error("ALI-CPC-003", SHOOT, Both)
        .summary("The Shoot's Kubernetes version has the feature gate.")
        .why("The gate comes with a later version or is gone, and the cloud controller manager would not start.")
        .fix("Remove the gate from `cloudControllerManager.featureGates`, or use a version that has it.");
    CPC_004 = Rule::error("ALI-CPC-004", SHOOT, Both)
        .summary("A locked feature gate is not set to another value.")
        .why("The feature has become final, and Kubernetes refuses to switch it.")
        .fix("Remove the gate from `cloudControllerManager.featureGates`.");
}
