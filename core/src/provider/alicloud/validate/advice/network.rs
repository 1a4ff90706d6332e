//! Advice on zones, the VPC and elastic IPs.

use crate::cidr::Cidr;
use crate::collections::NameSet;
use crate::document::{PatchOperation, Value};
use crate::gardener::checks::node_ranges::warn_of_few_addresses;
use crate::gardener::shoot::nodes_by_zone;
use crate::gardener::types::worker::Worker;
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::rules::advice as rules;
use crate::provider::alicloud::validate::NETWORKS;
use crate::report::Report;

/// Addresses of a VSwitch that no node gets: the first and the last three. Source: Alibaba Cloud's
/// documentation of VSwitches.
const RESERVED_ADDRESSES: u128 = 4;

/// Looks at the network of a Shoot.
pub fn network(config: &InfrastructureConfig<'_>, create: bool, workers: &[Worker<'_>], report: &mut Report<'_>) {
    zones(config, report);
    vpc(config, create, report);
    node_ranges(config, workers, report);
}

fn zones(config: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("zones");
    let mut names = NameSet::new();
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let path = path.index(index);
        if !zone.worker.is_empty() {
            let worker = path.key("worker");
            let entry = report.warn(&rules::ADV_001, &worker, "the field is deprecated, use `workers`");
            if zone.workers.is_empty() {
                entry.fix(vec![
                    PatchOperation::add(path.key("workers").pointer(), &Value::string(zone.worker)),
                    PatchOperation::remove(worker.pointer()),
                ]);
            }
        }
        if zone.name.is_empty() {
            report.warn(&rules::ADV_002, &path.key("name"), "the zone has no name");
        } else if !names.insert(zone.name) {
            report.warn(&rules::ADV_003, &path.key("name"), format!("zone {} is listed before", zone.name));
        }
        if zone.cidr().is_empty() {
            report.warn(&rules::ADV_004, &path.key("workers"), "the zone has no address range for nodes");
        }
        if zone.ipv6_cidr_block.is_some() && !config.is_dual_stack() {
            report.warn(&rules::ADV_015, &path.key("ipv6CidrBlock"), "has no effect without dual-stack");
        }
    }
}

fn vpc(config: &InfrastructureConfig<'_>, create: bool, report: &mut Report<'_>) {
    let vpc = &config.networks.vpc;
    let path = NETWORKS.key("vpc");
    let managed = vpc.gardener_managed_nat_gateway;
    if vpc.id.is_some() && managed != Some(true) && create {
        let detail = "the NAT gateway of an existing VPC is yours to provide";
        report.warn(&rules::ADV_010, &path.key("id"), detail);
    }
    if vpc.cidr.is_some() && vpc.id.is_none() && managed.is_some() {
        let detail = "has no effect on a new VPC, whose NAT gateway is always managed";
        report.warn(&rules::ADV_016, &path.key("gardenerManagedNATGateway"), detail);
    }
}

fn node_ranges(config: &InfrastructureConfig<'_>, workers: &[Worker<'_>], report: &mut Report<'_>) {
    let wanted = nodes_by_zone(workers);
    let path = NETWORKS.key("zones");
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let (Some(cidr), Some(wanted)) = (Cidr::parse(zone.cidr()), wanted.get(zone.name)) else { continue };
        let path = path.index(index);
        let path = path.key(if zone.workers.is_empty() { "worker" } else { "workers" });
        warn_of_few_addresses(&rules::ADV_013, &cidr, RESERVED_ADDRESSES, *wanted, &path, report);
    }
}

/// Looks at a change of elastic IPs.
pub fn egress(new: &InfrastructureConfig<'_>, old: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("zones");
    for (index, (zone, before)) in new.networks.zones.iter().zip(&old.networks.zones).enumerate() {
        if zone.eip() == before.eip() {
            continue;
        }
        let detail = match (before.eip(), zone.eip()) {
            (None, _) => {
                "replaces the elastic IP that Gardener created, which is deleted for good; egress is interrupted"
            }
            (Some(_), None) => "releases your elastic IP for one that Gardener creates; egress is interrupted",
            (Some(_), Some(_)) => "replaces the elastic IP; egress is interrupted",
        };
        let path = path.index(index);
        report.warn(&rules::ADV_005, &path.key("natGateway").key("eipAllocationID"), detail);
    }
}
