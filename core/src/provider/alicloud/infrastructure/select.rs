//! Which of the resources that are there the Shoot uses.

use super::input::Input;
use super::names::{self, are_gardeners};
use super::world::{NatGateway, RouteTable};
use crate::plan::recorded_value;
use crate::policy::State;

/// The NAT gateway of the Shoot: the one that is recorded. Else, of a managed one, the one with its tags or, without any
/// Shoot's, with its name; and of one that the person brings, the only one that no Shoot has tagged. One that is about to be
/// gone is looked at only where all goes.
pub fn nat_gateway<'w>(input: &Input<'_>, state: &State, all: &'w [NatGateway]) -> Option<&'w NatGateway> {
    let there = || all.iter().filter(|gateway| input.is_delete() || gateway.status != "Deleting");
    let recorded = recorded_value(state, names::NAT_GATEWAY);
    if let Some(found) = there().find(|gateway| Some(gateway.id.as_str()) == recorded) {
        return Some(found);
    }
    let names = input.names();
    if input.has_managed_nat_gateway() {
        let name = names.name("natgw");
        let unmarked = || there().find(|gateway| gateway.name == name && !are_gardeners(&gateway.tags));
        return there().find(|gateway| names.are_ours(&gateway.tags)).or_else(unmarked);
    }
    let mut users = there().filter(|gateway| !are_gardeners(&gateway.tags));
    users.next().filter(|_| users.next().is_none())
}

/// The custom route table of the Shoot: the one that is recorded, else the one with its tags, else the one with its name.
pub fn route_table<'w>(input: &Input<'_>, state: &State, all: &'w [RouteTable]) -> Option<&'w RouteTable> {
    let recorded = recorded_value(state, names::ROUTE_TABLE);
    let names = input.names();
    let name = names.name("rt");
    all.iter()
        .find(|table| Some(table.id.as_str()) == recorded)
        .or_else(|| all.iter().find(|table| names.are_ours(&table.tags)))
        .or_else(|| all.iter().find(|table| table.name == name && !are_gardeners(&table.tags)))
}
