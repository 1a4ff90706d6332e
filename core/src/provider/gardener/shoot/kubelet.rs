//! The configuration of the kubelet, of a Shoot and of its worker pools (GDN-KLT, GDN-FG).

mod limits;

use super::Check;
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::kube::feature_gates::{self, FeatureGateError};
use crate::provider::gardener::fields::{flag, integer, supported, text};
use crate::provider::gardener::rules::kubelet as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report};

const OF_SHOOT: Path<'_> = Path::root("spec.kubernetes.kubelet", "/spec/kubernetes/kubelet");

/// The newest minor version of Kubernetes that the release of Gardener knows.
const NEWEST: u64 = 35;

/// Judges the kubelets of a Shoot with workers.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let (workers, version) = (check.workers(), check.version());
    let of_shoot = check.shoot.at(&["spec", "kubernetes", "kubelet"]);
    for (index, worker) in workers.iter().enumerate() {
        if worker.at(&["kubernetes"]).is_none() {
            continue;
        }
        let own = text(worker, &["kubernetes", "version"]);
        let version = if own.is_empty() { version } else { own };
        let pool = WORKERS.index(index);
        let kubernetes = pool.key("kubernetes");
        let place = kubernetes.key("kubelet");
        if let Some(own) = worker.at(&["kubernetes", "kubelet"]) {
            configuration(own, version, &place, report);
        } else if let Some(of_shoot) = of_shoot {
            // The pool has the kubelet of the Shoot: that is where a person mends it.
            let field = place.field();
            configuration(of_shoot, version, &Path::root(&field, "/spec/kubernetes/kubelet"), report);
        }
    }
    if let Some(of_shoot) = of_shoot.filter(|_| !workers.is_empty() && !version.is_empty()) {
        configuration(of_shoot, version, &OF_SHOOT, report);
    }
}

fn configuration(kubelet: &Value<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(policy) = kubelet.at(&["cpuManagerPolicy"]).and_then(Value::as_str) {
        one_of(&rules::GDN_KLT_001, policy, &["none", "static"], &path.key("cpuManagerPolicy"), report);
    }
    limits::judge(kubelet, path, report);
    let (high, low) = (kubelet.at(&["imageGCHighThresholdPercent"]), kubelet.at(&["imageGCLowThresholdPercent"]));
    if high.is_some()
        && low.is_some()
        && integer(kubelet, &["imageGCLowThresholdPercent"]) >= integer(kubelet, &["imageGCHighThresholdPercent"])
    {
        let detail = "imageGCLowThresholdPercent must be less than imageGCHighThresholdPercent";
        report.error(&rules::GDN_KLT_014, &path.key("imageGCLowThresholdPercent"), ErrorType::Forbidden, detail);
    }
    gates(kubelet, version, path, report);
    swap(kubelet, path, report);
    if flag(kubelet, &["serializeImagePulls"]) == Some(true) && integer(kubelet, &["maxParallelImagePulls"]) > 1 {
        let detail = "maxParallelImagePulls cannot be larger than 1 when serializeImagePulls is set to true";
        report.error(&rules::GDN_KLT_024, &path.key("maxParallelImagePulls"), ErrorType::Forbidden, detail);
    }
}

fn swap(kubelet: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if kubelet.at(&["memorySwap"]).is_none() {
        return;
    }
    let place = path.key("memorySwap");
    if flag(kubelet, &["failSwapOn"]) == Some(true) {
        let detail =
            "configuring swap behaviour is not available when the kubelet is configured with 'FailSwapOn=true'";
        report.error(&rules::GDN_KLT_020, &place, ErrorType::Forbidden, detail);
    }
    if let Some(behavior) = kubelet.at(&["memorySwap", "swapBehavior"]).and_then(Value::as_str) {
        if flag(kubelet, &["featureGates", "NodeSwap"]) != Some(true) {
            let detail =
                "configuring swap behaviour is not available when kubelet's 'NodeSwap' feature gate is not set";
            report.error(&rules::GDN_KLT_021, &place, ErrorType::Forbidden, detail);
        }
        one_of(&rules::GDN_KLT_022, behavior, &["NoSwap", "LimitedSwap"], &place.key("swapBehavior"), report);
    }
}

/// Judges the feature gates at the place `featureGates` of a component.
fn gates(component: &Value<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(Value::Object(members)) = component.at(&["featureGates"]) else { return };
    let mut gates = NameMap::default();
    for (gate, value) in members {
        gates.insert(gate, matches!(value, Value::Bool(true)));
    }
    let all = path.key("featureGates");
    for (gate, error) in feature_gates::check_all(&gates, version, NEWEST) {
        let (rule, error_type) = match error {
            FeatureGateError::Unknown(_) => (&rules::GDN_FG_001, ErrorType::Invalid),
            FeatureGateError::Version => (&rules::GDN_FG_002, ErrorType::Invalid),
            FeatureGateError::Unsupported(_) => (&rules::GDN_FG_003, ErrorType::Forbidden),
            FeatureGateError::Locked { .. } => (&rules::GDN_FG_004, ErrorType::Forbidden),
        };
        // Gardener prints an empty name in brackets.
        let place = if gate.is_empty() { all.entry(gate) } else { all.key(gate) };
        report.error(rule, &place, error_type, error.to_string());
    }
}

fn one_of(
    rule: &'static crate::report::Rule,
    value: &str,
    values: &[&str],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if !values.contains(&value) {
        let entry = report.error(rule, path, ErrorType::NotSupported, supported(values.iter().copied()));
        offer(entry, value, values, by_likeness);
    }
}
