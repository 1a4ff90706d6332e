//! Networks: `CreateVpc`, `ModifyVpcAttribute`, `DeleteVpc`. Reads are in [`describe`].

pub mod describe;

use std::time::Duration;

use ipnet::{Ipv4Net, Ipv6Net};
use serde_json::{Value, json};

use super::errors::{VPC_NOT_FOUND, VPC_STATUS};
use super::{DESCRIPTION, NAME, route_entries, route_tables};
use crate::action::{
    Action, Arguments, BOOLEAN, CIDR4, Call, CloudError, ErrorCode, Form, Shape, TAGS, TEXT, TOKEN, common, field,
    optional, required,
};
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::vpc::{RouteTable, Vpc};
use crate::world::{Region, World};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, MODIFY, DELETE];

/// <https://www.alibabacloud.com/help/en/vpc/user-guide/vpc-quotas>
pub(super) const QUOTA: Quota = Quota::new("vpcs", 10);
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(400, "QuotaExceeded.Vpc", "VPC quota exceeded.");

const NAME_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidVpcName.Malformed", "Specified VPC name is not valid.");
const DESCRIPTION_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidVpcDiscription.Malformed", "Specified VPC description is not valid.");
const CIDR_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidCidrBlock.Malformed", "Specified CIDR block is not valid.");
const CIDR_MASK: ErrorCode =
    ErrorCode::new(400, "IllegalParam.CidrBlockMask", "The param of CidrBlock Mask is illegal.");
const USER_CIDR_QUOTA: ErrorCode =
    ErrorCode::new(400, "InvalidUserCidr.Quota", "Specified UserCidr number is greater than 3.");
const USER_CIDR_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidUserCidr.Malformed", "Specified UserCidr overlapping in of 100.64.0.0/10.");
const ISP: ErrorCode = ErrorCode::new(400, "IllegalParam.Ipv6Isp", "The specified Ipv6Isp is illegal.");
const IPV6_IN_USE: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.Ipv6", "Specified VPC has VSwitches or a gateway that use IPv6.");

