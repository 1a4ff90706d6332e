//! Advice on worker pools.

use crate::document::Path;
use crate::gardener::checks::node_template::warn_of_missing_resources;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::azure::api::WorkerConfig;
use crate::provider::azure::rules::advice as rules;
use crate::report::{Report, Severity};

/// Looks at worker pools and their configurations.
pub fn workers(workers: &[Worker<'_>], configs: &[Option<WorkerConfig<'_>>], report: &mut Report<'_>) {
    for (index, _) in workers.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        if let Some(Some(config)) = configs.get(index) {
            let path = WORKERS.index(index);
            self::config(config, &path.key("providerConfig"), report);
        }
    }
}

fn config(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if config.diagnostics_profile.is_some_and(|profile| !profile.enabled && profile.storage_uri.is_some()) {
        let path = path.key("diagnosticsProfile");
        report.warn(&rules::ADV_008, &path.key("storageURI"), "has no effect without `enabled: true`");
    }
    let volumes = path.key("dataVolumes");
    for (index, volume) in config.data_volumes.iter().enumerate() {
        if volume.image_ref.is_none() {
            report.warn(&rules::ADV_009, &volumes.index(index), "has no effect without `imageRef`");
        }
    }
    warn_of_missing_resources(&rules::ADV_013, config.node_template.as_ref(), path, report);
}
