//! VSwitches, the subnets of networks, one zone each: `CreateVSwitch`, `ModifyVSwitchAttribute`, `DeleteVSwitch`.
//! Reads are in [`describe`].

pub mod describe;

use std::time::Duration;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde_json::{Value, json};

use super::errors::{VPC_NOT_FOUND, VPC_STATUS, VSWITCH_NOT_FOUND};
use super::{DESCRIPTION, NAME, private_addresses, route_entries};
use crate::action::{
    Action, Arguments, BOOLEAN, CIDR4, CIDR6, Call, CloudError, ErrorCode, Form, Shape, TAGS, TEXT, TOKEN, common,
    field, optional, required,
};
use crate::regions::region;
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::vpc::{RouteTable, State, VSwitch, Vpc};
use crate::world::{Region, World};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, MODIFY, DELETE];

/// VSwitches of one VPC.
/// <https://www.alibabacloud.com/help/en/vpc/user-guide/vpc-quotas>
pub(super) const QUOTA: Quota = Quota::new("vswitches", 150);
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(400, "QuotaExceeded.VSwitch", "Virtual switch quota exceeded.");

const STATUS: ErrorCode = ErrorCode::new(
    400,
    "IncorrectVSwitchStatus",
    "The current virtual switch status does not support this operation.",
);
const ZONE: ErrorCode = ErrorCode::new(404, "InvalidZoneId.NotFound", "Specified zone does not exist.");
const NAME_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidVSwitchName.Malformed", "Specified virtual switch name is not valid.");
const DESCRIPTION_MALFORMED: ErrorCode = ErrorCode::new(
    400,
    "InvalidVSwitchDiscription.Malformed",
    "Specified virtual switch description is not valid.",
);
const CIDR_MISSING: ErrorCode =
    ErrorCode::new(400, "MissingParam.CidrOrCidrMask", "The CIDR or CIDR Mask must be input.");
const CIDR_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidCidrBlock.Malformed", "Specified CIDR block is not valid.");
const CIDR_MASK: ErrorCode =
    ErrorCode::new(400, "InvalidCirdrBlock.MaskLength", "Specified CIDR block is not valid .");
const CIDR_OVERLAPPED: ErrorCode =
    ErrorCode::new(400, "InvalidCidrBlock.Overlapped", "Specified CIDR block overlapped with other subnets.");
const NO_IPV6: ErrorCode =
    ErrorCode::new(400, "OperationFailed.VpcIpv6Disabled", "The operation is failed because of VpcIpv6Disabled.");
const IPV6_OVERLAPPED: ErrorCode = ErrorCode::new(
    400,
    "InvalidIpv6CidrBlock.Overlapped",
    "Specified IPv6 CIDR block overlapped with other subnets.",
);
const IPV6_KEPT: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied.Ipv6CidrBlockAllocated",
    "The IPv6 CIDR block of the VSwitch cannot be changed once it is allocated.",
);

/// The last eight bits of an IPv6 block of 64 bits in that of the network.
const IPV6_INDEX: Form = Form::Integer(0, 255);
const IPV6_MASK: Form = Form::Integer(64, 64);

