//! SNAT entries: the elastic addresses by which a subnet or a block leaves a NAT gateway.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde_json::{Value, json};

use super::LETTERED_NAME;
use crate::action::{
    Action, BOOLEAN, CIDR4, COUNT, Call, CloudError, ErrorCode, Form, Shape, TEXT, TOKEN, field, items, optional,
    page, record, required,
};
use crate::resource::Status;
use crate::settings::Quota;
use crate::world::World;
use crate::world::vpc::{NatGateway, SnatEntry, State};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DESCRIBE, MODIFY, DELETE];

/// How many a NAT gateway may have: <https://www.alibabacloud.com/help/en/nat-gateway/user-guide/quotas>.
pub(super) const QUOTA: Quota = Quota::new("snatEntries", 40);
/// How many addresses an entry may have; the cloud does not raise it.
const MOST_ADDRESSES: usize = 64;

const NO_TABLE: ErrorCode =
    ErrorCode::new(404, "InvalidSnatTableId.NotFound", "Specified SNAT table does not exist.");
const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidSnatEntryId.NotFound", "Specified SNAT entry does not exist.");
/// The spelling is the cloud's.
const STATUS: ErrorCode =
    ErrorCode::new(400, "IncorretSnatEntryStatus", "Some Snat entry status blocked this operation.");
const NAME_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.Name.Malformed", "The specified Name is not valid.");
const BOTH_SOURCES: ErrorCode = ErrorCode::new(400, "INVALID_PARAMETER", "The parameter is invalid.");
const NO_VSWITCH: ErrorCode =
    ErrorCode::new(404, "InvalidVSwitchId.NotFound", "The specified virtual switch does not exist.");
const VSWITCH_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectStatus.VSWITCH", "The status of the specified virtual switch is incorrect.");
const NAT_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectStatus.NATGW", "The status of the specified NAT gateway is abnormal.");
const DUPLICATE: ErrorCode =
    ErrorCode::new(400, "Forbidden.SourceVSwitchId.Duplicated", "The specified SourceCIDR is duplicated.");
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(
    400,
    "Forbidden.SnatEntryCountLimited",
    "SNAT entry in the specified SNAT table reaches its limit.",
);
const IP_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidSnatIp.Malformed", "The specified SnatIp is not a valid IP address.");
const TOO_MANY_IPS: ErrorCode = ErrorCode::new(400, "SNAT_IP_POOL_COUNT_TOO_MANY", "The Snat pool ip too many.");
const NO_IP: ErrorCode =
    ErrorCode::new(404, "InvalidSnatIp.NotFound", "The specified SnatIp is not found in the NAT Gateway.");
const IP_ELSEWHERE: ErrorCode =
    ErrorCode::new(400, "EIP_NOT_IN_GATEWAY", "The specified EIP is not bound to the NAT gateway.");
const IP_IN_BINDING: ErrorCode = ErrorCode::new(
    400,
    "OperationUnsupported.EipInBinding",
    "Create snat entry with eip in associating status is unsupported.",
);

const AFFINITY: Form = Form::Integer(0, 1);

const CREATE: Action = Action::write("CreateSnatEntry", create)
    .parameters(&[
        required("RegionId", TEXT),
        required("SnatTableId", TEXT),
        optional("SourceVSwitchId", TEXT),
        optional("SourceCIDR", CIDR4),
        optional("SnatIp", TEXT),
        optional("SnatEntryName", LETTERED_NAME).malformed(&NAME_MALFORMED),
        optional("EipAffinity", AFFINITY).or("0"),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["NetworkInterfaceId"])
    .answer(&[field("SnatEntryId", Shape::Text)])
    .errors(&[
        &NO_TABLE,
        &NAME_MALFORMED,
        &BOTH_SOURCES,
        &NO_VSWITCH,
        &VSWITCH_STATUS,
        &NAT_STATUS,
        &IP_MALFORMED,
        &TOO_MANY_IPS,
        &NO_IP,
        &IP_ELSEWHERE,
        &IP_IN_BINDING,
        &DUPLICATE,
        &QUOTA_EXCEEDED,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(4));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let gateway = gateway(state, call.text("SnatTableId"))?;
    let source_cidr = source(state, call, gateway)?;
    let snat_ips = addresses(call.given("SnatIp").ok_or_else(|| CloudError::not_supplied("SnatIp"))?)?;
    if gateway.phase.status != Status::Available {
        return Err((&NAT_STATUS).into());
    }
    bound(state, gateway, &snat_ips)?;
    let siblings = || state.snat_entries.iter().filter(|entry| entry.snat_table_id == gateway.snat_table_id);
    if siblings().any(|entry| entry.source_cidr == source_cidr) {
        return Err((&DUPLICATE).into());
    }
    call.within(&QUOTA, siblings().count(), &QUOTA_EXCEEDED)?;
    let nat_gateway_id = gateway.nat_gateway_id.clone();
    let snat_entry_id = world.id("snat-");
    world.region_mut(call).vpc.snat_entries.insert(SnatEntry {
        snat_entry_id: snat_entry_id.clone(),
        snat_entry_name: call.text("SnatEntryName").to_owned(),
        snat_table_id: call.text("SnatTableId").to_owned(),
        nat_gateway_id,
        source_v_switch_id: call.text("SourceVSwitchId").to_owned(),
        source_cidr,
        snat_ips,
        eip_affinity: call.integer("EipAffinity").unwrap_or_default(),
        phase: call.turn(Status::Pending, call.takes(), Status::Available),
    });
    Ok(json!({ "SnatEntryId": snat_entry_id }))
}

/// The NAT gateway of a table.
fn gateway<'a>(state: &'a State, snat_table_id: &str) -> Result<&'a NatGateway, CloudError> {
    let mut gateways = state.nat_gateways.iter();
    gateways.find(|gateway| gateway.snat_table_id == snat_table_id).ok_or_else(|| (&NO_TABLE).into())
}

