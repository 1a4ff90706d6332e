//! Classic load balancers: their creation, protection and deletion. Reads are in [`reads`].

pub(super) mod reads;

use std::net::Ipv4Addr;

use serde_json::{Value, json};

use super::{NAME, NOT_FOUND};
use crate::action::{
    ADDRESS, Action, Call, CloudError, ErrorCode, Form, Shape, TAGS, TEXT, TOKEN, common, field, optional,
    required,
};
use crate::regions::region;
use crate::resource::Tags;
use crate::service::addresses::Subnet;
use crate::settings::Quota;
use crate::world::World;
use crate::world::slb::LoadBalancer;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, PROTECT, DELETE];

/// <https://www.alibabacloud.com/help/en/slb/classic-load-balancer/product-overview/limits>
pub(super) const QUOTA: Quota = Quota::new("loadBalancers", 60);

const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(
    400,
    "OperationForbidden.QuotaLimit",
    "The operation failed because of quota limit of shared loadbalancers.",
);
const VPC_NOT_FOUND: ErrorCode = ErrorCode::new(400, "InvalidVpcId.NotExist", "The specified VPC not exist.");
const VSWITCH_MISSING: ErrorCode =
    ErrorCode::new(400, "MissingParam.VSwitchId", "The parameter VSwitchId is required.");
const VSWITCH_NOT_FOUND: ErrorCode =
    ErrorCode::new(400, "VSwitchNotExist", "The specified VSwitch does not exist.");
const VSWITCH_INVALID: ErrorCode =
    ErrorCode::new(400, "InvalidVSwitchId.NotFound", "The specified vSwitch instance is invalid.");
const NO_ADDRESS: ErrorCode =
    ErrorCode::new(400, "VSwitchAvailableIpNotExist", "The specified VSwitch has no availabe ip.");
const ZONE_NOT_FOUND: ErrorCode =
    ErrorCode::new(400, "InvalidZoneId.NotFound", "The specified zone does not exist.");
const PROTECTED: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied.DeleteProtectionIsOn",
    "The loadbalancer can't be deleted due to DeleteProtection is enabled.",
);

const CREATE: Action = Action::write("CreateLoadBalancer", create)
    .parameters(&[
        required("RegionId", TEXT),
        optional("LoadBalancerName", NAME),
        optional("AddressType", Form::OneOf(&["internet", "intranet"])),
        optional("AddressIPVersion", Form::OneOf(&["ipv4"])).or("ipv4"),
        optional("Address", ADDRESS),
        optional("VpcId", TEXT),
        optional("VSwitchId", TEXT),
        optional("MasterZoneId", TEXT),
        optional("SlaveZoneId", TEXT),
        optional("InternetChargeType", Form::OneOf(&["paybytraffic", "paybybandwidth"])).or("paybytraffic"),
        optional("InstanceChargeType", Form::OneOf(&["PayBySpec", "PayByCLCU"])).or("PayBySpec"),
        optional("PayType", Form::OneOf(&["PayOnDemand"])),
        optional("Bandwidth", Form::Integer(1, 5120)),
        optional(
            "LoadBalancerSpec",
            Form::OneOf(&[
                "slb.s1.small",
                "slb.s2.small",
                "slb.s2.medium",
                "slb.s3.small",
                "slb.s3.medium",
                "slb.s3.large",
            ]),
        ),
        optional("DeleteProtection", Form::OneOf(&["on", "off"])).or("off"),
        optional("ModificationProtectionStatus", Form::OneOf(&["NonProtection", "ConsoleProtection"]))
            .or("NonProtection"),
        optional("ModificationProtectionReason", NAME),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["AutoPay", "Duration", "PricingCycle", "ResourceGroupId"])
    .answer(&[
        field("LoadBalancerId", Shape::Text),
        field("LoadBalancerName", Shape::Text),
        field("Address", Shape::Text),
        field("AddressIPVersion", Shape::Text),
        field("NetworkType", Shape::Text),
        field("VpcId", Shape::Text),
        field("VSwitchId", Shape::Text),
    ])
    .errors(&[
        &QUOTA_EXCEEDED,
        &VPC_NOT_FOUND,
        &VSWITCH_MISSING,
        &VSWITCH_NOT_FOUND,
        &VSWITCH_INVALID,
        &NO_ADDRESS,
        &ZONE_NOT_FOUND,
    ]);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    call.within(&QUOTA, world.region(call).slb.load_balancers.len(), &QUOTA_EXCEEDED)?;
    if call.text("InstanceChargeType") == "PayByCLCU" && call.text("InternetChargeType") != "paybytraffic" {
        return Err(CloudError::invalid("InternetChargeType", "paybytraffic with PayByCLCU"));
    }
    let place = place(world, call)?;
    let private = place.as_ref().map(|place| private_address(world, call, place)).transpose()?;
    let (master, slave) = zones(call, place.as_ref())?;
    let address = match private {
        Some(address) => address,
        None => world.public_address(call),
    };
    let id = world.id("lb-");
    let (vpc_id, v_switch_id) = place.map(|place| (place.vpc_id, place.v_switch_id)).unwrap_or_default();
    let balancer = LoadBalancer {
        load_balancer_name: call.given("LoadBalancerName").unwrap_or(&format!("auto_named_{id}")).to_owned(),
        load_balancer_id: id,
        address,
        address_type: if private.is_some() { "intranet" } else { "internet" }.to_owned(),
        vpc_id,
        v_switch_id,
        internet_charge_type: call.text("InternetChargeType").to_owned(),
        instance_charge_type: call.text("InstanceChargeType").to_owned(),
        bandwidth: match call.text("InternetChargeType") {
            "paybybandwidth" => call.integer("Bandwidth").unwrap_or(1),
            _ => 5120,
        },
        load_balancer_spec: call.text("LoadBalancerSpec").to_owned(),
        master_zone_id: master,
        slave_zone_id: slave,
        delete_protection: call.text("DeleteProtection") == "on",
        modification_protection_status: call.text("ModificationProtectionStatus").to_owned(),
        modification_protection_reason: match call.text("ModificationProtectionStatus") {
            "ConsoleProtection" => call.text("ModificationProtectionReason").to_owned(),
            _ => String::new(),
        },
        create_time: call.now,
        tags: Tags::read(call),
    };
    let answer = json!({
        "LoadBalancerId": balancer.load_balancer_id,
        "LoadBalancerName": balancer.load_balancer_name,
        "Address": balancer.address,
        "AddressIPVersion": "ipv4",
        "NetworkType": balancer.network_type(),
        "VpcId": balancer.vpc_id,
        "VSwitchId": balancer.v_switch_id,
    });
    world.region_mut(call).slb.load_balancers.insert(balancer);
    Ok(answer)
}

