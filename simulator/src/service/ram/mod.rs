//! Roles. The resource manager's API reads and changes the same ones.

mod actions;
pub(crate) mod roles;
pub(crate) mod trust;

use serde::{Deserialize, Serialize};

use crate::action::Service;
use crate::world::Table;

pub use roles::{DeletionTask, Role};

/// The service.
pub const SERVICE: Service = Service {
    name: "Ram",
    version: "2015-05-01",
    code: "ram",
    actions: &[actions::ACTIONS],
    quotas: &[&roles::QUOTA],
};

/// The state of the service in an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Roles.
    pub roles: Table<Role>,
}

impl State {
    /// The role of this name. Names do not differ by their case alone.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles.iter().find(|role| role.role_name.eq_ignore_ascii_case(name))
    }
}
