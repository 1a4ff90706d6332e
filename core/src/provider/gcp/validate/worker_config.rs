//! The `WorkerConfig` of a pool (GCP-WRKC).

use super::workers::SCRATCH;
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::node_template::{NodeTemplateRules, check_node_template};
use crate::gardener::checks::worker_configs::check_configs;
use crate::gardener::shoot::Manifest;
use crate::gardener::types::worker::Worker;
use crate::provider::gcp::api::{DataVolume, Encryption, ServiceAccount, Volume, WorkerConfig};
use crate::provider::gcp::credentials::SERVICE_ACCOUNT_EMAIL;
use crate::provider::gcp::rules::{shoot, worker_config as rules};
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::{TextRule, join};

const NODE_TEMPLATE: NodeTemplateRules =
    NodeTemplateRules { capacity: &rules::WRKC_015, virtual_capacity: &rules::WRKC_016, whole: &rules::WRKC_017 };

const ACCELERATOR: TextRule = TextRule::pattern(r"^[a-z0-9\-]+$").length(1, 250).reported_in_bytes();
const CPU_PLATFORM: TextRule = TextRule::pattern(r"^[A-Za-z0-9\s]+$").length(1, 250).reported_in_bytes();
const SOURCE_IMAGE: TextRule = TextRule::pattern(r"^[a-z0-9\-/]+$").length(1, 250).reported_in_bytes();
const KMS_KEY: TextRule = TextRule::pattern(r"^[a-zA-Z0-9\-_/]+$").length(1, 250).reported_in_bytes();
const SCOPE: TextRule =
    TextRule::pattern(r"^https:\/\/www\.googleapis\.com\/[a-z0-9\-\.\/_]+$").length(1, 250).reported_in_bytes();

/// Volume types whose IOPS people choose.
pub const WITH_IOPS: [&str; 3] = ["pd-extreme", "hyperdisk-extreme", "hyperdisk-balanced"];
/// Volume types whose throughput people choose.
pub const WITH_THROUGHPUT: [&str; 2] = ["hyperdisk-throughput", "hyperdisk-balanced"];

/// Judges the configurations of worker pools, and gives them; none where nobody can read it.
pub fn validate<'v>(manifest: &Manifest<'v>, report: &mut Report<'_>) -> Vec<Option<WorkerConfig<'v>>> {
    check_configs(manifest, &shoot::SHOOT_019, judge, report)
}

/// Judges a configuration. The existing extension prints places without the pool.
fn judge(config: &WorkerConfig<'_>, worker: &Worker<'_>, pool: &Path<'_>, report: &mut Report<'_>) {
    let place = pool.key("providerConfig").pointer();
    let path = Path::root("spec.provider.providerConfig", &place);
    local_ssds(config, worker, &path, &pool.key("dataVolumes").pointer(), report);
    if let Some(gpu) = &config.gpu {
        let path = path.key("gpu");
        report.text(&rules::WRKC_005, &path.key("acceleratorType"), gpu.accelerator_type, &ACCELERATOR);
        if gpu.count <= 0 {
            let detail = "must be > 0 when providing gpu";
            report.error(&rules::WRKC_006, &path.key("count"), ErrorType::Forbidden, detail);
        }
    }
    if let Some(account) = &config.service_account {
        service_account(account, &path.key("serviceAccount"), report);
    }
    if let Some(volume) = &config.volume {
        self::volume(volume, &path.key("volume"), report);
    }
    if let Some(template) = &config.node_template {
        check_node_template(template, &NODE_TEMPLATE, &path.key("nodeTemplate"), report);
    }
    data_volumes(&config.data_volumes, worker, &path.key("dataVolumes"), report);
    let boot_type = worker.volume.and_then(|volume| volume.volume_type);
    if let (Some(volume), Some(boot_type)) = (&config.boot_volume, boot_type) {
        let settings = [volume.provisioned_iops, volume.provisioned_throughput];
        let rules = [&rules::WRKC_023, &rules::WRKC_024];
        performance(settings, boot_type, rules, &path.key("bootVolume"), report);
    }
    if let Some(platform) = config.min_cpu_platform {
        report.text(&rules::WRKC_025, &path.key("minCpuPlatform"), platform, &CPU_PLATFORM);
    }
}

