//! The feature gates of components of Kubernetes (GDN-FG).

use super::named;
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::kube::feature_gates::{self, FeatureGateError};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::kubelet as rules;
use crate::report::{ErrorType, Report};

/// Judges the feature gates at the place `featureGates` of a component.
pub fn judge(garden: Garden, component: &Value<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(Value::Object(members)) = component.at(&["featureGates"]) else { return };
    let mut gates = NameMap::default();
    for (gate, value) in members {
        gates.insert(gate, matches!(value, Value::Bool(true)));
    }
    let all = path.key("featureGates");
    for (gate, error) in feature_gates::check_all(&gates, version, garden.newest_kubernetes()) {
        let (rule, error_type) = match error {
            FeatureGateError::Unknown(_) => (&rules::GDN_FG_001, ErrorType::Invalid),
            FeatureGateError::Version => (&rules::GDN_FG_002, ErrorType::Invalid),
            FeatureGateError::Unsupported(_) => (&rules::GDN_FG_003, ErrorType::Forbidden),
            FeatureGateError::Locked { .. } => (&rules::GDN_FG_004, ErrorType::Forbidden),
        };
        report.error(rule, &named(&all, gate), error_type, error.to_string());
    }
}
