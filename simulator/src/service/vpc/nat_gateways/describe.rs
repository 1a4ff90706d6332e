//! Reads of NAT gateways: `DescribeNatGateways`, `GetNatGatewayAttribute`, and the zones that they can be in.

use serde_json::{Value, json};

use super::super::errors::NAT_GATEWAY_NOT_FOUND;
use crate::action::{
    Action, COUNT, Call, CloudError, Form, Shape, TAG_FILTER, TEXT, common, field, items, optional, page, record,
    required,
};
use crate::regions::region;
use crate::resource::Status;
use crate::service::vpc::NAME;
use crate::world::World;
use crate::world::vpc::{Eip, NatGateway, State};

/// The actions of this file.
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
    .errors(&[&NAT_GATEWAY_NOT_FOUND]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let gateway = state.nat_gateways.get(call.text("NatGatewayId")).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::service::vpc::fixture::Network;

    #[test]
    fn gateways_are_found_by_what_they_are() {
        let network = Network::new();
        let gateway = network.begin_gateway(&[("Name", "one"), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
        network.step(60);
        network.gateway();
        for (name, value, count) in [
            ("NatGatewayId", gateway.id.as_str(), 1),
            ("NatGatewayId", "ngw-x", 0),
            ("VpcId", &network.vpc, 2),
            ("VpcId", "vpc-x", 0),
            ("Name", "one", 1),
            ("ZoneId", "cn-shanghai-b", 2),
            ("ZoneId", "cn-shanghai-c", 0),
            ("Status", "Available", 2),
            ("Status", "Deleting", 0),
            ("NatType", "Enhanced", 2),
            ("NetworkType", "internet", 2),
            ("NetworkType", "intranet", 0),
            ("InstanceChargeType", "PrePaid", 0),
            ("Tag.1.Key", "k", 1),
            ("Tag.1.Key", "v", 0),
        ] {
            let found = network.get("DescribeNatGateways", &[(name, value)], "/TotalCount");
            assert_eq!(found, Some(json!(count)), "{name} {value}");
        }
        let page = network.call("vpc", "DescribeNatGateways", &[("PageSize", "1"), ("PageNumber", "2")]);
        assert_eq!(page["TotalCount"], 2);
        assert_eq!(
            page.pointer("/NatGateways/NatGateway").and_then(|list| list.as_array()).map(Vec::len),
            Some(1)
        );
    }

    #[test]
    fn a_gateway_shows_its_addresses_and_its_place() {
        let network = Network::new();
        let gateway = network.begin_gateway(&[("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
        network.step(60);
        let address = network.bound_address(&gateway);
        let reported = |pointer| network.of_gateway(&gateway, pointer);
        assert_eq!(reported("/IpLists/IpList/0/UsingStatus"), Some(json!("Idle")));
        network.snat(&gateway, &address);
        assert_eq!(reported("/IpLists/IpList/0/UsingStatus"), Some(json!("UsedBySnatTable")));
        assert_eq!(reported("/IpLists/IpList/0/AllocationId"), Some(json!(address.id)));
        assert_eq!(reported("/IpLists/IpList/0/IpAddress"), Some(json!(address.ip)));
        assert_eq!(reported("/SnatTableIds/SnatTableId"), Some(json!([gateway.table])));
        assert_eq!(reported("/NatGatewayPrivateInfo/VswitchId"), Some(json!(network.vswitch)));
        assert_eq!(reported("/NatGatewayPrivateInfo/IzNo"), Some(json!("cn-shanghai-b")));
        assert_eq!(reported("/NatGatewayPrivateInfo/PrivateIpAddress"), Some(json!("172.16.0.1")));
        assert_eq!(reported("/Tags/Tag"), Some(json!([{ "TagKey": "k", "TagValue": "v" }])));

        let one = network.call("vpc", "GetNatGatewayAttribute", &[("NatGatewayId", &gateway.id)]);
        assert_eq!(one.pointer("/SnatTable/SnatEntryCount"), Some(&json!(1)));
        assert_eq!(one.pointer("/IpList/0/IpAddress"), Some(&json!(address.ip)));
        assert_eq!(one.pointer("/Status"), Some(&json!("Available")));
    }

    #[test]
    fn zones_are_those_of_the_region() {
        let network = Network::new();
        let zones =
            |region| network.get("ListEnhanhcedNatGatewayAvailableZones", &[("RegionId", region)], "/Zones/0");
        assert_eq!(
            zones("cn-shanghai"),
            Some(json!({ "ZoneId": "cn-shanghai-a", "LocalName": "China (Shanghai) Zone A" }))
        );
        assert_eq!(
            zones("eu-central-1"),
            Some(json!({ "ZoneId": "eu-central-1a", "LocalName": "Germany (Frankfurt) Zone A" }))
        );
        let action = "ListEnhanhcedNatGatewayAvailableZones";
        assert_eq!(network.refused("vpc", action, &[("RegionId", "x")]), "InvalidRegionId.NotFound");
    }
}
