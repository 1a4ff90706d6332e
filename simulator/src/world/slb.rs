//! Classic load balancers and the groups of servers behind them.

use std::net::Ipv4Addr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::{Resource, Table, Tags, Transitions};

/// The state of the service in a region of an account. None of it has transitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Load balancers.
    pub load_balancers: Table<LoadBalancer>,
    /// The groups of servers of all load balancers.
    pub server_groups: Table<ServerGroup>,
}

impl State {
    /// The addresses that load balancers have.
    pub fn addresses(&self) -> impl Iterator<Item = Ipv4Addr> {
        self.load_balancers.iter().map(|balancer| balancer.address)
    }

    /// The addresses that load balancers have in a VSwitch, which cannot be deleted as long as there are any.
    pub fn addresses_in(&self, v_switch_id: &str) -> impl Iterator<Item = Ipv4Addr> {
        let there = self.load_balancers.iter().filter(move |balancer| balancer.v_switch_id == v_switch_id);
        there.map(|balancer| balancer.address)
    }
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn end_transitions(&mut self, _at: Timestamp) {}
}

/// A load balancer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct LoadBalancer {
    /// Its identifier.
    pub load_balancer_id: String,
    /// Its name.
    pub load_balancer_name: String,
    /// The address that it serves.
    pub address: Ipv4Addr,
    /// `internet` or `intranet`.
    pub address_type: String,
    /// The network that it is in; empty on the Internet.
    pub vpc_id: String,
    /// The subnet that it is in; empty on the Internet.
    pub v_switch_id: String,
    /// `paybytraffic` or `paybybandwidth`.
    pub internet_charge_type: String,
    /// `PayBySpec` or `PayByCLCU`.
    pub instance_charge_type: String,
    /// Its bandwidth in Mbit/s, where that is what is paid for.
    pub bandwidth: i64,
    /// Its size; empty where it is paid by use.
    pub load_balancer_spec: String,
    /// The zone that it works in.
    pub master_zone_id: String,
    /// The zone that takes over when the first one fails.
    pub slave_zone_id: String,
    /// Whether it cannot be deleted.
    pub delete_protection: bool,
    /// `NonProtection` or `ConsoleProtection`.
    pub modification_protection_status: String,
    /// Why it is protected from the console.
    pub modification_protection_reason: String,
    /// When it was created.
    pub create_time: Timestamp,
    /// Its tags.
    pub tags: Tags,
}

impl Resource for LoadBalancer {
    fn id(&self) -> &str {
        &self.load_balancer_id
    }
}

/// A group of servers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ServerGroup {
    /// Its identifier.
    pub v_server_group_id: String,
    /// Its name.
    pub v_server_group_name: String,
    /// The load balancer that it is behind.
    pub load_balancer_id: String,
    /// Its servers.
    pub backends: Vec<Backend>,
    /// When it was created.
    pub create_time: String,
    /// Its tags.
    pub tags: Tags,
}

impl Resource for ServerGroup {
    fn id(&self) -> &str {
        &self.v_server_group_id
    }
}

/// A server of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Backend {
    /// The instance or network interface.
    pub server_id: String,
    /// The port that it listens at.
    pub port: Text,
    /// Its share of the traffic, up to 100.
    #[serde(default = "Backend::weight")]
    pub weight: Text,
    /// `ecs`, `eni` or `eci`.
    #[serde(rename = "Type", default = "Backend::kind")]
    pub kind: String,
    /// The address that is served, where the server has several.
    #[serde(default)]
    pub server_ip: String,
    /// Its description.
    #[serde(default)]
    pub description: String,
}

/// A number that may be written as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// As a number.
    Number(i64),
    /// As text.
    Text(String),
}

impl Text {
    /// The number, if the value is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl Backend {
    fn weight() -> Text {
        Text::Number(100)
    }

    fn kind() -> String {
        "ecs".to_owned()
    }
}
