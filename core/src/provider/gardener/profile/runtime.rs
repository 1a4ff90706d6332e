//! What runs on the machines of a pool: container runtime, kubelet, and what the kubelet reserves.

use super::machine::{IMAGE_PARTS, image_version};
use super::{Check, Pool};
use crate::document::Value;
use crate::kube::quantity::Quantity;
use crate::kube::semver::SemVer;
use crate::provider::gardener::fields::{items, named, quantity, text};
use crate::provider::gardener::rules::profile as rules;
use crate::report::{ErrorType, Report};

/// The container runtime interface of an image that names none.
const CONTAINERD: &str = "containerd";

/// Judges container runtimes and kubelet by the image; whether other pools can be judged.
pub fn judge(check: &Check<'_>, pool: &Pool<'_, '_>, shoot_version: &str, report: &mut Report<'_>) -> bool {
    let (name, version) =
        (text(pool.worker, &["machine", "image", "name"]), text(pool.worker, &["machine", "image", "version"]));
    let image = image_version(check, name, version);
    if let Some(image) = image.filter(|_| pool.is_changed(&[&["cri"]]) || pool.is_changed(&IMAGE_PARTS)) {
        container_runtime(pool, image, &format!("{name}@{version}"), report);
    }
    let own = text(pool.worker, &["kubernetes", "version"]);
    let kubelet = if own.is_empty() { shoot_version } else { own };
    let Some(parsed) = SemVer::parse(kubelet) else {
        let kubernetes = pool.path.key("kubernetes");
        let detail = "cannot determine effective Kubernetes version for worker pool";
        report
            .error(&rules::ADM_KLV_001, &kubernetes.key("version"), ErrorType::Invalid, detail)
            .remedy("Write a version such as `1.33.7`.");
        return false;
    };
    let constraint = image.map(|image| text(image, &["kubeletVersionConstraint"])).unwrap_or_default();
    if !constraint.is_empty() && parsed.satisfies(constraint) == Some(false) {
        let machine = pool.path.key("machine");
        let detail = format!(
            "machine image '{name}@{version}' does not support kubelet version '{kubelet}', supported kubelet versions by this \
             machine image version: '{constraint}'"
        );
        report.error(&rules::ADM_KLV_001, &machine.key("image"), ErrorType::Invalid, detail);
    }
    true
}

fn container_runtime(pool: &Pool<'_, '_>, image: &Value<'_>, name: &str, report: &mut Report<'_>) {
    let offered = items(image, &["cri"]);
    let wanted = text(pool.worker, &["cri", "name"]);
    let cri = pool.path.key("cri");
    if pool.worker.at(&["cri"]).is_none() {
        return;
    }
    // An image that says nothing has containerd.
    if offered.is_empty() && wanted == CONTAINERD && items(pool.worker, &["cri", "containerRuntimes"]).is_empty() {
        return;
    }
    let Some(found) = named(offered, wanted) else {
        let all: Vec<&str> = offered.iter().map(|one| text(one, &["name"])).collect();
        let detail = format!(
            "machine image '{name}' does not support CRI '{wanted}', supported values: [{}]",
            all.join(" ")
        );
        let entry = report.error(&rules::ADM_CRI_001, &cri.key("name"), ErrorType::Invalid, detail);
        if all.is_empty() && wanted == CONTAINERD {
            entry.remedy("Remove `containerRuntimes`: the image names none. Or choose another image.");
        } else if all.is_empty() {
            entry.remedy("Write `containerd`: the image names no other. Or choose another image.");
        }
        return;
    };
    let types: Vec<&str> = items(found, &["containerRuntimes"]).iter().map(|one| text(one, &["type"])).collect();
    let runtimes = cri.key("containerRuntimes");
    for (index, runtime) in items(pool.worker, &["cri", "containerRuntimes"]).iter().enumerate() {
        let wanted = text(runtime, &["type"]);
        if !types.contains(&wanted) {
            let detail = format!(
                "machine image '{name}' does not support container runtime '{wanted}', supported values: [{}]",
                types.join(" ")
            );
            let path = runtimes.index(index);
            let entry = report.error(&rules::ADM_CRI_002, &path.key("type"), ErrorType::Invalid, detail);
            if types.is_empty() {
                entry.remedy("Remove the container runtime: the image has none. Or choose another image.");
            }
        }
    }
}

/// Judges what a kubelet reserves by what the machine type has.
pub fn reserved(check: &Check<'_>, pool: &Pool<'_, '_>, kubelet: Option<&Value<'_>>, report: &mut Report<'_>) {
    let machine = named(items(check.profile, &["machineTypes"]), text(pool.worker, &["machine", "type"]));
    let (Some(kubelet), Some(machine)) = (kubelet, machine) else { return };
    if kubelet.at(&["kubeReserved"]).is_none() {
        return;
    }
    let read = |value: &Value<'_>, path: &[&str]| Quantity::parse(quantity(value, path).unwrap_or("0")).ok();
    for &(rule, key, word) in &[(&rules::ADM_KLT_001, "cpu", "CPU"), (&rules::ADM_KLT_002, "memory", "memory")] {
        let (own, capacity) = (read(kubelet, &["kubeReserved", key]), read(machine, &[key]));
        if let (Some(own), Some(capacity)) = (own, capacity)
            && own >= capacity
        {
            let kubernetes = pool.path.key("kubernetes");
            let detail = format!(
                "total reserved {word} (kubeReserved) cannot be more than the Node's {word} capacity '{capacity}'"
            );
            report.error(rule, &kubernetes.key("kubelet"), ErrorType::Invalid, detail);
        }
    }
}
