//! Worker pools and their changes (AZ-WRK, AZ-WRKU).

use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::immutable::PoolRules;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::azure::api::InfrastructureConfig;
use crate::provider::azure::rules::workers as rules;
use crate::report::{ErrorType, Report, Rule, Severity};

/// Most data volumes of a pool. Azure attaches no more disks to a machine.
const MAX_DATA_VOLUMES: usize = 64;

/// Judges the worker pools without their configurations. Of a Shoot whose network nobody can read, the zones are
/// not judged.
pub fn validate(workers: &[Worker<'_>], config: Option<&InfrastructureConfig<'_>>, report: &mut Report<'_>) {
    for (index, worker) in workers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = WORKERS.index(index);
        let volume = path.key("volume");
        match &worker.volume {
            None => {
                report.error(&rules::WRK_001, &volume, ErrorType::Required, "must not be nil");
            }
            Some(disk) => {
                let rules = [&rules::WRK_002, &rules::WRK_003, &rules::WRK_004].map(|rule| (rule, rule.fix));
                self::volume((disk.volume_type, disk.size, disk.encrypted), rules, &volume, report);
            }
        }
        data_volumes(worker, &path.key("dataVolumes"), report);
        if let Some(config) = config {
            zones(worker, config, &path.key("zones"), report);
        }
    }
}

/// A rule, and what to do in its case.
type RuleRemedy = (&'static Rule, &'static str);

/// Judges a disk: its type, its size, and whether it is encrypted.
fn volume(
    (volume_type, size, encrypted): (Option<&str>, &str, Option<bool>),
    [of_type, of_size, of_encrypted]: [RuleRemedy; 3],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    for &((rule, remedy), key, is_missing) in
        &[(of_type, "type", volume_type.is_none()), (of_size, "size", size.is_empty())]
    {
        if is_missing {
            report.error(rule, &path.key(key), ErrorType::Required, "must not be empty").remedy(remedy);
        }
    }
    if encrypted.is_some() {
        let (rule, remedy) = of_encrypted;
        report.error(rule, &path.key("encrypted"), ErrorType::NotSupported, "").remedy(remedy).fix_removal();
    }
}

fn data_volumes(worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if worker.data_volumes.len() > MAX_DATA_VOLUMES {
        let detail = format!("must have at most {MAX_DATA_VOLUMES} items");
        report.error(&rules::WRK_005, path, ErrorType::TooMany, detail);
    }
    for (index, disk) in worker.data_volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let of_disk = (disk.volume_type, disk.size, disk.encrypted);
        let remedies = [
            "Set `type` of the data volume, for example `StandardSSD_LRS`.",
            "Set `size` of the data volume, for example `50Gi`.",
            "Remove `encrypted` of the data volume.",
        ];
        volume(of_disk, remedies.map(|remedy| (&rules::WRK_006, remedy)), &path.index(index), report);
    }
}

fn zones(worker: &Worker<'_>, config: &InfrastructureConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if config.zoned == worker.zones.is_empty() {
        let (rule, detail) = if config.zoned {
            (&rules::WRK_010, "at least one zone must be configured for zoned clusters")
        } else {
            (&rules::WRK_011, "zones must not be specified for non zoned clusters")
        };
        report.error(rule, path, ErrorType::Required, detail);
        return;
    }
    let networks = &config.networks;
    let with_subnet: Vec<String> = networks.zones.iter().map(|zone| zone.name.to_string()).collect();
    let mut seen = NameSet::new();
    for (index, zone) in worker.zones.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if !seen.insert(zone) {
            let detail = "must only be specified once per worker group";
            report.error(&rules::WRK_013, &path, ErrorType::Invalid, detail);
        }
        if !networks.has_single_subnet() && !with_subnet.iter().any(|name| name == zone) {
            let detail = "zone configuration must be specified in \"infrastructureConfig.networks.zones\"";
            report
                .error(&rules::WRK_014, &path, ErrorType::Invalid, detail)
                .choices(with_subnet.iter().map(String::as_str));
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
