//! What a cloud has, without what differs from run to run: ids, times and addresses.

use std::collections::BTreeMap;
use std::net::Ipv6Addr;

use serde_json::{Map, Value};

/// An inventory of a cloud in which every id is replaced by what the id names. Times and addresses are left out,
/// and lists are sorted.
pub fn of(inventory: &Value) -> Value {
    let mut names = BTreeMap::new();
    gather(inventory, &mut names);
    canonical(inventory, &names)
}

/// What differs between two worlds, by line.
pub fn difference(wanted: &Value, found: &Value) -> String {
    let lines = |value| serde_json::to_string_pretty(value).unwrap();
    similar::TextDiff::from_lines(&lines(wanted), &lines(found)).unified_diff().to_string()
}

/// Ids with what they name: the first member of an object that ends with `Id`, and its name.
fn gather(value: &Value, names: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(members) => {
            let text = |suffix: &str| {
                members.iter().find(|(key, value)| {
                    key.ends_with(suffix) && value.as_str().is_some_and(|text| !text.is_empty())
                })
            };
            let name =
                text("Name").or_else(|| text("CidrBlock")).map(|(_, name)| name.as_str().unwrap_or_default());
            for (key, id) in members.iter().filter(|(key, _)| key.ends_with("Id")) {
                if let (Some(id), Some(name)) = (id.as_str(), name)
                    && own_id(key, members)
                {
                    names.insert(id.to_owned(), format!("{key} of {}", shape(name)));
                }
            }
            members.values().for_each(|value| gather(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, names)),
        _ => {}
    }
}

/// Whether a member holds the object's own id, not that of another object.
fn own_id(key: &str, members: &Map<String, Value>) -> bool {
    let own = [
        ("VpcId", "VpcName"),
        ("VSwitchId", "VSwitchName"),
        ("NatGatewayId", "SpecName"),
        ("NatGatewayId", "NatType"),
        ("NatGatewayId", "ForwardTableId"),
        ("AllocationId", "IpAddress"),
        ("SnatEntryId", "SnatIp"),
        ("SecurityGroupId", "SecurityGroupName"),
        ("RouteTableId", "RouteTableType"),
        ("RouteEntryId", "NextHopType"),
        ("Ipv6GatewayId", "Spec"),
    ];
    own.iter().any(|(id, mark)| key == *id && members.contains_key(*mark))
}

fn canonical(value: &Value, names: &BTreeMap<String, String>) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members
                .iter()
                .filter(|(key, _)| !key.ends_with("Time") && !matches!(key.as_str(), "CreateDate" | "RoleId"));
            Value::Object(kept.map(|(key, value)| (key.clone(), canonical(value, names))).collect())
        }
        Value::Array(items) => {
            let mut items: Vec<_> = items.iter().map(|item| canonical(item, names)).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        Value::String(text) => Value::String(match names.get(text) {
            Some(name) => name.clone(),
            None => shape(text),
        }),
        other => other.clone(),
    }
}

/// A text without the parts that differ from run to run: addresses, IPv6 ranges, and the ends of ids.
fn shape(text: &str) -> String {
    if text.parse::<std::net::IpAddr>().is_ok() {
        return "an address".to_owned();
    }
    let network =
        text.split_once('/').and_then(|(address, length)| Some((address.parse::<Ipv6Addr>().ok()?, length)));
    if let Some((address, length)) = network.filter(|(address, _)| !address.is_unspecified()) {
        return format!("block {} of an IPv6 range, /{length}", (address.to_bits() >> 64) & 0xff);
    }
    let random =
        |end: &str| end.len() == 20 && end.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
    match text.rsplit_once('-') {
        Some((head, end)) if random(end) => format!("{head}-…"),
        _ => text.to_owned(),
    }
}
