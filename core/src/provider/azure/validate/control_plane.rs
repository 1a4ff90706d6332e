//! Settings of the control plane (AZ-CPC).

use crate::gardener::checks::feature_gates::{FeatureGateRules, check_feature_gates};
use crate::provider::azure::api::ControlPlaneConfig;
use crate::provider::azure::rules::control_plane as rules;
use crate::report::Report;

/// The library of the existing extension knows Kubernetes 1.35.
const FEATURE_GATES: FeatureGateRules = FeatureGateRules {
    known: &rules::CPC_001,
    version: &rules::CPC_004,
    supported: &rules::CPC_002,
    locked: &rules::CPC_003,
    newest: 35,
};

/// Judges the settings for a version of Kubernetes.
pub fn validate(config: &ControlPlaneConfig<'_>, version: &str, report: &mut Report<'_>) {
    if let Some(manager) = &config.cloud_controller_manager {
        check_feature_gates(&manager.feature_gates, version, &FEATURE_GATES, report);
    }
}
