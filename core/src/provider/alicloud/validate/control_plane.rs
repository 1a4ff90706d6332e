//! Settings of the control plane (ALI-CPC).

use crate::gardener::shoot::CONTROL_PLANE;
use crate::kube::feature_gates::{FeatureGateError, check_all};
use crate::provider::alicloud::api::ControlPlaneConfig;
use crate::provider::alicloud::rules::control_plane as rules;
use crate::report::{ErrorType, Report};

/// The newest minor version of Kubernetes 1 that the existing extension knows.
const KUBERNETES: u64 = 35;

/// Judges the settings for a Kubernetes version.
pub fn validate(config: &ControlPlaneConfig<'_>, version: &str, report: &mut Report<'_>) {
    let Some(manager) = &config.cloud_controller_manager else { return };
    let path = CONTROL_PLANE.key("cloudControllerManager");
    let path = path.key("featureGates");
    for (gate, error) in check_all(&manager.feature_gates, version, KUBERNETES) {
        let (rule, error_type) = match error {
            FeatureGateError::Unknown(_) => (&rules::CPC_001, ErrorType::Invalid),
            FeatureGateError::Version => (&rules::CPC_002, ErrorType::Invalid),
            FeatureGateError::Unsupported(_) => (&rules::CPC_003, ErrorType::Forbidden),
            FeatureGateError::Locked { .. } => (&rules::CPC_004, ErrorType::Forbidden),
        };
        report.error(rule, &path.key(gate), error_type, error.to_string());
    }
}
