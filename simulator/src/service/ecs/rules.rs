//! The rules of security groups.

use serde::{Deserialize, Serialize};

/// Which traffic a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// What comes to the instances.
    Ingress,
    /// What leaves them.
    Egress,
}

/// A rule of a security group. What it does not tell is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Rule {
    /// Its identifier.
    pub security_group_rule_id: String,
    /// Which traffic it is for.
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
    /// From 1, the first that counts, to 100.
    pub priority: i64,
    /// What it is for.
    pub description: String,
    /// When it was created.
    pub create_time: String,
}
