//! What only a new Shoot is asked (sheet 2.16).

use super::Check;
use super::force_deletion::{is_forced, not_deleted, not_needed};
use super::pools::is_in_place;
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{items, texts};
use crate::provider::gardener::rules::spec as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{join, quote};

const METADATA: Path<'_> = Path::root("metadata", "/metadata");

/// What Gardener's own controllers set.
const FINALIZERS: [&str; 2] = ["gardener", "gardener.cloud/reference-protection"];

/// Judges a new Shoot.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    if is_forced(check.shoot) {
        if !check.is_deleted() {
            not_deleted(report);
        }
        not_needed(&rules::GDN_FD_002, None, report);
    }
    let finalizers = METADATA.key("finalizers");
    for (index, finalizer) in texts(items(check.shoot, &["metadata", "finalizers"])).enumerate() {
        if FINALIZERS.contains(&finalizer) {
            let detail = join(&["finalizer", &quote(finalizer), "cannot be added on creation"], " ");
            report
                .error(&rules::GDN_META_020, &finalizers.index(index), ErrorType::Forbidden, detail)
                .fix_removal();
        }
    }
    for (index, worker) in check.workers().iter().enumerate() {
        in_place(check, &rules::GDN_WRK_080, worker, &WORKERS.index(index), report);
    }
}

/// Judges whether a new worker pool may be updated in place.
pub fn in_place(
    check: &Check<'_>,
    rule: &'static Rule,
    worker: &Value<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if is_in_place(worker) && !check.is_gate_on("InPlaceNodeUpdates") {
        let detail = "can not configure `AutoInPlaceUpdate` or `ManualInPlaceUpdate` update strategies when the \
                      `InPlaceNodeUpdates` feature gate is disabled.";
        report.error(rule, &path.key("updateStrategy"), ErrorType::Invalid, detail);
    }
}