/// The block that a new entry is for: its own, or that of a subnet.
fn source(state: &State, call: &Call<'_>, gateway: &NatGateway) -> Result<Ipv4Net, CloudError> {
    match (call.given("SourceVSwitchId"), call.cidr4("SourceCIDR")) {
        (None, None) => Err(CloudError::not_supplied("SourceVSwitchId")),
        (Some(_), Some(_)) => Err((&BOTH_SOURCES).into()),
        (None, Some(block)) => Ok(block),
        (Some(id), None) => {
            let vswitch = state.vswitches.get(id).filter(|vswitch| vswitch.vpc_id == gateway.vpc_id);
            let vswitch = vswitch.ok_or(&NO_VSWITCH)?;
            if vswitch.phase.leaving() {
                return Err((&VSWITCH_STATUS).into());
            }
            Ok(vswitch.cidr_block)
        }
    }
}

/// Reads addresses with commas between them.
fn addresses(text: &str) -> Result<Vec<Ipv4Addr>, CloudError> {
    let addresses: Result<Vec<Ipv4Addr>, _> = text.split(',').map(|address| address.trim().parse()).collect();
    let addresses = addresses.map_err(|_| &IP_MALFORMED)?;
    if addresses.iter().collect::<BTreeSet<_>>().len() < addresses.len() {
        return Err(IP_MALFORMED.because("The specified SnatIp names an address twice."));
    }
    if addresses.len() > MOST_ADDRESSES {
        return Err((&TOO_MANY_IPS).into());
    }
    Ok(addresses)
}

/// Whether addresses are bound to a gateway.
fn bound(state: &State, gateway: &NatGateway, addresses: &[Ipv4Addr]) -> Result<(), CloudError> {
    for address in addresses {
        let eip = state.eips.iter().find(|eip| eip.ip_address == *address).ok_or(&NO_IP)?;
        if eip.instance_id != gateway.nat_gateway_id || eip.phase.status == Status::Unassociating {
            return Err((&IP_ELSEWHERE).into());
        }
        if eip.phase.status == Status::Associating {
            return Err((&IP_IN_BINDING).into());
        }
    }
    Ok(())
}

const SNAT_ENTRY: Shape = record(&[
    field("SnatEntryId", Shape::Text),
    field("SnatEntryName", Shape::Text),
    field("SnatTableId", Shape::Text),
    field("NatGatewayId", Shape::Text),
    field("SourceVSwitchId", Shape::Text),
    field("SourceCIDR", Shape::Text),
    field("SnatIp", Shape::Text),
    field("EipAffinity", Shape::Text),
    field("Status", Shape::Text),
]);

