//! How small the autoscaling of a part of the control plane may make that part (GDN-CPA), and quantities of
//! resources.

use crate::document::{Path, Value};
use crate::kube::names::{entries, qualified_faults};
use crate::kube::quantity::{Quantity, QuantityError, QuantityOutline};
use crate::provider::gardener::fields::supported;
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::limits::{NOT_NEGATIVE, is_negative};
use crate::provider::gardener::shoot::named;
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;
use crate::text::pattern::occurs;

/// The resources of which autoscaling knows.
pub const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// Resources of which Kubernetes counts whole ones.
const COUNTED: [&str; 9] = [
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
];

/// Judges the autoscaling at a path. `least` is the least that it may allow, by resource.
pub fn judge(autoscaling: &Value<'_>, least: &[(&str, &str)], path: &Path<'_>, report: &mut Report<'_>) {
    let path = path.key("minAllowed");
    let allowed = entries(autoscaling.get("minAllowed"));
    if allowed.is_empty() {
        report.error(&rules::GDN_CPA_001, &path, ErrorType::Required, "must provide minAllowed");
    }
    for (resource, quantity) in allowed {
        let place = named(&path, resource);
        if !RESOURCES.contains(&resource) {
            let detail = supported(RESOURCES.into_iter());
            report.error(&rules::GDN_CPA_002, &place, ErrorType::NotSupported, detail);
        }
        let quantity = written(quantity);
        if let Some((_, least)) = least.iter().find(|(name, _)| *name == resource)
            && is_less(quantity, least)
        {
            let detail = join(&["value must be bigger than >=", least], " ");
            report.error(&rules::GDN_CPA_003, &place, ErrorType::Invalid, detail);
        }
        judge_quantity(&rules::GDN_CPA_004, resource, quantity, &place, report);
    }
}

/// A quantity as it is written. Go reads `null` as 0.
pub fn written<'v>(quantity: &'v Value<'_>) -> &'v str {
    match quantity {
        Value::String(text) | Value::Number(text) => text.trim(),
        _ => "0",
    }
}

/// Judges the quantity of a resource.
pub fn judge_quantity(
    rule: &'static Rule,
    resource: &str,
    quantity: &str,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if is_negative(quantity) == Some(true) {
        report.error(rule, path, ErrorType::Invalid, NOT_NEGATIVE);
    }
    if is_counted(resource) && QuantityOutline::parse(quantity).is_ok_and(|outline| !outline.is_whole) {
        report.error(rule, path, ErrorType::Invalid, "must be an integer");
    }
}

fn is_less(quantity: &str, least: &str) -> bool {
    match (Quantity::parse(quantity), Quantity::parse(least)) {
        (Ok(quantity), Ok(least)) => quantity < least,
        (Err(QuantityError::Digits), _) => quantity.starts_with('-'),
        _ => false,
    }
}

/// Whether Kubernetes counts whole ones of a resource: of some of its own, and of those of others, whose names
/// have a domain.
fn is_counted(resource: &str) -> bool {
    let is_extended = resource.bytes().any(|byte| byte == b'/')
        && !occurs(resource, "kubernetes.io/")
        && !resource.starts_with("requests.")
        && qualified_faults(&join(&["requests.", resource], "")).is_empty();
    is_extended || COUNTED.contains(&resource)
}
