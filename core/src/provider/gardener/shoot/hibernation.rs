//! When a Shoot sleeps (GDN-HIB).

use super::pools::is_self_hosted;
use super::{Check, operations};
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::kube::{cron, time_zones};
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::maintenance as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;
use crate::text::nearest::only_near;

const HIBERNATION: Path<'_> = Path::root("spec.hibernation", "/spec/hibernation");

/// Operations that a hibernated Shoot cannot take part in.
const AWAKE: [&str; 9] = [
    operations::CREDENTIALS_START,
    operations::CREDENTIALS_START_LAZILY,
    operations::CREDENTIALS_COMPLETE,
    operations::ENCRYPTION,
    operations::ENCRYPTION_START,
    operations::ENCRYPTION_COMPLETE,
    operations::ACCOUNTS_START,
    operations::ACCOUNTS_START_LAZILY,
    operations::ACCOUNTS_COMPLETE,
];

/// Judges the hibernation.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(hibernation) = check.shoot.at(&["spec", "hibernation"]) else { return };
    if check.garden.is_from(148) && is_self_hosted(check.workers()) {
        let detail = "hibernation is not supported for self-hosted shoots";
        report.error(&rules::GDN_HIB_006, &HIBERNATION, ErrorType::Forbidden, detail).fix_removal();
        return;
    }
    if flag(hibernation, &["enabled"]) == Some(true) {
        for operation in
            text(check.shoot, &["metadata", "annotations", operations::IN_MAINTENANCE]).split(';').map(str::trim)
        {
            if AWAKE.contains(&operation) {
                let parts = [
                    "shoot cannot be hibernated when maintenance.gardener.cloud/operation annotation contains",
                    operation,
                    "operation",
                ];
                let path = HIBERNATION.key("enabled");
                report.error(&rules::GDN_HIB_001, &path, ErrorType::Forbidden, join(&parts, " "));
            }
        }
    }
    let mut seen = NameSet::default();
    let all = HIBERNATION.key("schedules");
    for (index, schedule) in items(hibernation, &["schedules"]).iter().enumerate() {
        judge_schedule(schedule, &all.index(index), &mut seen, report);
    }
}

/// Judges a schedule. `seen` are the valid times of the schedules before it.
fn judge_schedule<'c>(schedule: &'c Value<'c>, path: &Path<'_>, seen: &mut NameSet<'c>, report: &mut Report<'_>) {
    if schedule.get("start").is_none() && schedule.get("end").is_none() {
        let detail = "either start or end has to be provided";
        report.error(&rules::GDN_HIB_002, &path.renamed("start", "start/end"), ErrorType::Required, detail);
    }
    for &key in &["start", "end"] {
        let Some(spec) = schedule.get(key).and_then(Value::as_str) else { continue };
        if let Err(error) = cron::check(spec) {
            let detail = join(&["not a valid cron spec: ", &error], "");
            report.error(&rules::GDN_HIB_003, &path.key(key), ErrorType::Invalid, detail);
        } else if !seen.insert(spec) {
            report.error(&rules::GDN_HIB_004, &path.key(key), ErrorType::Duplicate, "");
        }
    }
    let Some(location) = schedule.get("location").and_then(Value::as_str) else { return };
    if let Err(error) = time_zones::check(location) {
        let detail = join(&["not a valid location: ", &error], "");
        let entry = report.error(&rules::GDN_HIB_005, &path.key("location"), ErrorType::Invalid, detail);
        if entry.is_new()
            && let Some(zone) = only_near(location, time_zones::names())
        {
            entry.remedy(["Write `", zone, "`."].concat()).fix_value(&Value::string(zone));
        }
    }
}
