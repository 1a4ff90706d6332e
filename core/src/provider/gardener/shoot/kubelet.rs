//! The configuration of the kubelet, of a Shoot and of its worker pools (GDN-KLT, GDN-FG).

mod images;
mod limits;

use super::{Check, feature_gates, one_of};
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{flag, integer, text};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::kubelet as rules;
use crate::report::{ErrorType, Report};

const OF_SHOOT: Path<'_> = Path::root("spec.kubernetes.kubelet", "/spec/kubernetes/kubelet");

/// Judges the kubelets of the worker pools.
pub fn of_pools(check: &Check<'_>, report: &mut Report<'_>) {
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
            configuration(check.garden, own, version, &place, report);
        } else if let Some(of_shoot) = of_shoot {
            // A person fixes it in the Shoot, because the pool has the kubelet of the Shoot.
            let field = place.field();
            configuration(
                check.garden,
                of_shoot,
                version,
                &Path::root(&field, "/spec/kubernetes/kubelet"),
                report,
            );
        }
    }
}

/// Judges the kubelet of a Shoot with workers.
pub fn of_shoot(check: &Check<'_>, report: &mut Report<'_>) {
    if let Some(kubelet) = check.shoot.at(&["spec", "kubernetes", "kubelet"]) {
        configuration(check.garden, kubelet, check.version(), &OF_SHOOT, report);
    }
}

fn configuration(garden: Garden, kubelet: &Value<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    one_of(&rules::GDN_KLT_001, kubelet, "cpuManagerPolicy", &["none", "static"], path, report);
    limits::judge(kubelet, path, report);
    let (high, low) = (kubelet.at(&["imageGCHighThresholdPercent"]), kubelet.at(&["imageGCLowThresholdPercent"]));
    if high.is_some()
        && low.is_some()
        && integer(kubelet, &["imageGCLowThresholdPercent"]) >= integer(kubelet, &["imageGCHighThresholdPercent"])
    {
        let detail = "imageGCLowThresholdPercent must be less than imageGCHighThresholdPercent";
        report.error(&rules::GDN_KLT_014, &path.key("imageGCLowThresholdPercent"), ErrorType::Forbidden, detail);
    }
    feature_gates::judge(garden, kubelet, version, path, report);
    swap(kubelet, path, report);
    if flag(kubelet, &["serializeImagePulls"]) == Some(true) && integer(kubelet, &["maxParallelImagePulls"]) > 1 {
        let detail = "maxParallelImagePulls cannot be larger than 1 when serializeImagePulls is set to true";
        report.error(&rules::GDN_KLT_024, &path.key("maxParallelImagePulls"), ErrorType::Forbidden, detail);
    }
    if garden.is_from(149) {
        images::judge(kubelet, version, path, report);
    }
}

fn swap(kubelet: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(swap) = kubelet.get("memorySwap") else { return };
    let place = path.key("memorySwap");
    if flag(kubelet, &["failSwapOn"]) == Some(true) {
        let detail =
            "configuring swap behaviour is not available when the kubelet is configured with 'FailSwapOn=true'";
        report.error(&rules::GDN_KLT_020, &place, ErrorType::Forbidden, detail);
    }
    if swap.get("swapBehavior").is_some() {
        if flag(kubelet, &["featureGates", "NodeSwap"]) != Some(true) {
            let detail =
                "configuring swap behaviour is not available when kubelet's 'NodeSwap' feature gate is not set";
            report.error(&rules::GDN_KLT_021, &place, ErrorType::Forbidden, detail);
        }
        one_of(&rules::GDN_KLT_022, swap, "swapBehavior", &["NoSwap", "LimitedSwap"], &place, report);
    }
}
