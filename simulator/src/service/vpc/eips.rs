//! Elastic IP addresses: `AllocateEipAddress`, `DescribeEipAddresses`, `ModifyEipAddressAttribute`,
//! `ReleaseEipAddress`. Association is in [`association`], reads in `describe`.

pub mod association;
mod describe;

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};

use super::errors::{EIP_NOT_FOUND, PROTECTED};
use super::{DESCRIPTION, NAME};
use crate::action::{
    Action, Call, CloudError, ErrorCode, Form, Shape, TAGS, TEXT, TOKEN, field, optional, required,
};
use crate::resource::{Phase, Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::vpc::Eip;

/// The actions of elastic addresses, but for association.
pub const ACTIONS: &[Action] = &[ALLOCATE, describe::DESCRIBE, MODIFY, RELEASE];

/// How many an account may have in all regions: <https://www.alibabacloud.com/help/en/eip/quotas>.
pub(super) const QUOTA: Quota = Quota::new("eips", 20);

const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(400, "QuotaExceeded.Eip", "Elastic IP address quota exceeded.");
const NONE_LEFT: ErrorCode = ErrorCode::new(400, "ReserveIpFail", "Reserve eip failed.");
const BANDWIDTH_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidBandwidth.Malformed", "The specified Bandwidth is invalid.");
const NAME_MALFORMED: ErrorCode = ErrorCode::new(400, "IllegalParam.Name", "Name is illegal.");
const DESCRIPTION_MALFORMED: ErrorCode =
    ErrorCode::new(400, "IllegalParam.Description", "Description is illegal.");
const ISP_MALFORMED: ErrorCode = ErrorCode::new(400, "IllegalParam.Isp", "The param of Isp is illegal.");
const STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectEipStatus", "Current elastic IP status does not support this operation.");
const CONFLICT: ErrorCode = ErrorCode::new(400, "TaskConflict", "The eip operate too frequent, TaskConflict.");

/// In Mbit/s.
const BANDWIDTH: Form = Form::Integer(1, 500);
/// The most, in Mbit/s, of an address that is paid by traffic.
const BY_TRAFFIC: i64 = 200;
const PAY_BY_TRAFFIC: &str = "PayByTraffic";

const ALLOCATE: Action = Action::write("AllocateEipAddress", allocate)
    .parameters(&[
        required("RegionId", TEXT),
        optional("Bandwidth", BANDWIDTH).or("5").malformed(&BANDWIDTH_MALFORMED),
        optional("Name", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid"])).or("PostPaid"),
        optional("InternetChargeType", Form::OneOf(&["PayByBandwidth", PAY_BY_TRAFFIC])).or("PayByBandwidth"),
        optional("ISP", Form::OneOf(&["BGP"])).or("BGP").malformed(&ISP_MALFORMED),
        optional("Netmode", Form::OneOf(&["public"])).or("public"),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&[
        "ActivityId",
        "AutoPay",
        "InstanceId",
        "IpAddress",
        "Period",
        "PricingCycle",
        "PublicIpAddressPoolId",
        "ResourceGroupId",
        "SecurityProtectionTypes",
        "Zone",
    ])
    .answer(&[field("AllocationId", Shape::Text), field("EipAddress", Shape::Text)])
    .errors(&[
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &BANDWIDTH_MALFORMED,
        &ISP_MALFORMED,
        &QUOTA_EXCEEDED,
        &NONE_LEFT,
    ]);

fn allocate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bandwidth = call.integer("Bandwidth").unwrap_or_default();
    let internet_charge_type = call.text("InternetChargeType");
    affordable(bandwidth, internet_charge_type)?;
    let count = world.account(call).regions().map(|(_, region)| region.vpc.eips.len()).sum();
    call.within(&QUOTA, count, &QUOTA_EXCEEDED)?;
    let taken: BTreeSet<Ipv4Addr> = world
        .accounts()
        .flat_map(|(_, account)| account.regions())
        .flat_map(|(_, region)| &region.vpc.eips)
        .map(|eip| eip.ip_address)
        .collect();
    if taken.len() >= BLOCK_SIZE as usize {
        return Err((&NONE_LEFT).into());
    }
    let ip_address = address(world.number(), &taken).ok_or(&NONE_LEFT)?;
    let allocation_id = world.id("eip-");
    world.region_mut(call).vpc.eips.insert(Eip {
        allocation_id: allocation_id.clone(),
        name: call.text("Name").to_owned(),
        description: call.text("Description").to_owned(),
        ip_address,
        bandwidth,
        internet_charge_type: internet_charge_type.to_owned(),
        instance_id: String::new(),
        instance_type: String::new(),
        private_ip_address: None,
        deletion_protection: false,
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: Phase::stay(Status::Available),
    });
    Ok(json!({ "AllocationId": allocation_id, "EipAddress": ip_address }))
}

/// Checks that an address may have a bandwidth, with its way of payment.
fn affordable(bandwidth: i64, internet_charge_type: &str) -> Result<(), CloudError> {
    if internet_charge_type == PAY_BY_TRAFFIC && bandwidth > BY_TRAFFIC {
        return Err(BANDWIDTH_MALFORMED
            .because(format!("The specified Bandwidth is invalid: at most {BY_TRAFFIC} by traffic.")));
    }
    Ok(())
}

/// The block of all addresses, which belongs to nobody (RFC 2544).
const BLOCK: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);
const BLOCK_SIZE: u32 = 1 << 16;

/// The first free address from a number on. The numbers of a world grow, so that a released address is not soon
/// given to somebody else.
fn address(number: u64, taken: &BTreeSet<Ipv4Addr>) -> Option<Ipv4Addr> {
    let start = u32::try_from(number % u64::from(BLOCK_SIZE)).ok()?;
    (0..BLOCK_SIZE)
        .map(|step| Ipv4Addr::from_bits(BLOCK.to_bits() + (start + step) % BLOCK_SIZE))
        .find(|address| !taken.contains(address))
}

const MODIFY: Action = Action::write("ModifyEipAddressAttribute", modify)
    .parameters(&[
        optional("RegionId", TEXT),
        required("AllocationId", TEXT),
        optional("Bandwidth", BANDWIDTH).malformed(&BANDWIDTH_MALFORMED),
        optional("Name", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
    ])
    .errors(&[&EIP_NOT_FOUND, &STATUS, &BANDWIDTH_MALFORMED, &NAME_MALFORMED, &DESCRIPTION_MALFORMED]);

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("AllocationId");
    let eip = world.region(call).vpc.eips.get(id).ok_or(&EIP_NOT_FOUND)?;
    if eip.phase.due().is_some() {
        return Err((&STATUS).into());
    }
    let bandwidth = call.integer("Bandwidth").unwrap_or(eip.bandwidth);
    affordable(bandwidth, &eip.internet_charge_type)?;
    let eip = world.region_mut(call).vpc.eips.get_mut(id).ok_or(&EIP_NOT_FOUND)?;
    eip.bandwidth = bandwidth;
    if let Some(name) = call.given("Name") {
        name.clone_into(&mut eip.name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut eip.description);
    }
    Ok(json!({}))
}

const RELEASE: Action = Action::write("ReleaseEipAddress", release)
    .parameters(&[optional("RegionId", TEXT), required("AllocationId", TEXT)])
    .errors(&[&EIP_NOT_FOUND, &PROTECTED, &CONFLICT, &STATUS])
    .through(&[Status::Releasing])
    .takes(Duration::from_secs(2));

fn release(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("AllocationId");
    let eip = world.region(call).vpc.eips.get(id).ok_or(&EIP_NOT_FOUND)?;
    if eip.deletion_protection {
        return Err((&PROTECTED).into());
    }
    if eip.phase.due().is_some() {
        return Err((&CONFLICT).into());
    }
    if eip.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    let eip = world.region_mut(call).vpc.eips.get_mut(id).ok_or(&EIP_NOT_FOUND)?;
    eip.phase = call.leave(Status::Releasing, call.takes());
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
