//! Instances: `DescribeInstances`.

use std::net::Ipv4Addr;

use serde_json::{Value, json};

use super::instance_types::instance_type;
use super::long_tags::LONG_TAGS;
use super::paging::{BAD_TOKEN, NUMBER, SIZE, TOKEN as NEXT_TOKEN, TOTAL, pages};
use super::visible_images::VisibleImage;
use super::{listed, same};
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, ErrorCode, Form, INTEGER, Shape, TAG_FILTER, TEXT, field, items,
    like, optional, record, required,
};
use crate::resource::Status;
use crate::world::World;
use crate::world::ecs::Instance;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

pub(super) const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidInstanceId.NotFound", "The specified InstanceId does not exist.");
pub(super) const STATUS: ErrorCode = ErrorCode::new(
    403,
    "IncorrectInstanceStatus",
    "The current status of the resource does not support this operation.",
);

const INTERFACE: Shape = record(&[
    field("NetworkInterfaceId", Shape::Text),
    field("MacAddress", Shape::Text),
    field("PrimaryIpAddress", Shape::Text),
    field(
        "PrivateIpSets",
        record(&[field(
            "PrivateIpSet",
            items(&record(&[field("Primary", Shape::Boolean), field("PrivateIpAddress", Shape::Text)])),
        )]),
    ),
    field("Type", Shape::Text),
]);

/// `IpAddress[]`
const ADDRESSES: Shape = record(&[field("IpAddress", items(&Shape::Text))]);

const INSTANCE: Shape = record(&[
    field("InstanceId", Shape::Text),
    field("InstanceName", Shape::Text),
    field("Description", Shape::Text),
    field("HostName", Shape::Text),
    field("Status", Shape::Text),
    field("StoppedMode", Shape::Text),
    field("RegionId", Shape::Text),
    field("ZoneId", Shape::Text),
    field("ImageId", Shape::Text),
    field("OSName", Shape::Text),
    field("OSNameEn", Shape::Text),
    field("OSType", Shape::Text),
    field("InstanceType", Shape::Text),
    field("InstanceTypeFamily", Shape::Text),
    field("Cpu", Shape::Integer),
    field("Memory", Shape::Integer),
    field("GPUAmount", Shape::Integer),
    field("GPUSpec", Shape::Text),
    field("InstanceChargeType", Shape::Text),
    field("InstanceNetworkType", Shape::Text),
    field("InternetChargeType", Shape::Text),
    field("InternetMaxBandwidthIn", Shape::Integer),
    field("InternetMaxBandwidthOut", Shape::Integer),
    field("IoOptimized", Shape::Boolean),
    field("KeyPairName", Shape::Text),
    field("SpotStrategy", Shape::Text),
    field("DeletionProtection", Shape::Boolean),
    field("DeviceAvailable", Shape::Boolean),
    field("Recyclable", Shape::Boolean),
    field("ResourceGroupId", Shape::Text),
    field("SerialNumber", Shape::Text),
    field("CreationTime", Shape::Text),
    field("StartTime", Shape::Text),
    field("ExpiredTime", Shape::Text),
    field("AutoReleaseTime", Shape::Text),
    field("SecurityGroupIds", record(&[field("SecurityGroupId", items(&Shape::Text))])),
    field("PublicIpAddress", ADDRESSES),
    field("InnerIpAddress", ADDRESSES),
    field("RdmaIpAddress", ADDRESSES),
    field(
        "EipAddress",
        record(&[
            field("AllocationId", Shape::Text),
            field("IpAddress", Shape::Text),
            field("Bandwidth", Shape::Integer),
            field("InternetChargeType", Shape::Text),
            field("IsSupportUnassociate", Shape::Boolean),
        ]),
    ),
    field(
        "VpcAttributes",
        record(&[
            field("VpcId", Shape::Text),
            field("VSwitchId", Shape::Text),
            field("NatIpAddress", Shape::Text),
            field("PrivateIpAddress", ADDRESSES),
        ]),
    ),
    field("NetworkInterfaces", record(&[field("NetworkInterface", items(&INTERFACE))])),
    field("MetadataOptions", record(&[field("HttpEndpoint", Shape::Text), field("HttpTokens", Shape::Text)])),
    field("OperationLocks", record(&[field("LockReason", items(&record(&[field("LockReason", Shape::Text)])))])),
    field("Tags", LONG_TAGS),
]);

