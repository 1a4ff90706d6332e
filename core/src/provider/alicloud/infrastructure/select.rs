//! Selects, of the resources that the cloud has, those that the Shoot uses.

use super::input::Input;
use super::names::{self, are_gardeners};
use super::world::{NatGateway, RouteTable};
use crate::plan::recorded_value;
use crate::policy::State;

/// The NAT gateway of the Shoot: the recorded one. Else, where it is managed, the one with the Shoot's tag, or the
/// one with the Shoot's name and no tag of any Shoot; and where the person brings it, the only one without a tag
/// of any Shoot. A gateway that the cloud is deleting counts only where the plan deletes the network.
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

/// The custom route table of the Shoot: the recorded one, else the one with the Shoot's tag, else the one with the
/// Shoot's name and no tag of any Shoot.
pub fn route_table<'w>(input: &Input<'_>, state: &State, all: &'w [RouteTable]) -> Option<&'w RouteTable> {
    let recorded = recorded_value(state, names::ROUTE_TABLE);
    let names = input.names();
    let name = names.name("rt");
    all.iter()
        .find(|table| Some(table.id.as_str()) == recorded)
        .or_else(|| all.iter().find(|table| names.are_ours(&table.tags)))
        .or_else(|| all.iter().find(|table| table.name == name && !are_gardeners(&table.tags)))
}
