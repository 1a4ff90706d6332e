//! Advice on changes that replace nodes.

use crate::gardener::checks::rolling::{RollingRules, warn_of_rolling};
use crate::gardener::shoot::Manifest;
use crate::gardener::types::node_template::NodeTemplate;
use crate::provider::azure::api::WorkerConfig;
use crate::provider::azure::rules::advice as rules;
use crate::report::Report;

const ROLLING: RollingRules =
    RollingRules { machines: &rules::ADV_012, config: &rules::ADV_011, config_name: "providerConfig" };

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.5 of the fact sheet `azure`.
pub fn rolling<'v>(
    configs: &[Option<WorkerConfig<'v>>],
    new: &Manifest<'v>,
    old: &Manifest<'v>,
    report: &mut Report<'_>,
) {
    warn_of_rolling(configs, [new, old], &ROLLING, |config, _| hashed(config), report);
}

/// A configuration with what of it a hash of the pool takes in.
fn hashed<'v>(config: &WorkerConfig<'v>) -> WorkerConfig<'v> {
    let mut config = WorkerConfig { api_version: "", kind: "", ..config.clone() };
    config.node_template = config.node_template.and_then(NodeTemplate::hashed);
    config
}
