//! `ControlPlaneConfig` of a Shoot.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// What a feature gate is.
const GATE: &str = "A cloud controller manager with a feature gate that it does not know does not start.";

rules! {
    CPC_001 = Rule::error("AZ-CPC-001", SHOOT, Both)
        .summary("Feature gates of the cloud controller manager exist.")
        .why(GATE)
        .fix("Correct the name of the feature gate, or remove it.");
    CPC_002 = Rule::error("AZ-CPC-002", SHOOT, Both)
        .summary("Feature gates of the cloud controller manager exist in the Shoot's version of Kubernetes.")
        .why(GATE)
        .fix("Remove the feature gate, or choose a version of Kubernetes that has it.");
    CPC_003 = Rule::error("AZ-CPC-003", SHOOT, Both)
        .summary("Feature gates that are locked keep their value.")
        .why("A feature that has become a fixed part of Kubernetes cannot be switched any more.")
        .fix("Remove the feature gate.");
    CPC_004 = Rule::error("AZ-CPC-004", SHOOT, Both)
        .summary("`spec.kubernetes.version` can be compared with the versions of feature gates.")
        .why("The version decides which feature gates exist.")
        .fix("Write a whole version such as `1.33.2`.");
}
