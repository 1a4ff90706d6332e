//! Addresses of instances in the internet: `AllocatePublicIpAddress`.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use serde_json::{Value, json};

use super::instances::{NOT_FOUND, STATUS};
use crate::action::{Action, Call, CloudError, ErrorCode, Shape, TEXT, field, required};
use crate::resource::Status;
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[ALLOCATE];

pub(super) const NONE_LEFT: ErrorCode = ErrorCode::new(400, "InsufficientPublicIp", "Ip address not found");
const NO_BANDWIDTH: ErrorCode = ErrorCode::new(
    400,
    "AllocateIpInvalidInstanceBandwidth",
    "OperationDenied The InternetMaxBandwidthOut of the specified instance cannot be less than 0.",
);

/// The public addresses of instances are from 198.19.128.0/17, which is reserved for tests of devices (RFC 2544)
/// and belongs to nobody.
const FIRST: u32 = u32::from_be_bytes([198, 19, 128, 0]);
/// How many addresses there are.
const COUNT: u32 = 1 << 15;

/// Some public addresses that no instance uses.
pub(super) fn free(world: &World, amount: usize) -> Result<Vec<Ipv4Addr>, CloudError> {
    let regions = world.accounts().flat_map(|(_, account)| account.regions());
    let used: BTreeSet<Ipv4Addr> = regions
        .flat_map(|(_, region)| region.ecs.instances.iter())
        .filter_map(|instance| instance.public_ip_address)
        .collect();
    let free = (FIRST + 1..FIRST + COUNT - 1).map(Ipv4Addr::from).filter(|address| !used.contains(address));
    let free: Vec<Ipv4Addr> = free.take(amount).collect();
    if free.len() == amount { Ok(free) } else { Err((&NONE_LEFT).into()) }
}

const ALLOCATE: Action = Action::write("AllocatePublicIpAddress", allocate)
    .parameters(&[required("InstanceId", TEXT)])
    .left_out(&["IpAddress", "VlanId"])
    .answer(&[field("IpAddress", Shape::Text)])
    .errors(&[&NOT_FOUND, &STATUS, &NO_BANDWIDTH, &NONE_LEFT]);

/// An instance keeps the address that it has, since clients repeat the call.
fn allocate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("InstanceId");
    let instance = world.region(call).ecs.instances.get(id).ok_or(&NOT_FOUND)?;
    if let Some(address) = instance.public_ip_address {
        return Ok(json!({ "IpAddress": address }));
    }
    if !matches!(instance.phase.status, Status::Running | Status::Stopped) || instance.phase.leaving() {
        return Err((&STATUS).into());
    }
    if instance.internet_max_bandwidth_out == 0 {
        return Err((&NO_BANDWIDTH).into());
    }
    let address = free(world, 1)?.first().copied().ok_or(&NONE_LEFT)?;
    if let Some(instance) = world.region_mut(call).ecs.instances.get_mut(id) {
        instance.public_ip_address = Some(address);
    }
    Ok(json!({ "IpAddress": address }))
}
