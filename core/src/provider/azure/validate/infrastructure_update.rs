//! Changes of a Shoot's network (AZ-INFU).

use super::infrastructure::{NETWORKS, VNET, WORKERS, ZONES, sku};
use crate::cidr::Cidr;
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::restored;
use crate::gardener::shoot::{INFRASTRUCTURE, Manifest};
use crate::gardener::types::worker::Worker;
use crate::provider::azure::api::{InfrastructureConfig, Networks, Vnet, Zone};
use crate::provider::azure::rules::infrastructure_update as rules;
use crate::report::{ErrorType, Report, Rule};

/// Judges a change. `before` is the old Shoot.
pub fn validate(
    new: &InfrastructureConfig<'_>,
    old: &InfrastructureConfig<'_>,
    before: &Manifest<'_>,
    report: &mut Report<'_>,
) {
    let object = before.object;
    let (now, then) = (&new.networks, &old.networks);
    if new.resource_group != old.resource_group {
        restored(&rules::INFU_001, &INFRASTRUCTURE.key("resourceGroup"), object, report);
    }
    if now.workers.is_some() && then.workers.is_some() && now.workers != then.workers {
        restored(&rules::INFU_002, &WORKERS, object, report);
    }
    if before.shoot.spec.provider.workers.iter().any(Worker::updates_in_place) {
        in_place(new, old, report);
    }
    layout(now, then, object, report);
    if new.zoned != old.zoned {
        restored(&rules::INFU_010, &INFRASTRUCTURE.key("zoned"), object, report);
    }
    vnet(&now.vnet, &then.vnet, object, report);
    if let (Some(gateway), Some(former)) = (&now.nat_gateway, &then.nat_gateway) {
        let path = NETWORKS.key("natGateway");
        keeps_sku(&rules::INFU_014, [gateway.sku, former.sku], &path, report);
    }
    for (index, zone, former) in same_zones(now, then) {
        if let (Some(gateway), Some(former)) = (&zone.nat_gateway, &former.nat_gateway) {
            let path = ZONES.index(index);
            keeps_sku(&rules::INFU_015, [gateway.sku, former.sku], &path.key("natGateway"), report);
        }
    }
}

/// A pool that is updated in place keeps its machines, which have the identity and the subnet that they were
/// created with.
fn in_place(new: &InfrastructureConfig<'_>, old: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    for &(rule, path, differs) in &[
        (&rules::INFU_003, INFRASTRUCTURE.key("identity"), new.identity != old.identity),
        (&rules::INFU_004, ZONES, new.networks.zones != old.networks.zones),
    ] {
        if differs {
            let detail = "field is immutable when there is a worker with in-place update strategy";
            report.error(rule, &path, ErrorType::Invalid, detail);
        }
    }
}

/// The zones that both networks have, each with its index in the new one.
fn same_zones<'c, 'v>(
    now: &'c Networks<'v>,
    then: &'c Networks<'v>,
) -> impl Iterator<Item = (usize, &'c Zone<'v>, &'c Zone<'v>)> {
    now.zones.iter().enumerate().filter_map(|(index, zone)| {
        Some((index, zone, then.zones.iter().find(|former| former.name == zone.name)?))
    })
}

/// One subnet, or one a zone.
fn layout(now: &Networks<'_>, then: &Networks<'_>, before: &Value<'_>, report: &mut Report<'_>) {
    match (then.has_single_subnet(), now.has_single_subnet()) {
        (false, false) => {
            if now.zones.len() < then.zones.len() {
                let detail = "removing zones is not allowed";
                report.error(&rules::INFU_005, &ZONES, ErrorType::Forbidden, detail);
            }
            for (index, zone, former) in same_zones(now, then) {
                if zone.cidr != former.cidr {
                    let path = ZONES.index(index);
                    report
                        .error(&rules::INFU_006, &path.key("cidr"), ErrorType::Invalid, "field is immutable")
                        .fix_value(&Value::string(former.cidr));
                }
            }
        }
        (false, true) => {
            let detail = "updating the infrastructure configuration from using dedicated subnets per zone to using \
                          single subnet is not allowed";
            // The existing extension leaves out the last letter.
            let path = NETWORKS.renamed("workers", "worker");
            report.error(&rules::INFU_007, &path, ErrorType::Forbidden, detail);
        }
        (true, false) => {
            // An old network without a range is none that a zone could take over.
            if let Some(range) = then.workers
                && now.zones.iter().all(|zone| zone.cidr != range)
            {
                let detail = "when updating InfrastructureConfig to use dedicated subnets per zones, the CIDR for one \
                              of the zones must match that of the previous config.networks.workers";
                report
                    .error(&rules::INFU_008, &ZONES, ErrorType::Forbidden, detail)
                    .remedy(format!("Give the zone that keeps the subnet the range `{range}`."));
            }
        }
        (true, true) => {
            if now.workers != then.workers {
                restored(&rules::INFU_009, &WORKERS, before, report);
            }
        }
    }
}

fn vnet(now: &Vnet<'_>, then: &Vnet<'_>, before: &Value<'_>, report: &mut Report<'_>) {
    let is_existing = then.name.is_some() && then.resource_group.is_some();
    let is_default = then.name.is_none() && then.resource_group.is_none() && then.cidr.is_none();
    if is_existing || is_default {
        for (key, differs) in
            [("name", now.name != then.name), ("resourceGroup", now.resource_group != then.resource_group)]
        {
            if differs {
                restored(&rules::INFU_011, &VNET.key(key), before, report);
            }
        }
        return;
    }
    let Some(range) = then.cidr else { return };
    let path = VNET.key("cidr");
    let (rule, detail) = match now.cidr {
        None => (&rules::INFU_012, "vnet cidr need to be specified"),
        Some(wider) => {
            let (Some(wider), Some(narrower)) = (Cidr::parse(wider), Cidr::parse(range)) else { return };
            if wider.contains(&narrower) {
                return;
            }
            (&rules::INFU_013, "VNet CIDR blocks can only be expanded")
        }
    };
    report
        .error(rule, &path, ErrorType::Invalid, detail)
        .remedy(format!("Write `{range}`, or a range that holds it."))
        .fix_value(&Value::string(range));
}

fn keeps_sku(rule: &'static Rule, skus: [Option<&str>; 2], path: &Path<'_>, report: &mut Report<'_>) {
    let [now, then] = skus.map(sku);
    if now != then {
        let detail = "changing the NAT Gateway SKU is not allowed as it requires recreation of the NAT Gateway and \
                      causes outbound connectivity disruption";
        report.error(rule, &path.key("sku"), ErrorType::Invalid, detail).fix_value(&Value::string(then));
    }
}
