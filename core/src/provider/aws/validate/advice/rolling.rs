//! Advice on changes that replace nodes.

use crate::gardener::checks::rolling::{RollingRules, warn_of_rolling};
use crate::gardener::shoot::Manifest;
use crate::gardener::types::node_template::NodeTemplate;
use crate::gardener::types::shoot::kubernetes_version;
use crate::kube::version::Version;
use crate::provider::aws::api::WorkerConfig;
use crate::provider::aws::rules::advice as rules;
use crate::report::Report;

/// From this minor version of Kubernetes 1 on, the hash of a pool takes in the fields of its configuration, and
/// not the text.
const HASH_OF_FIELDS: u64 = 34;

const ROLLING: RollingRules = RollingRules {
    machines: &rules::ADV_012,
    config: &rules::ADV_011,
    config_name: "the configuration of instances",
};

/// Looks for changes that replace every node of a pool, where `configs` are those of the new pools. Pools that are
/// updated in place keep their nodes. Source: section 5.3 of the fact sheet `aws`.
pub fn rolling<'v>(
    configs: &[Option<WorkerConfig<'v>>],
    new: &Manifest<'v>,
    old: &Manifest<'v>,
    report: &mut Report<'_>,
) {
    let version = Version::parse(&kubernetes_version(new.object).0);
    let by_fields = version.is_some_and(|version| version >= Version::minor_release(HASH_OF_FIELDS));
    warn_of_rolling(configs, [new, old], &ROLLING, |config, _| hashed(config, by_fields), report);
}

/// A configuration with what of it a hash of the pool takes in.
fn hashed<'v>(config: &WorkerConfig<'v>, by_fields: bool) -> WorkerConfig<'v> {
    let mut config = config.clone();
    config.node_template = config.node_template.and_then(NodeTemplate::hashed);
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
