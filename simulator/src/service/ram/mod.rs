//! Ram

use serde::{Deserialize, Serialize};

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service { name: "Ram", version: "2015-05-01", code: "ram", actions: &[] };

/// What it keeps for an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {}
