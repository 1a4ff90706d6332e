//! Reads of load balancers: `ListLoadBalancers` and `GetLoadBalancerAttribute`.

use serde_json::{Value, json};

use super::super::{NAME, NO_PAGE, NOT_FOUND};
use crate::action::{
    Action, Call, CloudError, Field, Form, Shape, TAG_FILTER, TEXT, field, items, list, optional, record,
    required, slice, start,
};
use crate::resource::Status;
use crate::world::World;
use crate::world::nlb::{LoadBalancer, Protection, Zone};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[LIST, GET];

const DELETION: Shape =
    record(&[field("Enabled", Shape::Boolean), field("EnabledTime", Shape::Text), field("Reason", Shape::Text)]);
const MODIFICATION: Shape =
    record(&[field("Status", Shape::Text), field("EnabledTime", Shape::Text), field("Reason", Shape::Text)]);
const BILLING: Shape = record(&[field("PayType", Shape::Text)]);
const ZONE: Shape = record(&[
    field("ZoneId", Shape::Text),
    field("VSwitchId", Shape::Text),
    field("Status", Shape::Text),
    field("LoadBalancerAddresses", items(&ADDRESSES)),
]);
const ADDRESSES: Shape = record(&[
    field("EniId", Shape::Text),
    field("PrivateIPv4Address", Shape::Text),
    field("PrivateIPv4HcStatus", Shape::Text),
    field("PublicIPv4Address", Shape::Text),
]);

const LIST: Action = Action::read("ListLoadBalancers", listed)
    .parameters(&[
        optional("RegionId", TEXT),
        optional("LoadBalancerIds", list(20, &TEXT)),
        optional("LoadBalancerNames", list(20, &NAME)),
        optional(
            "LoadBalancerStatus",
            Form::OneOf(&["Inactive", "Active", "Provisioning", "Configuring", "Deleting", "Deleted"]),
        ),
        optional("LoadBalancerBusinessStatus", Form::OneOf(&["Abnormal", "Normal"])),
        optional("LoadBalancerType", Form::OneOf(&["network"])),
        optional("AddressType", Form::OneOf(&["Internet", "Intranet"])),
        optional("AddressIpVersion", Form::OneOf(&["ipv4", "DualStack"])),
        optional("Ipv6AddressType", Form::OneOf(&["Internet", "Intranet"])),
        optional("DNSName", TEXT),
        optional("VpcIds", list(10, &TEXT)),
        optional("ZoneId", TEXT),
        optional("MaxResults", Form::Integer(1, 100)).or("20"),
        optional("NextToken", TEXT),
        TAG_FILTER,
    ])
    .left_out(&["ResourceGroupId"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("MaxResults", Shape::Integer),
        field("NextToken", Shape::Text),
        field("LoadBalancers", items(&BALANCER)),
    ])
    .errors(&[&NO_PAGE]);

const BALANCER: Shape = record(&[
    field("LoadBalancerId", Shape::Text),
    field("LoadBalancerName", Shape::Text),
    field("LoadBalancerStatus", Shape::Text),
    field("LoadBalancerBusinessStatus", Shape::Text),
    field("LoadBalancerType", Shape::Text),
    field("LoadBalancerBillingConfig", BILLING),
    field("AddressType", Shape::Text),
    field("AddressIpVersion", Shape::Text),
    field("DNSName", Shape::Text),
    field("RegionId", Shape::Text),
    field("VpcId", Shape::Text),
    field("ZoneMappings", items(&ZONE)),
    field("CrossZoneEnabled", Shape::Boolean),
    field("SecurityGroupIds", items(&Shape::Text)),
    field("OperationLocks", items(&LOCK)),
    field("DeletionProtectionConfig", DELETION),
    field("ModificationProtectionConfig", MODIFICATION),
    field("CreateTime", Shape::Text),
    field("Tags", items(&TAG)),
]);

const TAG: Shape = record(&[field("Key", Shape::Text), field("Value", Shape::Text)]);
const LOCK: Shape = record(&[field("LockReason", Shape::Text), field("LockType", Shape::Text)]);

