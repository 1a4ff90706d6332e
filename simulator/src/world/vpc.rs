//! Networks, their gateways and their addresses.

use std::net::Ipv4Addr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::{Phase, Resource, Status, Table, Tags, Transitions, resource};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Networks.
    pub vpcs: Table<Vpc>,
    /// Subnets.
    pub vswitches: Table<VSwitch>,
    /// NAT gateways.
    pub nat_gateways: Table<NatGateway>,
    /// Elastic IP addresses.
    pub eips: Table<Eip>,
    /// SNAT entries of all NAT gateways.
    pub snat_entries: Table<SnatEntry>,
    /// Route tables.
    pub route_tables: Table<RouteTable>,
    /// Entries of all route tables.
    pub route_entries: Table<RouteEntry>,
    /// IPv6 gateways.
    pub ipv6_gateways: Table<Ipv6Gateway>,
}

impl State {
    /// The route tables of a network.
    pub fn route_tables_of(&self, vpc_id: &str) -> impl Iterator<Item = &RouteTable> {
        self.route_tables.iter().filter(move |table| table.vpc_id == vpc_id)
    }

    /// The system route table of a network.
    pub fn system_route_table(&self, vpc_id: &str) -> Option<&RouteTable> {
        self.route_tables_of(vpc_id).find(|table| table.route_table_type == RouteTable::SYSTEM)
    }

    /// The custom entries of all tables of a network.
    pub fn custom_route_entries_of(&self, vpc_id: &str) -> impl Iterator<Item = &RouteEntry> {
        self.route_entries.iter().filter(move |entry| {
            let table = || self.route_tables.get(&entry.route_table_id);
            entry.entry_type == RouteEntry::CUSTOM && table().is_some_and(|table| table.vpc_id == vpc_id)
        })
    }
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        [
            self.vpcs.due(),
            self.vswitches.due(),
            self.nat_gateways.due(),
            self.eips.due(),
            self.snat_entries.due(),
            self.route_tables.due(),
            self.route_entries.due(),
            self.ipv6_gateways.due(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.vpcs.end_transitions(at);
        self.vswitches.end_transitions(at);
        self.nat_gateways.end_transitions(at);
        self.eips.end_transitions(at);
        self.snat_entries.end_transitions(at);
        self.route_tables.end_transitions(at);
        self.route_entries.end_transitions(at);
        self.ipv6_gateways.end_transitions(at);
    }
}

/// A network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Vpc {
    /// Its identifier.
    pub vpc_id: String,
    /// Its name.
    pub vpc_name: String,
    /// Its description.
    pub description: String,
    /// Its addresses.
    pub cidr_block: Ipv4Net,
    /// Its IPv6 addresses: see [`Vpc::ipv6`].
    pub ipv6_cidr_block: Option<Ipv6Net>,
    /// Blocks that are treated as private addresses although they are public ones.
    pub user_cidrs: Vec<Ipv4Net>,
    /// Its router.
    pub v_router_id: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Vpc, vpc_id);

impl Vpc {
    /// Its IPv6 addresses, once its creation or modification is over.
    pub fn ipv6(&self) -> Option<Ipv6Net> {
        let there = self.phase.status == Status::Available || self.phase.leaving();
        self.ipv6_cidr_block.filter(|_| there)
    }
}

/// A subnet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct VSwitch {
    /// Its identifier.
    pub v_switch_id: String,
    /// Its name.
    pub v_switch_name: String,
    /// Its description.
    pub description: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// The zone that it is in.
    pub zone_id: String,
    /// Its addresses.
    pub cidr_block: Ipv4Net,
    /// Its IPv6 addresses.
    pub ipv6_cidr_block: Option<Ipv6Net>,
    /// The route table that it is associated with.
    pub route_table_id: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(VSwitch, v_switch_id);

impl VSwitch {
    /// Its blocks of both families.
    pub fn blocks(&self) -> impl Iterator<Item = IpNet> + use<> {
        [Some(IpNet::V4(self.cidr_block)), self.ipv6_cidr_block.map(IpNet::V6)].into_iter().flatten()
    }
}

