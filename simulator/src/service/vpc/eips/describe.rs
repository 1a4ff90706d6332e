//! Reads of elastic IP addresses: `DescribeEipAddresses`.

use serde_json::{Value, json};

use crate::action::{
    Action, COUNT, Call, CloudError, Form, Shape, TAG_FILTER, TAG_SHAPE, TEXT, field, items, optional, page,
    record, required,
};
use crate::service::vpc::NAME;
use crate::world::World;
use crate::world::vpc::{Eip, NatGateway, State};

const EIP: Shape = record(&[
    field("AllocationId", Shape::Text),
    field("AllocationTime", Shape::Text),
    field("IpAddress", Shape::Text),
    field("Name", Shape::Text),
    field("Description", Shape::Text),
    field("RegionId", Shape::Text),
    field("Status", Shape::Text),
    field("BusinessStatus", Shape::Text),
    field("Bandwidth", Shape::Text),
    field("EipBandwidth", Shape::Text),
    field("InternetChargeType", Shape::Text),
    field("ChargeType", Shape::Text),
    field("ExpiredTime", Shape::Text),
    field("ISP", Shape::Text),
    field("Netmode", Shape::Text),
    field("InstanceId", Shape::Text),
    field("InstanceType", Shape::Text),
    field("InstanceRegionId", Shape::Text),
    field("Mode", Shape::Text),
    field("PrivateIpAddress", Shape::Text),
    field("VpcId", Shape::Text),
    field("BandwidthPackageId", Shape::Text),
    field("SegmentInstanceId", Shape::Text),
    field("HDMonitorStatus", Shape::Text),
    field("HasReservationData", Shape::Text),
    field("DeletionProtection", Shape::Boolean),
    field("SecondLimited", Shape::Boolean),
    field("ServiceManaged", Shape::Integer),
    field("OperationLocks", record(&[field("LockReason", items(&record(&[field("LockReason", Shape::Text)])))])),
    field("SecurityProtectionTypes", record(&[field("SecurityProtectionType", items(&Shape::Text))])),
    field("Tags", TAG_SHAPE),
]);

pub(super) const DESCRIBE: Action = Action::read("DescribeEipAddresses", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("AllocationId", Form::Commas(50)),
        optional("EipAddress", Form::Commas(50)),
        optional("EipName", NAME),
        optional("Status", Form::OneOf(&["Associating", "Unassociating", "InUse", "Available", "Releasing"])),
        optional("AssociatedInstanceId", TEXT),
        optional(
            "AssociatedInstanceType",
            Form::OneOf(&["EcsInstance", "SlbInstance", "Nat", "HaVip", "NetworkInterface", "IpAddress"]),
        ),
        optional("ChargeType", Form::OneOf(&["PostPaid", "PrePaid"])),
        optional("ISP", TEXT),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 100)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&[
        "DryRun",
        "Filter",
        "IncludeReservationData",
        "LockReason",
        "PublicIpAddressPoolId",
        "ResourceGroupId",
        "SecurityProtectionEnabled",
        "SegmentInstanceId",
        "ServiceManaged",
    ])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("EipAddresses", record(&[field("EipAddress", items(&EIP))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let is = |name, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let (ids, addresses) = (call.texts("AllocationId"), call.texts("EipAddress"));
    let rows = state.eips.iter().filter(|eip| {
        (ids.is_empty() || ids.contains(&eip.allocation_id))
            && (addresses.is_empty() || addresses.contains(&eip.ip_address.to_string()))
            && is("EipName", &eip.name)
            && is("Status", eip.phase.status.as_str())
            && is("AssociatedInstanceId", &eip.instance_id)
            && is("AssociatedInstanceType", &eip.instance_type)
            && is("ChargeType", "PostPaid")
            && is("ISP", "BGP")
            && eip.tags.matches(call)
    });
    Ok(page(call, rows, |eip| listed(state, call, eip)).answer("EipAddresses", "EipAddress"))
}

fn listed(state: &State, call: &Call<'_>, eip: &Eip) -> Value {
    let gateway = state.nat_gateways.get(&eip.instance_id);
    let bandwidth = eip.bandwidth.to_string();
    json!({
        "AllocationId": eip.allocation_id,
        "AllocationTime": eip.creation_time,
        "IpAddress": eip.ip_address,
        "Name": eip.name,
        "Description": eip.description,
        "RegionId": call.region,
        "Status": eip.phase.status,
        "BusinessStatus": "Normal",
        "Bandwidth": bandwidth,
        "EipBandwidth": bandwidth,
        "InternetChargeType": eip.internet_charge_type,
        "ChargeType": "PostPaid",
        "ExpiredTime": "",
        "ISP": "BGP",
        "Netmode": "public",
        "InstanceId": eip.instance_id,
        "InstanceType": eip.instance_type,
        "InstanceRegionId": if eip.instance_id.is_empty() { "" } else { call.region },
        "Mode": gateway.map_or(NatGateway::NAT_MODE, |gateway| &gateway.eip_bind_mode),
        "PrivateIpAddress": eip.private_ip_address.map(|address| address.to_string()).unwrap_or_default(),
        "VpcId": gateway.map_or("", |gateway| &gateway.vpc_id),
        "BandwidthPackageId": "",
        "SegmentInstanceId": "",
        "HDMonitorStatus": "OFF",
        "HasReservationData": "false",
        "DeletionProtection": eip.deletion_protection,
        "SecondLimited": false,
        "ServiceManaged": 0,
        "OperationLocks": { "LockReason": [] },
        "SecurityProtectionTypes": { "SecurityProtectionType": [] },
        "Tags": eip.tags.listed(),
    })
}