const CREATE: Action = Action::write("CreateVSwitch", create)
    .parameters(&[
        optional("RegionId", TEXT),
        required("VpcId", TEXT),
        required("ZoneId", TEXT),
        optional("CidrBlock", CIDR4).malformed(&CIDR_MALFORMED),
        optional("Ipv6CidrBlock", IPV6_INDEX),
        optional("Ipv6CidrMask", IPV6_MASK),
        optional("VpcIpv6CidrBlock", CIDR6),
        optional("VSwitchName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["CidrMask"])
    .answer(&[field("VSwitchId", Shape::Text)])
    .errors(&[
        &VPC_NOT_FOUND,
        &VPC_STATUS,
        &ZONE,
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &CIDR_MISSING,
        &CIDR_MALFORMED,
        &CIDR_MASK,
        &CIDR_OVERLAPPED,
        &NO_IPV6,
        &IPV6_OVERLAPPED,
        &STATUS,
        &QUOTA_EXCEEDED,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(3));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vpc = state.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if !region(call.region).is_some_and(|region| region.has_zone(call.text("ZoneId"))) {
        return Err((&ZONE).into());
    }
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    let cidr_block = cidr_block(state, vpc, call)?;
    let ipv6_cidr_block = ipv6_cidr_block(state, vpc, "", call)?;
    conflict(state, &vpc.vpc_id, call)?;
    let siblings = state.vswitches.iter().filter(|sibling| sibling.vpc_id == vpc.vpc_id).count();
    call.within(&QUOTA, siblings, &QUOTA_EXCEEDED)?;

    let route_table_id = state.system_route_table(&vpc.vpc_id).map(|table| table.route_table_id.clone());
    let v_switch_id = world.id("vsw-");
    let vswitch = VSwitch {
        v_switch_id: v_switch_id.clone(),
        v_switch_name: call.text("VSwitchName").to_owned(),
        description: call.text("Description").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        zone_id: call.text("ZoneId").to_owned(),
        cidr_block,
        ipv6_cidr_block,
        route_table_id: route_table_id.unwrap_or_default(),
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: call.turn(Status::Pending, call.takes(), Status::Available),
    };
    for block in vswitch.blocks() {
        route_entries::add_local(world, call, &vswitch.vpc_id, block, &vswitch.phase);
    }
    world.region_mut(call).vpc.vswitches.insert(vswitch);
    Ok(json!({ "VSwitchId": v_switch_id }))
}

/// The block of a new VSwitch: a part of its network that no other VSwitch uses, and that is not the destination
/// of a route.
fn cidr_block(state: &State, vpc: &Vpc, call: &Call<'_>) -> Result<Ipv4Net, CloudError> {
    let block = call.cidr4("CidrBlock").ok_or(&CIDR_MISSING)?;
    if !(16..=29).contains(&block.prefix_len()) {
        return Err((&CIDR_MASK).into());
    }
    if !vpc.cidr_block.contains(&block) {
        return Err(common::INVALID_PARAMETER.because("Specified CIDR block is not valid in VPC."));
    }
    let mut siblings = state.vswitches.iter().filter(|sibling| sibling.vpc_id == vpc.vpc_id);
    if siblings.any(|sibling| super::overlap(sibling.cidr_block, block)) {
        return Err((&CIDR_OVERLAPPED).into());
    }
    let mut routes = state.custom_route_entries_of(&vpc.vpc_id);
    if routes.any(|entry| entry.destination_cidr_block == IpNet::V4(block)) {
        return Err(CIDR_OVERLAPPED.because("Specified CIDR block overlapped with other entry."));
    }
    Ok(block)
}

/// The IPv6 block that the call asks for, if it does. No VSwitch but `of` may have it already.
fn ipv6_cidr_block(
    state: &State,
    vpc: &Vpc,
    of: &str,
    arguments: &Arguments,
) -> Result<Option<Ipv6Net>, CloudError> {
    let wanted = arguments.cidr6("VpcIpv6CidrBlock");
    let Some(index) = arguments.integer("Ipv6CidrBlock") else {
        if wanted.is_some() || arguments.has("Ipv6CidrMask") {
            return Err(CloudError::not_supplied("Ipv6CidrBlock"));
        }
        return Ok(None);
    };
    let whole = vpc.ipv6().ok_or(&NO_IPV6)?;
    if wanted.is_some_and(|wanted| wanted != whole) {
        return Err(common::INVALID_PARAMETER.because("Specified value of \"VpcIpv6CidrBlock\" is not valid."));
    }
    let index = u128::try_from(index).unwrap_or_default();
    let block = Ipv6Net::new_assert((u128::from(whole.network()) | (index << 64)).into(), 64);
    let mut others = state.vswitches.iter().filter(|other| other.v_switch_id != of);
    if others.any(|other| other.ipv6_cidr_block == Some(block)) {
        return Err((&IPV6_OVERLAPPED).into());
    }
    Ok(Some(block))
}

/// Where the settings say so, only one VSwitch of a network is created or deleted at a time.
fn conflict(state: &State, vpc_id: &str, call: &Call<'_>) -> Result<(), CloudError> {
    let mut siblings = state.vswitches.iter().filter(|sibling| sibling.vpc_id == vpc_id);
    if call.settings.vswitch_conflicts && siblings.any(|sibling| sibling.phase.status == Status::Pending) {
        return Err(STATUS.because("Some virtual switch is modifying within the same VPC."));
    }
    Ok(())
}

const MODIFY: Action = Action::write("ModifyVSwitchAttribute", modify)
    .parameters(&[
        optional("RegionId", TEXT),
        required("VSwitchId", TEXT),
        optional("VSwitchName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("EnableIPv6", BOOLEAN),
        optional("Ipv6CidrBlock", IPV6_INDEX),
        optional("Ipv6CidrMask", IPV6_MASK),
        optional("VpcIpv6CidrBlock", CIDR6),
    ])
    .errors(&[
        &VSWITCH_NOT_FOUND,
        &STATUS,
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &NO_IPV6,
        &IPV6_OVERLAPPED,
        &IPV6_KEPT,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(3));

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vswitch = state.vswitches.get(call.text("VSwitchId")).ok_or(&VSWITCH_NOT_FOUND)?;
    if vswitch.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    let vpc = state.vpcs.get(&vswitch.vpc_id).ok_or(&VSWITCH_NOT_FOUND)?;
    let before = vswitch.ipv6_cidr_block;
    let wanted = ipv6_cidr_block(state, vpc, &vswitch.v_switch_id, call)?;
    let after = match (call.flag("EnableIPv6"), wanted) {
        (Some(false), None) => None,
        (Some(false), Some(_)) => {
            return Err(common::INVALID_PARAMETER.because("Ipv6CidrBlock is not valid where IPv6 is disabled."));
        }
        (Some(true), None) if before.is_none() => {
            return Err(CloudError::not_supplied("Ipv6CidrBlock"));
        }
        (_, Some(_)) if before.is_some() && before != wanted => return Err((&IPV6_KEPT).into()),
        (_, wanted) => wanted.or(before),
    };

    let vpc_id = vswitch.vpc_id.clone();
    let phase = call.turn(Status::Pending, call.takes(), Status::Available);
    if let Some(vswitch) = world.region_mut(call).vpc.vswitches.get_mut(call.text("VSwitchId")) {
        if let Some(name) = call.given("VSwitchName") {
            name.clone_into(&mut vswitch.v_switch_name);
        }
        if let Some(description) = call.given("Description") {
            description.clone_into(&mut vswitch.description);
        }
        if before != after {
            vswitch.ipv6_cidr_block = after;
            vswitch.phase = phase.clone();
        }
    }
    match (before, after) {
        (None, Some(block)) => route_entries::add_local(world, call, &vpc_id, IpNet::V6(block), &phase),
        (Some(block), None) => {
            let phase = call.leave(Status::Pending, call.takes());
            route_entries::leave_local(&mut world.region_mut(call).vpc, &vpc_id, IpNet::V6(block), &phase);
        }
        _ => {}
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteVSwitch", delete)
    .parameters(&[optional("RegionId", TEXT), required("VSwitchId", TEXT), optional("DryRun", BOOLEAN)])
    .errors(&[
        &VSWITCH_NOT_FOUND,
        &STATUS,
        &HAS_DEPENDENT,
        &HAS_SNAT_ENTRY,
        &HAS_NAT_GATEWAY,
        &HAS_ROUTE_TABLE,
        &route_entries::BLOCKED,
    ])
    .through(&[Status::Pending])
    .takes(Duration::from_secs(3));

const HAS_DEPENDENT: ErrorCode =
    ErrorCode::new(400, "DependencyViolation", "Specified object has dependent resources.");
const HAS_SNAT_ENTRY: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.Snat", "VSwitch cannot be deleted when has snat routeEntry.");
const HAS_NAT_GATEWAY: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.EnhancedNatgw",
    "Specified VSwitch has a dependent enhanced NAT gateway.",
);
const HAS_ROUTE_TABLE: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.RouteTable",
    "VSwitch cannot be deleted when associated with route table",
);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let vswitch = region.vpc.vswitches.get(call.text("VSwitchId")).ok_or(&VSWITCH_NOT_FOUND)?;
    if vswitch.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    conflict(&region.vpc, &vswitch.vpc_id, call)?;
    if let Some(holds) = in_use(region, vswitch) {
        return Err(holds.into());
    }
    if region.vpc.custom_route_entries_of(&vswitch.vpc_id).any(|entry| entry.phase.due().is_some()) {
        return Err((&route_entries::BLOCKED).into());
    }

    let vswitch = vswitch.clone();
    let phase = call.leave(Status::Pending, call.takes());
    let state = &mut world.region_mut(call).vpc;
    for block in vswitch.blocks() {
        route_entries::leave_local(state, &vswitch.vpc_id, block, &phase);
    }
    if let Some(vswitch) = state.vswitches.get_mut(&vswitch.v_switch_id) {
        vswitch.phase = phase;
    }
    Ok(json!({}))
}

/// The error for a VSwitch that still holds resources.
fn in_use(region: &Region, vswitch: &VSwitch) -> Option<&'static ErrorCode> {
    let State { nat_gateways, snat_entries, .. } = &region.vpc;
    let id = &vswitch.v_switch_id;
    let table = region.vpc.route_tables.get(&vswitch.route_table_id);
    let held = [
        (region.ecs.instances.iter().any(|instance| instance.v_switch_id == *id), &HAS_DEPENDENT),
        (balancers(region, id) > 0, &HAS_DEPENDENT),
        (snat_entries.iter().any(|entry| entry.source_v_switch_id == *id), &HAS_SNAT_ENTRY),
        (nat_gateways.iter().any(|gateway| gateway.v_switch_id == *id), &HAS_NAT_GATEWAY),
        (table.is_some_and(|table| table.route_table_type != RouteTable::SYSTEM), &HAS_ROUTE_TABLE),
    ];
    held.into_iter().find(|(held, _)| *held).map(|(_, error)| error)
}

/// The number of addresses of a VSwitch that load balancers use.
fn balancers(region: &Region, id: &str) -> usize {
    region.slb.addresses_in(id).count() + region.nlb.addresses_in(id).count()
}

/// The number of free addresses of a VSwitch; the first address and the last three are the cloud's own.
fn available(region: &Region, vswitch: &VSwitch) -> usize {
    let all = 1_usize << (32 - vswitch.cidr_block.prefix_len());
    all.saturating_sub(4 + private_addresses::used(region, &vswitch.v_switch_id).count())
}

#[cfg(test)]
mod tests;
