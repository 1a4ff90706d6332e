//! Advice on changes that replace nodes.

use crate::collections::NameMap;
use crate::document::decode::Mode;
use crate::gardener::checks::rolling::{rolls, warn_of_rolling};
use crate::gardener::provider_config::Config as _;
use crate::gardener::shoot::{Manifest, WORKERS, pool_changes};
use crate::provider::azure::api::WorkerConfig;
use crate::provider::azure::rules::advice as rules;
use crate::report::{Report, Severity};

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.5 of the fact sheet `azure`.
pub fn rolling(
    configs: &[Option<WorkerConfig<'_>>],
    new: &Manifest<'_>,
    old: &Manifest<'_>,
    report: &mut Report<'_>,
) {
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
        if hashed(config) != hashed(&before) {
            let path = WORKERS.index(change.index);
            report.warn(&rules::ADV_011, &path.key("providerConfig"), rolls(&change, "providerConfig"));
        }
    }
}

/// A configuration with what of it a hash of the pool takes in.
fn hashed<'v>(config: &WorkerConfig<'v>) -> WorkerConfig<'v> {
    let mut config = WorkerConfig { api_version: "", kind: "", ..config.clone() };
    if let Some(template) = &mut config.node_template {
        template.virtual_capacity = NameMap::new();
        if template.capacity.is_empty() {
            config.node_template = None;
        }
    }
    config
}