/// A NAT gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NatGateway {
    /// Its identifier.
    pub nat_gateway_id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The network that it serves.
    pub vpc_id: String,
    /// The subnet that it is in.
    pub v_switch_id: String,
    /// Its address in the subnet.
    pub private_ip_address: Ipv4Addr,
    /// Its network interface.
    pub network_interface_id: String,
    /// How elastic addresses are bound: `MULTI_BINDED`, or `NAT` where each takes an address of the subnet too.
    pub eip_bind_mode: String,
    /// Whether it answers pings.
    pub icmp_reply_enabled: bool,
    /// The table of its SNAT entries.
    pub snat_table_id: String,
    /// The table of its DNAT entries.
    pub forward_table_id: String,
    /// Whether it cannot be deleted.
    pub deletion_protection: bool,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(NatGateway, nat_gateway_id);

impl NatGateway {
    /// The mode of binding in which each elastic address takes an address of the subnet.
    pub const NAT_MODE: &str = "NAT";
}

/// An elastic IP address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Eip {
    /// Its identifier.
    pub allocation_id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The address.
    pub ip_address: Ipv4Addr,
    /// Its bandwidth in Mbit/s.
    pub bandwidth: i64,
    /// `PayByTraffic` or `PayByBandwidth`.
    pub internet_charge_type: String,
    /// The resource that it is bound to; empty when it is free.
    pub instance_id: String,
    /// The kind of the resource that it is bound to, such as `Nat`.
    pub instance_type: String,
    /// The private address that it is bound to, if there is one.
    pub private_ip_address: Option<Ipv4Addr>,
    /// Whether it cannot be released.
    pub deletion_protection: bool,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

impl Resource for Eip {
    fn id(&self) -> &str {
        &self.allocation_id
    }

    fn phase(&self) -> Option<&Phase> {
        Some(&self.phase)
    }

    fn phase_mut(&mut self) -> Option<&mut Phase> {
        Some(&mut self.phase)
    }

    /// An address that has become available is no longer bound.
    fn transition_ended(&mut self) {
        if self.phase.status == Status::Available {
            self.instance_id.clear();
            self.instance_type.clear();
            self.private_ip_address = None;
        }
    }
}

/// An SNAT entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SnatEntry {
    /// Its identifier.
    pub snat_entry_id: String,
    /// Its name.
    pub snat_entry_name: String,
    /// The table that it is in.
    pub snat_table_id: String,
    /// The NAT gateway of the table.
    pub nat_gateway_id: String,
    /// The subnet; empty for a block.
    pub source_v_switch_id: String,
    /// The block.
    pub source_cidr: Ipv4Net,
    /// The elastic addresses.
    pub snat_ips: Vec<Ipv4Addr>,
    /// Whether a source always uses the same of the addresses: 1 if so.
    pub eip_affinity: i64,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(SnatEntry, snat_entry_id);

/// A route table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RouteTable {
    /// Its identifier.
    pub route_table_id: String,
    /// Its name.
    pub route_table_name: String,
    /// Its description.
    pub description: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// `System` or `Custom`.
    pub route_table_type: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(RouteTable, route_table_id);

impl RouteTable {
    /// The type of the table that a network has from the start.
    pub const SYSTEM: &str = "System";
    /// The type of all other tables.
    pub const CUSTOM: &str = "Custom";
}

/// A route entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RouteEntry {
    /// Its identifier.
    pub route_entry_id: String,
    /// Its name.
    pub route_entry_name: String,
    /// Its description.
    pub description: String,
    /// The table that it is in.
    pub route_table_id: String,
    /// Its destination.
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

impl RouteEntry {
    /// The type of the entries that are made and deleted with tables and VSwitches.
    pub const SYSTEM: &str = "System";
    /// The type of all other entries.
    pub const CUSTOM: &str = "Custom";
}

/// An IPv6 gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Ipv6Gateway {
    /// Its identifier.
    pub ipv6_gateway_id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The network that it serves.
    pub vpc_id: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Ipv6Gateway, ipv6_gateway_id);
