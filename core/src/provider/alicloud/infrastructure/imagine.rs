//! Imagined clouds, for a plan before anybody has asked the cloud.
//!
//! A value that only the cloud could show is a placeholder in parentheses, another one for each resource.

use super::desired::wanted_rules;
use super::input::{Input, InputZone};
use super::names::{self, zone_key};
use super::pool_images;
use super::world::{Eip, Image, Ipv6Gateway, NatGateway, RouteEntry, RouteTable, SnatEntry, VSwitch, Vpc, World};
use crate::gardener::planning::state_form::suffixes;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::security_groups::{SecurityGroup, SecurityGroupRule};

/// Range of the IPv6 addresses of the imagined VPC; nobody has it (RFC 3849).
const IPV6: &str = "2001:db8::/56";

const AVAILABLE: &str = "Available";

/// A cloud in which no run has created anything for the input, and in which everything exists that the input
/// refers to.
pub fn nothing(input: &Input<'_>) -> Result<(World, State), RequestError> {
    let (mut world, mut state) = (World::default(), State::new());
    if let Some(id) = input.vpc() {
        state.insert(names::VPC, id.to_owned());
    }
    refer(input, &mut world, &State::new())?;
    Ok((world, state))
}

/// A cloud in which a run has created the network of an older input, and in which everything exists that a newer
/// input refers to.
pub fn made(older: &Input<'_>, newer: &Input<'_>) -> Result<(World, State), RequestError> {
    let (mut world, mut state) = nothing(older)?;
    make(older, &mut world, &mut state)?;
    refer(newer, &mut world, &state)?;
    Ok((world, state))
}

/// Adds what the input refers to and somebody else owns.
fn refer(input: &Input<'_>, world: &mut World, state: &State) -> Result<(), RequestError> {
    if let Some(id) = input.vpc() {
        world.vpc.get_or_insert_with(|| Vpc {
            id: id.to_owned(),
            cidr: format!("(range of {id})"),
            ipv6_cidr: if input.is_dual_stack() { IPV6.to_owned() } else { String::new() },
            status: AVAILABLE.to_owned(),
            ..Vpc::default()
        });
        if input.is_dual_stack() && world.ipv6_gateways.is_empty() {
            world.ipv6_gateways.push(ipv6_gateway(String::new(), Vec::new()));
        }
        if !input.has_managed_nat_gateway() && world.nat_gateways.is_empty() {
            world.nat_gateways.push(nat_gateway(String::new(), String::new(), Vec::new()));
        }
    }
    for id in input.zones.iter().filter_map(|zone| zone.eip) {
        if world.eips.iter().all(|eip| eip.id != id) {
            world.eips.push(Eip {
                id: id.to_owned(),
                address: format!("(address of {id})"),
                charge_type: "PayByTraffic".to_owned(),
                status: AVAILABLE.to_owned(),
                ..Eip::default()
            });
        }
    }
    for image in pool_images::wanted(&input.request, state)?.images {
        if world.images.iter().all(|known| known.id != image.source) {
            world.images.push(Image { id: image.source.to_owned(), visible: true, owner: "self".to_owned() });
        }
    }
    Ok(())
}

/// Adds what a run of the input would have created, and what it would have recorded.
fn make(input: &Input<'_>, world: &mut World, state: &mut State) -> Result<(), RequestError> {
    let names = input.names();
    for image in pool_images::wanted(&input.request, state)?.images.iter().filter(|image| image.encrypted) {
        state.insert(image.key(), format!("(encrypted copy of {})", image.source));
    }
    if input.vpc().is_none() {
        let vpc = Vpc {
            id: "(VPC)".to_owned(),
            name: names.name("vpc"),
            cidr: input.config.networks.vpc.cidr.unwrap_or_default().to_owned(),
            ipv6_cidr: if input.is_dual_stack() { IPV6.to_owned() } else { String::new() },
            status: AVAILABLE.to_owned(),
            tags: names.tags(names.technical_id.to_owned()),
        };
        state.insert(names::VPC, vpc.id.clone());
        world.vpc = Some(vpc);
        if input.is_dual_stack() {
            let name = names.name("ipv6gw");
            world.ipv6_gateways = vec![ipv6_gateway(name.clone(), names.tags(name))];
        }
    }
    for gateway in &world.ipv6_gateways {
        state.insert(names::IPV6_GATEWAY, gateway.id.clone());
    }
    if input.has_managed_nat_gateway() {
        let name = names.name("natgw");
        let first = input.zones.first().map(|zone| vswitch_id(zone)).unwrap_or_default();
        world.nat_gateways = vec![nat_gateway(name.clone(), first, names.tags(name))];
    }
    state.insert(names::NAT_GATEWAY, NAT_GATEWAY.to_owned());
    state.insert(names::SNAT_TABLE, SNAT_TABLE.to_owned());
    security_group(input, world, state);
    let suffixes = suffixes(state, input.zones.iter().map(|zone| zone.name));
    for (zone, suffix) in input.zones.iter().zip(&suffixes) {
        make_zone(input, zone, suffix, world, state);
    }
    if input.has_custom_route_table() {
        route_table(input, world, state);
    }
    Ok(())
}

