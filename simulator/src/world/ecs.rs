//! Security groups, images and instances.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::{Phase, Resource, Table, Tags, Transitions, resource};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Security groups and their rules.
    pub security_groups: Table<SecurityGroup>,
    /// Custom images.
    pub images: Table<Image>,
    /// Instances.
    pub instances: Table<Instance>,
    /// The names of key pairs that instances were run with.
    pub key_pairs: BTreeSet<String>,
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        [self.images.due(), self.instances.due()].into_iter().flatten().min()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.images.end_transitions(at);
        self.instances.end_transitions(at);
    }
}

/// A security group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SecurityGroup {
    /// Its identifier.
    pub security_group_id: String,
    /// Its name.
    pub security_group_name: String,
    /// Its description.
    pub description: String,
    /// `normal` or `enterprise`.
    pub security_group_type: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// Its rules of both directions.
    pub rules: Vec<SecurityGroupRule>,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
}

impl Resource for SecurityGroup {
    fn id(&self) -> &str {
        &self.security_group_id
    }
}

/// A rule of a security group. A member that the rule does not have is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SecurityGroupRule {
    /// Its identifier.
    pub security_group_rule_id: String,
    /// The direction of the traffic that it is for.
    pub direction: Direction,
    /// The protocol in capitals, such as `TCP` or `ALL`.
    pub ip_protocol: String,
    /// The ports of the destination, such as `22/22`.
    pub port_range: String,
    /// The ports of the source.
    pub source_port_range: String,
    /// The IPv4 block of the source.
    pub source_cidr_ip: String,
    /// The IPv4 block of the destination.
    pub dest_cidr_ip: String,
    /// The IPv6 block of the source.
    pub ipv6_source_cidr_ip: String,
    /// The IPv6 block of the destination.
    pub ipv6_dest_cidr_ip: String,
    /// The security group on the other side: of the source for ingress, of the destination for egress.
    pub group_id: String,
    /// `Accept` or `Drop`.
    pub policy: String,
    /// From 1, the highest priority, to 100.
    pub priority: i64,
    /// Its description.
    pub description: String,
    /// When it was created.
    pub create_time: String,
}

/// The direction of the traffic that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Traffic to the instances.
    Ingress,
    /// Traffic from the instances.
    Egress,
}

impl SecurityGroupRule {
    /// Whether another rule is for the same traffic and does the same with it.
    pub fn repeats(&self, other: &Self) -> bool {
        let name = |rule: &Self| Self {
            security_group_rule_id: String::new(),
            description: String::new(),
            create_time: String::new(),
            ..rule.clone()
        };
        name(self) == name(other)
    }
}

/// A custom image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Image {
    /// Its identifier.
    pub image_id: String,
    /// Its name.
    pub image_name: String,
    /// Its description.
    pub description: String,
    /// `x86_64` or `arm64`.
    pub architecture: String,
    /// The operating system, such as `Garden Linux  64 bit`.
    #[serde(rename = "OSName")]
    pub os_name: String,
    /// `linux` or `windows`.
    #[serde(rename = "OSType")]
    pub os_type: String,
    /// The distribution, such as `Ubuntu`.
    pub platform: String,
    /// Its size in GiB.
    pub size: i64,
    /// Whether it is a copy of another.
    pub is_copied: bool,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// The key that it is encrypted with, where that is not the service's own.
    #[serde(rename = "KMSKeyId")]
    pub kms_key_id: String,
    /// The accounts that it is shared with, and since when.
    pub shared: BTreeMap<String, String>,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Image, image_id);

impl Image {
    /// The progress of its creation.
    pub fn progress(&self, now: Timestamp) -> String {
        let done = || {
            let start: Timestamp = self.creation_time.parse().ok()?;
            let whole = self.phase.due()?.as_second() - start.as_second();
            (100 * (now.as_second() - start.as_second())).checked_div(whole)
        };
        format!("{}%", done().map_or(100, |done| done.clamp(0, 99)))
    }
}

/// An instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Instance {
    /// Its identifier.
    pub instance_id: String,
    /// Its name.
    pub instance_name: String,
    /// Its description.
    pub description: String,
    /// Its name inside.
    pub host_name: String,
    /// The image that it was made of.
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
    /// `PayByTraffic` or `PayByBandwidth`.
    pub internet_charge_type: String,
    /// Bandwidth from the internet in Mbit/s.
    pub internet_max_bandwidth_in: i64,
    /// Bandwidth to the internet in Mbit/s.
    pub internet_max_bandwidth_out: i64,
    /// `NoSpot`, `SpotWithPriceLimit` or `SpotAsPriceGo`.
    pub spot_strategy: String,
    /// What happens to its cost while it is stopped: `KeepCharging` or `StopCharging`.
    pub stopped_mode: String,
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

impl Instance {
    /// Whether it is in a security group.
    pub fn in_group(&self, security_group_id: &str) -> bool {
        self.security_group_ids.iter().any(|id| id == security_group_id)
    }
}
