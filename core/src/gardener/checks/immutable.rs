//! Rules on what must not change.

use crate::document::{Path, Value};
use crate::gardener::shoot::{Manifest, PoolChange, WORKERS, pool_changes};
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

/// Reports a field that changed and must not.
pub fn changed<'r>(rule: &'static Rule, path: &Path<'_>, report: &'r mut Report<'_>) -> Reported<'r> {
    report.error(rule, path, ErrorType::Invalid, "field is immutable")
}

/// Reports a field that changed and must not, and fixes it by the value that `old`, the old object, has there.
pub fn restored(rule: &'static Rule, path: &Path<'_>, old: &Value<'_>, report: &mut Report<'_>) {
    let entry = changed(rule, path, report);
    match old.pointer(&path.pointer()) {
        Some(value) => entry.fix_value(value),
        None => entry.fix_removal(),
    }
}

/// The rules on what must not change in a worker pool.
#[derive(Debug)]
pub struct PoolRules {
    /// Zones are added behind the others, and none is removed or moved.
    pub zones: &'static Rule,
    /// A pool that is updated in place keeps its `providerConfig`.
    pub provider_config: &'static Rule,
    /// A pool that is updated in place keeps its data volumes.
    pub data_volumes: &'static Rule,
    /// The words about changed data volumes.
    pub data_volumes_changed: &'static str,
}

/// Checks the changes of the worker pools that both Shoots have.
pub fn check_pools(new: &Manifest<'_>, old: &Manifest<'_>, rules: &PoolRules, report: &mut Report<'_>) {
    for change in pool_changes(new, old) {
        check_pool(&change, rules, &WORKERS.index(change.index), report);
    }
}

fn check_pool(change: &PoolChange<'_, '_>, rules: &PoolRules, path: &Path<'_>, report: &mut Report<'_>) {
    let (new, old) = (change.new, change.old);
    if !new.zones.starts_with(&old.zones) {
        changed(rules.zones, &path.key("zones"), report)
            .remedy(format!("Keep [{}] in this order and add further zones behind them.", join(&old.zones, ", ")));
    }
    if !new.updates_in_place() {
        return;
    }
    let [config, old_config] = change.configs().map(|config| config.map(Value::to_string));
    if config != old_config {
        let detail = "providerConfig is immutable when update strategy is in-place";
        report.error(rules.provider_config, &path.key("providerConfig"), ErrorType::Invalid, detail);
    }
    if new.data_volumes != old.data_volumes {
        let path = path.key("dataVolumes");
        report.error(rules.data_volumes, &path, ErrorType::Invalid, rules.data_volumes_changed);
    }
}
