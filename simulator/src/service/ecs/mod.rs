//! ECS: security groups, images and instances.

pub mod images;
pub mod instances;
pub mod rules;
pub mod security_groups;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::action::Service;
use crate::world::{Settle, Table};

use images::Image;
use instances::Instance;
use security_groups::SecurityGroup;

/// The service.
pub const SERVICE: Service = Service { name: "Ecs", version: "2014-05-26", code: "ecs", actions: &[] };

/// What it keeps for a region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Security groups and their rules.
    pub security_groups: Table<SecurityGroup>,
    /// Custom images.
    pub images: Table<Image>,
    /// Instances.
    pub instances: Table<Instance>,
    /// The names of key pairs that instances were run with.
    pub key_pairs: std::collections::BTreeSet<String>,
}

impl Settle for State {
    fn due(&self) -> Option<Timestamp> {
        [self.images.due(), self.instances.due()].into_iter().flatten().min()
    }

    fn settle(&mut self, at: Timestamp) {
        self.images.settle(at);
        self.instances.settle(at);
    }
}
