//! Settings of the control plane (ALI-CPC).

use crate::gardener::checks::feature_gates::{FeatureGateRules, check_feature_gates};
use crate::provider::alicloud::api::ControlPlaneConfig;
use crate::provider::alicloud::rules::control_plane as rules;
use crate::report::Report;

const FEATURE_GATES: FeatureGateRules = FeatureGateRules {
    known: &rules::CPC_001,
    version: &rules::CPC_002,
    supported: &rules::CPC_003,
    locked: &rules::CPC_004,
    newest: 35,
};

/// Judges the settings for a Kubernetes version.
pub fn validate(config: &ControlPlaneConfig<'_>, version: &str, report: &mut Report<'_>) {
    if let Some(manager) = &config.cloud_controller_manager {
        check_feature_gates(&manager.feature_gates, version, &FEATURE_GATES, report);
    }
}
