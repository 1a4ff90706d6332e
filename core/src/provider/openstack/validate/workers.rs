//! Worker pools (OS-WRK, OS-WRKU, OS-WRKC).

use crate::collections::{NameMap, NameSet};
use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::PoolRules;
use crate::gardener::checks::node_template::{NodeTemplateRules, check_node_template};
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{Manifest, WORKERS, pool_config};
use crate::gardener::types::worker::Worker;
use crate::provider::openstack::api::{CloudProfileConfig, ServerGroup, WorkerConfig};
use crate::provider::openstack::rules::workers as rules;
use crate::provider::openstack::validate::infrastructure::RESOURCE_NAME;
use crate::report::{ErrorType, Report, Severity};

const NODE_TEMPLATE: NodeTemplateRules =
    NodeTemplateRules { capacity: &rules::WRKC_004, virtual_capacity: &rules::WRKC_005, whole: &rules::WRKC_006 };

/// Judges the worker pools, and gives their configurations; none where nobody can read it. Without a profile
/// nobody knows which policies of server groups there are.
pub fn validate<'v>(
    manifest: &Manifest<'v>,
    profile: Option<&CloudProfileConfig<'_>>,
    report: &mut Report<'_>,
) -> Vec<Option<WorkerConfig<'v>>> {
    let mut configs = Vec::new();
    for (index, worker) in manifest.shoot.spec.provider.workers.iter().enumerate() {
        configs.push(pool(pool_config(manifest.object, index), worker, profile, &WORKERS.index(index), report));
    }
    configs
}

fn pool<'v>(
    raw: Option<&'v Value<'v>>,
    worker: &Worker<'_>,
    profile: Option<&CloudProfileConfig<'_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) -> Option<WorkerConfig<'v>> {
    if report.is_full(Severity::Error) {
        return raw
            .map_or_else(|| Some(WorkerConfig::default()), |raw| WorkerConfig::read(raw, Mode::Lenient).ok());
    }
    if worker.zones.is_empty() {
        let detail = "at least one zone must be configured";
        report.error(&rules::WRK_001, &path.key("zones"), ErrorType::Required, detail);
        return None;
    }
    if worker.volume.is_some_and(|volume| volume.volume_type.is_some() && volume.size.is_empty()) {
        let path = path.key("volume");
        let detail = "specifying volume type without a custom volume size is not allowed";
        report.error(&rules::WRK_003, &path.key("type"), ErrorType::Forbidden, detail);
    }
    let Some(raw) = raw else { return Some(WorkerConfig::default()) };
    // Without a field that counts, the existing extension needs no `apiVersion`.
    if let Value::Object(members) = raw
        && members.iter().all(|(key, value)| key == "kind" && value.as_str() == Some(WorkerConfig::KIND))
    {
        return Some(WorkerConfig::default());
    }
    let path = path.key("providerConfig");
    let mut is_strict = true;
    let config = WorkerConfig::read_reporting(raw, Mode::Strict, &path, report, |error| {
        is_strict = false;
        // The existing extension has nothing between the two texts.
        (&rules::WRK_004, ErrorType::Invalid, format!("providerConfig could not be decoded{error}"))
    });
    let config = config?;
    // Of a pool with an unknown field, nothing more is judged.
    if is_strict {
        judge(&config, worker, profile, &path, report);
    }
    Some(config)
}

fn judge(
    config: &WorkerConfig<'_>,
    worker: &Worker<'_>,
    profile: Option<&CloudProfileConfig<'_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if let Some(group) = &config.server_group {
        server_group(group, worker, profile, &path.key("serverGroup").key("policy"), report);
    }
    if let Some(template) = &config.node_template {
        check_node_template(template, &NODE_TEMPLATE, &path.key("nodeTemplate"), report);
    }
    machine_labels(config, worker, &path.key("machineLabels"), report);
    let path = path.key("additionalSecurityGroups");
    let mut seen: NameMap<'_, usize> = NameMap::new();
    let groups = &config.additional_security_groups;
    for (index, group) in groups.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if group.is_empty() {
            report.error(&rules::WRKC_011, &path, ErrorType::Required, "security group name must not be empty");
        }
        let first = *seen.or_insert_with(group, || index);
        if first != index && !group.is_empty() {
            let detail = format!("duplicate security group, already listed at index {first}");
            let entry = report.error(&rules::WRKC_012, &path, ErrorType::Invalid, detail);
            // A later duplicate would move up to this place.
            if !groups.iter().skip(index + 1).any(|later| later == group) {
                entry.fix_removal();
            }
        }
    }
}

fn server_group(
    group: &ServerGroup<'_>,
    worker: &Worker<'_>,
    profile: Option<&CloudProfileConfig<'_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let policy = group.policy;
    if policy.is_empty() {
        report.error(&rules::WRKC_001, path, ErrorType::Invalid, "policy field cannot be empty");
    } else if let Some(profile) = profile.filter(|profile| !profile.server_group_policies.contains(&policy)) {
        let detail = "no matching server group policy found in cloudprofile";
        let entry = report.error(&rules::WRKC_002, path, ErrorType::Invalid, detail);
        if profile.server_group_policies.is_empty() {
            entry.remedy("Remove `serverGroup`: the CloudProfile has no policy of server groups.");
        }
    } else if policy == "affinity" && worker.zones.len() > 1 {
        let detail = "using \"affinity\" policy with multiple availability zones is not allowed";
        report.error(&rules::WRKC_003, path, ErrorType::Forbidden, detail);
    }
}

fn machine_labels(config: &WorkerConfig<'_>, worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut names = NameSet::new();
    for (index, label) in config.machine_labels.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        let name = path.key("name");
        report.text(&rules::WRKC_007, &name, label.name, &RESOURCE_NAME);
        report.text(&rules::WRKC_008, &path.key("value"), label.value, &RESOURCE_NAME);
        if names.contains(label.name) {
            report.error(&rules::WRKC_009, &name, ErrorType::Duplicate, "");
        } else if worker.labels.contains(label.name) {
            let detail = "label name already defined as pool label";
            report.error(&rules::WRKC_010, &name, ErrorType::Invalid, detail);
        } else {
            names.insert(label.name);
        }
    }
}

/// The rules on changes of worker pools.
pub const POOLS: PoolRules = PoolRules {
    zones: &rules::WRKU_001,
    provider_config: &rules::WRKU_002,
    data_volumes: &rules::WRKU_003,
    data_volumes_changed: "dataVolumes is immutable when update strategy is in-place",
};
