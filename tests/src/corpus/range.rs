//! A range in short: its CIDR, from which first and last address and size follow.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::{Map, Value};

/// Leaves out what follows from the CIDR of an object, if it has one.
pub fn shorten(members: &mut Map<String, Value>) {
    let Some(bounds) = bounds(members) else { return };
    if bounds.iter().all(|(name, value)| members.get(*name).and_then(Value::as_str) == Some(value)) {
        members.retain(|name, _| bounds.iter().all(|(bound, _)| bound != name));
    }
}

/// Adds what follows from the CIDR of an object, if it has one and does not say it.
pub fn expand(members: &mut Map<String, Value>) {
    let Some(bounds) = bounds(members) else { return };
    if bounds.iter().all(|(name, _)| !members.contains_key(*name)) {
        members.extend(bounds.map(|(name, value)| (name.to_owned(), value.into())));
    }
}

/// First and last address and size of a CIDR.
fn bounds(members: &Map<String, Value>) -> Option<[(&'static str, String); 3]> {
    let (address, length) = members.get("cidr")?.as_str()?.split_once('/')?;
    let (address, bits): (IpAddr, u32) = (address.parse().ok()?, length.parse().ok()?);
    let (number, width) = match address {
        IpAddr::V4(address) => (u128::from(u32::from(address)), 32),
        IpAddr::V6(address) => (u128::from(address), 128),
    };
    let size = 1_u128.checked_shl(width - bits.min(width))?;
    let first = number & !(size - 1);
    let [first, last] = [first, first | (size - 1)].map(|number| match address {
        IpAddr::V4(_) => {
            u32::try_from(number).map(|number| Ipv4Addr::from(number).to_string()).unwrap_or_default()
        }
        IpAddr::V6(_) => Ipv6Addr::from(number).to_string(),
    });
    Some([("first", first), ("last", last), ("size", size.to_string())])
}
