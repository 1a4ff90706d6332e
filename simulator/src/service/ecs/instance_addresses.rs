//! The private addresses of new instances.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use crate::action::{Call, CloudError, ErrorCode, common};
use crate::service::vpc::private_addresses;
use crate::world::World;
use crate::world::vpc::VSwitch;

pub(super) const NO_ADDRESS: ErrorCode = ErrorCode::new(
    403,
    "InvalidVSwitchId.IpNotEnough",
    "The specified virtual switch does not have enough IP addresses.",
);
pub(super) const BAD_ADDRESS: ErrorCode = ErrorCode::new(
    400,
    "InvalidPrivateIpAddress.NotInVSwitch",
    "The specified private IP address is none that the virtual switch gives to instances.",
);
pub(super) const ADDRESS_TAKEN: ErrorCode =
    ErrorCode::new(403, "InvalidPrivateIpAddress.Duplicated", "The specified private IP address is used already.");

/// How many addresses at the start and at the end of a subnet are the cloud's own.
const RESERVED: (usize, usize) = (4, 3);

/// Addresses of a subnet for new instances: the one that the call names, or free ones.
pub(super) fn addresses(
    world: &World,
    call: &Call<'_>,
    vswitch: &VSwitch,
    amount: usize,
) -> Result<Vec<Ipv4Addr>, CloudError> {
    let used: BTreeSet<Ipv4Addr> = private_addresses::used(world.region(call), &vswitch.v_switch_id).collect();
    let (first, last) = usable(vswitch.cidr_block).ok_or(&NO_ADDRESS)?;
    if let Some(address) = call.given("PrivateIpAddress") {
        let address: Ipv4Addr = address.parse().map_err(|_| &BAD_ADDRESS)?;
        if amount != 1 {
            return Err(common::INVALID_PARAMETER.because("PrivateIpAddress is only for one instance."));
        }
        if !(first..=last).contains(&u32::from(address)) {
            return Err((&BAD_ADDRESS).into());
        }
        if used.contains(&address) {
            return Err((&ADDRESS_TAKEN).into());
        }
        return Ok(vec![address]);
    }
    let free = (first..=last).map(Ipv4Addr::from).filter(|address| !used.contains(address));
    let free: Vec<Ipv4Addr> = free.take(amount).collect();
    if free.len() == amount { Ok(free) } else { Err((&NO_ADDRESS).into()) }
}

/// The first and the last address that instances may have, if the subnet has one.
fn usable(block: Ipv4Net) -> Option<(u32, u32)> {
    let first = u32::from(block.network()).checked_add(u32::try_from(RESERVED.0).ok()?)?;
    let last = u32::from(block.broadcast()).checked_sub(u32::try_from(RESERVED.1).ok()?)?;
    (first <= last).then_some((first, last))
}
