//! Route entries.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, resource};
use ipnet::IpNet;

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// A route entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RouteEntry {
    /// Its identifier.
    pub route_entry_id: String,
    /// Its name.
    pub route_entry_name: String,
    /// What it is for.
    pub description: String,
    /// The table that it is in.
    pub route_table_id: String,
    /// Where it leads.
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
