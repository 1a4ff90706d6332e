//! Alidns

use serde::{Deserialize, Serialize};

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service { name: "Alidns", version: "2015-01-09", code: "alidns", actions: &[] };

/// What it keeps for an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {}
