//! Network load balancers: their creation, protection and deletion. Reads are in [`reads`].

pub(super) mod reads;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};

use super::{NAME, NOT_FOUND};
use crate::action::{
    ADDRESS, Action, Arguments, BOOLEAN, Call, CloudError, ErrorCode, Form, InForm, Shape, TAGS, TEXT, TOKEN,
    field, optional, records, required,
};
use crate::regions::region;
use crate::resource::{Status, Tags};
use crate::service::addresses::Subnet;
use crate::settings::Quota;
use crate::world::World;
use crate::world::nlb::{LoadBalancer, Protection, Zone};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, PROTECT, DELETE];

/// <https://www.alibabacloud.com/help/en/slb/network-load-balancer/product-overview/limits>
pub(super) const QUOTA: Quota = Quota::new("networkLoadBalancers", 60);

const QUOTA_EXCEEDED: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded.LoadBalancersNum", "The quota of LoadBalancersNum is exceeded.");
const VPC_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "ResourceNotFound.Vpc", "The specified resource of Vpc is not found.");
const VSWITCH_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "ResourceNotFound.VSwitch", "The specified resource of vSwitch is not found.");
const ZONE_MISMATCH: ErrorCode =
    ErrorCode::new(400, "Mismatch.ZoneIdAndVswitchId", "The ZoneIdAndVswitchId is mismatched.");
/// The full stop at the end is the cloud's.
const ZONE_TWICE: ErrorCode = ErrorCode::new(
    400,
    "OperationFailed.DuplicateZones.",
    "The operation failed because of Can not Specify duplicate zones.",
);
const ZONES: ErrorCode = ErrorCode::new(400, "InvalidZones", "The current zone list is illegal.");
const NO_ADDRESS: ErrorCode =
    ErrorCode::new(400, "ResourceNotEnough.VSwitchIp", "The specified resource of VSwitchIp is not enough.");
const ADDRESS_IN_USE: ErrorCode =
    ErrorCode::new(400, "ResourceInUse.IP", "The specified resource of IP is in use.");
const ADDRESS_ILLEGAL: ErrorCode =
    ErrorCode::new(400, "IllegalParam.PrivateIPv4Address", "The param of PrivateIPv4Address is illegal.");
const CREATING: ErrorCode = ErrorCode::new(
    400,
    "ResourceInCreating.loadbalancer",
    "The specified resource of loadbalancer is creating, please try again later.",
);
const STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectStatus.loadbalancer", "The status of loadbalancer is incorrect.");
const PROTECTED: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied.DeletionProtectionEnabled",
    "The operation is not allowed because of DeletionProtectionEnabled.",
);

impl Protection {
    fn new(enabled: bool, reason: &str, call: &Call<'_>) -> Self {
        if enabled {
            Self { enabled, enabled_time: call.time(), reason: reason.to_owned() }
        } else {
            Self::default()
        }
    }
}

const CREATE: Action = Action::write("CreateLoadBalancer", create)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("AddressType", Form::OneOf(&["Internet", "Intranet"])),
        required("VpcId", TEXT),
        required("ZoneMappings", records(10, ZONE)),
        optional("LoadBalancerName", NAME),
        optional("LoadBalancerType", Form::OneOf(&["network"])),
        optional("AddressIpVersion", Form::OneOf(&["ipv4"])),
        optional("LoadBalancerBillingConfig.PayType", Form::OneOf(&["PostPay"])),
        optional("DeletionProtectionConfig.Enabled", BOOLEAN),
        optional("DeletionProtectionConfig.Reason", NAME),
        optional("ModificationProtectionConfig.Status", MODIFICATION),
        optional("ModificationProtectionConfig.Reason", NAME),
        optional("ClientToken", TOKEN),
        optional("DryRun", BOOLEAN),
        TAGS,
    ])
    .left_out(&[
        "BandwidthPackageId",
        "ResourceGroupId",
        "ZoneMappings.N.AllocationId",
        "ZoneMappings.N.Ipv4LocalAddresses",
        "ZoneMappings.N.Ipv6Address",
        "ZoneMappings.N.Ipv6LocalAddresses",
    ])
    .answer(&[field("LoadbalancerId", Shape::Text)])
    .errors(&[
        &QUOTA_EXCEEDED,
        &VPC_NOT_FOUND,
        &VSWITCH_NOT_FOUND,
        &ZONE_MISMATCH,
        &ZONE_TWICE,
        &ZONES,
        &NO_ADDRESS,
        &ADDRESS_IN_USE,
        &ADDRESS_ILLEGAL,
    ])
    .through(&[Status::Provisioning, Status::Active])
    .takes(Duration::from_mins(1));

const ZONE: &[crate::action::Parameter] =
    &[required("ZoneId", TEXT), required("VSwitchId", TEXT), optional("PrivateIPv4Address", ADDRESS)];

