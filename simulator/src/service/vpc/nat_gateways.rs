//! Enhanced NAT gateways to the internet: `CreateNatGateway`, `ModifyNatGatewayAttribute`, `DeleteNatGateway`.
//! Reads are in [`describe`].

pub mod describe;

use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};

use super::errors::{NAT_GATEWAY_NOT_FOUND, PROTECTED, VPC_NOT_FOUND, VSWITCH_NOT_FOUND};
use super::{DESCRIPTION, LETTERED_NAME, NAME, eips, private_addresses, route_entries};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Shape, TAGS, TEXT, TOKEN, field, items, optional, record,
    required,
};
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::vpc::{NatGateway, State};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, MODIFY, DELETE];

/// How many a network may have: <https://www.alibabacloud.com/help/en/nat-gateway/user-guide/quotas>.
pub(super) const QUOTA: Quota = Quota::new("natGateways", 5);

const NAME_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidNatGatewayName.MalFormed", "NatGateway name is not valid.");
const DESCRIPTION_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidNatGatewayDescription.MalFormed", "NatGateway description is not valid.");
const NORMAL: ErrorCode = ErrorCode::new(
    400,
    "OperationFailed.NormalInventoryNotEnough",
    "Standard NAT gateways are no longer offered. You can create enhanced NAT gateways and set the correct natType.",
);
const FOREIGN_VSWITCH: ErrorCode = ErrorCode::new(
    400,
    "OperationFailed.VswNotBelongToVpc",
    "Operation failed because the specified VSwitch is not in the VPC of the NAT gateway.",
);
const VPC_STATUS: ErrorCode = ErrorCode::new(400, "InvalidVPCStatus", "vpc incorrect status.");
const VSWITCH_STATUS: ErrorCode = ErrorCode::new(
    400,
    "VswitchStatusError",
    "The status of the specified VSwitch does not support this operation.",
);
const CONFLICT: ErrorCode =
    ErrorCode::new(400, "TaskConflict", "Another NAT gateway of the specified VPC is being created.");
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(
    400,
    "OperationFailed.EnhancedQuotaExceed",
    "Operation failed because the maximum number of enhanced NAT gateways in the same VPC is exceeded.",
);
const MODIFY_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectStatus.NATGW", "The status of the specified NAT gateway is abnormal.");
const DELETE_STATUS: ErrorCode =
    ErrorCode::new(404, "IncorrectStatus.NatGateway", "The status of the specified NAT gateway is incorrect.");
const HAS_EIPS: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.EIPS",
    "There are Eips on specified NatGateway, please unbind it first.",
);
const HAS_SNAT: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.SnatEntry",
    "The specified resource of NatGateway depends on SnatEntry, so the operation cannot be completed.",
);
const SNAT_STATUS: ErrorCode = ErrorCode::new(
    400,
    "IncorrectStatus.SnatEntry",
    "The status of an SNAT entry of the NAT gateway is incorrect.",
);
const HAS_ROUTES: ErrorCode = ErrorCode::new(
    400,
    "DependencyViolation.RouterEntry",
    "The specified resource of NatGateway depends on RouterEntry, so the operation cannot be completed.",
);

