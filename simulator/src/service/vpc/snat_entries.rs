//! SNAT entries: which subnet leaves a NAT gateway by which addresses.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// An SNAT entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SnatEntry {
    /// Its identifier.
    pub snat_entry_id: String,
    /// Its name.
    pub snat_entry_name: String,
    /// The table that it is in.
    pub snat_table_id: String,
    /// The NAT gateway of the table.
    pub nat_gateway_id: String,
    /// The subnet; empty for a block.
    pub source_v_switch_id: String,
    /// The block.
    pub source_cidr: String,
    /// The addresses, with commas between them.
    pub snat_ip: String,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(SnatEntry, snat_entry_id);