const MODIFICATION: Form = Form::OneOf(&["NonProtection", "ConsoleProtection"]);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    call.within(&QUOTA, world.region(call).nlb.load_balancers.len(), &QUOTA_EXCEEDED)?;
    world.region(call).vpc.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    let places = places(world, call)?;
    let private_addresses = private_addresses(world, call, &places)?;
    let public = call.text("AddressType") == "Internet";
    let mut zones: Vec<Zone> = Vec::new();
    for (place, private_address) in places.into_iter().zip(private_addresses) {
        let mut public_address = public.then(|| world.public_address(call));
        while public_address.is_some() && zones.iter().any(|zone| zone.public_address == public_address) {
            public_address = Some(world.public_address(call));
        }
        let eni_id = world.id("eni-");
        zones.push(Zone {
            zone_id: place.zone_id,
            v_switch_id: place.v_switch_id,
            eni_id,
            private_address,
            public_address,
        });
    }
    let id = world.id("nlb-");
    world.region_mut(call).nlb.load_balancers.insert(LoadBalancer {
        load_balancer_id: id.clone(),
        load_balancer_name: call.text("LoadBalancerName").to_owned(),
        address_type: call.text("AddressType").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        zones,
        deletion_protection: Protection::new(
            call.flag("DeletionProtectionConfig.Enabled") == Some(true),
            call.text("DeletionProtectionConfig.Reason"),
            call,
        ),
        modification_protection: Protection::new(
            call.text("ModificationProtectionConfig.Status") == "ConsoleProtection",
            call.text("ModificationProtectionConfig.Reason"),
            call,
        ),
        create_time: call.time(),
        tags: Tags::read(call),
        phase: call.turn(Status::Provisioning, call.takes(), Status::Active),
    });
    // The small `b` is the cloud's.
    Ok(json!({ "LoadbalancerId": id }))
}

/// The VSwitches that are asked for: two zones at least, where the region has them.
fn places(world: &World, call: &Call<'_>) -> Result<Vec<Subnet>, CloudError> {
    let mappings = call.records("ZoneMappings");
    let zones: BTreeSet<&str> = mappings.iter().map(|mapping| mapping.text("ZoneId")).collect();
    if zones.len() < mappings.len() {
        return Err((&ZONE_TWICE).into());
    }
    let known = region(call.region).map_or(0, |region| region.zones().count());
    if zones.len() < known.min(2) {
        return Err((&ZONES).into());
    }
    let place = |mapping: &Arguments| {
        let place = world.place(call, mapping.text("VSwitchId")).ok_or(&VSWITCH_NOT_FOUND)?;
        if place.vpc_id != call.text("VpcId") {
            return Err((&VSWITCH_NOT_FOUND).into());
        }
        if place.zone_id != mapping.text("ZoneId") {
            return Err((&ZONE_MISMATCH).into());
        }
        Ok(place)
    };
    mappings.iter().map(place).collect()
}

/// An address in each VSwitch. They are in different zones, so that no two are the same.
fn private_addresses(world: &World, call: &Call<'_>, places: &[Subnet]) -> Result<Vec<Ipv4Addr>, CloudError> {
    let address = |(place, mapping): (&Subnet, &Arguments)| {
        let mut free = world.private_addresses(call, place);
        match mapping.given("PrivateIPv4Address").and_then(|address| address.parse::<Ipv4Addr>().ok()) {
            None => free.next().ok_or_else(|| (&NO_ADDRESS).into()),
            Some(wanted) if free.any(|address| address == wanted) => Ok(wanted),
            Some(wanted) if place.cidr_block.contains(&wanted) => Err((&ADDRESS_IN_USE).into()),
            Some(_) => Err((&ADDRESS_ILLEGAL).into()),
        }
    };
    places.iter().zip(call.records("ZoneMappings")).map(address).collect()
}

/// The load balancer of a call, if it can be changed.
fn changeable<'a>(world: &'a mut World, call: &Call<'_>) -> Result<&'a mut LoadBalancer, CloudError> {
    let balancers = &mut world.region_mut(call).nlb.load_balancers;
    let balancer = balancers.get_mut(call.text("LoadBalancerId")).ok_or(&NOT_FOUND)?;
    match balancer.phase.status {
        Status::Active => Ok(balancer),
        Status::Provisioning => Err((&CREATING).into()),
        status => Err(STATUS.because(format!("The status of loadbalancer [{}] is incorrect.", status.as_str()))),
    }
}

const PROTECT: Action = Action::write("UpdateLoadBalancerProtection", protect)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("LoadBalancerId", TEXT),
        optional("DeletionProtectionEnabled", BOOLEAN),
        optional("DeletionProtectionReason", NAME),
        optional("ModificationProtectionStatus", MODIFICATION),
        optional("ModificationProtectionReason", NAME),
        optional("ClientToken", TOKEN),
        optional("DryRun", BOOLEAN),
    ])
    .errors(&[&NOT_FOUND, &CREATING, &STATUS]);

fn protect(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancer = changeable(world, call)?;
    if let Some(enabled) = call.flag("DeletionProtectionEnabled") {
        balancer.deletion_protection = Protection::new(enabled, call.text("DeletionProtectionReason"), call);
    }
    if let Some(status) = call.given("ModificationProtectionStatus") {
        let reason = call.text("ModificationProtectionReason");
        balancer.modification_protection = Protection::new(status == "ConsoleProtection", reason, call);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteLoadBalancer", delete)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("LoadBalancerId", TEXT),
        optional("ClientToken", TOKEN),
        optional("DryRun", BOOLEAN),
    ])
    .answer(&[field("JobId", Shape::Text)])
    .errors(&[&NOT_FOUND, &CREATING, &STATUS, &PROTECTED])
    .through(&[Status::Deleting])
    .takes(Duration::from_secs(20));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let balancer = changeable(world, call)?;
    if balancer.deletion_protection.enabled {
        return Err((&PROTECTED).into());
    }
    balancer.phase = call.leave(Status::Deleting, call.takes());
    Ok(json!({ "JobId": world.id("") }))
}

#[cfg(test)]
mod tests;
