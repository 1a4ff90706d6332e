//! Reads of networks: `DescribeVpcs`, `DescribeVpcAttribute`.

use serde_json::{Value, json};

use super::super::errors::VPC_NOT_FOUND;
use super::super::{NAME, owner};
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, Form, INTEGER, Shape, TAG_FILTER, TAG_SHAPE, TEXT, field, items,
    optional, page, record, required,
};
use crate::world::World;
use crate::world::vpc::{State, Vpc};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE, ATTRIBUTE];

const IPV6: Shape = record(&[field(
    "Ipv6CidrBlock",
    items(&record(&[field("Ipv6CidrBlock", Shape::Text), field("Ipv6Isp", Shape::Text)])),
)]);
const SECONDARY: Shape = record(&[field("SecondaryCidrBlock", items(&Shape::Text))]);
const USER_CIDRS: Shape = record(&[field("UserCidr", items(&Shape::Text))]);
const VSWITCH_IDS: Shape = record(&[field("VSwitchId", items(&Shape::Text))]);

const VPC: Shape = record(&[
    field("CidrBlock", Shape::Text),
    field("CreationTime", Shape::Text),
    field("Description", Shape::Text),
    field("EnabledIpv6", Shape::Boolean),
    field("Ipv6CidrBlock", Shape::Text),
    field("Ipv6CidrBlocks", IPV6),
    field("IsDefault", Shape::Boolean),
    field("NatGatewayIds", record(&[field("NatGatewayIds", items(&Shape::Text))])),
    field("OwnerId", Shape::Integer),
    field("RegionId", Shape::Text),
    field("RouterTableIds", record(&[field("RouterTableIds", items(&Shape::Text))])),
    field("SecondaryCidrBlocks", SECONDARY),
    field("Status", Shape::Text),
    field("Tags", TAG_SHAPE),
    field("UserCidrs", USER_CIDRS),
    field("VRouterId", Shape::Text),
    field("VSwitchIds", VSWITCH_IDS),
    field("VpcId", Shape::Text),
    field("VpcName", Shape::Text),
]);

const DESCRIBE: Action = Action::read("DescribeVpcs", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("VpcId", Form::Commas(20)),
        optional("VpcName", NAME),
        optional("EnableIpv6", BOOLEAN),
        optional("IsDefault", BOOLEAN),
        optional("VpcOwnerId", INTEGER),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["DhcpOptionsSetId", "DryRun", "ResourceGroupId"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Vpcs", record(&[field("Vpc", items(&VPC))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let ids = call.texts("VpcId");
    let rows = state.vpcs.iter().filter(|vpc| {
        (ids.is_empty() || ids.contains(&vpc.vpc_id))
            && call.given("VpcName").is_none_or(|name| name == vpc.vpc_name)
            && call.flag("EnableIpv6").is_none_or(|enabled| enabled == vpc.ipv6().is_some())
            && call.flag("IsDefault") != Some(true)
            && call.integer("VpcOwnerId").is_none_or(|wanted| wanted == owner(call))
            && vpc.tags.matches(call)
    });
    Ok(page(call, rows, |vpc| reported(state, call, vpc)).answer("Vpcs", "Vpc"))
}

fn reported(state: &State, call: &Call<'_>, vpc: &Vpc) -> Value {
    let vswitches = state.vswitches.iter().filter(|vswitch| vswitch.vpc_id == vpc.vpc_id);
    let nat_gateways = state.nat_gateways.iter().filter(|gateway| gateway.vpc_id == vpc.vpc_id);
    let ipv6 = vpc.ipv6();
    json!({
        "CidrBlock": vpc.cidr_block,
        "CreationTime": vpc.creation_time,
        "Description": vpc.description,
        "EnabledIpv6": ipv6.is_some(),
        "Ipv6CidrBlock": ipv6.map(|block| block.to_string()).unwrap_or_default(),
        "Ipv6CidrBlocks": {
            "Ipv6CidrBlock": ipv6.iter().map(|block| json!({ "Ipv6CidrBlock": block, "Ipv6Isp": "BGP" })).collect::<Vec<_>>(),
        },
        "IsDefault": false,
        "NatGatewayIds": { "NatGatewayIds": nat_gateways.map(|gateway| &gateway.nat_gateway_id).collect::<Vec<_>>() },
        "OwnerId": owner(call),
        "RegionId": call.region,
        "RouterTableIds": {
            "RouterTableIds": state.route_tables_of(&vpc.vpc_id).map(|table| &table.route_table_id).collect::<Vec<_>>(),
        },
        "SecondaryCidrBlocks": { "SecondaryCidrBlock": [] },
        "Status": vpc.phase.status,
        "Tags": vpc.tags.listed(),
        "UserCidrs": { "UserCidr": vpc.user_cidrs },
        "VRouterId": vpc.v_router_id,
        "VSwitchIds": { "VSwitchId": vswitches.map(|vswitch| &vswitch.v_switch_id).collect::<Vec<_>>() },
        "VpcId": vpc.vpc_id,
        "VpcName": vpc.vpc_name,
    })
}

const ATTRIBUTE: Action = Action::read("DescribeVpcAttribute", attribute)
    .parameters(&[required("RegionId", TEXT), required("VpcId", TEXT), optional("IsDefault", BOOLEAN)])
    .left_out(&["DryRun"])
    .answer(&[
        field("CidrBlock", Shape::Text),
        field("ClassicLinkEnabled", Shape::Boolean),
        field("CloudResources", record(&[field("CloudResourceSetType", items(&COUNTED))])),
        field("CreationTime", Shape::Text),
        field("Description", Shape::Text),
        field("EnabledIpv6", Shape::Boolean),
        field("Ipv6CidrBlock", Shape::Text),
        field("Ipv6CidrBlocks", IPV6),
        field("IsDefault", Shape::Boolean),
        field("OwnerId", Shape::Integer),
        field("RegionId", Shape::Text),
        field("SecondaryCidrBlocks", SECONDARY),
        field("Status", Shape::Text),
        field("SupportIpv4Gateway", Shape::Boolean),
        field("Tags", TAG_SHAPE),
        field("UserCidrs", USER_CIDRS),
        field("VRouterId", Shape::Text),
        field("VSwitchIds", VSWITCH_IDS),
        field("VpcId", Shape::Text),
        field("VpcName", Shape::Text),
    ])
    .errors(&[&VPC_NOT_FOUND]);

const COUNTED: Shape = record(&[field("ResourceCount", Shape::Integer), field("ResourceType", Shape::Text)]);

fn attribute(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vpc = state.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if call.flag("IsDefault") == Some(true) {
        return Err((&VPC_NOT_FOUND).into());
    }
    let mut answer = reported(state, call, vpc);
    let of = |vpc_id: &str| vpc_id == vpc.vpc_id;
    let counts = [
        ("VRouter", 1),
        ("VSwitch", state.vswitches.iter().filter(|vswitch| of(&vswitch.vpc_id)).count()),
        ("RouteTable", state.route_tables_of(&vpc.vpc_id).count()),
        ("NatGateway", state.nat_gateways.iter().filter(|gateway| of(&gateway.vpc_id)).count()),
    ];
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts = counts.map(|(kind, count)| json!({ "ResourceCount": count, "ResourceType": kind }));
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("CloudResources".to_owned(), json!({ "CloudResourceSetType": counts.collect::<Vec<_>>() }));
        answer.insert("ClassicLinkEnabled".to_owned(), json!(false));
        answer.insert("SupportIpv4Gateway".to_owned(), json!(false));
    }
    Ok(answer)
}
