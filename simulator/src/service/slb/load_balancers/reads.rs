//! Reads of load balancers: `DescribeLoadBalancers` and `DescribeLoadBalancerAttribute`.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::{NOT_FOUND, TAGS_SHAPE};
use crate::action::{
    ADDRESS, ANY, Action, COUNT, Call, CloudError, Field, Form, Shape, TAG_FILTER, TEXT, field, items, optional,
    page, record, required,
};
use crate::world::World;
use crate::world::slb::LoadBalancer;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE, ATTRIBUTE];

const BALANCER: Shape = record(&[
    field("LoadBalancerId", Shape::Text),
    field("LoadBalancerName", Shape::Text),
    field("LoadBalancerStatus", Shape::Text),
    field("LoadBalancerSpec", Shape::Text),
    field("Address", Shape::Text),
    field("AddressIPVersion", Shape::Text),
    field("AddressType", Shape::Text),
    field("NetworkType", Shape::Text),
    field("RegionId", Shape::Text),
    field("RegionIdAlias", Shape::Text),
    field("VpcId", Shape::Text),
    field("VSwitchId", Shape::Text),
    field("MasterZoneId", Shape::Text),
    field("SlaveZoneId", Shape::Text),
    field("InternetChargeType", Shape::Text),
    field("InternetChargeTypeAlias", Shape::Text),
    field("InstanceChargeType", Shape::Text),
    field("PayType", Shape::Text),
    field("Bandwidth", Shape::Integer),
    field("DeleteProtection", Shape::Text),
    field("ModificationProtectionStatus", Shape::Text),
    field("ModificationProtectionReason", Shape::Text),
    field("CreateTime", Shape::Text),
    field("CreateTimeStamp", Shape::Integer),
    field("Tags", TAGS_SHAPE),
]);

const DESCRIBE: Action = Action::read("DescribeLoadBalancers", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("LoadBalancerId", Form::Commas(10)),
        optional("LoadBalancerName", Form::Commas(10)),
        optional("LoadBalancerStatus", Form::OneOf(&["inactive", "active", "locked"])),
        optional("Address", ADDRESS),
        optional("AddressIPVersion", Form::OneOf(&["ipv4", "ipv6"])),
        optional("AddressType", Form::OneOf(&["internet", "intranet"])),
        optional("InternetChargeType", Form::OneOf(&["paybybandwidth", "paybytraffic"])),
        optional("NetworkType", Form::OneOf(&["vpc", "Classic", "classic"])),
        optional("PayType", Form::OneOf(&["PayOnDemand", "PrePay"])),
        optional("VpcId", TEXT),
        optional("VSwitchId", TEXT),
        optional("MasterZoneId", TEXT),
        optional("SlaveZoneId", TEXT),
        optional("Tags", ANY),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 100)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["ResourceGroupId", "ServerId", "ServerIntranetAddress"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("LoadBalancers", record(&[field("LoadBalancer", items(&BALANCER))])),
    ]);

/// A tag of the parameter `Tags`, the filter that is older than `Tag`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct OldTag {
    tag_key: String,
    tag_value: Option<String>,
}

fn old_tags(call: &Call<'_>) -> Result<Vec<OldTag>, CloudError> {
    let Some(text) = call.given("Tags") else { return Ok(Vec::new()) };
    let tags = serde_json::from_str(text).ok().filter(|tags: &Vec<OldTag>| tags.len() <= 10);
    tags.ok_or_else(|| CloudError::invalid("Tags", "a JSON array of at most 10 objects with TagKey and TagValue"))
}

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let old_tags = old_tags(call)?;
    let rows = world.region(call).slb.load_balancers.iter().filter(|balancer| {
        let is = |parameter, value: &str| call.given(parameter).is_none_or(|wanted| wanted == value);
        let among = |parameter, value: &String| {
            let wanted = call.texts(parameter);
            wanted.is_empty() || wanted.contains(value)
        };
        let tagged = |tag: &OldTag| {
            let value = balancer.tags.iter().find(|(key, _)| *key == tag.tag_key).map(|(_, value)| value);
            value.is_some_and(|value| tag.tag_value.as_ref().is_none_or(|wanted| wanted == value))
        };
        among("LoadBalancerId", &balancer.load_balancer_id)
            && among("LoadBalancerName", &balancer.load_balancer_name)
            && is("LoadBalancerStatus", "active")
            && is("Address", &balancer.address.to_string())
            && is("AddressIPVersion", "ipv4")
            && is("AddressType", &balancer.address_type)
            && is("InternetChargeType", &balancer.internet_charge_type)
            && call.given("NetworkType").is_none_or(|wanted| wanted.eq_ignore_ascii_case(balancer.network_type()))
            && is("PayType", "PayOnDemand")
            && is("VpcId", &balancer.vpc_id)
            && is("VSwitchId", &balancer.v_switch_id)
            && is("MasterZoneId", &balancer.master_zone_id)
            && is("SlaveZoneId", &balancer.slave_zone_id)
            && balancer.tags.matches(call)
            && old_tags.iter().all(tagged)
    });
    Ok(page(call, rows, |balancer| balancer.row(call.region)).answer("LoadBalancers", "LoadBalancer"))
}

