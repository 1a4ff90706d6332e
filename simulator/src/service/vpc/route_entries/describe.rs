//! Reads of route entries: `DescribeRouteEntryList`.

use ipnet::IpNet;
use serde_json::{Value, json};

use super::super::NAME;
use super::super::errors::ROUTE_TABLE_NOT_FOUND;
use super::DESTINATION;
use crate::action::{
    Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, list, optional, record, required, slice,
    start,
};
use crate::world::World;
use crate::world::vpc::RouteEntry;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

const TOKEN_NOT_VALID: ErrorCode =
    ErrorCode::new(400, "InvalidNextToken", "The specified parameter \"NextToken\" is not valid.");

const NEXT_HOP: Shape = record(&[
    field("Enabled", Shape::Integer),
    field("NextHopId", Shape::Text),
    field("NextHopType", Shape::Text),
    field("Weight", Shape::Integer),
]);

const ENTRY: Shape = record(&[
    field("Description", Shape::Text),
    field("DestinationCidrBlock", Shape::Text),
    field("IpVersion", Shape::Text),
    field("NextHops", record(&[field("NextHop", items(&NEXT_HOP))])),
    field("RouteEntryId", Shape::Text),
    field("RouteEntryName", Shape::Text),
    field("RouteTableId", Shape::Text),
    field("Status", Shape::Text),
    field("Type", Shape::Text),
]);

const DESCRIBE: Action = Action::read("DescribeRouteEntryList", describe)
    .parameters(&[
        required("RegionId", TEXT),
        required("RouteTableId", TEXT),
        optional("RouteEntryId", TEXT),
        optional("RouteEntryName", NAME),
        optional("RouteEntryType", Form::OneOf(&[RouteEntry::CUSTOM, RouteEntry::SYSTEM, "BGP", "CEN", "ECR"])),
        optional("DestinationCidrBlock", DESTINATION),
        optional("DestCidrBlockList", list(20, &DESTINATION)),
        optional("IpVersion", Form::OneOf(&["ipv4", "ipv6"])),
        optional("NextHopId", TEXT),
        optional("NextHopType", TEXT),
        optional("MaxResult", Form::Integer(1, 100)).or("10"),
        optional("NextToken", TEXT),
    ])
    .left_out(&["ServiceType"])
    .answer(&[
        field("NextToken", Shape::Text),
        field("RouteEntrys", record(&[field("RouteEntry", items(&ENTRY))])),
        field("TotalCount", Shape::Integer),
    ])
    .errors(&[&ROUTE_TABLE_NOT_FOUND, &TOKEN_NOT_VALID]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let table = state.route_tables.get(call.text("RouteTableId")).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    let start = start(call, &TOKEN_NOT_VALID)?;
    let is = |name: &str, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    let blocks: Vec<IpNet> = call.texts("DestCidrBlockList").iter().filter_map(|text| text.parse().ok()).collect();
    let destination = super::destination(call);
    let rows = state.route_entries.iter().filter(|entry| {
        entry.route_table_id == table.route_table_id
            && is("RouteEntryId", &entry.route_entry_id)
            && is("RouteEntryName", &entry.route_entry_name)
            && is("RouteEntryType", &entry.entry_type)
            && is("IpVersion", ip_version(entry))
            && is("NextHopId", &entry.next_hop_id)
            && is("NextHopType", &entry.next_hop_type)
            && destination.is_none_or(|wanted| wanted == entry.destination_cidr_block)
            && (blocks.is_empty() || blocks.contains(&entry.destination_cidr_block))
    });
    let most = call.integer("MaxResult").and_then(|most| usize::try_from(most).ok()).unwrap_or(10);
    let (rows, total, next) = slice(call, start, most, rows.collect());
    Ok(json!({
        "NextToken": next.unwrap_or_default(),
        "RouteEntrys": { "RouteEntry": rows.into_iter().map(reported).collect::<Vec<_>>() },
        "TotalCount": total,
    }))
}

fn reported(entry: &RouteEntry) -> Value {
    json!({
        "Description": entry.description,
        "DestinationCidrBlock": entry.destination_cidr_block,
        "IpVersion": ip_version(entry),
        "NextHops": { "NextHop": [{
            "Enabled": 1,
            "NextHopId": entry.next_hop_id,
            "NextHopType": entry.next_hop_type,
            "Weight": 0,
        }] },
        "RouteEntryId": entry.route_entry_id,
        "RouteEntryName": entry.route_entry_name,
        "RouteTableId": entry.route_table_id,
        "Status": entry.phase.status,
        "Type": entry.entry_type,
    })
}

fn ip_version(entry: &RouteEntry) -> &'static str {
    match entry.destination_cidr_block {
        IpNet::V4(_) => "ipv4",
        IpNet::V6(_) => "ipv6",
    }
}
