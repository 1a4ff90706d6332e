//! Sts

use serde::{Deserialize, Serialize};

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service { name: "Sts", version: "2015-04-01", code: "sts", actions: &[] };

/// What it keeps for an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {}
