//! What a configuration needs of the cloud (ALI-ICV). The policy checks it before every plan that creates or
//! updates.

use super::input::Input;
use super::names::{self, are_gardeners};
use super::world::{VSwitch, World};
use crate::cidr::Cidr;
use crate::document::Path;
use crate::plan::recorded_value;
use crate::policy::{PlanOperation, State};
use crate::provider::alicloud::rules::infrastructure_checks as rules;
use crate::report::{ErrorType, Finding, Report, Rule};

/// Checks what the configuration needs; the findings forbid a plan.
pub fn check(input: &Input<'_>, world: &World, state: &State) -> Vec<Finding> {
    if matches!(input.operation, PlanOperation::Delete | PlanOperation::Migrate) {
        return Vec::new();
    }
    let networks = input.pointer("/networks");
    let mut check = Check {
        input,
        world,
        state,
        networks: Path::root("networks", &networks),
        report: Report::new(input.request.document()),
    };
    if let Some(id) = input.vpc() {
        check.vpc(id);
    }
    if input.has_managed_nat_gateway() {
        check.nat_zone();
    }
    check.eips();
    check.report.into_parts().0
}

struct Check<'c> {
    input: &'c Input<'c>,
    world: &'c World,
    state: &'c State,
    networks: Path<'c>,
    report: Report<'c>,
}

impl Check<'_> {
    fn vpc(&mut self, id: &str) {
        let vpc_path = self.networks.key("vpc");
        let path = vpc_path.key("id");
        let mut error = |rule: &'static Rule, error_type, detail: &str| {
            self.report.error(rule, &path, error_type, detail);
        };
        let Some(vpc) = &self.world.vpc else {
            return error(&rules::ICV_005, ErrorType::NotFound, "");
        };
        if !self.input.has_managed_nat_gateway() {
            let users = self.world.nat_gateways.iter().filter(|gateway| !are_gardeners(&gateway.tags)).count();
            match users {
                0 => error(&rules::ICV_008, ErrorType::Invalid, "no user natgateway found"),
                1 => {}
                _ => error(&rules::ICV_009, ErrorType::Invalid, "more than one user natgateway found"),
            }
        }
        if self.input.is_dual_stack() {
            if vpc.ipv6_cidr.is_empty() {
                let detail =
                    "VPC does not have IPv6 enabled; please enable IPv6 on the VPC before using dualStack";
                error(&rules::ICV_011, ErrorType::Invalid, detail);
            } else if self.world.ipv6_gateways.is_empty() {
                let detail = "VPC does not have an IPv6 Gateway; please create one before using dualStack";
                error(&rules::ICV_013, ErrorType::Invalid, detail);
            }
        }
        if self.input.is_create {
            self.neighbours(id);
        }
    }

    /// Checks the other Shoots and VSwitches of the VPC in which the plan will create the network.
    fn neighbours(&mut self, vpc: &str) {
        let vpc_path = self.networks.key("vpc");
        let own = self.input.names().cluster_tag();
        let is_others = |vswitch: &VSwitch| {
            vswitch.tags.iter().any(|(key, _)| key.starts_with(names::CLUSTER_TAG_PREFIX) && *key != own)
        };
        if self.input.has_managed_nat_gateway()
            && !self.input.has_custom_route_table()
            && self.world.vswitches.iter().any(is_others)
        {
            let detail = "useCustomRouteTable must be true when gardenerManagedNATGateway is true and the VPC already \
                          contains other Gardener-managed shoots";
            let path = vpc_path.key("useCustomRouteTable");
            let entry = self.report.error(&rules::ICV_015, &path, ErrorType::Required, detail);
            entry.fix_value(&crate::document::Value::Bool(true));
        }
        let zones = self.networks.key("zones");
        let others: Vec<&VSwitch> = self.world.vswitches.iter().filter(|vswitch| !self.is_ours(vswitch)).collect();
        for (index, zone) in self.input.config.networks.zones.iter().enumerate() {
            let Some(cidr) = Cidr::parse(zone.cidr()) else { continue };
            let zone_path = zones.index(index);
            for vswitch in &others {
                if Cidr::parse(&vswitch.cidr).is_some_and(|range| range.overlaps(&cidr)) {
                    let detail =
                        format!("conflicts with existing vswitch {} ({}) in VPC {vpc}", vswitch.id, vswitch.cidr);
                    // The field always ends in `.workers`, also where the range was written as `worker`.
                    let field = zone_path.key("workers").field();
                    let pointer =
                        zone_path.key(if zone.workers.is_empty() { "worker" } else { "workers" }).pointer();
                    let path = Path::root(&field, &pointer);
                    self.report.error(&rules::ICV_016, &path, ErrorType::Invalid, detail);
                }
            }
        }
    }

    /// Whether an earlier attempt created a VSwitch: the state records it, it has the Shoot's tag, or it has the
    /// Shoot's name and no tag of any Shoot, as a crash leaves it. The VSwitch of a neighbour whose name begins
    /// like the Shoot's is not ours.
    fn is_ours(&self, vswitch: &VSwitch) -> bool {
        let names = self.input.names();
        let recorded = recorded_value(self.state, &names::zone_key(&vswitch.zone, "VSwitch"));
        recorded == Some(vswitch.id.as_str())
            || names.are_ours(&vswitch.tags)
            || (vswitch.name == names.name(&format!("{}-vsw", vswitch.zone)) && !are_gardeners(&vswitch.tags))
    }

    /// Checks the first zone, in which the plan creates the NAT gateway.
    fn nat_zone(&mut self) {
        let zones = self.networks.key("zones");
        let Some(first) = self.input.zones.first() else {
            let detail = "must specify at least the network for one zone";
            self.report.error(&rules::ICV_018, &zones, ErrorType::Required, detail);
            return;
        };
        let Some(offered) = &self.world.nat_zones else { return };
        if offered.iter().all(|zone| zone != first.name) {
            let detail = format!(
                "zone {} does not support enhance natgateway, please use following zones: {}",
                first.name,
                offered.join(" ")
            );
            let zone = zones.index(first.index);
            self.report.error(&rules::ICV_018, &zone.key("name"), ErrorType::Forbidden, detail);
        }
    }

    fn eips(&mut self) {
        let mut seen: Vec<&str> = Vec::new();
        let zones = self.networks.key("zones");
        for (index, zone) in self.input.config.networks.zones.iter().enumerate() {
            let Some(id) = zone.eip() else { continue };
            let zone_path = zones.index(index);
            let gateway = zone_path.key("natGateway");
            let pointer = gateway.key("eipAllocationID").pointer();
            let path = Path::root("networks.zones[].natGateway.eipAllocationID", &pointer);
            if seen.contains(&id) {
                let detail = format!("Duplicate EIP Allocation ID {id}");
                self.report.error(&rules::ICV_021, &path, ErrorType::Forbidden, detail);
                continue;
            }
            seen.push(id);
            if self.world.eips.iter().all(|eip| eip.id != id) {
                self.report.error(&rules::ICV_020, &path, ErrorType::NotFound, "").remedy(format!(
                    "Allocate the elastic IP `{id}` in the Shoot's region and account, or name one that is there."
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
