//! When the node-local DNS may be switched (GDN-UPD-100 to 102).

use super::Change;
use super::version::{KUBERNETES, effective};
use crate::document::Path;
use crate::gardener::shoot::WORKERS;
use crate::kube::semver::SemVer;
use crate::kube::version::{NO_VERSION, is_at_least};
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::pools::is_in_place;
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

const ENABLED: &[&str] = &["spec", "systemComponents", "nodeLocalDNS", "enabled"];

/// Judges a switch of the node-local DNS.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let is_enabled = |shoot| flag(shoot, ENABLED) == Some(true);
    if is_enabled(change.old) == is_enabled(change.new) {
        return;
    }
    let version = text(change.old, &["spec", "kubernetes", "version"]);
    if SemVer::parse(version).is_none() {
        let parts = ["failed to parse old Kubernetes version ", &quote(version), ": ", NO_VERSION];
        report.error(&rules::GDN_UPD_100, &KUBERNETES, ErrorType::Invalid, join(&parts, ""));
        return;
    }
    let proxy = |key| change.old.at(&["spec", "kubernetes", "kubeProxy", key]);
    let uses_ipvs = flag(change.old, &["spec", "kubernetes", "kubeProxy", "enabled"]) == Some(true)
        && proxy("mode").is_some_and(|mode| mode.as_str() == Some("IPVS"));
    let mut is_forbidden = false;
    for (index, worker) in items(change.old, &["spec", "provider", "workers"]).iter().enumerate() {
        let version = effective(change.old, worker);
        if SemVer::parse(version).is_none() {
            let name = quote(text(worker, &["name"]));
            let parts = ["failed to calculate effective Kubernetes version for worker ", &name, ": ", NO_VERSION];
            report.error(&rules::GDN_UPD_101, &WORKERS.index(index), ErrorType::Invalid, join(&parts, ""));
            continue;
        }
        is_forbidden |= is_in_place(worker) && (uses_ipvs || !is_at_least(version, 34));
    }
    if is_forbidden {
        let path = Path::root("spec.systemComponents.nodeLocalDNS", "/spec/systemComponents/nodeLocalDNS");
        let detail = "the node-local-dns setting cannot be changed if the shoot has at least one worker pool with an \
                      update strategy of either AutoInPlaceUpdate or ManualInPlaceUpdate, and is running a \
                      Kubernetes version below 1.34.0 or if kube-proxy runs in IPVS mode.";
        report.error(&rules::GDN_UPD_102, &path, ErrorType::Forbidden, detail);
    }
}
