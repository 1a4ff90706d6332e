//! Route entries: the system's own of each route table, and custom ones.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::{State, route_tables};
use crate::action::{Action, Call};
use crate::world::{Phase, World, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// A route entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RouteEntry {
    /// Its identifier.
    pub route_entry_id: String,
    /// Its name.
    pub route_entry_name: String,
    /// What it is for.
    pub description: String,
    /// The table that it is in.
    pub route_table_id: String,
    /// Where it leads.
    pub destination_cidr_block: IpNet,
    /// The kind of the next hop, such as `NatGateway`.
    pub next_hop_type: String,
    /// The next hop.
    pub next_hop_id: String,
    /// `System` or `Custom`.
    pub entry_type: String,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(RouteEntry, route_entry_id);

/// The type of the entries that come and go with tables and VSwitches.
pub(super) const SYSTEM: &str = "System";
/// The type of all other entries.
pub(super) const CUSTOM: &str = "Custom";

/// Adds the entry of a table that the system itself keeps.
pub(super) fn add_system(
    world: &mut World,
    call: &Call<'_>,
    route_table_id: &str,
    destination: IpNet,
    next_hop_type: &str,
    phase: Phase,
) {
    let entry = RouteEntry {
        route_entry_id: world.id("rte-"),
        route_entry_name: String::new(),
        description: String::new(),
        route_table_id: route_table_id.to_owned(),
        destination_cidr_block: destination,
        next_hop_type: next_hop_type.to_owned(),
        next_hop_id: String::new(),
        entry_type: SYSTEM.to_owned(),
        phase,
    };
    world.region_mut(call).vpc.route_entries.insert(entry);
}

/// Adds the default route of a network's system route table to a gateway that was created, unless there is one.
/// It is for IPv6 if the next hop is an `IPv6Gateway`.
pub(super) fn add_default(
    world: &mut World,
    call: &Call<'_>,
    vpc_id: &str,
    next_hop_type: &str,
    next_hop_id: &str,
    phase: Phase,
) {
    let state = &world.region(call).vpc;
    let Some(table) = route_tables::system(state, vpc_id) else { return };
    let destination_cidr_block = if next_hop_type == "IPv6Gateway" {
        IpNet::V6(ipnet::Ipv6Net::default())
    } else {
        IpNet::V4(ipnet::Ipv4Net::default())
    };
    let taken = |entry: &RouteEntry| {
        entry.route_table_id == table.route_table_id && entry.destination_cidr_block == destination_cidr_block
    };
    if state.route_entries.iter().any(taken) {
        return;
    }
    let route_table_id = table.route_table_id.clone();
    let entry = RouteEntry {
        route_entry_id: world.id("rte-"),
        route_entry_name: String::new(),
        description: String::new(),
        route_table_id,
        destination_cidr_block,
        next_hop_type: next_hop_type.to_owned(),
        next_hop_id: next_hop_id.to_owned(),
        entry_type: CUSTOM.to_owned(),
        phase,
    };
    world.region_mut(call).vpc.route_entries.insert(entry);
}

/// Lets the entries of all tables go that lead to a next hop, with the phase of the next hop itself.
pub(super) fn leave_next_hop(state: &mut State, next_hop_id: &str, phase: &Phase) {
    state.route_entries.each(|entry| {
        if entry.next_hop_id == next_hop_id {
            entry.phase = phase.clone();
        }
    });
}
