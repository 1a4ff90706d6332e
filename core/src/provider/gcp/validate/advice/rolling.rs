//! Advice on changes that replace nodes.

use std::borrow::Cow;

use crate::document::Value;
use crate::gardener::checks::rolling::{RollingRules, warn_of_rolling};
use crate::gardener::shoot::{Manifest, PoolChange, pool};
use crate::gardener::types::node_template::NodeTemplate;
use crate::gardener::types::shoot::kubernetes_version;
use crate::kube::version::Version;
use crate::provider::gcp::api::WorkerConfig;
use crate::provider::gcp::rules::advice as rules;
use crate::report::Report;

/// From this minor version of Kubernetes 1 on, the hash of a pool takes in the fields of its configuration, and
/// not the text.
const HASH_OF_FIELDS: u64 = 35;

const ROLLING: RollingRules =
    RollingRules { machines: &rules::ADV_012, config: &rules::ADV_011, config_name: "providerConfig" };

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.4 of the fact sheet `gcp`.
pub fn rolling<'v>(
    configs: &[Option<WorkerConfig<'v>>],
    new: &Manifest<'v>,
    old: &Manifest<'v>,
    report: &mut Report<'_>,
) {
    let hashed = |config: &WorkerConfig<'v>, change: &PoolChange<'_, '_>| {
        let of_pool = pool(new.object, change.index).and_then(|pool| pool.at(&["kubernetes", "version"]));
        let version =
            of_pool.and_then(Value::as_str).map_or_else(|| kubernetes_version(new.object).0, Cow::Borrowed);
        let version = Version::parse(&version);
        hashed(config, version.is_some_and(|version| version >= Version::minor_release(HASH_OF_FIELDS)))
    };
    warn_of_rolling(configs, [new, old], &ROLLING, hashed, report);
}

/// A configuration with what of it a hash of the pool takes in.
fn hashed<'v>(config: &WorkerConfig<'v>, by_fields: bool) -> WorkerConfig<'v> {
    let mut config = config.clone();
    config.node_template = config.node_template.and_then(NodeTemplate::hashed);
    if by_fields {
        for volume in &mut config.data_volumes {
            volume.storage_pool = None;
        }
    }
    config
}
