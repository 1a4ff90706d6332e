//! Advice on worker pools.

use crate::document::Path;
use crate::gardener::checks::node_template::warn_of_missing_resources;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::gcp::api::WorkerConfig;
use crate::provider::gcp::rules::advice as rules;
use crate::report::{Report, Severity};

/// Machine families that come with GPUs, and the type of these. Source: the existing extension's documentation for
/// users.
const WITH_GPUS: [(&str, &str); 2] = [("a2-", "nvidia-tesla-a100"), ("g2-", "nvidia-l4")];

/// Looks at worker pools and their configurations.
pub fn workers(workers: &[Worker<'_>], configs: &[Option<WorkerConfig<'_>>], report: &mut Report<'_>) {
    for (index, (worker, config)) in workers.iter().zip(configs).enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        let boot_type = worker.volume.and_then(|volume| volume.volume_type);
        if let Some(boot_type @ ("hyperdisk-extreme" | "hyperdisk-throughput")) = boot_type {
            let path = path.key("volume");
            report.warn(&rules::ADV_009, &path.key("type"), format!("GCP boots no instance from {boot_type}"));
        }
        let Some(config) = config else { continue };
        let machine_type = worker.machine.machine_type;
        let family = WITH_GPUS.iter().find(|(family, _)| machine_type.starts_with(family));
        if let (Some((_, gpu)), None) = (family, config.gpu) {
            let path = path.key("machine");
            let detail = format!("{machine_type} comes with GPUs of type {gpu}, which the pool does not say");
            report.warn(&rules::ADV_010, &path.key("type"), detail);
        }
        self::config(config, &path.key("providerConfig"), report);
    }
}

fn config(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let volumes = path.key("dataVolumes");
    for (index, volume) in config.data_volumes.iter().enumerate() {
        if volume.source_image.is_some() {
            let detail = "a disk from an image may have labels of the operating system's file systems";
            report.warn(&rules::ADV_008, &volumes.index(index).key("sourceImage"), detail);
        }
    }
    warn_of_missing_resources(&rules::ADV_013, config.node_template.as_ref(), path, report);
}
