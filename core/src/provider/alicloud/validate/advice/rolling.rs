//! Advice on changes that replace nodes.

use crate::gardener::shoot::{Manifest, PoolChange, WORKERS, pool_changes};
use crate::gardener::types::worker::PoolImage;
use crate::provider::alicloud::rules::advice as rules;
use crate::report::Report;

/// Looks for changes that replace every node of a pool. Pools that are updated in place keep their nodes; the name
/// of a data volume does not matter. Source: section 5.6 of the fact sheet `alicloud-policy`.
pub fn rolling(new: &Manifest<'_>, old: &Manifest<'_>, report: &mut Report<'_>) {
    for PoolChange { index, new: worker, old: before, .. } in pool_changes(new, old) {
        if worker.updates_in_place() {
            continue;
        }
        let path = WORKERS.index(index);
        let detail = |what: &str| format!("changing {what} rolls the nodes of worker pool {}", worker.name);
        let (volume, old_volume) = (worker.volume.unwrap_or_default(), before.volume.unwrap_or_default());
        if volume.encrypted != old_volume.encrypted {
            report.warn(&rules::ADV_006, &path.key("volume").key("encrypted"), detail("the encryption"));
        }
        // An image or a version that the pool does not say stays as it is.
        let other = |new: PoolImage<'_>, old: PoolImage<'_>| {
            new.name != old.name || new.version.is_some_and(|version| old.version != Some(version))
        };
        if let (Some(image), Some(known)) = (worker.machine.image, before.machine.image)
            && other(image, known)
        {
            report.warn(&rules::ADV_007, &path.key("machine").key("image"), detail("the machine image"));
        }
        if (volume.volume_type, volume.size) != (old_volume.volume_type, old_volume.size) {
            report.warn(&rules::ADV_008, &path.key("volume"), detail("the volume"));
        }
        let (disks, old_disks) = (&worker.data_volumes, &before.data_volumes);
        let pairs = || disks.iter().zip(old_disks);
        let data_volumes = path.key("dataVolumes");
        if disks.len() != old_disks.len()
            || pairs().any(|(new, old)| (new.volume_type, new.size) != (old.volume_type, old.size))
        {
            report.warn(&rules::ADV_008, &data_volumes, detail("data volumes"));
        } else if pairs().any(|(new, old)| new.encrypted != old.encrypted) {
            report.warn(&rules::ADV_006, &data_volumes, detail("the encryption"));
        }
    }
}
