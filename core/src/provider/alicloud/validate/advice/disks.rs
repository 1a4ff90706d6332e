//! Advice on the disks of worker pools.

use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::alicloud::rules::advice as rules;
use crate::report::{Report, Severity};

/// Smallest cloud disk, in GiB. Source: the user documentation.
const MIN_VOLUME_GIB: u64 = 20;

/// Looks at the disks of all worker pools.
pub fn volumes(workers: &[Worker<'_>], create: bool, report: &mut Report<'_>) {
    for (index, worker) in workers.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        if let Some(volume) = worker.volume {
            disk_size(volume.size, &path.key("volume").key("size"), create, report);
        }
        let volumes = path.key("dataVolumes");
        let mut names = NameSet::new();
        for (index, volume) in worker.data_volumes.iter().enumerate() {
            let path = volumes.index(index);
            disk_size(volume.size, &path.key("size"), create, report);
            if !volume.name.is_empty() && !names.insert(volume.name) {
                let detail = format!("data volume {} is listed before", volume.name);
                report.warn(&rules::ADV_017, &path.key("name"), detail);
            }
        }
    }
}

/// The existing extension takes the leading digits of a size as GiB and ignores the unit.
fn disk_size(size: &str, path: &Path<'_>, create: bool, report: &mut Report<'_>) {
    let end = size.find(|char: char| !char.is_ascii_digit()).unwrap_or(size.len());
    let Some((digits, unit)) = size.split_at_checked(end) else { return };
    let Ok(gib) = digits.parse::<u64>() else { return };
    if gib < MIN_VOLUME_GIB {
        let detail = format!("{size} makes a disk of {gib} GiB, less than the smallest of {MIN_VOLUME_GIB} GiB");
        let entry = report.warn(&rules::ADV_009, path, detail);
        // A new size of an existing volume replaces the nodes; a person decides that.
        if unit == "Gi" && create {
            entry.fix_value(&Value::string(format!("{MIN_VOLUME_GIB}Gi")));
        }
    } else if unit != "Gi" {
        let detail = format!("{size} makes a disk of {gib} GiB: the unit is ignored");
        let entry = report.warn(&rules::ADV_009, path, detail);
        let entry = entry.remedy(format!("Write `{gib}Gi`: that is the disk that `{size}` makes."));
        if create {
            entry.fix_value(&Value::string(format!("{gib}Gi")));
        }
    }
}
