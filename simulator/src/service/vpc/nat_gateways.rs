//! Enhanced NAT gateways.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, Tags, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// A NAT gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NatGateway {
    /// Its identifier.
    pub nat_gateway_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The network that it serves.
    pub vpc_id: String,
    /// The subnet that it is in.
    pub v_switch_id: String,
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