const DESCRIBE: Action = Action::read("DescribeSnatTableEntries", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("SnatTableId", TEXT),
        optional("NatGatewayId", TEXT),
        optional("SnatEntryId", TEXT),
        optional("SnatEntryName", TEXT),
        optional("SnatIp", TEXT),
        optional("SourceVSwitchId", TEXT),
        optional("SourceCIDR", TEXT),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
    ])
    .left_out(&["NetworkInterfaceIds"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("SnatTableEntries", record(&[field("SnatTableEntry", items(&SNAT_ENTRY))])),
    ])
    .errors(&[&NO_TABLE]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let is = |name, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    if !call.has("SnatTableId") && !call.has("NatGatewayId") {
        return Err(CloudError::not_supplied("SnatTableId"));
    }
    let mut gateways = state.nat_gateways.iter();
    let known = |gateway: &NatGateway| {
        is("SnatTableId", &gateway.snat_table_id) && is("NatGatewayId", &gateway.nat_gateway_id)
    };
    if !gateways.any(known) {
        return Err((&NO_TABLE).into());
    }
    let rows = state.snat_entries.iter().filter(|entry| {
        is("SnatTableId", &entry.snat_table_id)
            && is("NatGatewayId", &entry.nat_gateway_id)
            && is("SnatEntryId", &entry.snat_entry_id)
            && is("SnatEntryName", &entry.snat_entry_name)
            && is("SourceVSwitchId", &entry.source_v_switch_id)
            && is("SourceCIDR", &entry.source_cidr.to_string())
            && (call.given("SnatIp"))
                .is_none_or(|wanted| entry.snat_ips.iter().any(|address| address.to_string() == wanted))
    });
    Ok(page(call, rows, listed).answer("SnatTableEntries", "SnatTableEntry"))
}

fn listed(entry: &SnatEntry) -> Value {
    let addresses: Vec<String> = entry.snat_ips.iter().map(Ipv4Addr::to_string).collect();
    json!({
        "SnatEntryId": entry.snat_entry_id,
        "SnatEntryName": entry.snat_entry_name,
        "SnatTableId": entry.snat_table_id,
        "NatGatewayId": entry.nat_gateway_id,
        "SourceVSwitchId": entry.source_v_switch_id,
        "SourceCIDR": entry.source_cidr,
        "SnatIp": addresses.join(","),
        "EipAffinity": entry.eip_affinity.to_string(),
        "Status": entry.phase.status,
    })
}

/// The entry of a call, in a state in which it can be changed.
fn changeable<'a>(state: &'a State, call: &Call<'_>) -> Result<&'a SnatEntry, CloudError> {
    let gateway = gateway(state, call.text("SnatTableId"))?;
    let entry = state.snat_entries.get(call.text("SnatEntryId")).ok_or(&NOT_FOUND)?;
    if entry.snat_table_id != gateway.snat_table_id {
        return Err((&NOT_FOUND).into());
    }
    if entry.phase.status == Status::Available { Ok(entry) } else { Err((&STATUS).into()) }
}

const MODIFY: Action = Action::write("ModifySnatEntry", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("SnatTableId", TEXT),
        required("SnatEntryId", TEXT),
        optional("SnatIp", TEXT),
        optional("SnatEntryName", LETTERED_NAME).malformed(&NAME_MALFORMED),
        optional("EipAffinity", AFFINITY),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["NetworkInterfaceId"])
    .errors(&[
        &NO_TABLE,
        &NOT_FOUND,
        &STATUS,
        &NAME_MALFORMED,
        &IP_MALFORMED,
        &TOO_MANY_IPS,
        &NO_IP,
        &IP_ELSEWHERE,
        &IP_IN_BINDING,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(4));

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    changeable(state, call)?;
    let snat_ips = call.given("SnatIp").map(addresses).transpose()?;
    if let Some(addresses) = &snat_ips {
        bound(state, gateway(state, call.text("SnatTableId"))?, addresses)?;
    }
    let entries = &mut world.region_mut(call).vpc.snat_entries;
    let entry = entries.get_mut(call.text("SnatEntryId")).ok_or(&NOT_FOUND)?;
    if let Some(name) = call.given("SnatEntryName") {
        name.clone_into(&mut entry.snat_entry_name);
    }
    let affinity = call.integer("EipAffinity").unwrap_or(entry.eip_affinity);
    // A new name alone does not change the traffic.
    if snat_ips.is_some() || affinity != entry.eip_affinity {
        entry.snat_ips = snat_ips.unwrap_or_else(|| entry.snat_ips.clone());
        entry.eip_affinity = affinity;
        entry.phase = call.turn(Status::Pending, call.takes(), Status::Available);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteSnatEntry", delete)
    .parameters(&[
        required("RegionId", TEXT),
        required("SnatTableId", TEXT),
        required("SnatEntryId", TEXT),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[&NO_TABLE, &NOT_FOUND, &STATUS])
    .through(&[Status::Deleting])
    .takes(Duration::from_secs(4));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    changeable(&world.region(call).vpc, call)?;
    let entries = &mut world.region_mut(call).vpc.snat_entries;
    let entry = entries.get_mut(call.text("SnatEntryId")).ok_or(&NOT_FOUND)?;
    entry.phase = call.leave(Status::Deleting, call.takes());
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
