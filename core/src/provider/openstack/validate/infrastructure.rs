//! The network of a Shoot (OS-INF).

use crate::document::Path;
use crate::gardener::checks::cidr::{PlacedRange, are_apart};
use crate::gardener::shoot::INFRASTRUCTURE;
use crate::provider::openstack::api::{InfrastructureConfig, Ipv6, Networks, SubnetPool};
use crate::provider::openstack::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{TextRule, check_uuid};

/// The place of the network layout.
pub const NETWORKS: Path<'_> = INFRASTRUCTURE.key("networks");

/// What names of resources must be.
pub const RESOURCE_NAME: TextRule =
    TextRule::without(r"^[^{}\[\]\n]+$", |text, _| !text.contains(['{', '}', '[', ']', '\n']))
        .reported_in_quotes()
        .required("cannot be empty")
        .length(0, 255);

/// Judges a text that has to be a UUID.
pub fn uuid(rule: &'static Rule, path: &Path<'_>, text: &str, report: &mut Report<'_>) {
    if let Err(error) = check_uuid(text) {
        report.error(rule, path, ErrorType::Invalid, format!("must be a valid UUID: {error}"));
    }
}

/// Judges the network of a Shoot whose nodes have a range.
pub fn validate(config: &InfrastructureConfig<'_>, nodes: Option<&str>, report: &mut Report<'_>) {
    let networks = &config.networks;
    let name = INFRASTRUCTURE.key("floatingPoolName");
    report.text(&rules::INF_001, &name, config.floating_pool_name, &RESOURCE_NAME);
    workers(networks, nodes, report);
    if let Some(pool) = &networks.subnet_pool {
        subnet_pool(pool, report);
    }
    if let Some(id) = networks.id {
        uuid(&rules::INF_011, &NETWORKS.key("id"), id, report);
    }
    if let Some(router) = &networks.router {
        let path = NETWORKS.key("router");
        let path = path.key("id");
        if router.id.is_empty() {
            let detail = "router id must not be empty when router key is provided";
            report.error(&rules::INF_012, &path, ErrorType::Invalid, detail);
        } else {
            uuid(&rules::INF_013, &path, router.id, report);
        }
    }
    if let Some(subnet) = config.floating_pool_subnet_name {
        let path = INFRASTRUCTURE.key("floatingPoolSubnetName");
        report.text(&rules::INF_014, &path, subnet, &RESOURCE_NAME);
        if networks.router.is_some() {
            // The existing extension leaves out `networks` in this field.
            let (field, pointer) = (INFRASTRUCTURE.key("router").field(), NETWORKS.key("router").pointer());
            let detail = "router cannot be set when a floating subnet name is provided";
            report.error(&rules::INF_015, &Path::root(&field, &pointer), ErrorType::Forbidden, detail);
        }
    }
    if let Some(ipv6) = &networks.ipv6 {
        self::ipv6(ipv6, report);
    }
}

fn workers(networks: &Networks<'_>, nodes: Option<&str>, report: &mut Report<'_>) {
    let Some((key, text)) = networks.range() else {
        if networks.subnet_pool.is_none() {
            let detail = "must specify either the network range for the worker network or a subnetPool";
            report.error(&rules::INF_002, &NETWORKS.key("workers"), ErrorType::Required, detail);
        }
        return;
    };
    if networks.subnet_pool.is_some() {
        let detail = "subnetPool is mutually exclusive with workers/worker CIDR fields";
        report.error(&rules::INF_003, &NETWORKS.key("subnetPool"), ErrorType::Invalid, detail);
    }
    for &(key, text, parses, is_canonical) in &[
        ("worker", networks.worker, &rules::INF_004, &rules::INF_005),
        ("workers", networks.workers, &rules::INF_006, &rules::INF_007),
    ] {
        if !text.is_empty() {
            let range = PlacedRange::new(NETWORKS.key(key), text);
            range.parses(parses, report);
            range.is_canonical(is_canonical, report);
        }
    }
    if let Some(nodes) = nodes {
        let nodes = PlacedRange::new(Path::root("networking.nodes", "/spec/networking/nodes"), nodes);
        let range = PlacedRange::new(NETWORKS.key(key), text);
        if let Some(entry) = range.is_subset_of(&nodes, &rules::INF_008, report) {
            entry.remedy(format!("Choose a range within `{}`.", nodes.text()));
        }
    }
}

fn subnet_pool(pool: &SubnetPool<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("subnetPool");
    if pool.id.is_empty() {
        let detail = "subnet pool id must not be empty";
        report.error(&rules::INF_009, &path.key("id"), ErrorType::Required, detail);
    }
    if !(1..=32).contains(&pool.prefix_length) {
        let detail = "prefix length must be between 1 and 32";
        report.error(&rules::INF_010, &path.key("prefixLength"), ErrorType::Invalid, detail);
    }
}

fn ipv6(ipv6: &Ipv6<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("ipv6");
    let mut given = Vec::new();
    for (key, text) in ipv6.ranges() {
        if !text.is_empty() {
            given.push(PlacedRange::new(path.key(key), text));
        }
    }
    if given.is_empty() {
        if ipv6.subnet_pool_id.is_none() {
            let detail = "either subnetPoolID or explicit CIDRs (nodeCIDR, podCIDR, serviceCIDR) must be set";
            report.error(&rules::INF_016, &path, ErrorType::Required, detail);
        }
        return;
    }
    for (key, text) in ipv6.ranges() {
        if text.is_empty() {
            let detail = "must be set when any IPv6 CIDR is configured";
            report.error(&rules::INF_017, &path.key(key), ErrorType::Required, detail);
        }
    }
    for range in &given {
        range.parses(&rules::INF_018, report);
        range.is_canonical(&rules::INF_019, report);
        range.is_ipv6(&rules::INF_020, report);
    }
    are_apart(&given, &rules::INF_021, report);
}
