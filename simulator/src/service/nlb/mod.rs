//! Nlb

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::action::Service;
use crate::world::Settle;

/// The service.
pub const SERVICE: Service = Service { name: "Nlb", version: "2022-04-30", code: "nlb", actions: &[] };

/// What it keeps for a region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {}

impl Settle for State {
    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn settle(&mut self, _at: Timestamp) {}
}
