//! Worker pools (ALI-WRK, ALI-WRKU).

use super::parts::{Parts, WORKERS, with_old};
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::shoot::{DataVolume, Volume, worker_config};
use crate::provider::alicloud::rules::workers as rules;
use crate::report::{ErrorType, Report, Severity};
use crate::text::matches;

/// Most data volumes of a node. Source: the existing extension.
const MAX_DATA_VOLUMES: usize = 64;
/// Longest name of a data volume, in bytes. Source: the existing extension.
const MAX_DATA_VOLUME_NAME: usize = 64;
const DATA_VOLUME_NAME: &str = r"^[a-zA-Z][a-zA-Z0-9\.\-_:]+$";

/// Judges the worker pools.
pub fn validate(parts: &Parts<'_>, report: &mut Report<'_>) {
    let zones: Option<NameSet<'_>> = parts
        .infrastructure
        .as_ref()
        .map(|infrastructure| infrastructure.networks.zones.iter().map(|zone| zone.name).collect());
    let supported = zones.as_ref().map(|zones| {
        let zones: Vec<&str> = zones.iter().collect();
        format!("supported values [{}]", zones.join(" "))
    });
    for (index, worker) in parts.shoot.spec.provider.workers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = WORKERS.index(index);
        volume(worker.volume.as_ref(), &path, report);
        data_volumes(&worker.data_volumes, &path, report);
        let zones_path = path.key("zones");
        if worker.zones.is_empty() {
            let detail = "at least one zone must be configured";
            report.error(&rules::WRK_009, &zones_path, ErrorType::Required, detail);
        }
        // Without a readable infrastructureConfig nobody knows which zones there are.
        let (Some(zones), Some(supported)) = (&zones, &supported) else { continue };
        for (index, _) in worker.zones.iter().enumerate().filter(|(_, zone)| !zones.contains(zone)) {
            report.error(&rules::WRK_010, &zones_path.index(index), ErrorType::Invalid, supported.as_str());
        }
    }
}

fn volume(volume: Option<&Volume<'_>>, worker: &Path<'_>, report: &mut Report<'_>) {
    let path = worker.key("volume");
    let Some(volume) = volume else {
        report.error(&rules::WRK_001, &path, ErrorType::Required, "must not be nil");
        return;
    };
    if volume.volume_type.is_none() {
        report.error(&rules::WRK_002, &path.key("type"), ErrorType::Required, "must not be empty");
    }
    if volume.size.is_empty() {
        report.error(&rules::WRK_003, &path.key("size"), ErrorType::Required, "must not be empty");
    }
}

fn data_volumes(volumes: &[DataVolume<'_>], worker: &Path<'_>, report: &mut Report<'_>) {
    let path = worker.key("dataVolumes");
    if volumes.len() > MAX_DATA_VOLUMES {
        let detail = format!("must have at most {MAX_DATA_VOLUMES} items");
        report.error(&rules::WRK_004, &path, ErrorType::TooMany, detail);
    }
    for (index, volume) in volumes.iter().enumerate() {
        let path = path.index(index);
        if !matches(DATA_VOLUME_NAME, volume.name) {
            let detail = format!(
                "disk name given: {} does not match the expected pattern (regex used for validation is '{DATA_VOLUME_NAME}')",
                volume.name
            );
            report.error(&rules::WRK_005, &path.key("name"), ErrorType::Invalid, detail);
        } else if volume.name.len() > MAX_DATA_VOLUME_NAME {
            let detail = format!("may not be more than {MAX_DATA_VOLUME_NAME} bytes");
            report.error(&rules::WRK_006, &path.key("name"), ErrorType::TooLong, detail);
        }
        if volume.volume_type.is_none() {
            report.error(&rules::WRK_007, &path.key("type"), ErrorType::Required, "must not be empty");
        }
        if volume.size.is_empty() {
            report.error(&rules::WRK_008, &path.key("size"), ErrorType::Required, "must not be empty");
        }
    }
}

/// Judges changes of worker pools.
pub fn validate_update(new: &Parts<'_>, old: &Parts<'_>, report: &mut Report<'_>) {
    for (index, worker, old_index, old_worker) in with_old(new, old) {
        let path = WORKERS.index(index);
        if !worker.zones.starts_with(&old_worker.zones) {
            report.error(&rules::WRKU_001, &path.key("zones"), ErrorType::Invalid, "field is immutable").remedy(
                format!("Keep [{}] in this order and add further zones behind them.", old_worker.zones.join(", ")),
            );
        }
        if !worker.updates_in_place() {
            continue;
        }
        let config = |parts: &Parts<'_>, index| worker_config(parts.object, index).map(Value::to_string);
        if config(new, index) != config(old, old_index) {
            let detail = "providerConfig is immutable when update strategy is in-place";
            report.error(&rules::WRKU_002, &path.key("providerConfig"), ErrorType::Invalid, detail);
        }
        if worker.data_volumes != old_worker.data_volumes {
            let detail = "dataVolumes is immutable when update strategy is in-place";
            report.error(&rules::WRKU_003, &path.key("dataVolumes"), ErrorType::Invalid, detail);
        }
    }
}
