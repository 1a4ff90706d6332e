//! What must not change in the specification (GDN-UPD-010 to 027, 065).

use super::{Change, control_plane_zones, dns, networks, pools, version};
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::same::{is_same, type_at};
use crate::provider::gardener::shoot::profile_reference;
use crate::provider::gardener::structure::Type;
use crate::report::{ErrorType, Report};
use crate::text::join;

const SPEC: Path<'_> = Path::root("spec", "/spec");
const CONTROLLER_MANAGER: Path<'_> =
    Path::root("spec.kubernetes.kubeControllerManager", "/spec/kubernetes/kubeControllerManager");

/// Judges the change of the specification.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    if change.check.is_deleted() {
        let changed = changed_parts(change);
        if !changed.is_empty() {
            let detail = join(
                &[
                    "cannot update shoot spec if deletion timestamp is set. Requested changes: ",
                    &join(&changed, ","),
                ],
                "",
            );
            report.error(&rules::GDN_UPD_010, &SPEC, ErrorType::Forbidden, detail);
            return;
        }
    }
    if text(change.old, &["spec", "region"]) != text(change.new, &["spec", "region"]) {
        restored(&rules::GDN_UPD_011, &SPEC.key("region"), change.old, report);
    }
    profile_reference::judge(change.check, report);
    control_plane_zones::judge(change, report);
    bindings(change, report);
    dns::judge(change, report);
    version::judge(change, report);
    node_masks(change, report);
    let count = |shoot| items(shoot, &["spec", "provider", "workers"]).len();
    match (count(change.old), count(change.new)) {
        (1.., 0) => {
            let detail = "cannot switch from a Shoot with workers to a workerless Shoot";
            let reported = report.error(&rules::GDN_UPD_026, &WORKERS, ErrorType::Forbidden, detail);
            change.check.fix_workers(reported);
            return;
        }
        (0, 1..) => {
            let detail = "cannot switch from a workerless Shoot to a Shoot with workers";
            report.error(&rules::GDN_UPD_027, &WORKERS, ErrorType::Forbidden, detail);
            return;
        }
        _ => {}
    }
    pools::judge(change, report);
    networks::judge(change, report);
    let (before, after) = change.at(&["spec", "schedulerName"]);
    let is_default = before.is_none() && after.and_then(Value::as_str) == Some("default-scheduler");
    if before != after && !is_default {
        restored(&rules::GDN_UPD_065, &SPEC.key("schedulerName"), change.old, report);
    }
}

/// The parts of the specification that change.
fn changed_parts(change: &Change<'_>) -> Vec<&'static str> {
    let Type::Object(fields) = type_at(&["spec"]) else { return Vec::new() };
    let is_changed = |key: &str, of: &Type| {
        let (before, after) = change.at(&["spec", key]);
        !is_same(of, before, after)
    };
    fields.iter().filter(|(key, of)| is_changed(key, of)).map(|(key, _)| *key).collect()
}

fn bindings(change: &Change<'_>, report: &mut Report<'_>) {
    let (before, after) = change.at(&["spec", "credentialsBindingName"]);
    let has_credentials = after.and_then(Value::as_str).is_some_and(|name| !name.is_empty());
    if let Some(before) = before.filter(|_| !has_credentials) {
        let path = SPEC.key("credentialsBindingName");
        let entry = report.error(&rules::GDN_UPD_013, &path, ErrorType::Forbidden, "the field cannot be unset");
        if before.as_str() != Some("") {
            entry.fix_value(before);
        }
    }
    let (before, after) = change.at(&["spec", "secretBindingName"]);
    let is_replaced = after.is_none() && has_credentials;
    if before != after && !is_replaced {
        restored(&rules::GDN_UPD_014, &SPEC.key("secretBindingName"), change.old, report);
    }
}

fn node_masks(change: &Change<'_>, report: &mut Report<'_>) {
    let masks = |key| change.at(&["spec", "kubernetes", "kubeControllerManager", key]);
    let (before, after) = masks("nodeCIDRMaskSize");
    if before != after {
        restored(&rules::GDN_UPD_024, &CONTROLLER_MANAGER.key("nodeCIDRMaskSize"), change.old, report);
    }
    let (before, after) = masks("nodeCIDRMaskSizeIPv6");
    if before.is_some() && before != after {
        restored(&rules::GDN_UPD_025, &CONTROLLER_MANAGER.key("nodeCIDRMaskSizeIPv6"), change.old, report);
    }
}
