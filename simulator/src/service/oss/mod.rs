//! Oss

use serde::{Deserialize, Serialize};

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service { name: "Oss", version: "2019-05-17", code: "oss", actions: &[] };

/// What it keeps for an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {}