const CREATE: Action = Action::write("CreateNatGateway", create)
    .parameters(&[
        required("RegionId", TEXT),
        required("VpcId", TEXT),
        optional("VSwitchId", TEXT),
        optional("NatType", Form::OneOf(&["Enhanced"])).malformed(&NORMAL),
        optional("NetworkType", Form::OneOf(&["internet"])).or("internet"),
        optional("Name", LETTERED_NAME).malformed(&NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&DESCRIPTION_MALFORMED),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid"])).or("PostPaid"),
        optional("InternetChargeType", Form::OneOf(&["PayByLcu"])).or("PayByLcu"),
        optional("EipBindMode", Form::OneOf(&["MULTI_BINDED", NatGateway::NAT_MODE])).or("MULTI_BINDED"),
        optional("IcmpReplyEnabled", BOOLEAN).or("true"),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&[
        "AccessMode",
        "AutoPay",
        "AvailabilityMode",
        "Duration",
        "Ipv4Prefix",
        "NatIp",
        "PricingCycle",
        "PrivateLinkEnabled",
        "SecurityProtectionEnabled",
        "Spec",
    ])
    .answer(&[
        field("NatGatewayId", Shape::Text),
        field("SnatTableIds", record(&[field("SnatTableId", items(&Shape::Text))])),
        field("ForwardTableIds", record(&[field("ForwardTableId", items(&Shape::Text))])),
        field("FullNatTableIds", record(&[field("FullNatTableId", items(&Shape::Text))])),
    ])
    .errors(&[
        &NAME_MALFORMED,
        &DESCRIPTION_MALFORMED,
        &NORMAL,
        &VPC_NOT_FOUND,
        &VSWITCH_NOT_FOUND,
        &FOREIGN_VSWITCH,
        &VPC_STATUS,
        &VSWITCH_STATUS,
        &CONFLICT,
        &QUOTA_EXCEEDED,
        &private_addresses::NONE_FREE,
    ])
    .through(&[Status::Creating, Status::Pending, Status::Available])
    .takes(Duration::from_secs(45));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    // Without a type, the cloud assumes the one that it no longer sells.
    for name in ["NatType", "VSwitchId"] {
        call.given(name).ok_or_else(|| CloudError::not_supplied(name))?;
    }
    let private_ip_address = place(world, call)?;
    let gateway = NatGateway {
        nat_gateway_id: world.id("ngw-"),
        name: call.text("Name").to_owned(),
        description: call.text("Description").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        v_switch_id: call.text("VSwitchId").to_owned(),
        private_ip_address,
        network_interface_id: world.id("eni-"),
        eip_bind_mode: call.text("EipBindMode").to_owned(),
        icmp_reply_enabled: call.flag("IcmpReplyEnabled").unwrap_or(true),
        snat_table_id: world.id("stb-"),
        forward_table_id: world.id("ftb-"),
        deletion_protection: false,
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: call.turn(Status::Creating, call.takes(), Status::Available),
    };
    let answer = json!({
        "NatGatewayId": gateway.nat_gateway_id,
        "SnatTableIds": { "SnatTableId": [gateway.snat_table_id] },
        "ForwardTableIds": { "ForwardTableId": [gateway.forward_table_id] },
        "FullNatTableIds": { "FullNatTableId": [] },
    });
    let route = call.turn(Status::Pending, call.takes(), Status::Available);
    route_entries::add_default(world, call, &gateway.vpc_id, "NatGateway", &gateway.nat_gateway_id, route);
    world.region_mut(call).vpc.nat_gateways.insert(gateway);
    Ok(answer)
}

/// Checks that a gateway can be created in the VSwitch of the call, and returns its address.
fn place(world: &World, call: &Call<'_>) -> Result<Ipv4Addr, CloudError> {
    let region = world.region(call);
    let vpc = region.vpc.vpcs.get(call.text("VpcId")).ok_or(&VPC_NOT_FOUND)?;
    let vswitch = region.vpc.vswitches.get(call.text("VSwitchId")).ok_or(&VSWITCH_NOT_FOUND)?;
    if vswitch.vpc_id != vpc.vpc_id {
        return Err((&FOREIGN_VSWITCH).into());
    }
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    if vswitch.phase.status != Status::Available {
        return Err((&VSWITCH_STATUS).into());
    }
    let siblings = || region.vpc.nat_gateways.iter().filter(|gateway| gateway.vpc_id == vpc.vpc_id);
    if siblings().any(|gateway| gateway.phase.status == Status::Creating) {
        return Err((&CONFLICT).into());
    }
    call.within(&QUOTA, siblings().count(), &QUOTA_EXCEEDED)?;
    private_addresses::free(region, vswitch).ok_or_else(|| (&private_addresses::NONE_FREE).into())
}

