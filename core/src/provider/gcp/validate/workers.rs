//! Worker pools and their changes (GCP-WRK, GCP-WRKU).

use crate::document::Path;
use crate::gardener::checks::immutable::PoolRules;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::gcp::rules::workers as rules;
use crate::report::{ErrorType, Report, Severity};

/// The volume type of local SSDs.
pub const SCRATCH: &str = "SCRATCH";

/// Judges the worker pools without their configurations.
pub fn validate(workers: &[Worker<'_>], report: &mut Report<'_>) {
    for (index, worker) in workers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = WORKERS.index(index);
        boot_disk(worker, &path.key("volume"), report);
        if worker.zones.is_empty() {
            let detail = "at least one zone must be configured";
            report.error(&rules::WRK_005, &path.key("zones"), ErrorType::Required, detail);
        }
    }
}

fn boot_disk(worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(volume) = worker.volume else {
        report.error(&rules::WRK_001, path, ErrorType::Required, "must not be nil");
        return;
    };
    let place = path.key("type");
    match volume.volume_type {
        None => {
            report.error(&rules::WRK_002, &place, ErrorType::Required, "must not be empty");
        }
        Some(SCRATCH) => {
            let detail = "type SCRATCH is not allowed as boot disk";
            report.error(&rules::WRK_003, &place, ErrorType::Invalid, detail);
        }
        Some(_) => {}
    }
    if volume.size.is_empty() {
        report.error(&rules::WRK_004, &path.key("size"), ErrorType::Required, "must not be empty");
    }
}

/// The rules on changes of worker pools.
pub const POOLS: PoolRules = PoolRules {
    zones: &rules::WRKU_001,
    provider_config: &rules::WRKU_002,
    data_volumes: &rules::WRKU_003,
    data_volumes_changed: "dataVolumes are immutable when update strategy is in-place",
};
