//! Route entries, the system's own of each route table and custom ones: `CreateRouteEntry`, `ModifyRouteEntry`,
//! `DeleteRouteEntry`. Reads are in [`describe`].

pub mod describe;
mod system;

use std::time::Duration;

use ipnet::IpNet;
use serde_json::{Value, json};

use super::errors::{ROUTE_TABLE_NOT_FOUND, VPC_STATUS};
use super::{DESCRIPTION, NAME};
use crate::action::{
    Action, Arguments, BOOLEAN, Call, CloudError, ErrorCode, Form, Rule, Shape, TEXT, TOKEN, common, field,
    optional, required,
};
use crate::resource::{Phase, Status};
use crate::settings::Quota;
use crate::world::vpc::{RouteEntry, State};
use crate::world::{Region, World};

pub(super) use system::{add_default, add_local, add_system, leave_local, leave_next_hop, service_block};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, MODIFY, DELETE];

/// Custom entries of one table.
/// <https://www.alibabacloud.com/help/en/vpc/user-guide/vpc-quotas>
pub(super) const QUOTA: Quota = Quota::new("routeEntries", 200);
const QUOTA_EXCEEDED: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded", "Route entry quota exceeded in this route table.");

const NOT_FOUND: ErrorCode = ErrorCode::new(400, "InvalidRouteEntry.NotFound", "Route entry not exists.");
const CIDR_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidCidrBlock.Malformed", "Specified CIDR block is not valid.");
const CIDR_DUPLICATE: ErrorCode =
    ErrorCode::new(400, "InvalidCIDRBlock.Duplicate", "Specified CIDR block is already exists.");
const HOP_TYPE: ErrorCode =
    ErrorCode::new(400, "InvalidNextHopType", "Specified parameter \"NextHopType\" is not valid");
const HOP_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidNextHopId.NotFound", "Specified next hop does not exist.");
const HOP_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectInstanceStatus", "Current instance status does not support this operation.");
const IS_SYSTEM: ErrorCode =
    ErrorCode::new(400, "OperationDenied", "Specified operation is denied as route entry type is system.");
pub(super) const BLOCKED: ErrorCode =
    ErrorCode::new(400, "IncorrectRouteEntryStatus", "Some route entry status blocked this operation.");

/// A table is changed by one call at a time.
fn blocked(state: &State, table: &str) -> Result<(), CloudError> {
    let mut entries = state.route_entries.iter();
    let busy = |entry: &RouteEntry| entry.route_table_id == table && entry.entry_type == RouteEntry::CUSTOM;
    if entries.any(|entry| busy(entry) && entry.phase.due().is_some()) { Err((&BLOCKED).into()) } else { Ok(()) }
}

/// The destination of a route: a block of either family.
const DESTINATION: Form = Form::Text(&Rule {
    what: "an IPv4 or IPv6 CIDR block without host bits, such as 10.0.0.0/16",
    check: |text| text.parse::<IpNet>().is_ok_and(|net| net.trunc() == net),
});

fn destination(arguments: &Arguments) -> Option<IpNet> {
    arguments.given("DestinationCidrBlock")?.parse().ok()
}

const INSTANCE: &str = "Instance";
const INTERFACE: &str = "NetworkInterface";
const NAT_GATEWAY: &str = "NatGateway";
const IPV6_GATEWAY: &str = "IPv6Gateway";
const HOPS: Form = Form::OneOf(&[INSTANCE, INTERFACE, NAT_GATEWAY, IPV6_GATEWAY]);

