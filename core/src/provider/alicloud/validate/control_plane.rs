//! Settings of the control plane (ALI-CPC).

use crate::document::Path;
use crate::kube::feature_gates::{FeatureGateError, check_all};
use crate::provider::alicloud::api::ControlPlaneConfig;
use crate::provider::alicloud::rules::control_plane as rules;
use crate::report::{ErrorType, Report};

const FEATURE_GATES: Path<'_> = Path::root(
    "spec.provider.controlPlaneConfig.cloudControllerManager.featureGates",
    "/spec/provider/controlPlaneConfig/cloudControllerManager/featureGates",
);

/// Judges the settings for a Kubernetes version.
pub fn validate(config: &ControlPlaneConfig<'_>, version: &str, report: &mut Report<'_>) {
    let Some(manager) = &config.cloud_controller_manager else { return };
    for (gate, error) in check_all(&manager.feature_gates, version) {
        let (rule, error_type) = match error {
            FeatureGateError::Unknown(_) => (&rules::CPC_001, ErrorType::Invalid),
            FeatureGateError::Version => (&rules::CPC_002, ErrorType::Invalid),
            FeatureGateError::Unsupported(_) => (&rules::CPC_003, ErrorType::Forbidden),
            FeatureGateError::Locked { .. } => (&rules::CPC_004, ErrorType::Forbidden),
        };
        report.error(rule, &FEATURE_GATES.key(gate), error_type, error.to_string());
    }
}
