//! VPC, VSwitches, NAT gateways and SNAT entries, IPv6 gateways.

use super::{KnownVpc, Observation};
use crate::collections::sorted;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::OnFailure;
use crate::plan::{is_pending, recorded_value};
use crate::policy::RequestError;
use crate::provider::alicloud::infrastructure::desired::ipv6;
use crate::provider::alicloud::infrastructure::steps::{
    IPV6_GATEWAYS, NAT_GATEWAYS, SNAT_ENTRIES, VPCS, VSWITCHES,
};
use crate::provider::alicloud::infrastructure::world::{
    Ipv6Gateway, NatGateway, Role, SnatEntry, VSwitch, Vpc, World,
};
use crate::provider::alicloud::infrastructure::{names, select};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::infrastructure_checks as rules;
use crate::provider::alicloud::tags::tags_of;

/// The place of the id of an existing VPC.
const VPC_ID: (&str, &str) = ("networks.vpc.id", "/networks/vpc/id");

impl Observation<'_, '_> {
    /// Reads the VPC; `None` while nobody knows whether it exists.
    pub fn vpc(&mut self, world: &mut World) -> Option<KnownVpc> {
        if let Some(id) = self.input.vpc() {
            if !self.input.is_delete() {
                world.vpc = self.vpc_of(id).and_then(|found| found.into_iter().next());
            }
            return Some(KnownVpc::Id(id.to_owned()));
        }
        let recorded = recorded_value(self.state, names::VPC);
        if let Some(id) = recorded {
            let found = self.vpc_of(id);
            if found.as_ref().is_none_or(|found| !found.is_empty()) {
                world.vpc = found.and_then(|found| found.into_iter().next());
                return Some(KnownVpc::Id(id.to_owned()));
            }
        }
        let found = self.facts.list(self.queries.tagged_vpc(), VPCS.list, None, vpc);
        let Some(found) = found else { return recorded.map(|id| KnownVpc::Id(id.to_owned())) };
        world.vpc = found.into_iter().next();
        let id = world.vpc.as_ref().map(|vpc| vpc.id.as_str()).or(recorded);
        Some(id.map_or(KnownVpc::Nothing, |id| KnownVpc::Id(id.to_owned())))
    }

    /// The VPC with an id, in a list that is empty where it does not exist; `None` while nobody has asked.
    fn vpc_of(&mut self, id: &str) -> Option<Vec<Vpc>> {
        let on_failure = OnFailure { rule: &rules::ICV_004, place: VPC_ID, doing: "validateVPC GetVpc", what: id };
        let on_failure = self.needed_by_rule(self.input.vpc().is_some(), on_failure);
        self.facts.list(self.queries.vpc(id), VPCS.list, on_failure, vpc)
    }

    pub fn vswitches(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let Some(KnownVpc::Id(vpc)) = vpc else { return };
        let judged = self.input.vpc().is_some() && self.input.is_create;
        let on_failure =
            OnFailure { rule: &rules::ICV_014, place: VPC_ID, doing: "FindVSwitchesByVPC", what: vpc };
        let on_failure = self.needed_by_rule(judged, on_failure);
        let query = queries::vswitches(self.input.region, vpc);
        world.vswitches = self.facts.list(query, VSWITCHES.list, on_failure, vswitch).unwrap_or_default();
    }

    pub fn nat_gateways(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let recorded = recorded_value(self.state, names::NAT_GATEWAY);
        let found = match vpc {
            None => None,
            Some(KnownVpc::Nothing) => Some(Vec::new()),
            Some(KnownVpc::Id(vpc)) => self.nat_gateways_of(vpc),
        };
        let is_managed = self.input.has_managed_nat_gateway();
        if is_managed && !self.input.is_delete() {
            world.nat_zones = self.nat_zones();
        }
        let used = match &found {
            None => recorded,
            Some(all) => select::nat_gateway(self.input, self.state, all).map(|gateway| gateway.id.as_str()),
        };
        match used {
            Some(id) => world.snat_entries = self.snat_entries(id),
            None if is_managed && !self.input.is_delete() => world.nat_role = self.nat_role(),
            None => {}
        }
        world.nat_gateways = found.unwrap_or_default();
    }

