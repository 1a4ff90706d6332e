//! The configuration of a Shoot's control plane, and of what works with it (GDN-K8S).

mod admission_plugins;
mod api_server;
mod authentication;
mod autoscaler;
mod autoscaling;
mod controller_manager;
pub mod encryption;
mod etcd;
mod proxy;
mod runtime_config;
mod scheduler;
mod vertical_autoscaler;

use super::{Check, kubelet};
use crate::document::{Path, Value};
use crate::provider::gardener::rules::control_plane as rules;
use crate::report::{ErrorType, Report};

const KUBERNETES: Path<'_> = Path::root("spec.kubernetes", "/spec/kubernetes");

/// The kube-apiserver.
const API_SERVER: Path<'_> = Path::root("spec.kubernetes.kubeAPIServer", "/spec/kubernetes/kubeAPIServer");

/// Judges the control plane, in the order in which Gardener does.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    if check.waits_for_version() {
        report.leaves_out("the control plane's configuration, as long as the Kubernetes version is not known");
        return;
    }
    if check.version().is_empty() {
        let detail = "kubernetes version must not be empty";
        report.error(&rules::GDN_K8S_001, &KUBERNETES.key("version"), ErrorType::Required, detail);
        return;
    }
    let Some(kubernetes) = check.shoot.at(&["spec", "kubernetes"]) else { return };
    etcd::judge(kubernetes, report);
    api_server::judge(check, kubernetes, report);
    controller_manager::judge(check, kubernetes, report);
    if check.workers().is_empty() {
        without_workers(check, kubernetes, report);
        return;
    }
    scheduler::judge(check, kubernetes, report);
    proxy::judge(check, kubernetes, report);
    kubelet::of_shoot(check, report);
    autoscaler::judge(check, kubernetes, report);
    vertical_autoscaler::judge(check.garden, kubernetes, report);
}

/// Judges what only a Shoot with workers has.
fn without_workers(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    for &(rule, key, printed) in &[
        (&rules::GDN_K8S_010, "kubeScheduler", "kubeScheduler"),
        (&rules::GDN_K8S_011, "kubeProxy", "kubeProxy"),
        (&rules::GDN_K8S_012, "kubelet", "kubelet"),
        (&rules::GDN_K8S_013, "clusterAutoscaler", "clusterAutoScaler"),
        (&rules::GDN_K8S_014, "verticalPodAutoscaler", "verticalPodAutoScaler"),
    ] {
        if kubernetes.get(key).is_some() {
            check.forbid_without_workers(rule, &KUBERNETES.renamed(key, printed), report);
        }
    }
}

/// The value that a component sets a feature gate to. Go reads `null` as `false`.
fn gate(component: &Value<'_>, gate: &str) -> Option<bool> {
    component.get("featureGates")?.member(gate).map(|value| matches!(value, Value::Bool(true)))
}

#[cfg(test)]
mod tests;
