//! Route tables: the system's own of a network, and custom ones.

mod association;

use std::time::Duration;

use ipnet::IpNet;
use serde_json::{Value, json};

use super::errors::{ROUTE_TABLE_NOT_FOUND, VPC_NOT_FOUND, VPC_STATUS};
use super::{DESCRIPTION, NAME, owner, route_entries};
use crate::action::{
    Action, COUNT, Call, CloudError, ErrorCode, Form, Shape, TAG_FILTER, TAG_SHAPE, TAGS, TEXT, TOKEN, field,
    items, optional, page, record, required,
};
use crate::resource::{Phase, Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::vpc::{RouteTable, State, VSwitch};

/// The actions of this file.
pub const ACTIONS: &[Action] =
    &[CREATE, DESCRIBE, MODIFY, association::ASSOCIATE, association::UNASSOCIATE, DELETE];

/// Custom route tables of one VPC.
/// <https://www.alibabacloud.com/help/en/vpc/user-guide/vpc-quotas>
pub(super) const QUOTA: Quota = Quota::new("routeTables", 9);
const QUOTA_EXCEEDED: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded.RouteTable", "VPC RouteTable quota exceeded.");

const STATUS: ErrorCode = ErrorCode::new(
    404,
    "IncorrectRouteTableStatus",
    "The current status of the route table does not support this operation.",
);
const NAME_MALFORMED: ErrorCode = ErrorCode::new(
    400,
    "InvalidParameter.RouteTableName.Malformed",
    "The specified route table name is not valid.",
);
const DESCRIPTION_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.Description.Malformed", "The specified Description is not valid.");

/// Adds the system route table of a new network, and gives its identifier.
pub(super) fn add_system(world: &mut World, call: &Call<'_>, vpc_id: &str, phase: &Phase) -> String {
    let table = RouteTable {
        route_table_id: world.id("vtb-"),
        route_table_name: String::new(),
        description: String::new(),
        vpc_id: vpc_id.to_owned(),
        route_table_type: RouteTable::SYSTEM.to_owned(),
        creation_time: call.time(),
        tags: Tags::default(),
        phase: phase.clone(),
    };
    add(world, call, table)
}

/// Adds a route table with the entries that every table has: one to the cloud's services, and one to each VSwitch
/// that stays.
fn add(world: &mut World, call: &Call<'_>, table: RouteTable) -> String {
    let RouteTable { route_table_id: id, vpc_id, phase, .. } = table.clone();
    let state = &mut world.region_mut(call).vpc;
    state.route_tables.insert(table);
    let vswitches = state.vswitches.iter().filter(|vswitch| vswitch.vpc_id == vpc_id && !vswitch.phase.leaving());
    let blocks: Vec<IpNet> = vswitches.flat_map(VSwitch::blocks).collect();
    let service = IpNet::V4(route_entries::service_block());
    route_entries::add_system(world, call, &id, service, "service", phase.clone());
    for block in blocks {
        route_entries::add_system(world, call, &id, block, "local", phase.clone());
    }
    id
}

/// Deletes all route tables of a network, with their entries.
pub(super) fn leave_all(state: &mut State, vpc_id: &str, phase: &Phase) {
    let ids: Vec<String> = state.route_tables_of(vpc_id).map(|table| table.route_table_id.clone()).collect();
    for id in ids {
        leave(state, &id, phase);
    }
}

fn leave(state: &mut State, id: &str, phase: &Phase) {
    if let Some(table) = state.route_tables.get_mut(id) {
        table.phase = phase.clone();
    }
    state.route_entries.each(|entry| {
        if entry.route_table_id == id {
            entry.phase = phase.clone();
        }
    });
}

const CREATE: Action = Action::write("CreateRouteTable", create)
    .parameters(&[
        required("RegionId", TEXT),
        required("VpcId", TEXT),
        optional("RouteTableName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("AssociateType", Form::OneOf(&["VSwitch"])),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .answer(&[field("RouteTableId", Shape::Text)])
    .errors(&[&VPC_NOT_FOUND, &VPC_STATUS, &NAME_MALFORMED, &DESCRIPTION_MALFORMED, &QUOTA_EXCEEDED])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(3));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vpc = state.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    let custom =
        state.route_tables_of(&vpc.vpc_id).filter(|table| table.route_table_type == RouteTable::CUSTOM).count();
    call.within(&QUOTA, custom, &QUOTA_EXCEEDED)?;

    let table = RouteTable {
        route_table_id: world.id("vtb-"),
        route_table_name: call.text("RouteTableName").to_owned(),
        description: call.text("Description").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        route_table_type: RouteTable::CUSTOM.to_owned(),
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: call.turn(Status::Pending, call.takes(), Status::Available),
    };
    let id = add(world, call, table);
    Ok(json!({ "RouteTableId": id }))
}

const TABLE: Shape = record(&[
    field("AssociateType", Shape::Text),
    field("CreationTime", Shape::Text),
    field("Description", Shape::Text),
    field("GatewayIds", record(&[field("GatewayIds", items(&Shape::Text))])),
    field("OwnerId", Shape::Integer),
    field("RoutePropagationEnable", Shape::Boolean),
    field("RouteTableId", Shape::Text),
    field("RouteTableName", Shape::Text),
    field("RouteTableType", Shape::Text),
    field("RouterId", Shape::Text),
    field("RouterType", Shape::Text),
    field("Status", Shape::Text),
    field("Tags", TAG_SHAPE),
    field("VSwitchIds", record(&[field("VSwitchId", items(&Shape::Text))])),
    field("VpcId", Shape::Text),
]);

const DESCRIBE: Action = Action::read("DescribeRouteTableList", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("VpcId", TEXT),
        optional("RouteTableId", TEXT),
        optional("RouteTableName", NAME),
        optional("RouteTableType", Form::OneOf(&[RouteTable::SYSTEM, RouteTable::CUSTOM])),
        optional("RouterId", TEXT),
        optional("RouterType", Form::OneOf(&["VRouter", "VBR"])),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["ResourceGroupId"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("RouterTableList", record(&[field("RouterTableListType", items(&TABLE))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let router = |table: &RouteTable| state.vpcs.get(&table.vpc_id).map_or("", |vpc| vpc.v_router_id.as_str());
    let is = |name: &str, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let rows = state.route_tables.iter().filter(|table| {
        is("VpcId", &table.vpc_id)
            && is("RouteTableId", &table.route_table_id)
            && is("RouteTableName", &table.route_table_name)
            && is("RouteTableType", &table.route_table_type)
            && is("RouterId", router(table))
            && (call.has("VpcId") || is("RouterType", "VRouter"))
            && table.tags.matches(call)
    });
    let reported = |table: &RouteTable| {
        let vswitches = state.vswitches.iter().filter(|vswitch| vswitch.route_table_id == table.route_table_id);
        json!({
            "AssociateType": "VSwitch",
            "CreationTime": table.creation_time,
            "Description": table.description,
            "GatewayIds": { "GatewayIds": [] },
            "OwnerId": owner(call),
            "RoutePropagationEnable": true,
            "RouteTableId": table.route_table_id,
            "RouteTableName": table.route_table_name,
            "RouteTableType": table.route_table_type,
            "RouterId": router(table),
            "RouterType": "VRouter",
            "Status": table.phase.status,
            "Tags": table.tags.listed(),
            "VSwitchIds": { "VSwitchId": vswitches.map(|vswitch| &vswitch.v_switch_id).collect::<Vec<_>>() },
            "VpcId": table.vpc_id,
        })
    };
    Ok(page(call, rows, reported).answer("RouterTableList", "RouterTableListType"))
}

const MODIFY: Action = Action::write("ModifyRouteTableAttributes", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("RouteTableId", TEXT),
        optional("RouteTableName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
    ])
    .left_out(&["RoutePropagationEnable"])
    .errors(&[&ROUTE_TABLE_NOT_FOUND, &STATUS, &NAME_MALFORMED, &DESCRIPTION_MALFORMED]);

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("RouteTableId");
    let table = world.region(call).vpc.route_tables.get(id).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    if table.phase.status != Status::Available {
        return Err((&STATUS).into());
    }

    let Some(table) = world.region_mut(call).vpc.route_tables.get_mut(id) else { return Ok(json!({})) };
    if let Some(name) = call.given("RouteTableName") {
        name.clone_into(&mut table.route_table_name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut table.description);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteRouteTable", delete)
    .parameters(&[required("RegionId", TEXT), required("RouteTableId", TEXT)])
    .errors(&[&ROUTE_TABLE_NOT_FOUND, &NOT_CUSTOM, &STATUS, &ASSOCIATED, &HAS_ENTRIES])
    .through(&[Status::Pending])
    .takes(Duration::from_secs(3));

const NOT_CUSTOM: ErrorCode = ErrorCode::new(
    400,
    "IncorrectRouteTableType",
    "Route table can be deleted by this action only when it's type is custom.",
);
const ASSOCIATED: ErrorCode = ErrorCode::new(
    400,
    "IncorrectVSwitchStatus",
    "The current virtual switch status does not support this operation.",
);
const HAS_ENTRIES: ErrorCode = ErrorCode::new(
    400,
    "IncorrectRouteTableStatus.RouteEntryExist",
    "You cannot delete the specified route table because it still has custom route entry.",
);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("RouteTableId");
    let state = &world.region(call).vpc;
    let table = state.route_tables.get(id).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    if table.route_table_type != RouteTable::CUSTOM {
        return Err((&NOT_CUSTOM).into());
    }
    if table.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    if state.vswitches.iter().any(|vswitch| vswitch.route_table_id == id) {
        return Err((&ASSOCIATED).into());
    }
    if state.custom_route_entries_of(&table.vpc_id).any(|entry| entry.route_table_id == id) {
        return Err((&HAS_ENTRIES).into());
    }

    leave(&mut world.region_mut(call).vpc, id, &call.leave(Status::Pending, call.takes()));
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
