//! Where the control plane of a Shoot runs: seed, purpose, tolerations, exposure and availability (GDN-SPEC-007 to
//! 013, GDN-TOL, GDN-HA).

use super::pools::is_self_hosted;
use super::{Check, control_plane_zones, self_hosted};
use crate::document::{Path, Value};
use crate::kube::names::{label_faults, label_value_faults, labels_faults, qualified_faults, subdomain_faults};
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::spec as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Rule};
use crate::text::quote;

const SPEC: Path<'_> = Path::root("spec", "/spec");
/// Which failures the control plane tolerates.
pub const FAILURE_TOLERANCE: Path<'_> = Path::root(
    "spec.controlPlane.highAvailability.failureTolerance.type",
    "/spec/controlPlane/highAvailability/failureTolerance/type",
);
/// The namespace of the operators.
const GARDEN: &str = "garden";

/// Judges where the control plane runs.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(spec) = check.shoot.at(&["spec"]) else { return };
    let seed = spec.get("seedName").and_then(Value::as_str);
    if seed == Some("") {
        let detail = "seed name must not be empty when providing the key";
        report.error(&rules::GDN_SPEC_007, &SPEC.key("seedName"), ErrorType::Invalid, detail).fix_removal();
    }
    if let Some(selector) = spec.get("seedSelector") {
        label_selector(&rules::GDN_SPEC_008, selector, &SPEC.key("seedSelector"), report);
    }
    let namespace = text(check.shoot, &["metadata", "namespace"]);
    if let Some(purpose) = spec.get("purpose").and_then(Value::as_str) {
        let purposes = ["development", "evaluation", "infrastructure", "production", "testing"];
        // The operators' own Shoots have a purpose more.
        let known = purposes.into_iter().filter(|known| namespace == GARDEN || *known != "infrastructure");
        let known: Vec<&str> = known.collect();
        if !known.contains(&purpose) {
            let detail = supported(known.iter().copied());
            let entry = report.error(&rules::GDN_SPEC_009, &SPEC.key("purpose"), ErrorType::NotSupported, detail);
            offer(entry, purpose, &known, by_likeness);
        }
    }
    tolerations(items(spec, &["tolerations"]), &SPEC.key("tolerations"), report);
    if let Some(class) = spec.get("exposureClassName").and_then(Value::as_str) {
        for fault in subdomain_faults(class) {
            let detail = ["exposureClassName is not a valid DNS subdomain: ", &quote(&fault)].concat();
            report.error(&rules::GDN_SPEC_010, &SPEC.key("exposureClassName"), ErrorType::Invalid, detail);
        }
    }
    if is_self_hosted(check.workers()) {
        if seed.is_some() {
            let detail = "cannot set seedName for self-hosted shoots";
            report.error(&rules::GDN_SPEC_011, &SPEC.key("seedName"), ErrorType::Invalid, detail).fix_removal();
        }
        if namespace != GARDEN {
            let path = Path::root("metadata.namespace", "/metadata/namespace");
            let detail = "self-hosted shoots must be in the \"garden\" namespace";
            report.error(&rules::GDN_SPEC_012, &path, ErrorType::Invalid, detail);
        }
        self_hosted::judge(check, report);
    }
    if let Some(scheduler) = spec.get("schedulerName").and_then(Value::as_str) {
        faults(&rules::GDN_SPEC_013, label_faults(scheduler), &SPEC.key("schedulerName"), report);
    }
    control_plane_zones::judge(check, report);
    availability(spec, report);
}

fn availability(spec: &Value<'_>, report: &mut Report<'_>) {
    let tolerated = text(spec, &["controlPlane", "highAvailability", "failureTolerance", "type"]);
    let is_highly_available = spec.at(&["controlPlane", "highAvailability"]).is_some();
    if is_highly_available && !["node", "zone"].contains(&tolerated) {
        let detail = supported(["node", "zone"].into_iter());
        let entry = report.error(&rules::GDN_HA_001, &FAILURE_TOLERANCE, ErrorType::NotSupported, detail);
        offer(entry, tolerated, &["node", "zone"], by_likeness);
    }
}

/// Reports each fault of a text.
fn faults(rule: &'static Rule, faults: Vec<String>, path: &Path<'_>, report: &mut Report<'_>) {
    for fault in faults {
        report.error(rule, path, ErrorType::Invalid, fault);
    }
}

/// Judges a selector of labels.
pub fn label_selector(rule: &'static Rule, selector: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for (_, fault) in labels_faults(selector.get("matchLabels")) {
        report.error(rule, &path.key("matchLabels"), ErrorType::Invalid, fault);
    }
    let all = path.key("matchExpressions");
    for (index, expression) in items(selector, &["matchExpressions"]).iter().enumerate() {
        let place = all.index(index);
        let values = items(expression, &["values"]);
        let at_values = place.key("values");
        match text(expression, &["operator"]) {
            "In" | "NotIn" if values.is_empty() => {
                let detail = "must be specified when `operator` is 'In' or 'NotIn'";
                report.error(rule, &at_values, ErrorType::Required, detail);
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                report.error(rule, &at_values, ErrorType::Forbidden, detail);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            _ => {
                let detail = "not a valid selector operator";
                report.error(rule, &place.key("operator"), ErrorType::Invalid, detail);
            }
        }
        faults(rule, qualified_faults(text(expression, &["key"])), &place.key("key"), report);
        for (index, value) in values.iter().enumerate() {
            let value = value.as_str().unwrap_or_default();
            faults(rule, label_value_faults(value), &at_values.index(index), report);
        }
    }
}

fn tolerations(tolerations: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen: Vec<(&str, Option<&str>)> = Vec::with_capacity(tolerations.len());
    for (index, toleration) in tolerations.iter().enumerate() {
        let place = path.index(index);
        let key = text(toleration, &["key"]);
        if key.is_empty() {
            report.error(&rules::GDN_TOL_001, &place.key("key"), ErrorType::Required, "cannot be empty");
        } else {
            faults(&rules::GDN_TOL_002, qualified_faults(key), &place.key("key"), report);
        }
        let value = toleration.get("value").and_then(Value::as_str);
        if let Some(value) = value {
            faults(&rules::GDN_TOL_003, label_value_faults(value), &place.key("value"), report);
        }
        if seen.contains(&(key, value)) || seen.contains(&(key, None)) {
            report.error(&rules::GDN_TOL_004, &place, ErrorType::Duplicate, "").fix_removal_from(tolerations);
        }
        seen.push((key, value));
    }
}
