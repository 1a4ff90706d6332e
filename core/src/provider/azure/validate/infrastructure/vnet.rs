//! The virtual network (AZ-INF-030…065).

use super::{ClusterRanges, VNET, WORKERS, ZONES, lies_in};
use crate::gardener::checks::cidr::PlacedRange;
use crate::provider::azure::api::{InfrastructureConfig, Networks};
use crate::provider::azure::resource_id::ResourceId;
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::validate::names::{self, RESOURCE, RESOURCE_GROUP};
use crate::report::{ErrorType, Report};

/// Judges the virtual network: an existing one, one with a range, or one with the range of the workers.
pub fn validate(config: &InfrastructureConfig<'_>, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let networks = &config.networks;
    let vnet = &networks.vnet;
    if vnet.name.is_some() != vnet.resource_group.is_some() {
        let detail = "vnet name and resource group need to be specified together";
        report.error(&rules::INF_030, &VNET, ErrorType::Invalid, detail);
        return;
    }
    if let Some(id) = vnet.ddos_protection_plan_id
        && !ddos_protection_plan(id, report)
    {
        return;
    }
    match (vnet.name, vnet.resource_group, vnet.cidr) {
        (Some(name), Some(group), _) => existing(config, name, group, report),
        (_, _, Some(cidr)) => with_range(networks, cidr, cluster, report),
        _ => with_range_of_workers(networks, cluster, report),
    }
}

/// Judges the id of a DDoS protection plan. Of an id that nobody can read, the existing extension judges nothing
/// more.
fn ddos_protection_plan(id: &str, report: &mut Report<'_>) -> bool {
    let path = VNET.key("ddosProtectionPlanID");
    match ResourceId::parse(id) {
        Err(error) => {
            let detail = format!("invalid DDoS protection plan ID: {error}");
            report.error(&rules::INF_031, &path, ErrorType::Invalid, detail);
            false
        }
        Ok(id) => {
            names::resource_id(&rules::INF_032, &id, &path, report);
            report.text(&rules::INF_033, &path, id.name, &RESOURCE);
            true
        }
    }
}

fn existing(config: &InfrastructureConfig<'_>, name: &str, group: &str, report: &mut Report<'_>) {
    let (of_name, of_group) = (VNET.key("name"), VNET.key("resourceGroup"));
    for &(rule, path, text, detail) in &[
        (&rules::INF_040, &of_name, name, "the vnet name must not be empty if specifying an existing vnet"),
        (
            &rules::INF_041,
            &of_group,
            group,
            "the vnet resource group must not be empty if specifying an existing vnet",
        ),
    ] {
        if text.is_empty() {
            report.error(rule, path, ErrorType::Required, detail);
        }
    }
    report.text(&rules::INF_042, &of_group, group, &RESOURCE_GROUP);
    report.text(&rules::INF_043, &of_name, name, &names::VNET);
    let vnet = &config.networks.vnet;
    if vnet.cidr.is_some() {
        let detail = "specifying a cidr for an existing vnet is not possible";
        report.error(&rules::INF_044, &VNET.key("cidr"), ErrorType::Invalid, detail).fix_removal();
    }
    if config.resource_group.is_some_and(|own| own.name == group) {
        let detail = "the vnet resource group must not be the same as the cluster resource group";
        report.error(&rules::INF_045, &of_group, ErrorType::Invalid, detail);
    }
    if vnet.ddos_protection_plan_id.is_some() {
        let detail = "cannot assign a ddos protection plan to a vnet not managed by Gardener";
        let path = VNET.key("ddosProtectionPlanID");
        report.error(&rules::INF_046, &path, ErrorType::Forbidden, detail).fix_removal();
    }
}

/// Without a range of its own, the virtual network has the range of the workers.
fn with_range_of_workers(networks: &Networks<'_>, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let Some(workers) = networks.workers else {
        let detail = "a vnet cidr or vnet reference must be specified when the workers field is not set";
        report.error(&rules::INF_050, &VNET.key("cidr"), ErrorType::Forbidden, detail);
        return;
    };
    let workers = PlacedRange::new(WORKERS, workers);
    if let Some(nodes) = &cluster.nodes {
        lies_in(nodes, Some(&workers), &rules::INF_051, report);
    }
    for range in cluster.inner() {
        range.is_apart_from(&workers, &rules::INF_052, report);
    }
}

fn with_range(networks: &Networks<'_>, cidr: &str, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let vnet = PlacedRange::new(VNET.key("cidr"), cidr);
    vnet.parses(&rules::INF_060, report);
    vnet.is_canonical(&rules::INF_061, report);
    if let Some(nodes) = &cluster.nodes {
        lies_in(nodes, Some(&vnet), &rules::INF_062, report);
    }
    for range in cluster.inner() {
        range.is_apart_from(&vnet, &rules::INF_063, report);
    }
    if let Some(workers) = networks.workers {
        let workers = PlacedRange::new(WORKERS, workers);
        lies_in(&workers, Some(&vnet), &rules::INF_064, report);
    }
    for (index, zone) in networks.zones.iter().enumerate() {
        let path = ZONES.index(index);
        lies_in(&PlacedRange::new(path.key("cidr"), zone.cidr), Some(&vnet), &rules::INF_065, report);
    }
}
