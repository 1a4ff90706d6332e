//! NAT gateways as they are told of: `DescribeNatGateways`, `GetNatGatewayAttribute`, and the zones that they can be in.

use serde_json::{Value, json};

use super::{NOT_FOUND, NatGateway};
use crate::action::{
    Action, COUNT, Call, CloudError, Form, Shape, TEXT, common, field, items, optional, record, required,
};
use crate::service::vpc::{NAME, State, eips::Eip};
use crate::world::{Status, TAG_FILTER, World, page, region};

/// What is told of this kind of resource.
pub const ACTIONS: &[Action] = &[DESCRIBE, GET, ZONES];

/// In Mbit/s.
const MAX_BANDWIDTH: i64 = 5120;

const NAT_GATEWAY: Shape = record(&[
    field("NatGatewayId", Shape::Text),
    field("Name", Shape::Text),
    field("Description", Shape::Text),
    field("VpcId", Shape::Text),
    field("RegionId", Shape::Text),
    field("Status", Shape::Text),
    field("BusinessStatus", Shape::Text),
    field("CreationTime", Shape::Text),
    field("ExpiredTime", Shape::Text),
    field("NatType", Shape::Text),
    field("NetworkType", Shape::Text),
    field("Spec", Shape::Text),
    field("InstanceChargeType", Shape::Text),
    field("InternetChargeType", Shape::Text),
    field("AutoPay", Shape::Boolean),
    field("EipBindMode", Shape::Text),
    field("IcmpReplyEnabled", Shape::Boolean),
    field("DeletionProtection", Shape::Boolean),
    field("EcsMetricEnabled", Shape::Boolean),
    field("EnableSessionLog", Shape::Text),
    field("PrivateLinkEnabled", Shape::Boolean),
    field("SecurityProtectionEnabled", Shape::Boolean),
    field("SnatTableIds", record(&[field("SnatTableId", items(&Shape::Text))])),
    field("ForwardTableIds", record(&[field("ForwardTableId", items(&Shape::Text))])),
    field("FullNatTableIds", record(&[field("FullNatTableId", items(&Shape::Text))])),
    field(
        "IpLists",
        record(&[field(
            "IpList",
            items(&record(&[
                field("AllocationId", Shape::Text),
                field("IpAddress", Shape::Text),
                field("PrivateIpAddress", Shape::Text),
                field("SnatEntryEnabled", Shape::Boolean),
                field("UsingStatus", Shape::Text),
            ])),
        )]),
    ),
    field(
        "NatGatewayPrivateInfo",
        record(&[
            field("EniInstanceId", Shape::Text),
            field("IzNo", Shape::Text),
            field("MaxBandwidth", Shape::Integer),
            field("MaxSessionEstablishRate", Shape::Integer),
            field("MaxSessionQuota", Shape::Integer),
            field("PrivateIpAddress", Shape::Text),
            field("VswitchId", Shape::Text),
        ]),
    ),
    field(
        "Tags",
        record(&[field("Tag", items(&record(&[field("TagKey", Shape::Text), field("TagValue", Shape::Text)])))]),
    ),
]);

const DESCRIBE: Action = Action::read("DescribeNatGateways", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("NatGatewayId", TEXT),
        optional("VpcId", TEXT),
        optional("Name", NAME),
        optional("ZoneId", TEXT),
        optional("Status", Form::OneOf(&["Creating", "Available", "Modifying", "Deleting", "Converting"])),
        optional("NatType", Form::OneOf(&["Enhanced"])),
        optional("NetworkType", Form::OneOf(&["internet", "intranet"])),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid", "PrePaid"])),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["AvailabilityMode", "DryRun", "ResourceGroupId", "Spec"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("NatGateways", record(&[field("NatGateway", items(&NAT_GATEWAY))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let is = |name, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let rows = state.nat_gateways.iter().filter(|gateway| {
        is("NatGatewayId", &gateway.nat_gateway_id)
            && is("VpcId", &gateway.vpc_id)
            && is("Name", &gateway.name)
            && is("ZoneId", zone(state, gateway))
            && is("Status", gateway.phase.status.as_str())
            && is("NetworkType", "internet")
            && is("InstanceChargeType", "PostPaid")
            && gateway.tags.matches(call)
    });
    Ok(page(call, rows, |gateway| listed(state, call, gateway)).answer("NatGateways", "NatGateway"))
}

