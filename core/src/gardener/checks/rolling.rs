//! Advice on changes that replace every node of a worker pool.

use crate::gardener::shoot::{PoolChange, WORKERS};
use crate::gardener::types::worker::{Volume, Worker};
use crate::report::{Report, Rule};

/// The words about a change of something of a pool.
pub fn rolls(change: &PoolChange<'_, '_>, what: &str) -> String {
    format!("changing {what} rolls the nodes of worker pool {}", change.new.name)
}

/// Warns of a change of the machines of a pool: of what every cloud creates them with.
pub fn warn_of_rolling(rule: &'static Rule, change: &PoolChange<'_, '_>, report: &mut Report<'_>) {
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
