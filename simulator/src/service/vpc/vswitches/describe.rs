//! Reads of VSwitches: `DescribeVSwitches`, `DescribeVSwitchAttributes`.

use serde_json::{Value, json};

use super::super::errors::VSWITCH_NOT_FOUND;
use super::super::{NAME, owner};
use super::available;
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, Field, Form, INTEGER, Shape, TAG_FILTER, TAG_SHAPE, TEXT, field,
    items, optional, page, record, required,
};
use crate::world::vpc::VSwitch;
use crate::world::{Region, World};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE, ATTRIBUTES];

const VSWITCH: &[Field] = &[
    field("AvailableIpAddressCount", Shape::Integer),
    field("CidrBlock", Shape::Text),
    field("CreationTime", Shape::Text),
    field("Description", Shape::Text),
    field("EnabledIpv6", Shape::Boolean),
    field("Ipv6CidrBlock", Shape::Text),
    field("IsDefault", Shape::Boolean),
    field("NetworkAclId", Shape::Text),
    field("OwnerId", Shape::Integer),
    field("RouteTable", record(&[field("RouteTableId", Shape::Text), field("RouteTableType", Shape::Text)])),
    field("ShareType", Shape::Text),
    field("Status", Shape::Text),
    field("Tags", TAG_SHAPE),
    field("VSwitchId", Shape::Text),
    field("VSwitchName", Shape::Text),
    field("VpcId", Shape::Text),
    field("ZoneId", Shape::Text),
];

const DESCRIBE: Action = Action::read("DescribeVSwitches", describe)
    .parameters(&[
        optional("RegionId", TEXT),
        optional("VpcId", TEXT),
        optional("VSwitchId", Form::Commas(20)),
        optional("VSwitchName", NAME),
        optional("ZoneId", TEXT),
        optional("RouteTableId", TEXT),
        optional("EnableIpv6", BOOLEAN),
        optional("IsDefault", BOOLEAN),
        optional("VSwitchOwnerId", INTEGER),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["DryRun", "ResourceGroupId"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("VSwitches", record(&[field("VSwitch", items(&record(VSWITCH)))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let ids = call.texts("VSwitchId");
    let is = |name: &str, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let rows = region.vpc.vswitches.iter().filter(|vswitch| {
        (ids.is_empty() || ids.contains(&vswitch.v_switch_id))
            && is("VpcId", &vswitch.vpc_id)
            && is("VSwitchName", &vswitch.v_switch_name)
            && is("ZoneId", &vswitch.zone_id)
            && is("RouteTableId", &vswitch.route_table_id)
            && call.flag("EnableIpv6").is_none_or(|enabled| enabled == vswitch.ipv6_cidr_block.is_some())
            && call.flag("IsDefault") != Some(true)
            && call.integer("VSwitchOwnerId").is_none_or(|wanted| wanted == owner(call))
            && vswitch.tags.matches(call)
    });
    Ok(page(call, rows, |vswitch| reported(region, call, vswitch)).answer("VSwitches", "VSwitch"))
}

fn reported(region: &Region, call: &Call<'_>, vswitch: &VSwitch) -> Value {
    let table = region.vpc.route_tables.get(&vswitch.route_table_id);
    json!({
        "AvailableIpAddressCount": available(region, vswitch),
        "CidrBlock": vswitch.cidr_block,
        "CreationTime": vswitch.creation_time,
        "Description": vswitch.description,
        "EnabledIpv6": vswitch.ipv6_cidr_block.is_some(),
        "Ipv6CidrBlock": vswitch.ipv6_cidr_block.map(|block| block.to_string()).unwrap_or_default(),
        "IsDefault": false,
        "NetworkAclId": "",
        "OwnerId": owner(call),
        "RouteTable": {
            "RouteTableId": vswitch.route_table_id,
            "RouteTableType": table.map(|table| &table.route_table_type),
        },
        "ShareType": "",
        "Status": vswitch.phase.status,
        "Tags": vswitch.tags.listed(),
        "VSwitchId": vswitch.v_switch_id,
        "VSwitchName": vswitch.v_switch_name,
        "VpcId": vswitch.vpc_id,
        "ZoneId": vswitch.zone_id,
    })
}

const ATTRIBUTES: Action = Action::read("DescribeVSwitchAttributes", attributes)
    .parameters(&[optional("RegionId", TEXT), required("VSwitchId", TEXT)])
    .left_out(&["DryRun"])
    .answer(VSWITCH)
    .errors(&[&VSWITCH_NOT_FOUND]);

fn attributes(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let vswitch = region.vpc.vswitches.get(call.text("VSwitchId")).ok_or(&VSWITCH_NOT_FOUND)?;
    Ok(reported(region, call, vswitch))
}
