//! Advice on the network of a Shoot.

use crate::cidr::{Cidr, Family};
use crate::document::Path;
use crate::gardener::checks::node_ranges::warn_of_few_addresses;
use crate::gardener::shoot::{Families, IN_INFRASTRUCTURE, nodes_by_zone};
use crate::gardener::types::worker::Worker;
use crate::provider::aws::api::{InfrastructureConfig, Networks};
use crate::provider::aws::rules::advice as rules;
use crate::provider::aws::subnets::{RESERVED_ADDRESSES, SIZES};
use crate::provider::aws::validate::{VPC, ZONES};
use crate::report::{Report, Severity};

/// Looks at the network of a Shoot.
pub fn network(
    config: &InfrastructureConfig<'_>,
    families: Families,
    create: bool,
    workers: &[Worker<'_>],
    report: &mut Report<'_>,
) {
    let networks = &config.networks;
    node_ranges(networks, workers, report);
    sizes(networks, report);
    if create && networks.vpc.id.is_some() && !networks.has_existing_subnets() {
        let detail = "Gardener creates subnets and gateways in your VPC, which has to be prepared";
        report.warn(&rules::ADV_003, &VPC.key("id"), detail);
    }
    // Pods and Services have IPv6 where the families ask for it.
    if config.dual_stack.is_some_and(|dual_stack| dual_stack.enabled) && !families.has_ipv6 {
        let path = IN_INFRASTRUCTURE.key("dualStack");
        let detail = "gives the VPC and its subnets IPv6, but neither pods nor Services";
        report.warn(&rules::ADV_005, &path.key("enabled"), detail);
    }
    if networks.vpc.id.is_none() && !networks.has_existing_subnets() {
        for (index, _) in networks.zones.iter().enumerate().filter(|(_, zone)| zone.public.is_none()) {
            if report.is_full(Severity::Warning) {
                return;
            }
            let detail = "the zone has no public subnet, and so no NAT gateway";
            report.warn(&rules::ADV_014, &ZONES.index(index).key("public"), detail);
        }
    }
}

fn node_ranges(networks: &Networks<'_>, workers: &[Worker<'_>], report: &mut Report<'_>) {
    let wanted = nodes_by_zone(workers);
    for (index, zone) in networks.zones.iter().enumerate() {
        let (Some(cidr), Some(wanted)) = (zone.workers.and_then(Cidr::parse), wanted.get(zone.name)) else {
            continue;
        };
        let path = ZONES.index(index);
        let path = path.key("workers");
        warn_of_few_addresses(&rules::ADV_001, &cidr, RESERVED_ADDRESSES, *wanted, &path, report);
    }
}

/// AWS creates subnets and VPCs of certain sizes only.
fn sizes(networks: &Networks<'_>, report: &mut Report<'_>) {
    size(networks.vpc.cidr, &VPC.key("cidr"), report);
    for (index, zone) in networks.zones.iter().enumerate() {
        let path = ZONES.index(index);
        for (key, text) in zone.ranges() {
            size(text, &path.key(key), report);
        }
    }
}

fn size(text: Option<&str>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(cidr) = text.and_then(Cidr::parse).filter(|cidr| cidr.family() == Family::IPv4) else { return };
    let length = cidr.prefix_length();
    if SIZES.nearest(length) != length {
        let (shortest, longest) = (SIZES.shortest, SIZES.longest);
        let detail = format!("AWS creates no /{length}, only ranges from /{shortest} to /{longest}");
        report.warn(&rules::ADV_002, path, detail);
    }
}

/// Looks at a change of Elastic IPs.
pub fn egress(new: &InfrastructureConfig<'_>, old: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    for (index, (zone, before)) in new.networks.zones.iter().zip(&old.networks.zones).enumerate() {
        if zone.elastic_ip_allocation_id != before.elastic_ip_allocation_id {
            let path = ZONES.index(index);
            let detail = "replaces the NAT gateway of the zone; egress is interrupted";
            report.warn(&rules::ADV_004, &path.key("elasticIPAllocationID"), detail);
        }
    }
}