/// The VSwitch that is asked for: none on the Internet.
fn place(world: &World, call: &Call<'_>) -> Result<Option<Subnet>, CloudError> {
    let vpcs = &world.region(call).vpc.vpcs;
    if call.given("VpcId").is_some_and(|id| vpcs.get(id).is_none()) {
        return Err((&VPC_NOT_FOUND).into());
    }
    match (call.given("AddressType"), call.given("VSwitchId")) {
        (Some("internet"), Some(_)) => Err(CloudError::invalid("VSwitchId", "absent on the Internet")),
        (Some("internet") | None, None) if call.has("Address") => {
            Err(CloudError::invalid("Address", "absent on the Internet"))
        }
        (Some("internet") | None, None) => Ok(None),
        (_, None) => Err((&VSWITCH_MISSING).into()),
        (_, Some(id)) => {
            let place = world.place(call, id).ok_or(&VSWITCH_NOT_FOUND)?;
            if call.given("VpcId").is_some_and(|id| id != place.vpc_id) {
                return Err((&VSWITCH_INVALID).into());
            }
            Ok(Some(place))
        }
    }
}

fn private_address(world: &World, call: &Call<'_>, place: &Subnet) -> Result<Ipv4Addr, CloudError> {
    let mut free = world.private_addresses(call, place);
    match call.given("Address").and_then(|address| address.parse().ok()) {
        None => free.next().ok_or_else(|| (&NO_ADDRESS).into()),
        Some(wanted) if free.any(|address| address == wanted) => Ok(wanted),
        Some(wanted) if place.cidr_block.contains(&wanted) => {
            Err(common::INVALID_PARAMETER.because("Illegal parameter. The IP address is in use or reserved."))
        }
        Some(_) => Err(common::INVALID_PARAMETER.because("Illegal parameter. The IP address is not in subnet.")),
    }
}

/// The zones that it works in: those of the call, else the zone of its VSwitch and another one.
fn zones(call: &Call<'_>, place: Option<&Subnet>) -> Result<(String, String), CloudError> {
    let known: Vec<String> = region(call.region).map(|region| region.zones().collect()).unwrap_or_default();
    for wish in ["MasterZoneId", "SlaveZoneId"] {
        if call.given(wish).is_some_and(|zone| !known.iter().any(|known| known == zone)) {
            return Err((&ZONE_NOT_FOUND).into());
        }
    }
    let master = call.given("MasterZoneId").or(place.map(|place| place.zone_id.as_str()));
    let master = master.or(known.first().map(String::as_str)).unwrap_or_default();
    let other = known.iter().map(String::as_str).find(|zone| *zone != master);
    let slave = call.given("SlaveZoneId").or(other).unwrap_or(master);
    Ok((master.to_owned(), slave.to_owned()))
}

const PROTECT: Action = Action::write("SetLoadBalancerDeleteProtection", protect)
    .parameters(&[
        required("RegionId", TEXT),
        required("LoadBalancerId", TEXT),
        required("DeleteProtection", Form::OneOf(&["on", "off"])),
    ])
    .errors(&[&NOT_FOUND]);

fn protect(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancers = &mut world.region_mut(call).slb.load_balancers;
    let balancer = balancers.get_mut(call.text("LoadBalancerId")).ok_or(&NOT_FOUND)?;
    balancer.delete_protection = call.text("DeleteProtection") == "on";
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteLoadBalancer", delete)
    .parameters(&[optional("RegionId", TEXT), required("LoadBalancerId", TEXT)])
    .errors(&[&NOT_FOUND, &PROTECTED]);

/// The deletion of a load balancer deletes its groups of servers.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let slb = &mut world.region_mut(call).slb;
    let id = call.text("LoadBalancerId");
    if slb.load_balancers.get(id).ok_or(&NOT_FOUND)?.delete_protection {
        return Err((&PROTECTED).into());
    }
    slb.load_balancers.remove(id);
    slb.server_groups.retain(|group| group.load_balancer_id != id);
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