fn listed(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let start = start(call, &NO_PAGE)?;
    let found: Vec<&LoadBalancer> = world
        .region(call)
        .nlb
        .load_balancers
        .iter()
        .filter(|balancer| {
            let is = |parameter, value: &str| call.given(parameter).is_none_or(|wanted| wanted == value);
            let among = |parameter, value: &String| {
                let wanted = call.texts(parameter);
                wanted.is_empty() || wanted.contains(value)
            };
            among("LoadBalancerIds", &balancer.load_balancer_id)
                && among("LoadBalancerNames", &balancer.load_balancer_name)
                && among("VpcIds", &balancer.vpc_id)
                && is("LoadBalancerStatus", balancer.phase.status.as_str())
                && is("LoadBalancerBusinessStatus", "Normal")
                && is("AddressType", &balancer.address_type)
                && is("AddressIpVersion", "ipv4")
                && !call.has("Ipv6AddressType")
                && is("DNSName", &balancer.name(call.region))
                && call.given("ZoneId").is_none_or(|id| balancer.zones.iter().any(|zone| zone.zone_id == id))
                && balancer.tags.matches(call)
        })
        .collect();
    let most = call.integer("MaxResults").unwrap_or(20);
    let (page, total, token) = slice(call, start, usize::try_from(most).unwrap_or(20), found);
    let rows: Vec<Value> = page.into_iter().map(|balancer| balancer.row(call.region, "Key", "Value")).collect();
    Ok(json!({ "TotalCount": total, "MaxResults": most, "NextToken": token, "LoadBalancers": rows }))
}

const ATTRIBUTE: &[Field] = &[
    field("LoadBalancerId", Shape::Text),
    field("LoadBalancerName", Shape::Text),
    field("LoadBalancerStatus", Shape::Text),
    field("LoadBalancerBusinessStatus", Shape::Text),
    field("LoadBalancerType", Shape::Text),
    field("LoadBalancerBillingConfig", BILLING),
    field("AddressType", Shape::Text),
    field("AddressIpVersion", Shape::Text),
    field("DNSName", Shape::Text),
    field("RegionId", Shape::Text),
    field("VpcId", Shape::Text),
    field("ZoneMappings", items(&ZONE)),
    field("CrossZoneEnabled", Shape::Boolean),
    field("SecurityGroupIds", items(&Shape::Text)),
    field("OperationLocks", items(&LOCK)),
    field("DeletionProtectionConfig", DELETION),
    field("ModificationProtectionConfig", MODIFICATION),
    field("CreateTime", Shape::Text),
    field("Tags", items(&LONG_TAG)),
];

const LONG_TAG: Shape = record(&[field("TagKey", Shape::Text), field("TagValue", Shape::Text)]);

const GET: Action = Action::read("GetLoadBalancerAttribute", get)
    .parameters(&[optional("RegionId", TEXT), required("LoadBalancerId", TEXT)])
    .left_out(&["ClientToken", "DryRun"])
    .answer(ATTRIBUTE)
    .errors(&[&NOT_FOUND]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancers = &world.region(call).nlb.load_balancers;
    let balancer = balancers.get(call.text("LoadBalancerId")).ok_or(&NOT_FOUND)?;
    Ok(balancer.row(call.region, "TagKey", "TagValue"))
}

impl LoadBalancer {
    /// Its name in the DNS.
    fn name(&self, region: &str) -> String {
        format!("{}.{region}.nlb.aliyuncsslb.com", self.load_balancer_id)
    }

    fn row(&self, region: &str, key: &str, value: &str) -> Value {
        let tags: Vec<Value> = self.tags.iter().map(|(k, v)| json!({ key: k, value: v })).collect();
        let Protection { enabled, enabled_time, reason } = &self.deletion_protection;
        let modification = &self.modification_protection;
        json!({
            "LoadBalancerId": self.load_balancer_id,
            "LoadBalancerName": self.load_balancer_name,
            "LoadBalancerStatus": self.phase.status,
            "LoadBalancerBusinessStatus": "Normal",
            "LoadBalancerType": "Network",
            "LoadBalancerBillingConfig": { "PayType": "PostPay" },
            "AddressType": self.address_type,
            "AddressIpVersion": "ipv4",
            "DNSName": self.name(region),
            "RegionId": region,
            "VpcId": self.vpc_id,
            "ZoneMappings": self.zones.iter().map(|zone| zone.row(self.phase.status)).collect::<Vec<_>>(),
            "CrossZoneEnabled": true,
            "SecurityGroupIds": [],
            "OperationLocks": [],
            "DeletionProtectionConfig": { "Enabled": enabled, "EnabledTime": enabled_time, "Reason": reason },
            "ModificationProtectionConfig": {
                "Status": if modification.enabled { "ConsoleProtection" } else { "NonProtection" },
                "EnabledTime": modification.enabled_time,
                "Reason": modification.reason,
            },
            "CreateTime": self.create_time,
            "Tags": tags,
        })
    }
}

impl Zone {
    fn row(&self, status: Status) -> Value {
        let active = status == Status::Active;
        json!({
            "ZoneId": self.zone_id,
            "VSwitchId": self.v_switch_id,
            "Status": if active { "Active" } else { "Stopped" },
            "LoadBalancerAddresses": [{
                "EniId": self.eni_id,
                "PrivateIPv4Address": self.private_address,
                "PrivateIPv4HcStatus": active.then_some("Healthy"),
                "PublicIPv4Address": self.public_address,
            }],
        })
    }
}
