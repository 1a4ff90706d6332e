//! Worker pools (AWS-WRK, AWS-WRKU, AWS-WRKC).

mod config;
mod hardware;

use super::parts::unreadable_pool;
use crate::collections::NameSet;
use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::PoolRules;
use crate::gardener::checks::spelling::follow;
use crate::gardener::provider_config::Config as _;
use crate::gardener::shoot::{Manifest, WORKERS, pool_config};
use crate::gardener::types::worker::Worker;
use crate::provider::aws::api::{InfrastructureConfig, WorkerConfig};
use crate::provider::aws::rules::{infrastructure, workers as rules};
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::join;

/// The volume type that needs IOPS.
const IO1: &str = "io1";
/// Most data volumes of a node. Source: the existing extension.
const MAX_DATA_VOLUMES: usize = 11;

/// Judges the worker pools, and gives their configurations; none where nobody can read it. Without a readable
/// infrastructureConfig nobody knows which zones the Shoot has.
pub fn validate<'v>(
    manifest: &Manifest<'v>,
    infrastructure: Option<&InfrastructureConfig<'_>>,
    report: &mut Report<'_>,
) -> Vec<Option<WorkerConfig<'v>>> {
    let zones: Option<NameSet<'_>> =
        infrastructure.map(|infrastructure| infrastructure.networks.zones.iter().map(|zone| zone.name).collect());
    let mut configs = Vec::new();
    for (index, worker) in manifest.shoot.spec.provider.workers.iter().enumerate() {
        let raw = pool_config(manifest.object, index);
        if report.is_full(Severity::Error) {
            let read = |raw| WorkerConfig::read(raw, Mode::Lenient).ok();
            configs.push(raw.map_or_else(|| Some(WorkerConfig::default()), read));
            continue;
        }
        let path = WORKERS.index(index);
        volumes(worker, raw, &path, report);
        self::zones(worker, zones.as_ref(), &path.key("zones"), report);
        let Some(raw) = raw else {
            configs.push(Some(WorkerConfig::default()));
            continue;
        };
        let path = path.key("providerConfig");
        let config = WorkerConfig::read_reporting(raw, Mode::Strict, &path, report, unreadable_pool);
        if let Some(config) = &config {
            config::validate(config, worker, &path, report);
        }
        configs.push(config);
    }
    configs
}

/// A pool without a volume is not judged by its data volumes.
fn volumes(worker: &Worker<'_>, config: Option<&Value<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    let place = path.key("volume");
    let Some(volume) = worker.volume else {
        report.error(&rules::WRK_001, &place, ErrorType::Required, "must not be nil");
        return;
    };
    filled(&rules::WRK_002, !volume.size.is_empty(), &place.key("size"), report);
    filled(&rules::WRK_003, volume.volume_type.is_some(), &place.key("type"), report);
    let config_path = path.key("providerConfig");
    if volume.volume_type == Some(IO1) && config.is_none() {
        let detail = "WorkerConfig must be set if volume type is io1";
        report.error(&rules::WRK_004, &config_path, ErrorType::Required, detail);
    }
    let place = path.key("dataVolumes");
    if worker.data_volumes.len() > MAX_DATA_VOLUMES {
        let detail = format!("must have at most {MAX_DATA_VOLUMES} items");
        report.error(&rules::WRK_005, &place, ErrorType::TooMany, detail);
    }
    for (index, volume) in worker.data_volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let place = place.index(index);
        filled(&rules::WRK_006, !volume.size.is_empty(), &place.key("size"), report);
        filled(&rules::WRK_007, volume.volume_type.is_some(), &place.key("type"), report);
        if volume.volume_type == Some(IO1) && config.is_none() {
            let volume_type = place.key("type").field();
            let detail = format!("WorkerConfig must be set if data volume type is io1 ({volume_type})");
            report.error(&rules::WRK_008, &config_path, ErrorType::Required, detail);
        }
    }
}

fn filled(rule: &'static Rule, is_filled: bool, path: &Path<'_>, report: &mut Report<'_>) {
    if !is_filled {
        report.error(rule, path, ErrorType::Required, "must not be empty");
    }
}

/// Nodes are in zones that have subnets.
fn zones(worker: &Worker<'_>, known: Option<&NameSet<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    if worker.zones.is_empty() {
        report.error(&rules::WRK_009, path, ErrorType::Required, "at least one zone must be configured");
    }
    let Some(known) = known else { return };
    let no_zones = report.error_of(&infrastructure::INF_001);
    for (index, zone) in worker.zones.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        if !known.contains(zone) {
            let names: Vec<&str> = known.iter().collect();
            let detail = format!("supported values [{}]", join(&names, " "));
            let entry = report.error(&rules::WRK_010, &path.index(index), ErrorType::Invalid, detail);
            let entry = follow(entry, no_zones.as_ref());
            if names.is_empty() {
                entry.remedy("Add the zone to `networks.zones` with its ranges: there is no zone yet.");
            } else {
                entry.choices(names.into_iter());
            }
        }
    }
}

/// The rules on changes of worker pools.
pub const POOLS: PoolRules = PoolRules {
    zones: &rules::WRKU_001,
    provider_config: &rules::WRKU_002,
    data_volumes: &rules::WRKU_003,
    data_volumes_changed: "dataVolumes are immutable when update strategy is in-place",
};
