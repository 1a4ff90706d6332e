//! Advice on worker pools: volumes that Amazon EBS refuses, the metadata service, and spot instances.

use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::kube::quantity::Quantity;
use crate::provider::aws::api::{InstanceMetadataOptions, WorkerConfig};
use crate::provider::aws::rules::advice as rules;
use crate::report::{Report, Rule, Severity};

/// What Amazon EBS allows of a volume type.
struct VolumeType {
    name: &'static str,
    /// Smallest size in GiB.
    smallest: i64,
    /// I/O operations a second; none where the type takes no number.
    iops: Option<[i32; 2]>,
    /// MiB a second; none where the type takes no number.
    throughput: Option<[i32; 2]>,
}

/// Source: "Amazon EBS volume types" in the user guide of Amazon EBS.
const VOLUME_TYPES: [VolumeType; 6] = [
    VolumeType { name: "gp2", smallest: 1, iops: None, throughput: None },
    VolumeType { name: "gp3", smallest: 1, iops: Some([3_000, 80_000]), throughput: Some([125, 2_000]) },
    VolumeType { name: "io1", smallest: 4, iops: Some([100, 64_000]), throughput: None },
    VolumeType { name: "io2", smallest: 4, iops: Some([100, 256_000]), throughput: None },
    VolumeType { name: "st1", smallest: 125, iops: None, throughput: None },
    VolumeType { name: "sc1", smallest: 125, iops: None, throughput: None },
];

const GIB: i64 = 1 << 30;

/// Looks at worker pools with their configurations.
pub fn workers(workers: &[Worker<'_>], configs: &[Option<WorkerConfig<'_>>], report: &mut Report<'_>) {
    for (index, (worker, config)) in workers.iter().zip(configs).enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        sizes(worker, &path, report);
        let Some(config) = config else { continue };
        let path = path.key("providerConfig");
        speeds(worker, config, &path, report);
        if let Some(options) = &config.instance_metadata_options {
            metadata_options(options, &path.key("instanceMetadataOptions"), report);
        }
        if config.instance_market_options.is_some_and(|options| options.market_type == "spot") {
            let path = path.key("instanceMarketOptions");
            let detail = format!("EC2 may take back the nodes of worker pool {} at any time", worker.name);
            report.warn(&rules::ADV_013, &path.key("marketType"), detail);
        }
    }
}

fn sizes(worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(volume) = worker.volume {
        size(volume.volume_type, volume.size, &path.key("volume").key("size"), report);
    }
    let path = path.key("dataVolumes");
    for (index, volume) in worker.data_volumes.iter().enumerate() {
        size(volume.volume_type, volume.size, &path.index(index).key("size"), report);
    }
}

fn size(volume_type: Option<&str>, size: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(VolumeType { name, smallest, .. }) = volume_type.and_then(known) else { return };
    let bytes = Quantity::parse(size).ok().and_then(|size| size.to_i64());
    if bytes.is_some_and(|bytes| bytes < smallest * GIB) {
        let detail = format!("{size} is less than {smallest} GiB, the smallest volume of type {name}");
        report.warn(&rules::ADV_009, path, detail);
    }
}

fn speeds(worker: &Worker<'_>, config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let (Some(settings), Some(volume)) = (config.volume, worker.volume) {
        speed((settings.iops, settings.throughput), volume.volume_type, &path.key("volume"), report);
    }
    let mut types = NameMap::new();
    for volume in &worker.data_volumes {
        types.or_insert_with(volume.name, || volume.volume_type);
    }
    let path = path.key("dataVolumes");
    for (index, settings) in config.data_volumes.iter().enumerate() {
        let volume_type = types.get(settings.name).copied().flatten();
        speed((settings.iops, settings.throughput), volume_type, &path.index(index), report);
    }
}

/// What is not positive is an error already.
fn speed(
    (iops, throughput): (Option<i32>, Option<i32>),
    volume_type: Option<&str>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let Some(known) = volume_type.and_then(known) else { return };
    for &(key, value, allowed) in &[("iops", iops, known.iops), ("throughput", throughput, known.throughput)] {
        let Some(value) = value.filter(|value| *value > 0) else { continue };
        let (rule, detail): (&'static Rule, String) = match allowed {
            None => (&rules::ADV_008, format!("volumes of type {} take no {key}", known.name)),
            Some([least, most]) if value < least || value > most => {
                (&rules::ADV_007, format!("volumes of type {} have {key} from {least} to {most}", known.name))
            }
            Some(_) => continue,
        };
        report.warn(rule, &path.key(key), detail);
    }
}

fn known(name: &str) -> Option<&'static VolumeType> {
    VOLUME_TYPES.iter().find(|known| known.name == name)
}

/// Machines without options need tokens. Once there are options, what they leave out is left to EC2.
fn metadata_options(options: &InstanceMetadataOptions<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let detail = match options.http_tokens {
        Some("optional") => "requests need no session token",
        None => "no session token is asked for: machines have the default of their image or account",
        Some(_) => return,
    };
    report.warn(&rules::ADV_010, &path.key("httpTokens"), detail).fix_value(&Value::string("required"));
}
