//! How many machines a self-hosted control plane has (GDN-WRK-061, 085 to 089).

use super::Check;
use super::pools::control_plane;
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{integer, items, text};
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report};

/// Judges the pool with the control plane, which comes first where there are several.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    if !check.garden.is_from(148) {
        return;
    }
    let Some(pool) = control_plane(check.workers()) else { return };
    let index = check.workers().iter().position(|worker| std::ptr::eq(worker, pool)).unwrap_or_default();
    let path = WORKERS.index(index);
    judge_count(pool, &path, report);
    let tolerance = check.shoot.at(&["spec", "controlPlane", "highAvailability"]);
    let maximum = integer(pool, &["maximum"]);
    let Some(tolerance) = tolerance else {
        if maximum != 1 {
            let detail = "control plane worker pool must have maximum=1 when high availability is not configured";
            report.error(&rules::GDN_WRK_085, &path.key("maximum"), ErrorType::Invalid, detail);
        }
        return;
    };
    if maximum != 3 {
        let detail = "control plane worker pool must have maximum=3 when high availability is configured";
        report.error(&rules::GDN_WRK_086, &path.key("maximum"), ErrorType::Invalid, detail);
    }
    for &(rule, key, detail) in &[
        (
            &rules::GDN_WRK_087,
            "maxSurge",
            "control plane worker pool must have maxSurge=1 when high availability is configured",
        ),
        (
            &rules::GDN_WRK_088,
            "maxUnavailable",
            "control plane worker pool must have maxUnavailable=1 when high availability is configured",
        ),
    ] {
        if !is_one(pool.get(key)) {
            report.error(rule, &path.key(key), ErrorType::Invalid, detail);
        }
    }
    if text(tolerance, &["failureTolerance", "type"]) == "zone" && items(pool, &["zones"]).len() != 3 {
        let detail = "control plane worker pool must have exactly 3 zones when failure tolerance type is zone";
        report.error(&rules::GDN_WRK_089, &path.key("zones"), ErrorType::Invalid, detail);
    }
}

/// Judges how many machines a pool with a control plane has.
pub fn judge_count(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if (integer(pool, &["minimum"]), integer(pool, &["maximum"])) != (1, 1) {
        let detail = "self-hosted shoots only support minimum=maximum=1 for the control plane worker pool (might change in the \
                      future)";
        report.error(&rules::GDN_WRK_061, &path.key("minimum"), ErrorType::Invalid, detail);
    }
}

/// Whether a number, or a text with nothing but a number, is 1.
fn is_one(value: Option<&Value<'_>>) -> bool {
    match value {
        Some(Value::Number(number)) => number == "1",
        Some(Value::String(text)) => text.parse() == Ok(1),
        _ => false,
    }
}
