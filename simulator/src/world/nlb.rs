//! Network load balancers.

use std::net::Ipv4Addr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::{Phase, Table, Tags, Transitions, resource};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Load balancers.
    pub load_balancers: Table<LoadBalancer>,
}

impl State {
    /// The public addresses that load balancers have.
    pub fn public_addresses(&self) -> impl Iterator<Item = Ipv4Addr> {
        self.zones().filter_map(|zone| zone.public_address)
    }

    /// The addresses that load balancers have in a VSwitch, which cannot be deleted as long as there are any.
    pub fn addresses_in(&self, v_switch_id: &str) -> impl Iterator<Item = Ipv4Addr> {
        self.zones().filter(move |zone| zone.v_switch_id == v_switch_id).map(|zone| zone.private_address)
    }

    fn zones(&self) -> impl Iterator<Item = &Zone> {
        self.load_balancers.iter().flat_map(|balancer| &balancer.zones)
    }
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        self.load_balancers.due()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.load_balancers.end_transitions(at);
    }
}

/// A load balancer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct LoadBalancer {
    /// Its identifier.
    pub load_balancer_id: String,
    /// Its name.
    pub load_balancer_name: String,
    /// `Internet` or `Intranet`.
    pub address_type: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// The zones that it is in.
    pub zones: Vec<Zone>,
    /// Whether it cannot be deleted: `true` or `false`.
    pub deletion_protection: Protection,
    /// Whether the console cannot change it: `NonProtection` or `ConsoleProtection`.
    pub modification_protection: Protection,
    /// When it was created.
    pub create_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(LoadBalancer, load_balancer_id);

/// A zone that a load balancer is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Zone {
    /// The zone.
    pub zone_id: String,
    /// The subnet.
    pub v_switch_id: String,
    /// The network interface.
    pub eni_id: String,
    /// Its address in the subnet.
    pub private_address: Ipv4Addr,
    /// Its address on the Internet.
    pub public_address: Option<Ipv4Addr>,
}

/// A protection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Protection {
    /// Whether it is on.
    pub enabled: bool,
    /// When it was set.
    pub enabled_time: String,
    /// The reason that the caller gave.
    pub reason: String,
}