fn make_zone(input: &Input<'_>, zone: &InputZone<'_>, suffix: &str, world: &mut World, state: &mut State) {
    let names = input.names();
    let vswitch = VSwitch {
        id: vswitch_id(zone),
        name: names.name(&format!("{}-vsw", zone.name)),
        zone: zone.name.to_owned(),
        cidr: zone.cidr.to_owned(),
        ipv6_cidr: match zone.ipv6_block {
            _ if !input.is_dual_stack() => String::new(),
            0 => "2001:db8::/64".to_owned(),
            block => format!("2001:db8:0:{block:x}::/64"),
        },
        status: AVAILABLE.to_owned(),
        route_table: if input.has_custom_route_table() { ROUTE_TABLE } else { "(system route table)" }.to_owned(),
        tags: names.tags(names.name(&format!("nodes-{suffix}"))),
    };
    state.insert(zone_key(zone.name, "VSwitch"), vswitch.id.clone());
    world.vswitches.push(vswitch);

    let own = zone.eip.and_then(|id| world.eips.iter().position(|eip| eip.id == id));
    let mut eip = if let Some(own) = own {
        world.eips.remove(own)
    } else {
        let name = names.name(&format!("eip-natgw-{suffix}"));
        let eip = Eip {
            id: format!("(elastic IP of {})", zone.name),
            name: name.clone(),
            address: format!("(address of {})", zone.name),
            bandwidth: "100".to_owned(),
            charge_type: "PayByTraffic".to_owned(),
            tags: names.tags(name),
            ..Eip::default()
        };
        state.insert(zone_key(zone.name, "NATGatewayElasticIP"), eip.id.clone());
        eip
    };
    "InUse".clone_into(&mut eip.status);
    NAT_GATEWAY.clone_into(&mut eip.instance);
    "Nat".clone_into(&mut eip.instance_type);
    state.insert(zone_key(zone.name, "NATGatewayElasticIPAddress"), eip.address.clone());
    if let Some(gateway) = world.nat_gateways.first_mut() {
        gateway.addresses.push((eip.id.clone(), eip.address.clone()));
    }

    let entry = SnatEntry {
        id: format!("(SNAT entry of {})", zone.name),
        name: names.name(&format!("snat-{suffix}-{SNAT_TABLE}")),
        table: SNAT_TABLE.to_owned(),
        vswitch: vswitch_id(zone),
        addresses: vec![eip.address.clone()],
        status: AVAILABLE.to_owned(),
    };
    state.insert(zone_key(zone.name, "SnatEntry"), entry.id.clone());
    world.snat_entries.push(entry);
    world.eips.push(eip);
}

/// Adds the security group with its rules.
fn security_group(input: &Input<'_>, world: &mut World, state: &mut State) {
    let names = input.names();
    let range = world.vpc.as_ref().map(|vpc| vpc.cidr.as_str()).unwrap_or_default();
    let mut rules = Vec::new();
    for (protocol, ports, source) in wanted_rules(range, input.pods) {
        rules.push(SecurityGroupRule {
            id: format!("(rule {})", rules.len() + 1),
            direction: "ingress".to_owned(),
            policy: "Accept".to_owned(),
            priority: "1".to_owned(),
            protocol: protocol.to_owned(),
            ports: ports.to_owned(),
            source: source.to_owned(),
            destination: String::new(),
        });
    }
    let name = names.name("sg");
    let group = SecurityGroup {
        id: "(security group)".to_owned(),
        name: name.clone(),
        vpc: world.vpc.as_ref().map(|vpc| vpc.id.clone()).unwrap_or_default(),
        rules: Some(rules),
        tags: names.tags(name),
    };
    state.insert(names::SECURITY_GROUP, group.id.clone());
    world.security_groups.push(group);
}

fn route_table(input: &Input<'_>, world: &mut World, state: &mut State) {
    let name = input.names().name("rt");
    world.route_tables.push(RouteTable {
        id: ROUTE_TABLE.to_owned(),
        name: name.clone(),
        status: AVAILABLE.to_owned(),
        vswitches: world.vswitches.iter().map(|vswitch| vswitch.id.clone()).collect(),
        tags: input.names().tags(name),
    });
    state.insert(names::ROUTE_TABLE, ROUTE_TABLE.to_owned());
    let mut routes = vec![("default", "0.0.0.0/0", NAT_GATEWAY)];
    if input.is_dual_stack() {
        routes.push(("ipv6", "::/0", IPV6_GATEWAY));
    }
    for (name, destination, next_hop) in routes {
        let id = format!("(route entry {name})");
        state.insert(format!("RouteEntries/{name}"), id.clone());
        world.route_entries.push(RouteEntry {
            id,
            destination: destination.to_owned(),
            next_hop: next_hop.to_owned(),
            status: AVAILABLE.to_owned(),
        });
    }
}

const NAT_GATEWAY: &str = "(NAT gateway)";
const SNAT_TABLE: &str = "(SNAT table)";
const IPV6_GATEWAY: &str = "(IPv6 gateway)";
const ROUTE_TABLE: &str = "(route table)";

fn vswitch_id(zone: &InputZone<'_>) -> String {
    format!("(VSwitch of {})", zone.name)
}

fn nat_gateway(name: String, vswitch: String, tags: Vec<(String, String)>) -> NatGateway {
    NatGateway {
        id: NAT_GATEWAY.to_owned(),
        name,
        vswitch,
        status: AVAILABLE.to_owned(),
        snat_tables: vec![SNAT_TABLE.to_owned()],
        addresses: Vec::new(),
        tags,
    }
}

fn ipv6_gateway(name: String, tags: Vec<(String, String)>) -> Ipv6Gateway {
    Ipv6Gateway { id: IPV6_GATEWAY.to_owned(), name, status: AVAILABLE.to_owned(), tags }
}

#[cfg(test)]
mod tests;
