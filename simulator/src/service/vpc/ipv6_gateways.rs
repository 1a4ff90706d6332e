//! IPv6 gateways.

use std::time::Duration;

use serde_json::{Value, json};

use super::errors::{VPC_NOT_FOUND, VPC_STATUS};
use super::{DESCRIPTION, NAME, owner, route_entries};
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, ErrorCode, Field, Form, Shape, TAG_SHAPE, TAGS, TEXT, TOKEN, field,
    items, optional, page, record, records, required,
};
use crate::resource::{Status, Tags};
use crate::world::World;
use crate::world::vpc::Ipv6Gateway;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DESCRIBE, ATTRIBUTE, MODIFY, DELETE];

const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidIpv6GatewayId.NotFound", "The specified IPv6 gateway does not exist.");
const STATUS: ErrorCode = ErrorCode::new(
    400,
    "IncorrectStatus.Ipv6Gateway",
    "The current status of the IPv6 gateway does not support this operation.",
);
const EXISTS: ErrorCode =
    ErrorCode::new(400, "ResourceAlreadyExist.Ipv6Gateway", "The specified VPC already has an IPv6 gateway.");
const NO_IPV6: ErrorCode =
    ErrorCode::new(400, "OperationFailed.VpcIpv6Disabled", "The operation is failed because of VpcIpv6Disabled.");

const CREATE: Action = Action::write("CreateIpv6Gateway", create)
    .parameters(&[
        required("RegionId", TEXT),
        required("VpcId", TEXT),
        optional("Name", NAME),
        optional("Description", DESCRIPTION),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["ResourceGroupId"])
    .answer(&[field("Ipv6GatewayId", Shape::Text)])
    .errors(&[&VPC_NOT_FOUND, &VPC_STATUS, &NO_IPV6, &EXISTS])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(5));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vpc = state.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    if vpc.ipv6().is_none() {
        return Err((&NO_IPV6).into());
    }
    if state.ipv6_gateways.iter().any(|gateway| gateway.vpc_id == vpc.vpc_id) {
        return Err((&EXISTS).into());
    }

    let id = world.id("ipv6gw-");
    let phase = call.turn(Status::Pending, call.takes(), Status::Available);
    world.region_mut(call).vpc.ipv6_gateways.insert(Ipv6Gateway {
        ipv6_gateway_id: id.clone(),
        name: call.text("Name").to_owned(),
        description: call.text("Description").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: phase.clone(),
    });
    route_entries::add_default(world, call, call.text("VpcId"), "IPv6Gateway", &id, phase);
    Ok(json!({ "Ipv6GatewayId": id }))
}

const GATEWAY: &[Field] = &[
    field("BusinessStatus", Shape::Text),
    field("CreationTime", Shape::Text),
    field("Description", Shape::Text),
    field("ExpiredTime", Shape::Text),
    field("InstanceChargeType", Shape::Text),
    field("Ipv6GatewayId", Shape::Text),
    field("Name", Shape::Text),
    field("OwnerId", Shape::Integer),
    field("RegionId", Shape::Text),
    field("Status", Shape::Text),
    field("Tags", TAG_SHAPE),
    field("VpcId", Shape::Text),
];

const DESCRIBE: Action = Action::read("DescribeIpv6Gateways", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("Ipv6GatewayId", TEXT),
        optional("Name", NAME),
        optional("VpcId", TEXT),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        optional("Tags", records(20, &[optional("Key", TEXT), optional("Value", TEXT)])),
    ])
    .left_out(&["ResourceGroupId"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Ipv6Gateways", record(&[field("Ipv6Gateway", items(&record(GATEWAY)))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let is = |name: &str, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let rows = world.region(call).vpc.ipv6_gateways.iter().filter(|gateway| {
        is("Ipv6GatewayId", &gateway.ipv6_gateway_id)
            && is("Name", &gateway.name)
            && is("VpcId", &gateway.vpc_id)
            && gateway.tags.match_all(call.records("Tags"))
    });
    Ok(page(call, rows, |gateway| reported(call, gateway)).answer("Ipv6Gateways", "Ipv6Gateway"))
}

