//! The primary network interfaces of instances: `DescribeNetworkInterfaces`.

use serde_json::{Value, json};

use super::long_tags::LONG_TAGS;
use super::paging::{BAD_TOKEN, NUMBER, SIZE, TOKEN as NEXT_TOKEN, TOTAL, pages};
use super::same;
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, Form, INTEGER, Shape, TAG_FILTER, TEXT, field, items, list,
    optional, record, required,
};
use crate::world::World;
use crate::world::ecs::Instance;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

const PUBLIC: Shape = record(&[field("PublicIpAddress", Shape::Text)]);

const INTERFACE: Shape = record(&[
    field("NetworkInterfaceId", Shape::Text),
    field("NetworkInterfaceName", Shape::Text),
    field("Description", Shape::Text),
    field("Type", Shape::Text),
    field("Status", Shape::Text),
    field("InstanceId", Shape::Text),
    field("VpcId", Shape::Text),
    field("VSwitchId", Shape::Text),
    field("ZoneId", Shape::Text),
    field("MacAddress", Shape::Text),
    field("PrivateIpAddress", Shape::Text),
    field(
        "PrivateIpSets",
        record(&[field(
            "PrivateIpSet",
            items(&record(&[
                field("Primary", Shape::Boolean),
                field("PrivateIpAddress", Shape::Text),
                field("AssociatedPublicIp", PUBLIC),
            ])),
        )]),
    ),
    field("AssociatedPublicIp", PUBLIC),
    field("SecurityGroupIds", record(&[field("SecurityGroupId", items(&Shape::Text))])),
    field("OwnerId", Shape::Text),
    field("ResourceGroupId", Shape::Text),
    field("ServiceManaged", Shape::Boolean),
    field("DeleteOnRelease", Shape::Boolean),
    field("CreationTime", Shape::Text),
    field("Tags", LONG_TAGS),
]);

const DESCRIBE: Action = Action::read("DescribeNetworkInterfaces", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("NetworkInterfaceId", list(100, &TEXT)),
        optional("InstanceId", TEXT),
        optional("VpcId", TEXT),
        optional("VSwitchId", TEXT),
        optional("SecurityGroupId", TEXT),
        optional("PrimaryIpAddress", TEXT),
        optional("PrivateIpAddress", list(100, &TEXT)),
        optional("Type", Form::OneOf(&["Primary", "Secondary"])),
        optional("Status", Form::OneOf(&["Available", "Attaching", "InUse", "Detaching", "Deleting"])),
        optional("ServiceManaged", BOOLEAN),
        optional("MaxResults", INTEGER),
        optional("NextToken", TEXT),
        optional("PageNumber", COUNT),
        optional("PageSize", Form::Integer(1, 500)),
        TAG_FILTER,
    ])
    .left_out(&["Ipv6Address", "NetworkInterfaceName", "ResourceGroupId"])
    .answer(&[
        TOTAL,
        NUMBER,
        SIZE,
        NEXT_TOKEN,
        field("NetworkInterfaceSets", record(&[field("NetworkInterfaceSet", items(&INTERFACE))])),
    ])
    .errors(&[&BAD_TOKEN]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let among = |name, value: &str| {
        let wanted = call.texts(name);
        wanted.is_empty() || wanted.iter().any(|wanted| wanted == value)
    };
    let rows = world.region(call).ecs.instances.iter().filter(|instance| {
        let address = instance.private_ip_address.to_string();
        among("NetworkInterfaceId", &instance.network_interface_id)
            && same(call, "InstanceId", &instance.instance_id)
            && same(call, "VpcId", &instance.vpc_id)
            && same(call, "VSwitchId", &instance.v_switch_id)
            && call.given("SecurityGroupId").is_none_or(|id| instance.in_group(id))
            && same(call, "PrimaryIpAddress", &address)
            && among("PrivateIpAddress", &address)
            && same(call, "Type", "Primary")
            && same(call, "Status", "InUse")
            && call.flag("ServiceManaged") != Some(true)
            && instance.tags.matches(call)
    });
    pages(
        call,
        10..=500,
        ("NetworkInterfaceSets", "NetworkInterfaceSet"),
        rows.collect(),
        |instance: &Instance| {
            let public = instance.public_ip_address.map(|address| json!({ "PublicIpAddress": address }));
            json!({
                "NetworkInterfaceId": instance.network_interface_id,
                "NetworkInterfaceName": "",
                "Description": "",
                "Type": "Primary",
                "Status": "InUse",
                "InstanceId": instance.instance_id,
                "VpcId": instance.vpc_id,
                "VSwitchId": instance.v_switch_id,
                "ZoneId": instance.zone_id,
                "MacAddress": instance.mac_address,
                "PrivateIpAddress": instance.private_ip_address,
                "PrivateIpSets": { "PrivateIpSet": [{
                    "Primary": true,
                    "PrivateIpAddress": instance.private_ip_address,
                    "AssociatedPublicIp": public,
                }] },
                "AssociatedPublicIp": public,
                "SecurityGroupIds": { "SecurityGroupId": instance.security_group_ids },
                "OwnerId": call.caller.account,
                "ResourceGroupId": "",
                "ServiceManaged": false,
                "DeleteOnRelease": true,
                "CreationTime": instance.creation_time,
                "Tags": instance.tags.listed_long(),
            })
        },
    )
}
