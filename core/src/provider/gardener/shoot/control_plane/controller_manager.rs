//! The kube-controller-manager (GDN-KCM).

use super::KUBERNETES;
use crate::document::{Path, Value};
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{integer, items, texts};
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::limits::Measure::{Duration, Share};
use crate::provider::gardener::shoot::limits::{self, Limit, PART, SECOND};
use crate::provider::gardener::shoot::{Check, feature_gates};
use crate::report::{ErrorType, Report, Rule};

static EVICTION: [Limit; 1] =
    [Limit::of(&rules::GDN_KCM_006, "podEvictionTimeout", Duration, "podEvictionTimeout must be larger than 0")
        .at_least(1)];

static NODES_AND_PODS: [Limit; 6] = [
    Limit::of(
        &rules::GDN_KCM_007,
        "nodeMonitorGracePeriod",
        Duration,
        "nodeMonitorGracePeriod must be larger than 0",
    )
    .at_least(1),
    pods(&rules::GDN_KCM_008, "syncPeriod", "syncPeriod must not be less than a second").at_least(SECOND),
    Limit::of(&rules::GDN_KCM_009, "tolerance", Share, "tolerance of must be greater than 0")
        .within(AUTOSCALER)
        .at_least(PART),
    pods(&rules::GDN_KCM_010, "downscaleStabilization", "downScale stabilization must not be less than a second")
        .at_least(SECOND),
    pods(&rules::GDN_KCM_011, "initialReadinessDelay", "initial readiness delay must be greater than 0")
        .at_least(1),
    pods(
        &rules::GDN_KCM_012,
        "cpuInitializationPeriod",
        "cpu initialization period must not be less than a second",
    )
    .at_least(SECOND),
];

const AUTOSCALER: &str = "horizontalPodAutoscaler";

/// A time of the horizontal pod autoscaler.
const fn pods(rule: &'static Rule, key: &'static str, detail: &'static str) -> Limit {
    Limit::of(rule, key, Duration, detail).within(AUTOSCALER)
}

/// What only a Shoot with workers has, in the order in which Gardener looks for it.
const OF_WORKERS: [(&Rule, &str); 5] = [
    (&rules::GDN_KCM_013, "nodeCIDRMaskSize"),
    (&rules::GDN_KCM_014, "nodeCIDRMaskSizeIPv6"),
    (&rules::GDN_KCM_015, AUTOSCALER),
    (&rules::GDN_KCM_016, "podEvictionTimeout"),
    (&rules::GDN_KCM_017, "nodeMonitorGracePeriod"),
];

/// Judges the controller manager.
pub fn judge(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(manager) = kubernetes.get("kubeControllerManager") else { return };
    let path = KUBERNETES.key("kubeControllerManager");
    if check.workers().is_empty() {
        for (rule, key) in OF_WORKERS {
            if manager.get(key).is_some() {
                check.forbid_without_workers(rule, &path.key(key), report);
            }
        }
    } else {
        masks(check, manager, &path, report);
        if !is_at_least(check.version(), 33) {
            limits::judge(&EVICTION, manager, &path, report);
        } else if manager.get("podEvictionTimeout").is_some() {
            let detail = "for Kubernetes versions >= 1.33, podEvictionTimeout field is no longer supported";
            let place = path.key("podEvictionTimeout");
            report.error(&rules::GDN_KCM_005, &place, ErrorType::Forbidden, detail).fix_removal();
        }
        limits::judge(&NODES_AND_PODS, manager, &path, report);
    }
    feature_gates::judge(check.garden, manager, check.version(), &path, report);
}

/// Judges how large the ranges of nodes are.
fn masks(check: &Check<'_>, manager: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let families: Vec<&str> = texts(items(check.shoot, &["spec", "networking", "ipFamilies"])).collect();
    let (is_four, is_six) = (matches!(*families, [] | ["IPv4"]), matches!(*families, ["IPv6"]));
    let mask = |key| manager.get(key).map(|_| integer(manager, &[key]));
    let (mask, mask_six) = (mask("nodeCIDRMaskSize"), mask("nodeCIDRMaskSizeIPv6"));
    let (place, place_six) = (path.key("nodeCIDRMaskSize"), path.key("nodeCIDRMaskSizeIPv6"));
    if let Some(mask) = mask.filter(|_| check.shoot.at(&["spec", "networking"]).is_some()) {
        if is_six && mask_six.is_some() {
            let detail =
                "only one of nodeCIDRMaskSize or nodeCIDRMaskSizeIPv6 can be set for single-stack clusters";
            report.error(&rules::GDN_KCM_001, &place, ErrorType::Forbidden, detail);
        }
        if is_six && !(64..=124).contains(&mask) {
            let detail = "nodeCIDRMaskSize must be between 64 and 124 for IPv6 single-stack clusters";
            report.error(&rules::GDN_KCM_002, &place, ErrorType::Invalid, detail);
        } else if is_four && !(16..=28).contains(&mask) {
            let detail = "nodeCIDRMaskSize must be between 16 and 28";
            report.error(&rules::GDN_KCM_002, &place, ErrorType::Invalid, detail);
        }
    }
    if let Some(mask) = mask_six {
        if is_four {
            let detail = "nodeCIDRMaskSizeIPv6 cannot be set for IPv4 single-stack clusters";
            report.error(&rules::GDN_KCM_003, &place_six, ErrorType::Forbidden, detail).fix_removal();
        } else if !(64..=124).contains(&mask) {
            let detail = "nodeCIDRMaskSizeIPv6 must be between 64 and 124";
            report.error(&rules::GDN_KCM_004, &place_six, ErrorType::Invalid, detail);
        }
    }
}
