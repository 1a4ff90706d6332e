//! Advice on changes that replace nodes.

use crate::collections::NameMap;
use crate::document::decode::Mode;
use crate::gardener::checks::rolling::{rolls, warn_of_rolling};
use crate::gardener::provider_config::Config as _;
use crate::gardener::shoot::{Manifest, WORKERS, pool_changes};
use crate::gardener::types::shoot::kubernetes_version;
use crate::kube::version::Version;
use crate::provider::aws::api::WorkerConfig;
use crate::provider::aws::rules::advice as rules;
use crate::report::{Report, Severity};

/// From this minor version of Kubernetes 1 on, the hash of a pool takes in the fields of its configuration, and
/// not the text.
const HASH_OF_FIELDS: u64 = 34;

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.3 of the fact sheet `aws`.
pub fn rolling(
    configs: &[Option<WorkerConfig<'_>>],
    new: &Manifest<'_>,
    old: &Manifest<'_>,
    report: &mut Report<'_>,
) {
    let version = Version::parse(&kubernetes_version(new.object).0);
    let by_fields = version.is_some_and(|version| version >= Version::minor_release(HASH_OF_FIELDS));
    for change in pool_changes(new, old) {
        if report.is_full(Severity::Warning) {
            return;
        }
        if change.new.updates_in_place() {
            continue;
        }
        warn_of_rolling(&rules::ADV_012, &change, report);
        let [_, before] = change.configs();
        let before = before.and_then(|before| WorkerConfig::read(before, Mode::Lenient).ok()).unwrap_or_default();
        let Some(Some(config)) = configs.get(change.index) else { continue };
        if hashed(config, by_fields) != hashed(&before, by_fields) {
            let path = WORKERS.index(change.index);
            let detail = rolls(&change, "the configuration of instances");
            report.warn(&rules::ADV_011, &path.key("providerConfig"), detail);
        }
    }
}

/// A configuration with what of it a hash of the pool takes in.
fn hashed<'v>(config: &WorkerConfig<'v>, by_fields: bool) -> WorkerConfig<'v> {
    let mut config = config.clone();
    if let Some(template) = &mut config.node_template {
        template.virtual_capacity = NameMap::new();
        if template.capacity.is_empty() {
            config.node_template = None;
        }
    }
    if by_fields {
        if let Some(options) = &mut config.cpu_options {
            options.amd_sev_snp = None;
        }
        for interface in &mut config.network_interfaces {
            interface.description = None;
        }
    }
    config
}
