//! Settings of the control plane (GCP-CPC, GCP-CPCU).

use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::feature_gates::{FeatureGateRules, check_feature_gates};
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::CONTROL_PLANE;
use crate::gardener::types::worker::Worker;
use crate::kube::quantity::QuantityOutline;
use crate::provider::gcp::api::{ControlPlaneConfig, HyperDisk, Storage};
use crate::provider::gcp::rules::control_plane as rules;
use crate::report::{ErrorType, Report};

const ZONE: Path<'_> = CONTROL_PLANE.key("zone");

/// The library of the existing extension knows Kubernetes 1.36.
const FEATURE_GATES: FeatureGateRules = FeatureGateRules {
    known: &rules::CPC_004,
    version: &rules::CPC_004,
    supported: &rules::CPC_004,
    locked: &rules::CPC_004,
    newest: 36,
};

/// The storage classes of Gardener, in order.
const CLASSES: &[&str] =
    &["default", "gce-sc-fast", BALANCED.class, EXTREME.class, THROUGHPUT.class, "gce-sc-hdd"];

/// A storage class of hyperdisks.
#[derive(Debug)]
struct HyperDiskClass {
    class: &'static str,
    /// Its section of the configuration.
    section: &'static str,
    /// Whether GCP lets people choose IOPS, and throughput.
    has: [bool; 2],
}

const BALANCED: HyperDiskClass =
    HyperDiskClass { class: "gce-sc-hd-balanced", section: "hyperDiskBalanced", has: [true, true] };
const THROUGHPUT: HyperDiskClass =
    HyperDiskClass { class: "gce-sc-hd-throughput", section: "hyperDiskThroughput", has: [false, true] };
const EXTREME: HyperDiskClass =
    HyperDiskClass { class: "gce-sc-hd-extreme", section: "hyperDiskExtreme", has: [true, false] };

/// Judges the settings for worker pools and a Kubernetes version. `zones` are those of the CloudProfile; without
/// it nobody knows them.
pub fn validate(
    config: &ControlPlaneConfig<'_>,
    zones: Option<&[&str]>,
    workers: &[Worker<'_>],
    version: &str,
    report: &mut Report<'_>,
) {
    let of_workers: NameSet<'_> = workers.iter().flat_map(|worker| &worker.zones).copied().collect();
    if config.zone.is_empty() {
        let detail = "must provide the name of a zone in this region";
        report.error(&rules::CPC_001, &ZONE, ErrorType::Required, detail).choices(of_workers.iter());
    } else if let Some(zones) = zones {
        let entry = check_one_of(&rules::CPC_002, config.zone, zones, &ZONE, report);
        if let Some(entry) = entry.filter(|_| zones.is_empty()) {
            entry.remedy(
                "Ask the operators of the CloudProfile for zones: it has none in the region of the Shoot.",
            );
        }
    }
    if !of_workers.contains(config.zone) {
        let detail = "must be part of at least one worker zone";
        report.error(&rules::CPC_003, &ZONE, ErrorType::Invalid, detail).choices(of_workers.iter());
    }
    if let Some(manager) = &config.cloud_controller_manager {
        check_feature_gates(&manager.feature_gates, version, &FEATURE_GATES, report);
    }
    if let Some(storage) = &config.storage {
        self::storage(storage, &CONTROL_PLANE.key("storage"), report);
    }
}

fn storage(storage: &Storage<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let sections = [
        (&BALANCED, &storage.hyper_disk_balanced),
        (&THROUGHPUT, &storage.hyper_disk_throughput),
        (&EXTREME, &storage.hyper_disk_extreme),
    ];
    if let Some(class) = storage.default_storage_class {
        let place = path.key("defaultStorageClass");
        check_one_of(&rules::CPC_005, class, CLASSES, &place, report);
        let is_off = |disk: &Option<HyperDisk<'_>>| !disk.is_some_and(|disk| disk.enabled);
        if sections.iter().any(|(kind, disk)| kind.class == class && is_off(disk)) {
            let detail = "the corresponding StorageClass must have enabled set to true";
            report.error(&rules::CPC_006, &place, ErrorType::Invalid, detail);
        }
    }
    for (kind, disk) in sections {
        if let Some(disk) = disk.filter(|disk| disk.enabled) {
            hyper_disk(kind, &disk, &path.key(kind.section), report);
        }
    }
}

fn hyper_disk(kind: &HyperDiskClass, disk: &HyperDisk<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let [has_iops, has_throughput] = kind.has;
    let keys = ["provisionedIopsOnCreate", "provisionedThroughputOnCreate"];
    let [iops, throughput] = keys.map(|key| path.key(key));
    let [key_of_iops, key_of_throughput] = keys;
    for &(rule, key, place, is_missing) in &[
        (&rules::CPC_007, key_of_iops, &iops, has_iops && disk.provisioned_iops_on_create.is_none()),
        (
            &rules::CPC_008,
            key_of_throughput,
            &throughput,
            has_throughput && disk.provisioned_throughput_on_create.is_none(),
        ),
    ] {
        if is_missing {
            report.error(rule, place, ErrorType::Required, format!("{key} is required when enabled"));
        }
    }
    if let Some(number) = disk.provisioned_iops_on_create {
        if !has_iops {
            let detail = format!("{key_of_iops} is not supported for this hyperdisk type");
            report.error(&rules::CPC_009, &iops, ErrorType::Forbidden, detail).fix_removal();
        } else if number <= 0 {
            report.error(&rules::CPC_010, &iops, ErrorType::Invalid, "must be a positive integer");
        }
    }
    if let Some(text) = disk.provisioned_throughput_on_create {
        if !has_throughput {
            let detail = format!("{key_of_throughput} is not supported for this hyperdisk type");
            report.error(&rules::CPC_011, &throughput, ErrorType::Forbidden, detail).fix_removal();
        } else if QuantityOutline::parse(text).is_err() {
            let detail = "must be a valid quantity string (e.g. \"140Mi\")";
            report.error(&rules::CPC_012, &throughput, ErrorType::Invalid, detail);
        }
    }
}

/// Judges a change. `before` is the old Shoot.
pub fn validate_update(
    new: &ControlPlaneConfig<'_>,
    old: &ControlPlaneConfig<'_>,
    before: &Value<'_>,
    report: &mut Report<'_>,
) {
    if new.zone != old.zone {
        restored(&rules::CPCU_001, &ZONE, before, report);
    }
}
