//! Worker pools (ALI-WRK, ALI-WRKU).

use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::immutable::PoolRules;
use crate::gardener::checks::spelling::follow;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::{DataVolume, Volume, Worker};
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::rules::{infrastructure as infrastructure_rules, workers as rules};
use crate::report::{ErrorType, Report, Severity};
use crate::text::{join, matches_regex};

/// Most data volumes of a node. Source: the existing extension.
const MAX_DATA_VOLUMES: usize = 64;
/// Longest name of a data volume, in bytes. Source: the existing extension.
const MAX_DATA_VOLUME_NAME: usize = 64;
const DATA_VOLUME_NAME: &str = r"^[a-zA-Z][a-zA-Z0-9\.\-_:]+$";

/// Judges the worker pools. Without a readable infrastructureConfig nobody knows which zones the Shoot has.
pub fn validate(
    workers: &[Worker<'_>],
    infrastructure: Option<&InfrastructureConfig<'_>>,
    report: &mut Report<'_>,
) {
    let zones: Option<NameSet<'_>> =
        infrastructure.map(|infrastructure| infrastructure.networks.zones.iter().map(|zone| zone.name).collect());
    let supported = zones.as_ref().map(|zones| {
        let zones: Vec<&str> = zones.iter().collect();
        format!("supported values [{}]", join(&zones, " "))
    });
    let no_zones = report.error_of(&infrastructure_rules::INF_001);
    for (index, worker) in workers.iter().enumerate() {
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
        let (Some(zones), Some(supported)) = (&zones, &supported) else { continue };
        for (index, _) in worker.zones.iter().enumerate().filter(|(_, zone)| !zones.contains(zone)) {
            let path = zones_path.index(index);
            let entry = report.error(&rules::WRK_010, &path, ErrorType::Invalid, supported.as_str());
            let entry = follow(entry, no_zones.as_ref());
            if zones.is_empty() {
                entry.remedy("Append the zone to `infrastructureConfig.networks.zones` with `workers`: there is no zone yet.");
            }
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
        if !matches_regex(volume.name, DATA_VOLUME_NAME) {
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

/// The rules on changes of worker pools.
pub const POOLS: PoolRules = PoolRules {
    zones: &rules::WRKU_001,
    provider_config: &rules::WRKU_002,
    data_volumes: &rules::WRKU_003,
    data_volumes_changed: "dataVolumes is immutable when update strategy is in-place",
};