const MODIFY: Action = Action::write("ModifyNatGatewayAttribute", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("NatGatewayId", TEXT),
        optional("Name", NAME).malformed(&MODIFY_NAME_MALFORMED),
        optional("Description", DESCRIPTION).malformed(&MODIFY_DESCRIPTION_MALFORMED),
        optional("IcmpReplyEnabled", BOOLEAN),
    ])
    .left_out(&["EipBindMode", "EnableSessionLog", "LogDelivery"])
    .errors(&[&NAT_GATEWAY_NOT_FOUND, &MODIFY_STATUS, &MODIFY_NAME_MALFORMED, &MODIFY_DESCRIPTION_MALFORMED]);

const MODIFY_NAME_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.Name.Malformed", "The specified Name is not valid.");
const MODIFY_DESCRIPTION_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.Description.Malformed", "The specified Description is not valid.");

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("NatGatewayId");
    let gateway = world.region(call).vpc.nat_gateways.get(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
    if gateway.phase.status != Status::Available {
        return Err((&MODIFY_STATUS).into());
    }
    let gateway = world.region_mut(call).vpc.nat_gateways.get_mut(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
    if let Some(name) = call.given("Name") {
        name.clone_into(&mut gateway.name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut gateway.description);
    }
    if let Some(enabled) = call.flag("IcmpReplyEnabled") {
        gateway.icmp_reply_enabled = enabled;
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteNatGateway", delete)
    .parameters(&[required("RegionId", TEXT), required("NatGatewayId", TEXT), optional("Force", BOOLEAN)])
    .errors(&[&NAT_GATEWAY_NOT_FOUND, &PROTECTED, &DELETE_STATUS, &HAS_SNAT, &SNAT_STATUS, &HAS_EIPS, &HAS_ROUTES])
    .through(&[Status::Deleting, Status::Unassociating, Status::Available])
    .takes(Duration::from_secs(30));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("NatGatewayId");
    let state = &world.region(call).vpc;
    let gateway = state.nat_gateways.get(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
    if gateway.deletion_protection {
        return Err((&PROTECTED).into());
    }
    if gateway.phase.status != Status::Available {
        return Err((&DELETE_STATUS).into());
    }
    if call.flag("Force") != Some(true) {
        unused(state, gateway)?;
    }
    let leave = call.leave(Status::Deleting, call.takes());
    let state = &mut world.region_mut(call).vpc;
    state.nat_gateways.get_mut(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?.phase = leave.clone();
    state.snat_entries.each(|entry| {
        if entry.nat_gateway_id == id {
            entry.phase = leave.clone();
        }
    });
    route_entries::leave_next_hop(state, id, &leave);
    eips::association::unbind(state, id, &call.turn(Status::Unassociating, call.takes(), Status::Available));
    Ok(json!({}))
}

/// Checks that nothing hinders the deletion of a gateway that is not forced. The default route of the system route
/// table was made with the gateway and is deleted with it; somebody made those of other tables.
fn unused(state: &State, gateway: &NatGateway) -> Result<(), CloudError> {
    let mut entries = state.snat_entries.iter().filter(|entry| entry.nat_gateway_id == gateway.nat_gateway_id);
    if let Some(entry) = entries.next() {
        return Err(if entry.phase.due().is_some() { &SNAT_STATUS } else { &HAS_SNAT }.into());
    }
    if state.eips.iter().any(|eip| eip.instance_id == gateway.nat_gateway_id) {
        return Err((&HAS_EIPS).into());
    }
    let system = state.system_route_table(&gateway.vpc_id).map(|table| table.route_table_id.as_str());
    let leads_here = state
        .route_entries
        .iter()
        .any(|entry| entry.next_hop_id == gateway.nat_gateway_id && Some(entry.route_table_id.as_str()) != system);
    if leads_here {
        return Err((&HAS_ROUTES).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
