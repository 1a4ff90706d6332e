//! IPv6 gateways.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::world::{Phase, Tags, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[];

/// An IPv6 gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Ipv6Gateway {
    /// Its identifier.
    pub ipv6_gateway_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The network that it serves.
    pub vpc_id: String,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Ipv6Gateway, ipv6_gateway_id);
