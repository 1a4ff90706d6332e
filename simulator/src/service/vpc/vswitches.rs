//! VSwitches: the subnets of networks, one zone each.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, Tags, resource};
use ipnet::{Ipv4Net, Ipv6Net};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// A subnet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct VSwitch {
    /// Its identifier.
    pub v_switch_id: String,
    /// Its name.
    pub v_switch_name: String,
    /// What it is for.
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