/// Local SSDs have an interface and no key; other data volumes have no interface. `pointer` leads to the data
/// volumes of the pool.
fn local_ssds(
    config: &WorkerConfig<'_>,
    worker: &Worker<'_>,
    path: &Path<'_>,
    pointer: &str,
    report: &mut Report<'_>,
) {
    let data_volumes = Path::root("dataVolumes", pointer);
    let path = path.key("volume");
    let (interface, encryption) = (path.key("interface"), path.key("encryption"));
    let volume = config.volume.unwrap_or_default();
    for (index, data_volume) in worker.data_volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        match data_volume.volume_type {
            None => {
                let path = data_volumes.index(index);
                report.error(&rules::WRKC_001, &path.key("type"), ErrorType::Required, "must not be empty");
            }
            Some(SCRATCH) => {
                if volume.interface.is_none() {
                    let detail = "must be set when using SCRATCH volumes";
                    report
                        .error(&rules::WRKC_002, &interface, ErrorType::Required, detail)
                        .choices(INTERFACES.iter().copied());
                }
                if volume.encryption.is_some() {
                    let detail = "must not be set in combination with SCRATCH volumes";
                    report.error(&rules::WRKC_003, &encryption, ErrorType::Invalid, detail);
                }
            }
            Some(_) if volume.interface.is_some() => {
                let detail = "is only allowed for type SCRATCH";
                report.error(&rules::WRKC_004, &interface, ErrorType::Invalid, detail);
            }
            Some(_) => {}
        }
    }
}

/// How a local SSD is attached.
const INTERFACES: &[&str] = &["NVME", "SCSI"];

fn service_account(account: &ServiceAccount<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    report.text(&rules::WRKC_007, &path.key("email"), account.email, &SERVICE_ACCOUNT_EMAIL);
    let path = path.key("scopes");
    if account.scopes.is_empty() {
        report.error(&rules::WRKC_008, &path, ErrorType::Required, "must have at least one scope");
    }
    let mut seen = NameSet::new();
    for (index, scope) in account.scopes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        report.text(&rules::WRKC_009, &path, scope, &SCOPE);
        if !seen.insert(scope) {
            let entry = report.error(&rules::WRKC_010, &path, ErrorType::Duplicate, "");
            // A later duplicate would move up to this place.
            if !account.scopes.iter().skip(index + 1).any(|later| later == scope) {
                entry.fix_removal();
            }
        }
    }
}

fn volume(volume: &Volume<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(interface) = volume.interface {
        check_one_of(&rules::WRKC_011, interface, INTERFACES, &path.key("interface"), report);
    }
    let Some(Encryption { kms_key_name, kms_key_service_account }) = volume.encryption else { return };
    let path = path.key("encryption");
    let place = path.key("kmsKeyName");
    let Some(key) = kms_key_name.filter(|key| !key.trim().is_empty()) else {
        let detail = "must be specified when configuring disk encryption";
        report.error(&rules::WRKC_012, &place, ErrorType::Required, detail);
        return;
    };
    report.text(&rules::WRKC_013, &place, key, &KMS_KEY);
    if let Some(account) = kms_key_service_account {
        report.text(&rules::WRKC_014, &path.key("kmsKeyServiceAccount"), account, &SERVICE_ACCOUNT_EMAIL);
    }
}

fn data_volumes(volumes: &[DataVolume<'_>], worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut of_pool = NameMap::new();
    for volume in &worker.data_volumes {
        of_pool.or_insert_with(volume.name, || volume.volume_type);
    }
    let mut seen = NameSet::new();
    for (index, volume) in volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let place = path.index(index);
        if let Some(image) = volume.source_image {
            report.text(&rules::WRKC_018, &place.key("sourceImage"), image, &SOURCE_IMAGE);
        }
        let Some(volume_type) = of_pool.get(volume.name) else {
            // The existing extension prints the place of the list.
            let (field, pointer) = (path.field(), place.key("name").pointer());
            let detail = format!("could not find dataVolume with name {}", volume.name);
            report.error(&rules::WRKC_019, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
            continue;
        };
        if !seen.insert(volume.name) {
            report.error(&rules::WRKC_020, &place, ErrorType::Duplicate, "");
            continue;
        }
        if let Some(volume_type) = volume_type {
            let settings = [volume.provisioned_iops, volume.provisioned_throughput];
            performance(settings, volume_type, [&rules::WRKC_021, &rules::WRKC_022], &place, report);
        }
    }
}

/// IOPS and throughput go with types that have them.
fn performance(
    [iops, throughput]: [Option<i64>; 2],
    volume_type: &str,
    [of_iops, of_throughput]: [&'static Rule; 2],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    for &(rule, value, key, types) in &[
        (of_iops, iops, "provisionedIops", &WITH_IOPS[..]),
        (of_throughput, throughput, "provisionedThroughput", &WITH_THROUGHPUT[..]),
    ] {
        if value.is_some() && !types.contains(&volume_type) {
            let detail = format!("is only allowed for types: [{}]", join(types, " "));
            report.error(rule, &path.key(key), ErrorType::Forbidden, detail);
        }
    }
}
