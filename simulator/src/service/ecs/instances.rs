//! Instances.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::world::{Phase, Tags, resource};

/// An instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Instance {
    /// Its identifier.
    pub instance_id: String,
    /// Its name.
    pub instance_name: String,
    /// What it is for.
    pub description: String,
    /// Its name inside.
    pub host_name: String,
    /// What it was made of.
    pub image_id: String,
    /// Its type, such as `ecs.g7.large`.
    pub instance_type: String,
    /// The zone that it is in.
    pub zone_id: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// The subnet that it is in.
    pub v_switch_id: String,
    /// Its security groups.
    pub security_group_ids: Vec<String>,
    /// Its address in the subnet.
    pub private_ip_address: Ipv4Addr,
    /// Its address in the internet.
    pub public_ip_address: Option<Ipv4Addr>,
    /// Its primary network interface.
    pub network_interface_id: String,
    /// The hardware address of that.
    pub mac_address: String,
    /// The key pair that may log in; empty without one.
    pub key_pair_name: String,
    /// The role that it may assume; empty without one.
    pub ram_role_name: String,
    /// `PayByTraffic` or `PayByBandwidth`.
    pub internet_charge_type: String,
    /// Bandwidth from the internet in Mbit/s.
    pub internet_max_bandwidth_in: i64,
    /// Bandwidth to the internet in Mbit/s.
    pub internet_max_bandwidth_out: i64,
    /// `NoSpot`, `SpotWithPriceLimit` or `SpotAsPriceGo`.
    pub spot_strategy: String,
    /// Whether it cannot be deleted.
    pub deletion_protection: bool,
    /// When it was created.
    pub creation_time: String,
    /// When it was started last.
    pub start_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Instance, instance_id);
