//! Advice on the network of a Shoot.

use crate::cidr::Cidr;
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::node_ranges::warn_of_few_addresses;
use crate::gardener::shoot::{INFRASTRUCTURE, nodes, nodes_by_zone};
use crate::provider::azure::api::{InfrastructureConfig, NatGateway, PublicIp};
use crate::provider::azure::rules::advice as rules;
use crate::provider::azure::subnets::{RESERVED_ADDRESSES, SIZES};
use crate::provider::azure::validate::parts::Parts;
use crate::provider::azure::validate::{NETWORKS, STANDARD, WORKERS, ZONES, sku};
use crate::report::{Report, Severity};

/// Looks at the network of a Shoot.
pub fn network(new: &Parts<'_>, report: &mut Report<'_>) {
    let Some(config) = &new.infrastructure else { return };
    let networks = &config.networks;
    let pools = &new.manifest.shoot.spec.provider.workers;
    if let Some(workers) = networks.workers {
        subnet(workers, nodes(pools), &WORKERS, report);
    }
    let by_zone = nodes_by_zone(pools);
    for (index, zone) in networks.zones.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let wanted = by_zone.get(&zone.name.to_string()).copied().unwrap_or_default();
        subnet(zone.cidr, wanted, &ZONES.index(index).key("cidr"), report);
    }
    if let Some(gateway) = networks.nat_gateway.as_ref().filter(|gateway| gateway.enabled && config.zoned) {
        let zones: NameSet<'_> = pools.iter().flat_map(|pool| &pool.zones).copied().collect();
        one_zone(gateway, zones.len(), report);
    }
}

fn subnet(text: &str, wanted: u64, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(cidr) = Cidr::parse(text) else { return };
    let length = cidr.prefix_length();
    if length > SIZES.longest {
        let detail = format!("Azure creates no subnet smaller than a /{}, and this is a /{length}", SIZES.longest);
        report.warn(&rules::ADV_002, path, detail);
        return;
    }
    warn_of_few_addresses(&rules::ADV_001, &cidr, RESERVED_ADDRESSES, wanted, path, report);
}

/// A `Standard` gateway is in one zone.
fn one_zone(gateway: &NatGateway<'_>, zones: usize, report: &mut Report<'_>) {
    if sku(gateway.sku) == STANDARD && zones > 1 {
        let detail = format!("is in one zone, and worker pools are in {zones} zones");
        report.warn(&rules::ADV_003, &NETWORKS.key("natGateway"), detail);
    }
}

/// Looks at a change of the network.
pub fn change(new: &Parts<'_>, old: &Parts<'_>, report: &mut Report<'_>) {
    let (Some(now), Some(then)) = (&new.infrastructure, &old.infrastructure) else { return };
    if now.identity.map(|identity| (identity.name, identity.resource_group))
        != then.identity.map(|identity| (identity.name, identity.resource_group))
    {
        let detail = "changing the identity rolls the nodes of all worker pools";
        report.warn(&rules::ADV_015, &INFRASTRUCTURE.key("identity"), detail);
    }
    if then.networks.has_single_subnet() && !now.networks.has_single_subnet() {
        let detail = "rolls the nodes of all zones but the one that keeps the subnet";
        report.warn(&rules::ADV_014, &ZONES, detail);
    }
    if outgoing(now) != outgoing(then) {
        let detail = "changes the addresses from which nodes reach the internet, and drops connections";
        report.warn(&rules::ADV_004, &NETWORKS.key("natGateway"), detail);
    }
}

/// What decides from which addresses the nodes of one subnet reach the internet: whether there is a NAT gateway,
/// its zone and its addresses.
fn outgoing<'c, 'v>(config: &'c InfrastructureConfig<'v>) -> Option<(Option<i32>, &'c [PublicIp<'v>])> {
    let gateway = config.networks.nat_gateway.as_ref().filter(|gateway| gateway.enabled)?;
    Some((gateway.zone, gateway.ip_addresses.as_deref().unwrap_or_default()))
}
