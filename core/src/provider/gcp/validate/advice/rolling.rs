//! Advice on changes that replace nodes.

use std::borrow::Cow;

use crate::collections::NameMap;
use crate::document::Value;
use crate::document::decode::Mode;
use crate::gardener::checks::rolling::{rolls, warn_of_rolling};
use crate::gardener::provider_config::Config as _;
use crate::gardener::shoot::{Manifest, WORKERS, pool, pool_changes};
use crate::gardener::types::shoot::kubernetes_version;
use crate::kube::version::Version;
use crate::provider::gcp::api::WorkerConfig;
use crate::provider::gcp::rules::advice as rules;
use crate::report::{Report, Severity};

/// From this minor version of Kubernetes 1 on, the hash of a pool takes in the fields of its configuration, and
/// not the text.
const HASH_OF_FIELDS: u64 = 35;

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.4 of the fact sheet `gcp`.
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
        let of_pool = pool(new.object, change.index).and_then(|pool| pool.at(&["kubernetes", "version"]));
        let version =
            of_pool.and_then(Value::as_str).map_or_else(|| kubernetes_version(new.object).0, Cow::Borrowed);
        let by_fields =
            Version::parse(&version).is_some_and(|version| version >= Version::minor_release(HASH_OF_FIELDS));
        let [_, before] = change.configs();
        let before = before.and_then(|before| WorkerConfig::read(before, Mode::Lenient).ok()).unwrap_or_default();
        let Some(Some(config)) = configs.get(change.index) else { continue };
        if hashed(config, by_fields) != hashed(&before, by_fields) {
            let path = WORKERS.index(change.index);
            report.warn(&rules::ADV_011, &path.key("providerConfig"), rolls(&change, "providerConfig"));
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
        for volume in &mut config.data_volumes {
            volume.storage_pool = None;
        }
    }
    config
}