/// Refuses a next hop that is not in a network, not ready, or not for a family of addresses.
fn check_hop(region: &Region, vpc_id: &str, destination: &IpNet, kind: &str, id: &str) -> Result<(), CloudError> {
    let fits = match destination {
        IpNet::V4(_) => kind != IPV6_GATEWAY,
        IpNet::V6(_) => kind != NAT_GATEWAY,
    };
    if !fits {
        return Err((&HOP_TYPE).into());
    }
    let instances = &region.ecs.instances;
    let (hop_vpc, ready) = match kind {
        NAT_GATEWAY => region.vpc.nat_gateways.get(id).map(|gateway| (&gateway.vpc_id, available(&gateway.phase))),
        IPV6_GATEWAY => {
            region.vpc.ipv6_gateways.get(id).map(|gateway| (&gateway.vpc_id, available(&gateway.phase)))
        }
        INTERFACE => {
            let mut of = instances.iter().filter(|instance| instance.network_interface_id == id);
            of.next().map(|instance| (&instance.vpc_id, !instance.phase.leaving()))
        }
        _ => instances.get(id).map(|instance| (&instance.vpc_id, !instance.phase.leaving())),
    }
    .ok_or(&HOP_NOT_FOUND)?;
    if hop_vpc != vpc_id {
        return Err((&HOP_NOT_FOUND).into());
    }
    if ready { Ok(()) } else { Err((&HOP_STATUS).into()) }
}

fn available(phase: &Phase) -> bool {
    phase.status == Status::Available
}

