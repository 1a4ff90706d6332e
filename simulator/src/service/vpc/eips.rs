//! Elastic IP addresses.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, Tags, resource};
use std::net::Ipv4Addr;

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// An elastic IP address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Eip {
    /// Its identifier.
    pub allocation_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The address.
    pub ip_address: Ipv4Addr,
    /// Its bandwidth in Mbit/s.
    pub bandwidth: i64,
    /// `PayByTraffic` or `PayByBandwidth`.
    pub internet_charge_type: String,
    /// What it is bound to; empty when it is free.
    pub instance_id: String,
    /// The kind of what it is bound to, such as `Nat`.
    pub instance_type: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Eip, allocation_id);
