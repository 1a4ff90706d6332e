//! Advice on changes that replace every node of a worker pool.

use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{Manifest, PoolChange, WORKERS, pool_changes};
use crate::gardener::types::worker::{Volume, Worker};
use crate::report::{Report, Rule, Severity};

/// The words about a change of something of a pool.
fn rolls(change: &PoolChange<'_, '_>, what: &str) -> String {
    format!("changing {what} rolls the nodes of worker pool {}", change.new.name)
}

/// The rules on changes that replace every node of a worker pool.
#[derive(Debug)]
pub struct RollingRules {
    /// Of the machines: of what every cloud creates them with.
    pub machines: &'static Rule,
    /// Of the provider's configuration of the pool.
    pub config: &'static Rule,
    /// What messages call that.
    pub config_name: &'static str,
}

/// Warns of changes that replace every node of a pool, where `configs` are those of the new pools, and `hashed`
/// gives what of one a hash of the pool takes in. Pools that are updated in place keep their nodes.
pub fn warn_of_rolling<'v, C: Config<'v> + PartialEq>(
    configs: &[Option<C>],
    [new, old]: [&Manifest<'v>; 2],
    rules: &RollingRules,
    hashed: impl Fn(&C, &PoolChange<'_, 'v>) -> C,
    report: &mut Report<'_>,
) {
    for change in pool_changes(new, old) {
        if report.is_full(Severity::Warning) {
            return;
        }
        if change.new.updates_in_place() {
            continue;
        }
        warn_of_machines(rules.machines, &change, report);
        let [_, before] = change.configs();
        let before = before.and_then(|before| C::read(before, Mode::Lenient).ok()).unwrap_or_default();
        let Some(Some(config)) = configs.get(change.index) else { continue };
        if hashed(config, &change) != hashed(&before, &change) {
            let path = WORKERS.index(change.index);
            report.warn(rules.config, &path.key("providerConfig"), rolls(&change, rules.config_name));
        }
    }
}

fn warn_of_machines(rule: &'static Rule, change: &PoolChange<'_, '_>, report: &mut Report<'_>) {
    let path = WORKERS.index(change.index);
    let (now, then) = (change.new, change.old);
    let (volume, machine) = (path.key("volume"), path.key("machine"));
    for &(path, differs, what) in &[
        (&machine.key("type"), now.machine.machine_type != then.machine.machine_type, "the machine type"),
        (&machine.key("image"), other_image(now, then), "the machine image"),
        (&volume, now.volume.map(disk) != then.volume.map(disk), "the volume"),
        (&path.key("dataVolumes"), data_disks(now) != data_disks(then), "data volumes"),
    ] {
        if differs {
            report.warn(rule, path, rolls(change, what));
        }
    }
}

/// An image or a version that the pool does not say stays as it is.
fn other_image(new: &Worker<'_>, old: &Worker<'_>) -> bool {
    let (Some(image), Some(known)) = (new.machine.image, old.machine.image) else { return false };
    image.name != known.name || image.version.is_some_and(|version| known.version != Some(version))
}

/// What of a volume a machine is created with.
fn disk(volume: Volume<'_>) -> (Option<&str>, &str, Option<bool>) {
    (volume.volume_type, volume.size, volume.encrypted)
}

fn data_disks<'v>(worker: &Worker<'v>) -> Vec<(Option<&'v str>, &'v str, Option<bool>)> {
    worker.data_volumes.iter().map(|volume| (volume.volume_type, volume.size, volume.encrypted)).collect()
}