/// A filter by a JSON list of at most a hundred.
const MANY: Form = Form::Json(100);

const DESCRIBE: Action = Action::read("DescribeInstances", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("InstanceIds", MANY),
        optional("InstanceName", TEXT),
        optional("VpcId", TEXT),
        optional("VSwitchId", TEXT),
        optional("ZoneId", TEXT),
        optional("SecurityGroupId", TEXT),
        optional("ImageId", TEXT),
        optional("InstanceType", TEXT),
        optional("InstanceTypeFamily", TEXT),
        optional("KeyPairName", TEXT),
        optional("Status", Form::OneOf(&["Pending", "Starting", "Running", "Stopping", "Stopped"])),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid", "PrePaid"])),
        optional("InstanceNetworkType", Form::OneOf(&["vpc", "classic"])),
        optional("InternetChargeType", Form::OneOf(&["PayByBandwidth", "PayByTraffic"])),
        optional("IoOptimized", BOOLEAN),
        optional("PrivateIpAddresses", MANY),
        optional("PublicIpAddresses", MANY),
        optional("EipAddresses", MANY),
        optional("MaxResults", INTEGER),
        optional("NextToken", TEXT),
        optional("DryRun", BOOLEAN),
        optional("PageNumber", COUNT),
        optional("PageSize", Form::Integer(1, 100)),
        TAG_FILTER,
    ])
    .left_out(&[
        "AdditionalAttributes",
        "DeviceAvailable",
        "Filter",
        "HpcClusterId",
        "HttpEndpoint",
        "HttpPutResponseHopLimit",
        "HttpTokens",
        "InnerIpAddresses",
        "Ipv6Address",
        "LockReason",
        "NeedSaleCycle",
        "RdmaIpAddresses",
        "ResourceGroupId",
    ])
    .answer(&[TOTAL, NUMBER, SIZE, NEXT_TOKEN, field("Instances", record(&[field("Instance", items(&INSTANCE))]))])
    .errors(&[&BAD_TOKEN])
    // <https://www.alibabacloud.com/help/en/ecs/developer-reference/api-ecs-2014-05-26-describeinstances>
    .empty_if_forbidden();

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let eip = |instance: &Instance| region.vpc.eips.iter().find(|eip| eip.instance_id == instance.instance_id);
    let rows = region.ecs.instances.iter().filter(|instance| {
        let address = |address: Option<Ipv4Addr>| address.map(|address| address.to_string()).unwrap_or_default();
        listed(call, "InstanceIds", &instance.instance_id)
            && call.given("InstanceName").is_none_or(|name| like(name, &instance.instance_name))
            && same(call, "VpcId", &instance.vpc_id)
            && same(call, "VSwitchId", &instance.v_switch_id)
            && same(call, "ZoneId", &instance.zone_id)
            && call.given("SecurityGroupId").is_none_or(|id| instance.in_group(id))
            && same(call, "ImageId", &instance.image_id)
            && same(call, "InstanceType", &instance.instance_type)
            && same(call, "InstanceTypeFamily", family(&instance.instance_type))
            && same(call, "KeyPairName", &instance.key_pair_name)
            && same(call, "Status", instance.phase.status.as_str())
            && same(call, "InstanceChargeType", "PostPaid")
            && same(call, "InstanceNetworkType", "vpc")
            && same(call, "InternetChargeType", &instance.internet_charge_type)
            && call.flag("IoOptimized") != Some(false)
            && listed(call, "PrivateIpAddresses", &instance.private_ip_address.to_string())
            && listed(call, "PublicIpAddresses", &address(instance.public_ip_address))
            && listed(call, "EipAddresses", &address(eip(instance).map(|eip| eip.ip_address)))
            && instance.tags.matches(call)
    });
    pages(call, 10..=100, ("Instances", "Instance"), rows.collect(), |instance| {
        let eip = eip(instance).map(|eip| {
            json!({
                "AllocationId": eip.allocation_id,
                "IpAddress": eip.ip_address,
                "Bandwidth": eip.bandwidth,
                "InternetChargeType": eip.internet_charge_type,
                "IsSupportUnassociate": true,
            })
        });
        answer(world, call, instance, eip)
    })
}

