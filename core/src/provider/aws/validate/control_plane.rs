//! Settings of the control plane (AWS-CPC).

use crate::gardener::checks::feature_gates::{FeatureGateRules, check_feature_gates};
use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::aws::api::ControlPlaneConfig;
use crate::provider::aws::rules::control_plane as rules;
use crate::report::Report;
use crate::text::TextRule;

/// The library of the existing extension knows Kubernetes 1.36.
const FEATURE_GATES: FeatureGateRules = FeatureGateRules {
    known: &rules::CPC_001,
    version: &rules::CPC_002,
    supported: &rules::CPC_002,
    locked: &rules::CPC_003,
    newest: 36,
};

const RESOURCE_NAME: TextRule = TextRule::pattern(r"^[a-z0-9.-]+$").required("cannot be empty").length(0, 253);

/// Judges the settings for a Kubernetes version.
pub fn validate(config: &ControlPlaneConfig<'_>, version: &str, report: &mut Report<'_>) {
    if let Some(manager) = &config.cloud_controller_manager {
        check_feature_gates(&manager.feature_gates, version, &FEATURE_GATES, report);
    }
    if let Some(class) = config.load_balancer_controller.and_then(|controller| controller.ingress_class_name) {
        let path = CONTROL_PLANE.key("loadBalancerController");
        report.text(&rules::CPC_004, &path.key("ingressClassName"), class, &RESOURCE_NAME);
    }
}