const CREATE: Action = Action::write("CreateVpc", create)
    .parameters(&[
        required("RegionId", TEXT),
        optional("CidrBlock", CIDR4).or("172.16.0.0/12").malformed(&CIDR_MALFORMED),
        optional("VpcName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("EnableIpv6", BOOLEAN),
        optional("Ipv6Isp", Form::OneOf(&["BGP"])).malformed(&ISP),
        optional("UserCidr", Form::Commas(3)).malformed(&USER_CIDR_QUOTA),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&[
        "EnableDnsHostname",
        "Ipv4CidrMask",
        "Ipv4IpamPoolId",
        "Ipv6CidrBlock",
        "Ipv6CidrMask",
        "Ipv6IpamPoolId",
        "ResourceGroupId",
    ])
    .answer(&[field("VpcId", Shape::Text), field("VRouterId", Shape::Text), field("RouteTableId", Shape::Text)])
    .errors(&[
        &CIDR_MALFORMED,
        &CIDR_MASK,
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &ISP,
        &USER_CIDR_QUOTA,
        &USER_CIDR_MALFORMED,
        &QUOTA_EXCEEDED,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(3));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let cidr_block = cidr_block(call)?.ok_or(&CIDR_MALFORMED)?;
    let user_cidrs = user_cidrs(call)?;
    call.within(&QUOTA, world.region(call).vpc.vpcs.len(), &QUOTA_EXCEEDED)?;

    let vpc_id = world.id("vpc-");
    let v_router_id = world.id("vrt-");
    let ipv6_cidr_block = (call.flag("EnableIpv6") == Some(true)).then(|| block6(world.number()));
    let phase = call.turn(Status::Pending, call.takes(), Status::Available);
    world.region_mut(call).vpc.vpcs.insert(Vpc {
        vpc_id: vpc_id.clone(),
        vpc_name: call.text("VpcName").to_owned(),
        description: call.text("Description").to_owned(),
        cidr_block,
        ipv6_cidr_block,
        user_cidrs,
        v_router_id: v_router_id.clone(),
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: phase.clone(),
    });
    let table = route_tables::add_system(world, call, &vpc_id, &phase);
    Ok(json!({ "VpcId": vpc_id, "VRouterId": v_router_id, "RouteTableId": table }))
}

/// The block that a network may have. The documentation recommends masks from 16 on; the default itself has 12,
/// and networks of all of 10.0.0.0/8 are in use.
fn cidr_block(arguments: &Arguments) -> Result<Option<Ipv4Net>, CloudError> {
    /// <https://www.alibabacloud.com/help/en/vpc/developer-reference/api-vpc-2016-04-28-createvpc>
    const RESERVED: [&str; 4] = ["100.64.0.0/10", "224.0.0.0/4", "127.0.0.0/8", "169.254.0.0/16"];
    let Some(block) = arguments.cidr4("CidrBlock") else { return Ok(None) };
    if !(8..=28).contains(&block.prefix_len()) {
        return Err((&CIDR_MASK).into());
    }
    let mut reserved = RESERVED.iter().filter_map(|reserved| reserved.parse::<Ipv4Net>().ok());
    if reserved.any(|reserved| reserved.contains(&block)) {
        return Err((&CIDR_MALFORMED).into());
    }
    Ok(Some(block))
}

fn user_cidrs(arguments: &Arguments) -> Result<Vec<Ipv4Net>, CloudError> {
    let mut blocks = Vec::new();
    for text in arguments.texts("UserCidr") {
        let block: Ipv4Net =
            text.parse().map_err(|_| common::INVALID_PARAMETER.because("Specified UserCidr invalid format."))?;
        if super::overlap(block, route_entries::service_block()) {
            return Err((&USER_CIDR_MALFORMED).into());
        }
        blocks.push(block);
    }
    Ok(blocks)
}

/// A block of 56 bits in 2001:db8::/32, which belongs to nobody (RFC 3849).
fn block6(number: u64) -> Ipv6Net {
    let bits = (0x2001_0db8_u128 << 96) | (u128::from(number & 0xff_ffff) << 72);
    Ipv6Net::new_assert(bits.into(), 56)
}

const MODIFY: Action = Action::write("ModifyVpcAttribute", modify)
    .parameters(&[
        required("VpcId", TEXT),
        optional("RegionId", TEXT),
        optional("VpcName", NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("CidrBlock", CIDR4).malformed(&CIDR_MALFORMED),
        optional("EnableIPv6", BOOLEAN),
        optional("Ipv6Isp", Form::OneOf(&["BGP"])).malformed(&ISP),
    ])
    .left_out(&["EnableDnsHostname", "Ipv6CidrBlock"])
    .errors(&[
        &VPC_NOT_FOUND,
        &VPC_STATUS,
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &CIDR_MALFORMED,
        &CIDR_MASK,
        &ISP,
        &IPV6_IN_USE,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(5));

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let vpc = state.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    let cidr_block = cidr_block(call)?.unwrap_or(vpc.cidr_block);
    let mut vswitches = state.vswitches.iter().filter(|vswitch| vswitch.vpc_id == vpc.vpc_id);
    if !super::overlap(cidr_block, vpc.cidr_block)
        || vswitches.clone().any(|vswitch| !cidr_block.contains(&vswitch.cidr_block))
    {
        return Err((&CIDR_MALFORMED).into());
    }
    let enable = call.flag("EnableIPv6").filter(|enable| *enable != vpc.ipv6_cidr_block.is_some());
    if enable == Some(false)
        && (vswitches.any(|vswitch| vswitch.ipv6_cidr_block.is_some())
            || state.ipv6_gateways.iter().any(|gateway| gateway.vpc_id == vpc.vpc_id))
    {
        return Err((&IPV6_IN_USE).into());
    }

    let block = (enable == Some(true)).then(|| block6(world.number()));
    let Some(vpc) = world.region_mut(call).vpc.vpcs.get_mut(call.text("VpcId")) else { return Ok(json!({})) };
    if let Some(name) = call.given("VpcName") {
        name.clone_into(&mut vpc.vpc_name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut vpc.description);
    }
    vpc.cidr_block = cidr_block;
    if enable.is_some() {
        vpc.ipv6_cidr_block = block;
        vpc.phase = call.turn(Status::Pending, call.takes(), Status::Available);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteVpc", delete)
    .parameters(&[
        required("VpcId", TEXT),
        optional("RegionId", TEXT),
        optional("ForceDelete", BOOLEAN),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[
        &VPC_NOT_FOUND,
        &VPC_STATUS,
        &HAS_VSWITCH,
        &HAS_SECURITY_GROUP,
        &HAS_NAT_GATEWAY,
        &HAS_ROUTE_TABLE,
        &HAS_ROUTE_ENTRY,
        &HAS_IPV6_GATEWAY,
    ])
    .through(&[Status::Pending])
    .takes(Duration::from_secs(3));

const HAS_VSWITCH: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.VSwitch", "Specified object has dependent resources");
const HAS_SECURITY_GROUP: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.SecurityGroup",
    "Specified object has dependent resources SecurityGroup.",
);
const HAS_NAT_GATEWAY: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.NatGateway", "Specified object has dependent resources NatGateway.");
const HAS_ROUTE_TABLE: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.RouteTable", "VPC cannot be deleted when custom route table exists.");
const HAS_ROUTE_ENTRY: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.RouteEntry", "Specified object has dependent resources");
const HAS_IPV6_GATEWAY: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.Ipv6Gateway",
    "Specified object has dependent resources Ipv6Gateway.",
);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region(call);
    let vpc = region.vpc.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    if let Some(holds) = in_use(region, &vpc.vpc_id, call.flag("ForceDelete") == Some(true)) {
        return Err(holds.into());
    }

    let phase = call.leave(Status::Pending, call.takes());
    let id = call.text("VpcId");
    let state = &mut world.region_mut(call).vpc;
    route_tables::leave_all(state, id, &phase);
    state.ipv6_gateways.each(|gateway| {
        if gateway.vpc_id == id {
            gateway.phase = phase.clone();
        }
    });
    if let Some(vpc) = state.vpcs.get_mut(id) {
        vpc.phase = phase;
    }
    Ok(json!({}))
}

/// The error for a network that still holds resources. By force it is deleted together with its IPv6 gateway and
/// the routes to that.
fn in_use(region: &Region, id: &str, force: bool) -> Option<&'static ErrorCode> {
    let state = &region.vpc;
    let gateways: Vec<_> = state.ipv6_gateways.iter().filter(|gateway| gateway.vpc_id == id).collect();
    let forced = |next_hop: &str| force && gateways.iter().any(|gateway| gateway.ipv6_gateway_id == next_hop);
    let held = [
        (state.nat_gateways.iter().any(|gateway| gateway.vpc_id == id), &HAS_NAT_GATEWAY),
        (state.vswitches.iter().any(|vswitch| vswitch.vpc_id == id), &HAS_VSWITCH),
        (region.ecs.security_groups.iter().any(|group| group.vpc_id == id), &HAS_SECURITY_GROUP),
        (state.route_tables_of(id).any(|table| table.route_table_type != RouteTable::SYSTEM), &HAS_ROUTE_TABLE),
        (state.custom_route_entries_of(id).any(|entry| !forced(&entry.next_hop_id)), &HAS_ROUTE_ENTRY),
        (!force && !gateways.is_empty(), &HAS_IPV6_GATEWAY),
    ];
    held.into_iter().find(|(held, _)| *held).map(|(_, error)| error)
}

#[cfg(test)]
mod tests;
