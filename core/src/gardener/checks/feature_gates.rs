//! Rules on feature gates of the cloud controller manager.

use crate::collections::NameMap;
use crate::gardener::shoot::CONTROL_PLANE;
use crate::gardener::types::shoot::Shoot;
use crate::kube::feature_gates::{FeatureGateError, check_all};
use crate::report::{ErrorType, Report, Rule};

/// The rules on feature gates.
#[derive(Debug)]
pub struct FeatureGateRules {
    /// The gate exists.
    pub known: &'static Rule,
    /// The version of Kubernetes can be read.
    pub version: &'static Rule,
    /// The version of Kubernetes has the gate.
    pub supported: &'static Rule,
    /// The gate may have the value.
    pub locked: &'static Rule,
    /// The newest minor version of Kubernetes 1 that the existing extension knows.
    pub newest: u64,
}

/// Advice: a Shoot for production sets no feature gates.
pub fn warn_of_gates(
    rule: &'static Rule,
    gates: Option<&NameMap<'_, bool>>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) {
    if gates.is_some_and(|gates| !gates.is_empty()) && shoot.spec.purpose == Some("production") {
        let path = CONTROL_PLANE.key("cloudControllerManager");
        let detail = "feature gates are set for a Shoot whose purpose is production";
        report.warn(rule, &path.key("featureGates"), detail);
    }
}

/// Checks `cloudControllerManager.featureGates` of a control plane with a version of Kubernetes.
pub fn check_feature_gates(
    gates: &NameMap<'_, bool>,
    version: &str,
    rules: &FeatureGateRules,
    report: &mut Report<'_>,
) {
    let path = CONTROL_PLANE.key("cloudControllerManager");
    let path = path.key("featureGates");
    for (gate, error) in check_all(gates, version, rules.newest) {
        let (rule, error_type) = match error {
            FeatureGateError::Unknown(_) => (rules.known, ErrorType::Invalid),
            FeatureGateError::Version => (rules.version, ErrorType::Invalid),
            FeatureGateError::Unsupported(_) => (rules.supported, ErrorType::Forbidden),
            FeatureGateError::Locked { .. } => (rules.locked, ErrorType::Forbidden),
        };
        // The existing extensions print a key without a name in brackets.
        let path = if gate.is_empty() { path.entry(gate) } else { path.key(gate) };
        report.error(rule, &path, error_type, error.to_string());
    }
}
