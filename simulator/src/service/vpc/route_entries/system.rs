//! The entries that are made and deleted with tables, VSwitches and gateways.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::IPV6_GATEWAY;
use crate::action::Call;
use crate::resource::{Phase, Status};
use crate::world::World;
use crate::world::vpc::{RouteEntry, State};

/// 100.64.0.0/10, where the cloud's own services are.
pub(in super::super) fn service_block() -> Ipv4Net {
    Ipv4Net::new_assert([100, 64, 0, 0].into(), 10)
}

/// Adds an entry that the system itself keeps in a table.
pub(in super::super) fn add_system(
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
        entry_type: RouteEntry::SYSTEM.to_owned(),
        phase,
    };
    world.region_mut(call).vpc.route_entries.insert(entry);
}

/// Adds the entries for a VSwitch's block to all tables of its network.
pub(in super::super) fn add_local(world: &mut World, call: &Call<'_>, vpc_id: &str, block: IpNet, phase: &Phase) {
    let tables = world.region(call).vpc.route_tables_of(vpc_id);
    let tables: Vec<String> = tables.map(|table| table.route_table_id.clone()).collect();
    for table in tables {
        add_system(world, call, &table, block, "local", phase.clone());
    }
}

/// Deletes the entries for a VSwitch's block.
pub(in super::super) fn leave_local(state: &mut State, vpc_id: &str, block: IpNet, phase: &Phase) {
    let State { route_tables, route_entries, .. } = state;
    route_entries.each(|entry| {
        let table = || route_tables.get(&entry.route_table_id);
        if entry.entry_type == RouteEntry::SYSTEM
            && entry.destination_cidr_block == block
            && table().is_some_and(|table| table.vpc_id == vpc_id)
        {
            entry.phase = phase.clone();
        }
    });
}

/// Adds a default route to a new gateway to the system route table of its network, unless the table has a default
/// route that stays. The route is for IPv6 if the next hop is an `IPv6Gateway`.
pub(in super::super) fn add_default(
    world: &mut World,
    call: &Call<'_>,
    vpc_id: &str,
    next_hop_type: &str,
    next_hop_id: &str,
    phase: Phase,
) {
    let state = &world.region(call).vpc;
    let Some(table) = state.system_route_table(vpc_id) else { return };
    let destination_cidr_block =
        if next_hop_type == IPV6_GATEWAY { IpNet::V6(Ipv6Net::default()) } else { IpNet::V4(Ipv4Net::default()) };
    let taken = |entry: &RouteEntry| {
        entry.route_table_id == table.route_table_id
            && entry.destination_cidr_block == destination_cidr_block
            && !entry.phase.leaving()
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
        entry_type: RouteEntry::CUSTOM.to_owned(),
        phase,
    };
    world.region_mut(call).vpc.route_entries.insert(entry);
}

/// Deletes the entries of all tables that lead to a next hop, at the time when the next hop itself is gone.
pub(in super::super) fn leave_next_hop(state: &mut State, next_hop_id: &str, phase: &Phase) {
    let phase = phase.with(Status::Pending);
    state.route_entries.each(|entry| {
        if entry.next_hop_id == next_hop_id {
            entry.phase = phase.clone();
        }
    });
}
