//! The kube-scheduler (GDN-KSCH).

use super::KUBERNETES;
use crate::document::{Path, Value};
use crate::kube::version::is_at_least;
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::{Check, feature_gates, one_of};
use crate::report::{ErrorType, Report};
use crate::text::{atoi, join};

/// Judges the scheduler of a Shoot with workers.
pub fn judge(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(scheduler) = kubernetes.get("kubeScheduler") else { return };
    let path = KUBERNETES.key("kubeScheduler");
    one_of(&rules::GDN_KSCH_001, scheduler, "profile", &["balanced", "bin-packing"], &path, report);
    if let Some(volumes) = scheduler.get("kubeMaxPDVols").and_then(Value::as_str) {
        let path = path.key("kubeMaxPDVols");
        if is_at_least(check.version(), 35) {
            let detail = "for Kubernetes version >= 1.35, kubeMaxPDVols field is no longer supported";
            report.error(&rules::GDN_KSCH_002, &path, ErrorType::Forbidden, detail).fix_removal();
        } else {
            judge_volumes(volumes, &path, report);
        }
    }
    feature_gates::judge(check.garden, scheduler, check.version(), &path, report);
}

/// Judges how many volumes a node may have.
fn judge_volumes(volumes: &str, path: &Path<'_>, report: &mut Report<'_>) {
    match atoi(volumes) {
        Ok(1..) => {}
        Ok(_) => {
            report.error(&rules::GDN_KSCH_004, path, ErrorType::Invalid, "must be positive");
        }
        Err(error) => {
            let detail = join(&["conversion error", &error], ": ");
            report.error(&rules::GDN_KSCH_003, path, ErrorType::Invalid, detail);
        }
    }
}