    fn nat_gateways_of(&mut self, vpc: &str) -> Option<Vec<NatGateway>> {
        let is_users = !self.input.has_managed_nat_gateway();
        let doing = "validateVPC FindNatGatewayByVPC";
        let on_failure =
            self.needed_by_rule(is_users, OnFailure { rule: &rules::ICV_006, place: VPC_ID, doing, what: vpc });
        let query = self.queries.nat_gateways(vpc);
        let read = |entry: &Entry<'_>| (nat_gateway(entry), entry.has("Tags"));
        let found = self.facts.list(query, NAT_GATEWAYS.list, on_failure, read)?;
        let unreported: Vec<String> =
            found.iter().filter(|(_, has_tags)| !has_tags).map(|(gateway, _)| gateway.id.clone()).collect();
        let mut all: Vec<_> = found.into_iter().map(|(gateway, _)| gateway).collect();
        // Not every version of the API shows tags, and without tags the gateway of another Shoot would look like
        // one that the person brings.
        let ids: Vec<&str> = unreported.iter().map(String::as_str).collect();
        for query in self.queries.nat_gateway_tags(&ids) {
            let doing = "validateVPC GetNatGatewayTags";
            let on_failure = self
                .needed_by_rule(is_users, OnFailure { rule: &rules::ICV_007, place: VPC_ID, doing, what: vpc });
            let owned = |text: &str| text.to_owned();
            let read = |entry: &Entry<'_>| {
                (owned(entry.id("ResourceId")), (owned(entry.id("TagKey")), owned(entry.text(&["TagValue"]))))
            };
            for (id, tag) in self.facts.list(query, "/TagResources/TagResource", on_failure, read)? {
                for gateway in all.iter_mut().filter(|gateway| gateway.id == id) {
                    gateway.tags.push(tag.clone());
                }
            }
        }
        for gateway in &mut all {
            gateway.tags = sorted(std::mem::take(&mut gateway.tags));
        }
        Some(all)
    }

    fn nat_zones(&mut self) -> Option<Vec<String>> {
        let on_failure =
            OnFailure { rule: &rules::ICV_017, place: ("", ""), doing: "list natgateway", what: "availableZones" };
        self.facts
            .list(self.queries.nat_zones(), "/Zones", Some(on_failure), |entry| entry.id("ZoneId").to_owned())
    }

    fn nat_role(&mut self) -> Option<Role> {
        let query = self.queries.nat_role();
        if self.facts.error_code(&query) == Some("EntityNotExist.Role") {
            return Some(Role::Missing);
        }
        let response = self.facts.response(&query, None)?;
        let entry = Entry::new(response);
        let is_linked = entry.flag(&["Role", "IsServiceLinkedRole"]);
        if !entry.has("Role") {
            self.facts.fail(RequestError::Fact { query: query.id, problem: "has no `Role` in its response" });
        } else if let Err(error) = entry.check(&query) {
            self.facts.fail(error);
        }
        Some(if is_linked { Role::ServiceLinked } else { Role::Other })
    }

    fn snat_entries(&mut self, nat_gateway: &str) -> Vec<SnatEntry> {
        let read = |entry: &Entry<'_>| SnatEntry {
            id: entry.id("SnatEntryId").to_owned(),
            name: entry.text(&["SnatEntryName"]).to_owned(),
            table: entry.id("SnatTableId").to_owned(),
            vswitch: entry.text(&["SourceVSwitchId"]).to_owned(),
            addresses: addresses(entry.text(&["SnatIp"])),
            status: entry.text(&["Status"]).to_owned(),
        };
        let query = self.queries.snat_entries(nat_gateway);
        self.facts.list(query, SNAT_ENTRIES.list, None, read).unwrap_or_default()
    }

    pub fn ipv6_gateways(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let Some(KnownVpc::Id(vpc)) = vpc else { return };
        let is_users = self.input.vpc().is_some();
        // Of a managed network also the gateway that a run created while the configuration asked for IPv6.
        let is_managed = !is_users
            && (self.input.is_dual_stack()
                || recorded_value(self.state, names::IPV6_GATEWAY).is_some()
                || is_pending(self.state, ipv6::ID));
        if !is_managed && (self.input.is_delete() || !self.input.is_dual_stack()) {
            return;
        }
        let doing = "validateVpcIPv6 FindIpv6GatewayByVPC";
        let on_failure =
            self.needed_by_rule(is_users, OnFailure { rule: &rules::ICV_012, place: VPC_ID, doing, what: vpc });
        let read = |entry: &Entry<'_>| Ipv6Gateway {
            id: entry.id("Ipv6GatewayId").to_owned(),
            name: entry.text(&["Name"]).to_owned(),
            status: entry.text(&["Status"]).to_owned(),
            tags: tags_of(entry),
        };
        let query = self.queries.ipv6_gateways(vpc);
        let found = self.facts.list(query, IPV6_GATEWAYS.list, on_failure, read);
        world.ipv6_gateways = found.unwrap_or_default();
    }
}

/// Addresses with commas between them, sorted.
fn addresses(text: &str) -> Vec<String> {
    sorted(text.split(',').map(str::trim).filter(|address| !address.is_empty()).map(str::to_owned).collect())
}

fn vpc(entry: &Entry<'_>) -> Vpc {
    Vpc {
        id: entry.id("VpcId").to_owned(),
        name: entry.text(&["VpcName"]).to_owned(),
        cidr: entry.text(&["CidrBlock"]).to_owned(),
        ipv6_cidr: entry.text(&["Ipv6CidrBlock"]).to_owned(),
        status: entry.text(&["Status"]).to_owned(),
        tags: tags_of(entry),
    }
}

fn vswitch(entry: &Entry<'_>) -> VSwitch {
    let queries::VSwitch { id, name, zone, cidr, ipv6_cidr, status, route_table } = queries::VSwitch::read(entry);
    VSwitch {
        id: id.to_owned(),
        name: name.to_owned(),
        zone: zone.to_owned(),
        cidr: cidr.to_owned(),
        ipv6_cidr: ipv6_cidr.to_owned(),
        status: status.to_owned(),
        route_table: route_table.to_owned(),
        tags: tags_of(entry),
    }
}

fn nat_gateway(entry: &Entry<'_>) -> NatGateway {
    NatGateway {
        id: entry.id("NatGatewayId").to_owned(),
        name: entry.text(&["Name"]).to_owned(),
        vswitch: entry.text(&["NatGatewayPrivateInfo", "VswitchId"]).to_owned(),
        status: entry.text(&["Status"]).to_owned(),
        snat_tables: entry.texts(&["SnatTableIds", "SnatTableId"]),
        addresses: entry.each(&["IpLists", "IpList"], |address| {
            (address.text(&["AllocationId"]).to_owned(), address.text(&["IpAddress"]).to_owned())
        }),
        tags: tags_of(entry),
    }
}