const ATTRIBUTE_FIELDS: &[Field] = &[
    field("LoadBalancerId", Shape::Text),
    field("LoadBalancerName", Shape::Text),
    field("LoadBalancerStatus", Shape::Text),
    field("LoadBalancerSpec", Shape::Text),
    field("Address", Shape::Text),
    field("AddressIPVersion", Shape::Text),
    field("AddressType", Shape::Text),
    field("NetworkType", Shape::Text),
    field("RegionId", Shape::Text),
    field("RegionIdAlias", Shape::Text),
    field("VpcId", Shape::Text),
    field("VSwitchId", Shape::Text),
    field("MasterZoneId", Shape::Text),
    field("SlaveZoneId", Shape::Text),
    field("InternetChargeType", Shape::Text),
    field("InstanceChargeType", Shape::Text),
    field("PayType", Shape::Text),
    field("Bandwidth", Shape::Integer),
    field("DeleteProtection", Shape::Text),
    field("ModificationProtectionStatus", Shape::Text),
    field("ModificationProtectionReason", Shape::Text),
    field("CreateTime", Shape::Text),
    field("CreateTimeStamp", Shape::Integer),
    field("EndTime", Shape::Text),
    field("EndTimeStamp", Shape::Integer),
    field("Tags", TAGS_SHAPE),
    field("ListenerPorts", record(&[field("ListenerPort", items(&Shape::Integer))])),
    field("BackendServers", record(&[field("BackendServer", items(&BACKEND))])),
];

const BACKEND: Shape = record(&[field("ServerId", Shape::Text), field("Weight", Shape::Integer)]);

const ATTRIBUTE: Action = Action::read("DescribeLoadBalancerAttribute", attribute)
    .parameters(&[optional("RegionId", TEXT), required("LoadBalancerId", TEXT)])
    .answer(ATTRIBUTE_FIELDS)
    .errors(&[&NOT_FOUND]);

/// When what is not paid in advance ends, as the cloud writes it.
const NEVER: (&str, i64) = ("2999-09-08T16:00Z", 32_493_801_600_000);

fn attribute(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancers = &world.region(call).slb.load_balancers;
    let balancer = balancers.get(call.text("LoadBalancerId")).ok_or(&NOT_FOUND)?;
    let mut answer = balancer.row(call.region);
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("EndTime".to_owned(), json!(NEVER.0));
        answer.insert("EndTimeStamp".to_owned(), json!(NEVER.1));
        answer.insert("ListenerPorts".to_owned(), json!({ "ListenerPort": [] }));
        answer.insert("BackendServers".to_owned(), json!({ "BackendServer": [] }));
    }
    Ok(answer)
}

impl LoadBalancer {
    /// `vpc` or `classic`: on the Internet it is in no network.
    pub(super) fn network_type(&self) -> &'static str {
        if self.vpc_id.is_empty() { "classic" } else { "vpc" }
    }

    fn row(&self, region: &str) -> Value {
        json!({
            "LoadBalancerId": self.load_balancer_id,
            "LoadBalancerName": self.load_balancer_name,
            "LoadBalancerStatus": "active",
            "LoadBalancerSpec": self.load_balancer_spec,
            "Address": self.address,
            "AddressIPVersion": "ipv4",
            "AddressType": self.address_type,
            "NetworkType": self.network_type(),
            "RegionId": region,
            "RegionIdAlias": region,
            "VpcId": self.vpc_id,
            "VSwitchId": self.v_switch_id,
            "MasterZoneId": self.master_zone_id,
            "SlaveZoneId": self.slave_zone_id,
            "InternetChargeType": self.internet_charge_type,
            "InternetChargeTypeAlias": self.internet_charge_type,
            "InstanceChargeType": self.instance_charge_type,
            "PayType": "PayOnDemand",
            "Bandwidth": self.bandwidth,
            "DeleteProtection": if self.delete_protection { "on" } else { "off" },
            "ModificationProtectionStatus": self.modification_protection_status,
            "ModificationProtectionReason": self.modification_protection_reason,
            "CreateTime": minutes(self.create_time),
            "CreateTimeStamp": self.create_time.as_millisecond(),
            "Tags": self.tags.listed_long(),
        })
    }
}

/// A time as this service writes it, such as `2026-01-02T03:04Z`.
fn minutes(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%MZ").to_string()
}
