//! What must not change while machines are updated in place (GDN-UPD-110 to 113).

use super::Change;
use super::version::{KUBERNETES, effective};
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::kube::semver::SemVer;
use crate::kube::version::NO_VERSION;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::same::{is_same, type_at};
use crate::provider::gardener::shoot::pools::is_in_place;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{join, quote};

const OPERATION: &[&str] = &["metadata", "annotations", "gardener.cloud/operation"];
const PENDING: &[&str] = &["inPlaceUpdates", "pendingWorkerUpdates"];

/// Judges the change of pools whose update in place is under way.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let Some(pending) = change.check.status().and_then(|status| status.at(PENDING)) else { return };
    if text(change.new, OPERATION) == "force-in-place-update" {
        return;
    }
    for &(shoot, detail) in &[
        (change.old, "failed to parse old control plane kubernetes version"),
        (change.new, "failed to parse new control plane kubernetes version"),
    ] {
        if SemVer::parse(text(shoot, &["spec", "kubernetes", "version"])).is_none() {
            unreadable(&rules::GDN_UPD_111, detail, &KUBERNETES, report);
            return;
        }
    }
    let is_pending = |name| {
        ["autoInPlaceUpdate", "manualInPlaceUpdate"]
            .iter()
            .any(|key| texts(items(pending, &[key])).any(|pool| pool == name))
    };
    let olds = items(change.old, &["spec", "provider", "workers"]);
    for (index, worker) in change.check.workers().iter().enumerate() {
        let name = text(worker, &["name"]);
        let old = olds.iter().enumerate().find(|(_, old)| text(old, &["name"]) == name);
        let Some((old_index, old)) = old.filter(|_| is_in_place(worker) && is_pending(name)) else { continue };
        let (before, after) = (effective(change.old, old), effective(change.new, worker));
        let (Some(before), after) = (SemVer::parse(before), SemVer::parse(after)) else {
            let detail = "failed to calculate effective kubernetes version for old worker";
            unreadable(&rules::GDN_UPD_112, detail, &WORKERS.index(old_index), report);
            continue;
        };
        let Some(after) = after else {
            let detail = "failed to calculate effective kubernetes version for new worker";
            unreadable(&rules::GDN_UPD_112, detail, &WORKERS.index(index), report);
            continue;
        };
        let is_kept = before == after
            && is_same(type_at(&["spec", "provider", "workers"]), Some(old), Some(worker))
            && is_same(
                type_at(&["spec", "kubernetes", "kubelet"]),
                kubelet(change.old, old),
                kubelet(change.new, worker),
            );
        if !is_kept {
            let detail = join(
                &[
                    "the worker pool",
                    &quote(name),
                    "is currently undergoing an in-place update. No changes are allowed to the worker pool, the Shoot \
                     Kubernetes version, or the Shoot kubelet configuration. You can force an update with annotating \
                     the Shoot with 'gardener.cloud/operation=force-in-place-update'",
                ],
                " ",
            );
            report.error(&rules::GDN_UPD_113, &WORKERS.index(index), ErrorType::Forbidden, detail);
        }
    }
}

fn unreadable(rule: &'static Rule, detail: &str, path: &Path<'_>, report: &mut Report<'_>) {
    report.error(rule, path, ErrorType::Forbidden, join(&[detail, NO_VERSION], ": "));
}

/// The configuration of a pool's kubelet: its own, else that of the Shoot.
fn kubelet<'v>(shoot: &'v Value<'v>, worker: &'v Value<'v>) -> Option<&'v Value<'v>> {
    worker.at(&["kubernetes", "kubelet"]).or_else(|| shoot.at(&["spec", "kubernetes", "kubelet"]))
}
