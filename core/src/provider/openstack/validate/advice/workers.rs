//! Advice on worker pools, and on changes that replace their machines.

use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{Manifest, WORKERS, pool_changes};
use crate::provider::openstack::api::WorkerConfig;
use crate::provider::openstack::rules::advice as rules;
use crate::report::{Report, Severity};

/// Looks at the configurations of worker pools.
pub fn workers(configs: &[Option<WorkerConfig<'_>>], report: &mut Report<'_>) {
    for (index, config) in configs.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let Some(config) = config else { continue };
        let path = WORKERS.index(index);
        let path = path.key("providerConfig");
        server_group(config, &path.key("serverGroup"), report);
        let labels = path.key("machineLabels");
        for (index, label) in config.machine_labels.iter().enumerate() {
            let is_kept = |char: char| char.is_ascii_alphanumeric() || "-_:. ".contains(char);
            let changed = label.name.replace(|char| !is_kept(char), "-");
            if changed != label.name {
                let detail = format!("servers have the metadata `{changed}`");
                report.warn(&rules::ADV_006, &labels.index(index).key("name"), detail);
            }
        }
    }
}

fn server_group(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let policy = config.server_group.map(|group| group.policy).unwrap_or_default();
    if matches!(policy, "affinity" | "anti-affinity") {
        let detail = format!("OpenStack creates no server that {policy} has no host for");
        report.warn(&rules::ADV_007, &path.key("policy"), detail);
    }
}

/// Looks for changes that replace the machines of a pool, where `configs` are those of the new pools. Source:
/// section 5.4 of the fact sheet `openstack`.
pub fn rolling(
    configs: &[Option<WorkerConfig<'_>>],
    new: &Manifest<'_>,
    old: &Manifest<'_>,
    report: &mut Report<'_>,
) {
    for change in pool_changes(new, old) {
        let [_, before] = change.configs();
        let before = before.and_then(|before| WorkerConfig::read(before, Mode::Lenient).ok()).unwrap_or_default();
        let Some(Some(config)) = configs.get(change.index).filter(|_| !change.new.updates_in_place()) else {
            continue;
        };
        if hashed(config) != hashed(&before) {
            let detail = format!("the machines of worker pool {} are replaced", change.new.name);
            report.warn(&rules::ADV_008, &WORKERS.index(change.index).key("providerConfig"), detail);
        }
    }
}

/// What a hash of a pool takes in of its configuration, in any order.
fn hashed<'v>(config: &WorkerConfig<'v>) -> (&'v str, NameMap<'v, &'v str>, NameSet<'v>) {
    let mut labels = NameMap::new();
    for label in config.machine_labels.iter().filter(|label| label.trigger_rolling_on_update) {
        labels.insert(label.name, label.value);
    }
    let mut groups = NameSet::new();
    for group in &config.additional_security_groups {
        groups.insert(group);
    }
    (config.server_group.map(|group| group.policy).unwrap_or_default(), labels, groups)
}
