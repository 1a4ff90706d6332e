//! When Gardener maintains a Shoot, and what it renews then (GDN-MNT).

mod clock;

use super::Check;
use super::limits::{HOUR, SECOND};
use crate::document::{Path, Value};
use crate::kube::duration::Duration;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::maintenance as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

const MAINTENANCE: Path<'_> = Path::root("spec.maintenance", "/spec/maintenance");
const ROTATION: Path<'_> =
    Path::root("spec.maintenance.autoRotation.credentials", "/spec/maintenance/autoRotation/credentials");

const LEAST_PERIOD: Duration = Duration::from_nanoseconds(HOUR / 2);
const MOST_PERIOD: Duration = Duration::from_hours(90 * 24);
const LEAST_WINDOW: Duration = Duration::from_nanoseconds(HOUR / 2);
const MOST_WINDOW: Duration = Duration::from_hours(6);

/// Judges the maintenance.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(maintenance) = check.shoot.at(&["spec", "maintenance"]) else { return };
    let has_workers = !check.workers().is_empty();
    if !has_workers && maintenance.at(&["autoUpdate", "machineImageVersion"]).is_some() {
        let path = MAINTENANCE.key("autoUpdate");
        check.forbid_without_workers(&rules::GDN_MNT_001, &path.key("machineImageVersion"), report);
    }
    for (rule, key) in [
        (&rules::GDN_MNT_002, "observability"),
        (&rules::GDN_MNT_004, "sshKeypair"),
        (&rules::GDN_MNT_005, "etcdEncryptionKey"),
    ] {
        let Some(rotation) = maintenance.at(&["autoRotation", "credentials", key]) else { continue };
        let path = ROTATION.key(key);
        if key == "sshKeypair" && !has_workers {
            check.forbid_without_workers(&rules::GDN_MNT_003, &path, report);
        } else {
            period(rule, rotation, &path, report);
        }
    }
    if let Some(window) = maintenance.get("timeWindow") {
        time_window(window, &MAINTENANCE.key("timeWindow"), report);
    }
}

fn period(rule: &'static Rule, rotation: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(period) = rotation.get("rotationPeriod").and_then(Value::as_str) else { return };
    let is_wrong = |period| period != Duration::default() && !(LEAST_PERIOD..=MOST_PERIOD).contains(&period);
    if Duration::parse(period).is_ok_and(is_wrong) {
        let detail = "value must be either 0 to disable rotation or between 30m and 90d";
        report.error(rule, &path.key("rotationPeriod"), ErrorType::Invalid, detail);
    }
}

fn time_window(window: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut times = [0; 2];
    for (time, key) in times.iter_mut().zip(["begin", "end"]) {
        match clock::seconds(text(window, &[key])) {
            Ok(seconds) => *time = seconds,
            Err(error) => {
                let parts = [
                    "could not parse ",
                    key,
                    " time: could not parse the value into the maintenanceTime format: ",
                    &error,
                ];
                let place = path.renamed(key, "begin/end");
                report.error(&rules::GDN_MNT_006, &place, ErrorType::Invalid, join(&parts, ""));
                return;
            }
        }
    }
    let [begin, end] = times;
    let end = if end <= begin { end + clock::DAY } else { end };
    let length = Duration::from_nanoseconds((end - begin) * SECOND);
    let (rule, detail, wanted) = if length > MOST_WINDOW {
        (&rules::GDN_MNT_007, "time window must not be greater than 6h0m0s", "at most six hours")
    } else if length < LEAST_WINDOW {
        (&rules::GDN_MNT_008, "time window must not be smaller than 30m0s", "at least half an hour")
    } else {
        return;
    };
    let remedy = format!("Choose an end {wanted} after the begin: this one is {length} after it.");
    report.error(rule, path, ErrorType::Invalid, detail).remedy(remedy);
}