fn listed(state: &State, call: &Call<'_>, gateway: &NatGateway) -> Value {
    let addresses = bound(state, gateway).map(|eip| {
        json!({
            "AllocationId": eip.allocation_id,
            "IpAddress": eip.ip_address,
            "PrivateIpAddress": eip.private_ip_address,
            "SnatEntryEnabled": true,
            "UsingStatus": using(state, gateway, eip),
        })
    });
    json!({
        "NatGatewayId": gateway.nat_gateway_id,
        "Name": gateway.name,
        "Description": gateway.description,
        "VpcId": gateway.vpc_id,
        "RegionId": call.region,
        "Status": gateway.phase.status,
        "BusinessStatus": "Normal",
        "CreationTime": gateway.creation_time,
        "ExpiredTime": "",
        "NatType": "Enhanced",
        "NetworkType": "internet",
        "Spec": "",
        "InstanceChargeType": "PostPaid",
        "InternetChargeType": "PayByLcu",
        "AutoPay": false,
        "EipBindMode": gateway.eip_bind_mode,
        "IcmpReplyEnabled": gateway.icmp_reply_enabled,
        "DeletionProtection": gateway.deletion_protection,
        "EcsMetricEnabled": false,
        "EnableSessionLog": "false",
        "PrivateLinkEnabled": false,
        "SecurityProtectionEnabled": false,
        "SnatTableIds": { "SnatTableId": [gateway.snat_table_id] },
        "ForwardTableIds": { "ForwardTableId": [gateway.forward_table_id] },
        "FullNatTableIds": { "FullNatTableId": [] },
        "IpLists": { "IpList": addresses.collect::<Vec<_>>() },
        "NatGatewayPrivateInfo": {
            "EniInstanceId": gateway.network_interface_id,
            "IzNo": zone(state, gateway),
            "MaxBandwidth": MAX_BANDWIDTH,
            "MaxSessionEstablishRate": 100_000,
            "MaxSessionQuota": 2_000_000,
            "PrivateIpAddress": gateway.private_ip_address,
            "VswitchId": gateway.v_switch_id,
        },
        "Tags": gateway.tags.listed_long(),
    })
}

/// The zone of a gateway's subnet.
fn zone<'a>(state: &'a State, gateway: &NatGateway) -> &'a str {
    state.vswitches.get(&gateway.v_switch_id).map_or("", |vswitch| &vswitch.zone_id)
}

/// The elastic addresses that are bound to a gateway.
fn bound<'a>(state: &'a State, gateway: &'a NatGateway) -> impl Iterator<Item = &'a Eip> {
    let bound = |eip: &&Eip| eip.phase.status != Status::Associating;
    state.eips.iter().filter(|eip| eip.instance_id == gateway.nat_gateway_id).filter(bound)
}

/// What an elastic address of a gateway is used for.
fn using(state: &State, gateway: &NatGateway, eip: &Eip) -> &'static str {
    let used = state
        .snat_entries
        .iter()
        .any(|entry| entry.nat_gateway_id == gateway.nat_gateway_id && entry.snat_ips.contains(&eip.ip_address));
    if used { "UsedBySnatTable" } else { "Idle" }
}