fn reported(call: &Call<'_>, gateway: &Ipv6Gateway) -> Value {
    json!({
        "BusinessStatus": "Normal",
        "CreationTime": gateway.creation_time,
        "Description": gateway.description,
        "ExpiredTime": "",
        "InstanceChargeType": "PostPaid",
        "Ipv6GatewayId": gateway.ipv6_gateway_id,
        "Name": gateway.name,
        "OwnerId": owner(call),
        "RegionId": call.region,
        "Status": gateway.phase.status,
        "Tags": gateway.tags.listed(),
        "VpcId": gateway.vpc_id,
    })
}

const ATTRIBUTE: Action = Action::read("DescribeIpv6GatewayAttribute", attribute)
    .parameters(&[required("RegionId", TEXT), required("Ipv6GatewayId", TEXT)])
    .answer(GATEWAY)
    .errors(&[&NOT_FOUND]);

fn attribute(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let gateway = world.region(call).vpc.ipv6_gateways.get(call.text("Ipv6GatewayId")).ok_or(&NOT_FOUND)?;
    Ok(reported(call, gateway))
}

/// The gateway that a write names, if it is ready for a change.
fn ready<'a>(world: &'a World, call: &Call<'_>) -> Result<&'a Ipv6Gateway, CloudError> {
    let gateway = world.region(call).vpc.ipv6_gateways.get(call.text("Ipv6GatewayId")).ok_or(&NOT_FOUND)?;
    if gateway.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    Ok(gateway)
}

