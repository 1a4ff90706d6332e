//! Route tables: the system's own of a network, and custom ones.

use serde::{Deserialize, Serialize};

use super::State;
use crate::action::Action;
use crate::world::{Phase, Tags, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// A route table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RouteTable {
    /// Its identifier.
    pub route_table_id: String,
    /// Its name.
    pub route_table_name: String,
    /// What it is for.
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

/// The type of the table that a network has from the start.
pub(super) const SYSTEM: &str = "System";

/// The system route table of a network.
pub(super) fn system<'a>(state: &'a State, vpc_id: &str) -> Option<&'a RouteTable> {
    state.route_tables.iter().find(|table| table.vpc_id == vpc_id && table.route_table_type == SYSTEM)
}
