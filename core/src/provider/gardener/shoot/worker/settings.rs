//! What a pool asks of the cluster autoscaler and of the machine controller manager.

use std::cmp::Ordering;

use crate::document::float::FLOAT64;
use crate::document::{Path, Value};
use crate::kube::duration::Duration;
use crate::provider::gardener::fields::{flag, integer, text};
use crate::provider::gardener::rules::workers as rules;
use crate::provider::gardener::shoot::pools::is_in_place;
use crate::report::{ErrorType, Report};

/// Judges the settings.
pub fn judge(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(settings) = pool.at(&["clusterAutoscaler"]) {
        autoscaler(settings, &path.renamed("clusterAutoscaler", "autoscaler"), report);
    }
    if let Some(settings) = pool.at(&["machineControllerManager"]) {
        let path = path.renamed("machineControllerManager", "machineControllerManagerSettings");
        machine_controller_manager(settings, is_in_place(pool), &path, report);
        preserved(pool, settings, &path, report);
    }
}

fn autoscaler(settings: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for &(rule, key) in &[
        (&rules::GDN_WRK_052, "scaleDownUtilizationThreshold"),
        (&rules::GDN_WRK_053, "scaleDownGpuUtilizationThreshold"),
    ] {
        let detail = match settings.get(key) {
            Some(Value::Number(number)) => match FLOAT64.compare_with_share(number) {
                Ordering::Less => "can not be negative",
                Ordering::Greater => "can not be greater than 1.0",
                Ordering::Equal => continue,
            },
            _ => continue,
        };
        report.error(rule, &path.key(key), ErrorType::Invalid, detail);
    }
    for &key in &["scaleDownUnneededTime", "scaleDownUnreadyTime", "maxNodeProvisionTime"] {
        if is_negative(settings, key) {
            report.error(&rules::GDN_WRK_054, &path.key(key), ErrorType::Invalid, "can not be negative");
        }
    }
}

fn machine_controller_manager(settings: &Value<'_>, is_in_place: bool, path: &Path<'_>, report: &mut Report<'_>) {
    let negative = "must be non-negative";
    for &key in &["machineDrainTimeout", "machineHealthTimeout", "machineCreationTimeout"] {
        if is_negative(settings, key) {
            report.error(&rules::GDN_WRK_055, &path.key(key), ErrorType::Invalid, negative);
        }
    }
    if integer(settings, &["maxEvictRetries"]) < 0 {
        let detail = "must be greater than or equal to 0";
        report.error(&rules::GDN_WRK_056, &path.key("maxEvictRetries"), ErrorType::Invalid, detail);
    }
    let at_timeout = path.key("inPlaceUpdateTimeout");
    if is_in_place {
        if is_negative(settings, "inPlaceUpdateTimeout") {
            report.error(&rules::GDN_WRK_057, &at_timeout, ErrorType::Invalid, negative);
        }
        return;
    }
    if settings.get("inPlaceUpdateTimeout").is_some() {
        let detail = "can only be set when the update strategy is `AutoInPlaceUpdate` or `ManualInPlaceUpdate`";
        report.error(&rules::GDN_WRK_057, &at_timeout, ErrorType::Forbidden, detail);
    }
    if flag(settings, &["disableHealthTimeout"]) == Some(true) {
        let detail =
            "can only be set to true when the update strategy is `AutoInPlaceUpdate` or `ManualInPlaceUpdate`";
        report.error(&rules::GDN_WRK_058, &path.key("disableHealthTimeout"), ErrorType::Forbidden, detail);
    }
}

/// Judges for how long failed machines stay, and how many. Older releases have no such fields.
fn preserved(pool: &Value<'_>, settings: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if is_negative(settings, "machinePreserveTimeout") {
        let path = path.key("machinePreserveTimeout");
        report.error(&rules::GDN_WRK_081, &path, ErrorType::Invalid, "must be non-negative");
    }
    let key = "autoPreserveFailedMachineMax";
    if settings.get(key).is_none() {
        return;
    }
    let (most, maximum) = (integer(settings, &[key]), integer(pool, &["maximum"]));
    let runs_system =
        pool.get("systemComponents").is_none() || flag(pool, &["systemComponents", "allow"]) == Some(true);
    let (rule, detail) = if most < 0 {
        (&rules::GDN_WRK_082, "must not be negative")
    } else if runs_system && maximum > 0 && most > maximum - 1 {
        let detail = "must not be greater than maximum-1 value when system components are allowed, need at least one machine to run \
                      system components";
        (&rules::GDN_WRK_083, detail)
    } else if most > maximum {
        (&rules::GDN_WRK_084, "must not be greater than maximum value")
    } else {
        return;
    };
    report.error(rule, &path.key(key), ErrorType::Invalid, detail);
}

fn is_negative(settings: &Value<'_>, key: &str) -> bool {
    Duration::parse(text(settings, &[key])).is_ok_and(|duration| duration < Duration::default())
}