const GET: Action = Action::read("GetNatGatewayAttribute", get)
    .parameters(&[required("RegionId", TEXT), required("NatGatewayId", TEXT)])
    .answer(&[
        field("NatGatewayId", Shape::Text),
        field("Name", Shape::Text),
        field("Description", Shape::Text),
        field("VpcId", Shape::Text),
        field("RegionId", Shape::Text),
        field("Status", Shape::Text),
        field("BusinessStatus", Shape::Text),
        field("CreationTime", Shape::Text),
        field("ExpiredTime", Shape::Text),
        field("NatType", Shape::Text),
        field("NetworkType", Shape::Text),
        field("EcsMetricEnabled", Shape::Boolean),
        field("EnableSessionLog", Shape::Boolean),
        field("PrivateLinkEnabled", Shape::Boolean),
        field("DeletionProtectionInfo", record(&[field("Enabled", Shape::Boolean)])),
        field(
            "BillingConfig",
            record(&[
                field("AutoPay", Shape::Text),
                field("InstanceChargeType", Shape::Text),
                field("InternetChargeType", Shape::Text),
                field("Spec", Shape::Text),
            ]),
        ),
        field(
            "IpList",
            items(&record(&[
                field("AllocationId", Shape::Text),
                field("IpAddress", Shape::Text),
                field("UsingStatus", Shape::Text),
            ])),
        ),
        field(
            "PrivateInfo",
            record(&[
                field("EniInstanceId", Shape::Text),
                field("IzNo", Shape::Text),
                field("MaxBandwidth", Shape::Integer),
                field("PrivateIpAddress", Shape::Text),
                field("VswitchId", Shape::Text),
            ]),
        ),
        field("SnatTable", record(&[field("SnatEntryCount", Shape::Integer), field("SnatTableId", Shape::Text)])),
        field(
            "ForwardTable",
            record(&[field("ForwardEntryCount", Shape::Integer), field("ForwardTableId", Shape::Text)]),
        ),
    ])
    .errors(&[&NOT_FOUND]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let gateway = state.nat_gateways.get(call.text("NatGatewayId")).ok_or(&NOT_FOUND)?;
    let addresses = bound(state, gateway).map(|eip| {
        json!({
            "AllocationId": eip.allocation_id,
            "IpAddress": eip.ip_address,
            "UsingStatus": using(state, gateway, eip),
        })
    });
    let entries = state.snat_entries.iter().filter(|entry| entry.nat_gateway_id == gateway.nat_gateway_id);
    Ok(json!({
        "NatGatewayId": gateway.nat_gateway_id,
        "Name": gateway.name,
        "Description": gateway.description,
        "VpcId": gateway.vpc_id,
        "RegionId": call.region,
        "Status": gateway.phase.status,
        "BusinessStatus": "Normal",
        "CreationTime": gateway.creation_time,
        "ExpiredTime": "",
        "NatType": "Enhanced",
        "NetworkType": "internet",
        "EcsMetricEnabled": false,
        "EnableSessionLog": false,
        "PrivateLinkEnabled": false,
        "DeletionProtectionInfo": { "Enabled": gateway.deletion_protection },
        "BillingConfig": {
            "AutoPay": "false",
            "InstanceChargeType": "PostPaid",
            "InternetChargeType": "PayByLcu",
            "Spec": "",
        },
        "IpList": addresses.collect::<Vec<_>>(),
        "PrivateInfo": {
            "EniInstanceId": gateway.network_interface_id,
            "IzNo": zone(state, gateway),
            "MaxBandwidth": MAX_BANDWIDTH,
            "PrivateIpAddress": gateway.private_ip_address,
            "VswitchId": gateway.v_switch_id,
        },
        "SnatTable": { "SnatEntryCount": entries.count(), "SnatTableId": gateway.snat_table_id },
        "ForwardTable": { "ForwardEntryCount": 0, "ForwardTableId": gateway.forward_table_id },
    }))
}

/// The name is the cloud's, with its mistake.
const ZONES: Action = Action::read("ListEnhanhcedNatGatewayAvailableZones", zones)
    .parameters(&[required("RegionId", TEXT)])
    .left_out(&["AcceptLanguage", "Filter"])
    .answer(&[field("Zones", items(&record(&[field("ZoneId", Shape::Text), field("LocalName", Shape::Text)])))]);

fn zones(_: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = region(call.region).ok_or(&common::INVALID_REGION)?;
    let zones = region.zones().map(|zone| {
        let letter = zone.chars().last().unwrap_or_default().to_ascii_uppercase();
        json!({ "ZoneId": zone, "LocalName": format!("{} Zone {letter}", region.name) })
    });
    Ok(json!({ "Zones": zones.collect::<Vec<_>>() }))
}