fn answer(world: &World, call: &Call<'_>, instance: &Instance, eip: Option<Value>) -> Value {
    let image = VisibleImage::find(world, &call.caller.account, call.region, &instance.image_id);
    let (os_name, os_type) = image.map_or(("", "linux"), VisibleImage::os);
    let (cpu, memory) =
        instance_type(&instance.instance_type).map_or((0, 0), |kind| (kind.cores, kind.memory * 1024));
    let stopped = instance.phase.status == Status::Stopped;
    let mut answer = json!({
        "InstanceId": instance.instance_id,
        "InstanceName": instance.instance_name,
        "Description": instance.description,
        "HostName": instance.host_name,
        "Status": instance.phase.status,
        "StoppedMode": if stopped { &instance.stopped_mode } else { "Not-applicable" },
        "RegionId": call.region,
        "ZoneId": instance.zone_id,
        "ImageId": instance.image_id,
        "OSName": os_name,
        "OSNameEn": os_name,
        "OSType": os_type,
        "InstanceType": instance.instance_type,
        "InstanceTypeFamily": family(&instance.instance_type),
        "Cpu": cpu,
        "Memory": memory,
        "GPUAmount": 0,
        "GPUSpec": "",
        "InstanceChargeType": "PostPaid",
        "InstanceNetworkType": "vpc",
        "InternetChargeType": instance.internet_charge_type,
        "InternetMaxBandwidthIn": instance.internet_max_bandwidth_in,
        "InternetMaxBandwidthOut": instance.internet_max_bandwidth_out,
        "IoOptimized": true,
        "KeyPairName": instance.key_pair_name,
        "SpotStrategy": instance.spot_strategy,
        "DeletionProtection": instance.deletion_protection,
        "DeviceAvailable": true,
        "Recyclable": false,
        "ResourceGroupId": "",
        "SerialNumber": instance.network_interface_id.trim_start_matches("eni-"),
        "CreationTime": minute(&instance.creation_time),
        "StartTime": minute(&instance.start_time),
        "ExpiredTime": "2099-12-31T15:59Z",
        "AutoReleaseTime": "",
        "MetadataOptions": { "HttpEndpoint": "enabled", "HttpTokens": "optional" },
        "OperationLocks": { "LockReason": [] },
        "Tags": instance.tags.listed_long(),
    });
    if let (Some(answer), Value::Object(network)) = (answer.as_object_mut(), network(instance, eip)) {
        answer.extend(network);
    }
    answer
}

/// The network of an instance, as answers have it.
fn network(instance: &Instance, eip: Option<Value>) -> Value {
    let public: Vec<Ipv4Addr> = instance.public_ip_address.into_iter().collect();
    let no_eip =
        || json!({ "AllocationId": "", "IpAddress": "", "InternetChargeType": "", "IsSupportUnassociate": false });
    json!({
        "SecurityGroupIds": { "SecurityGroupId": instance.security_group_ids },
        "PublicIpAddress": { "IpAddress": public },
        "InnerIpAddress": { "IpAddress": [] },
        "RdmaIpAddress": { "IpAddress": [] },
        "EipAddress": eip.unwrap_or_else(no_eip),
        "VpcAttributes": {
            "VpcId": instance.vpc_id,
            "VSwitchId": instance.v_switch_id,
            "NatIpAddress": "",
            "PrivateIpAddress": { "IpAddress": [instance.private_ip_address] },
        },
        "NetworkInterfaces": { "NetworkInterface": [{
            "NetworkInterfaceId": instance.network_interface_id,
            "MacAddress": instance.mac_address,
            "PrimaryIpAddress": instance.private_ip_address,
            "PrivateIpSets": {
                "PrivateIpSet": [{ "Primary": true, "PrivateIpAddress": instance.private_ip_address }],
            },
            "Type": "Primary",
        }] },
    })
}

/// The family of a type: `ecs.g7` of `ecs.g7.large`.
fn family(kind: &str) -> &str {
    instance_type(kind).map_or("", |kind| kind.family)
}

/// A time to the minute, as instances have it: `2026-01-02T03:04Z` of `2026-01-02T03:04:05Z`.
fn minute(time: &str) -> String {
    time.rsplit_once(':').map_or_else(|| time.to_owned(), |(minute, _)| format!("{minute}Z"))
}