const MODIFY: Action = Action::write("ModifyIpv6GatewayAttribute", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("Ipv6GatewayId", TEXT),
        optional("Name", NAME),
        optional("Description", DESCRIPTION),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[&NOT_FOUND, &STATUS]);

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    ready(world, call)?;

    let gateways = &mut world.region_mut(call).vpc.ipv6_gateways;
    let Some(gateway) = gateways.get_mut(call.text("Ipv6GatewayId")) else { return Ok(json!({})) };
    if let Some(name) = call.given("Name") {
        name.clone_into(&mut gateway.name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut gateway.description);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteIpv6Gateway", delete)
    .parameters(&[
        required("RegionId", TEXT),
        required("Ipv6GatewayId", TEXT),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[&NOT_FOUND, &STATUS])
    .through(&[Status::Pending])
    .takes(Duration::from_secs(5));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = &ready(world, call)?.ipv6_gateway_id.clone();

    let phase = call.leave(Status::Pending, call.takes());
    let state = &mut world.region_mut(call).vpc;
    route_entries::leave_next_hop(state, id, &phase);
    if let Some(gateway) = state.ipv6_gateways.get_mut(id) {
        gateway.phase = phase;
    }
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::TestCloud;

    #[test]
    fn a_gateway_comes_with_a_default_route_and_goes_with_all_routes_to_it() {
        let cloud = TestCloud::new();
        let created = cloud.call("vpc", "CreateVpc", &[("EnableIpv6", "true")]);
        let (vpc, system) = (created["VpcId"].as_str().unwrap(), created["RouteTableId"].as_str().unwrap());
        let create = [("VpcId", vpc), ("Name", "one"), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")];
        assert_eq!(cloud.refused("vpc", "CreateIpv6Gateway", &create), "IncorrectVpcStatus");
        cloud.step(3);
        let id = cloud.text("vpc", "CreateIpv6Gateway", &create, "Ipv6GatewayId");
        let reported = || cloud.call("vpc", "DescribeIpv6GatewayAttribute", &[("Ipv6GatewayId", &id)]);
        assert_eq!(reported()["Status"], "Pending");
        let rename = [("Ipv6GatewayId", id.as_str()), ("Name", "two"), ("Description", "text")];
        for (action, parameters) in [("DeleteIpv6Gateway", &rename[..1]), ("ModifyIpv6GatewayAttribute", &rename)]
        {
            assert_eq!(cloud.refused("vpc", action, parameters), "IncorrectStatus.Ipv6Gateway", "{action}");
        }
        cloud.step(5);
        cloud.call("vpc", "ModifyIpv6GatewayAttribute", &rename);
        assert_eq!(
            [&reported()["Name"], &reported()["Description"], &reported()["Status"]],
            ["two", "text", "Available"]
        );

        let routes = || {
            let custom = [("RouteTableId", system), ("RouteEntryType", "Custom")];
            cloud.call("vpc", "DescribeRouteEntryList", &custom)["RouteEntrys"]["RouteEntry"].clone()
        };
        assert_eq!(routes()[0]["DestinationCidrBlock"], "::/0");
        cloud.call("vpc", "DeleteIpv6Gateway", &rename[..1]);
        cloud.step(5);
        assert_eq!(routes(), json!([]));
        for action in ["DeleteIpv6Gateway", "ModifyIpv6GatewayAttribute", "DescribeIpv6GatewayAttribute"] {
            assert_eq!(cloud.refused("vpc", action, &rename[..1]), "InvalidIpv6GatewayId.NotFound", "{action}");
        }
    }

    #[test]
    fn a_vpc_has_one_gateway_and_only_with_ipv6() {
        let cloud = TestCloud::new();
        let refused = cloud.refused("vpc", "CreateIpv6Gateway", &[("VpcId", "vpc-none")]);
        assert_eq!(refused, "InvalidVpcId.NotFound");
        let without = cloud.text("vpc", "CreateVpc", &[], "VpcId");
        let with = cloud.text("vpc", "CreateVpc", &[("EnableIpv6", "true")], "VpcId");
        cloud.step(3);
        let refused = |vpc: &str| cloud.refused("vpc", "CreateIpv6Gateway", &[("VpcId", vpc)]);
        assert_eq!(refused(&without), "OperationFailed.VpcIpv6Disabled");
        cloud.call("vpc", "CreateIpv6Gateway", &[("VpcId", &with)]);
        assert_eq!(refused(&with), "ResourceAlreadyExist.Ipv6Gateway");
    }

    #[test]
    fn gateways_are_found_by_filters() {
        let cloud = TestCloud::new();
        let create = |parameters: &[(&str, &str)]| {
            let vpc = cloud.text("vpc", "CreateVpc", &[("EnableIpv6", "true")], "VpcId");
            cloud.step(3);
            let parameters = [&[("VpcId", vpc.as_str())], parameters].concat();
            (cloud.text("vpc", "CreateIpv6Gateway", &parameters, "Ipv6GatewayId"), vpc)
        };
        let (one, vpc) = create(&[("Name", "one"), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
        let (two, _) = create(&[]);
        for (filter, found) in [
            (&[][..], vec![&one, &two]),
            (&[("Ipv6GatewayId", two.as_str())], vec![&two]),
            (&[("Name", "one")], vec![&one]),
            (&[("VpcId", vpc.as_str())], vec![&one]),
            (&[("Tags.1.Key", "k"), ("Tags.1.Value", "v")], vec![&one]),
            (&[("Tags.1.Key", "other")], vec![]),
            (&[("PageSize", "1"), ("PageNumber", "2")], vec![&two]),
        ] {
            let answer = cloud.call("vpc", "DescribeIpv6Gateways", filter);
            let rows = answer["Ipv6Gateways"]["Ipv6Gateway"].as_array().unwrap();
            let ids: Vec<&Value> = rows.iter().map(|row| &row["Ipv6GatewayId"]).collect();
            assert_eq!(ids, found, "{filter:?}");
        }
    }
}
