//! Advice on worker pools, and on changes that replace their machines.

use crate::collections::sorted_once;
use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{Manifest, WORKERS, pool_changes, pool_config};
use crate::provider::openstack::api::WorkerConfig;
use crate::provider::openstack::rules::advice as rules;
use crate::report::{Report, Severity};

/// Looks at the configurations of worker pools.
pub fn workers(manifest: &Manifest<'_>, report: &mut Report<'_>) {
    for index in 0..manifest.shoot.spec.provider.workers.len() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let Some(config) = read(pool_config(manifest.object, index)) else { continue };
        let path = WORKERS.index(index);
        let path = path.key("providerConfig");
        server_group(&config, &path.key("serverGroup"), report);
        let labels = path.key("machineLabels");
        for (index, label) in config.machine_labels.iter().enumerate() {
            let is_kept = |char: char| char.is_ascii_alphanumeric() || "-_:. ".contains(char);
            if !label.name.chars().all(is_kept) {
                let changed: String =
                    label.name.chars().map(|char| if is_kept(char) { char } else { '-' }).collect();
                let detail = format!("servers have the metadata `{changed}`");
                report.warn(&rules::ADV_006, &labels.index(index).key("name"), detail);
            }
        }
    }
}

fn read<'v>(config: Option<&'v Value<'v>>) -> Option<WorkerConfig<'v>> {
    WorkerConfig::read(config?, Mode::Lenient).ok()
}

fn server_group(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let policy = config.server_group.map(|group| group.policy).unwrap_or_default();
    if matches!(policy, "affinity" | "anti-affinity") {
        let detail = format!("OpenStack creates no server that {policy} has no host for");
        report.warn(&rules::ADV_007, &path.key("policy"), detail);
    }
}

/// Looks for changes that replace the machines of a pool. Source: section 5.4 of the fact sheet `openstack`.
pub fn rolling(new: &Manifest<'_>, old: &Manifest<'_>, report: &mut Report<'_>) {
    for change in pool_changes(new, old).filter(|change| !change.new.updates_in_place()) {
        let [config, before] = change.configs().map(|config| read(config).unwrap_or_default());
        if hashed(&config) != hashed(&before) {
            let detail = format!("the machines of worker pool {} are replaced", change.new.name);
            report.warn(&rules::ADV_008, &WORKERS.index(change.index).key("providerConfig"), detail);
        }
    }
}

/// What a hash of a pool takes in of its configuration.
fn hashed<'v>(config: &WorkerConfig<'v>) -> (&'v str, Vec<(&'v str, &'v str)>, Vec<&'v str>) {
    let policy = config.server_group.map(|group| group.policy).unwrap_or_default();
    let labels = config.machine_labels.iter().filter(|label| label.trigger_rolling_on_update);
    let labels = labels.map(|label| (label.name, label.value)).collect();
    (policy, sorted_once(labels), sorted_once(config.additional_security_groups.clone()))
}