const CREATE: Action = Action::write("CreateRouteEntry", create)
    .parameters(&[
        optional("RegionId", TEXT),
        required("RouteTableId", TEXT),
        required("DestinationCidrBlock", DESTINATION).malformed(&CIDR_MALFORMED),
        optional("NextHopType", HOPS).or(INSTANCE).malformed(&HOP_TYPE),
        optional("NextHopId", TEXT),
        optional("RouteEntryName", NAME),
        optional("Description", DESCRIPTION),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["NextHopList"])
    .answer(&[field("RouteEntryId", Shape::Text)])
    .errors(&[
        &ROUTE_TABLE_NOT_FOUND,
        &VPC_STATUS,
        &CIDR_MALFORMED,
        &CIDR_DUPLICATE,
        &HOP_TYPE,
        &HOP_NOT_FOUND,
        &HOP_STATUS,
        &BLOCKED,
        &QUOTA_EXCEEDED,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(3));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let table = region.vpc.route_tables.get(call.text("RouteTableId")).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    let vpc = region.vpc.vpcs.get(&table.vpc_id).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    if vpc.phase.status != Status::Available || table.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    let destination = destination(call).ok_or(&CIDR_MALFORMED)?;
    if IpNet::V4(service_block()).contains(&destination) {
        return Err((&CIDR_MALFORMED).into());
    }
    let Some(next_hop_id) = call.given("NextHopId") else {
        return Err(CloudError::not_supplied("NextHopId"));
    };
    check_hop(region, &vpc.vpc_id, &destination, call.text("NextHopType"), next_hop_id)?;
    let in_table = |entry: &&RouteEntry| entry.route_table_id == table.route_table_id;
    let mut entries = region.vpc.route_entries.iter().filter(in_table);
    if entries.any(|entry| entry.destination_cidr_block == destination) {
        return Err((&CIDR_DUPLICATE).into());
    }
    blocked(&region.vpc, &table.route_table_id)?;
    let custom = region.vpc.custom_route_entries_of(&vpc.vpc_id).filter(in_table).count();
    call.within(&QUOTA, custom, &QUOTA_EXCEEDED)?;

    let entry = RouteEntry {
        route_entry_id: world.id("rte-"),
        route_entry_name: call.text("RouteEntryName").to_owned(),
        description: call.text("Description").to_owned(),
        route_table_id: call.text("RouteTableId").to_owned(),
        destination_cidr_block: destination,
        next_hop_type: call.text("NextHopType").to_owned(),
        next_hop_id: next_hop_id.to_owned(),
        entry_type: RouteEntry::CUSTOM.to_owned(),
        phase: call.turn(Status::Pending, call.takes(), Status::Available),
    };
    let id = entry.route_entry_id.clone();
    world.region_mut(call).vpc.route_entries.insert(entry);
    Ok(json!({ "RouteEntryId": id }))
}

/// The entry that a call names, by its identifier or by table and destination. It is a custom one, and ready.
fn named<'a>(state: &'a State, call: &Call<'_>) -> Result<&'a RouteEntry, CloudError> {
    let table = call.given("RouteTableId");
    if table.is_some_and(|table| state.route_tables.get(table).is_none()) {
        return Err((&ROUTE_TABLE_NOT_FOUND).into());
    }
    let in_table = |entry: &&RouteEntry| table.is_none_or(|table| table == entry.route_table_id);
    let entry = match (call.given("RouteEntryId"), destination(call)) {
        (Some(id), None) => state.route_entries.get(id).filter(in_table),
        (None, Some(destination)) if table.is_some() => {
            let mut entries = state.route_entries.iter().filter(in_table);
            entries.find(|entry| entry.destination_cidr_block == destination)
        }
        (Some(_), Some(_)) => {
            return Err(
                common::INVALID_PARAMETER.because("RouteEntryId and DestinationCidrBlock exclude each other.")
            );
        }
        (None, _) => {
            return Err(common::MISSING_PARAMETER
                .because("RouteEntryId or both of RouteTableId and DestinationCidrBlock must be supplied."));
        }
    };
    let entry = entry.ok_or(&NOT_FOUND)?;
    if entry.entry_type == RouteEntry::SYSTEM {
        return Err((&IS_SYSTEM).into());
    }
    blocked(state, &entry.route_table_id)?;
    Ok(entry)
}

const MODIFY: Action = Action::write("ModifyRouteEntry", modify)
    .parameters(&[
        required("RegionId", TEXT),
        optional("RouteEntryId", TEXT),
        optional("RouteTableId", TEXT),
        optional("DestinationCidrBlock", DESTINATION).malformed(&CIDR_MALFORMED),
        optional("RouteEntryName", NAME),
        optional("Description", DESCRIPTION),
        optional("NewNextHopType", HOPS).malformed(&HOP_TYPE),
        optional("NewNextHopId", TEXT),
        optional("DryRun", BOOLEAN),
    ])
    .errors(&[
        &ROUTE_TABLE_NOT_FOUND,
        &NOT_FOUND,
        &CIDR_MALFORMED,
        &IS_SYSTEM,
        &BLOCKED,
        &HOP_TYPE,
        &HOP_NOT_FOUND,
        &HOP_STATUS,
    ])
    .through(&[Status::Modifying, Status::Available])
    .takes(Duration::from_secs(3));

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let mut entry = named(&region.vpc, call)?.clone();
    let vpc_id = region.vpc.route_tables.get(&entry.route_table_id).map_or("", |table| table.vpc_id.as_str());
    match (call.given("NewNextHopType"), call.given("NewNextHopId")) {
        (kind, Some(id)) => {
            let kind = kind.unwrap_or(&entry.next_hop_type).to_owned();
            check_hop(region, vpc_id, &entry.destination_cidr_block, &kind, id)?;
            entry.next_hop_type = kind;
            id.clone_into(&mut entry.next_hop_id);
            entry.phase = call.turn(Status::Modifying, call.takes(), Status::Available);
        }
        (Some(_), None) => {
            return Err(CloudError::not_supplied("NewNextHopId"));
        }
        (None, None) => {}
    }
    if let Some(name) = call.given("RouteEntryName") {
        name.clone_into(&mut entry.route_entry_name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut entry.description);
    }

    if let Some(kept) = world.region_mut(call).vpc.route_entries.get_mut(&entry.route_entry_id) {
        *kept = entry.clone();
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteRouteEntry", delete)
    .parameters(&[
        optional("RegionId", TEXT),
        optional("RouteEntryId", TEXT),
        optional("RouteTableId", TEXT),
        optional("DestinationCidrBlock", DESTINATION).malformed(&CIDR_MALFORMED),
        optional("NextHopId", TEXT),
        optional("DryRun", BOOLEAN),
    ])
    .left_out(&["NextHopList"])
    .errors(&[&ROUTE_TABLE_NOT_FOUND, &NOT_FOUND, &CIDR_MALFORMED, &IS_SYSTEM, &BLOCKED])
    .through(&[Status::Pending])
    .takes(Duration::from_secs(3));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let entry = named(&world.region(call).vpc, call)?;
    if call.given("NextHopId").is_some_and(|id| id != entry.next_hop_id) {
        return Err((&NOT_FOUND).into());
    }

    let id = entry.route_entry_id.clone();
    if let Some(entry) = world.region_mut(call).vpc.route_entries.get_mut(&id) {
        entry.phase = call.leave(Status::Pending, call.takes());
    }
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
