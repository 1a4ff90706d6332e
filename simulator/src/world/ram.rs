//! Roles.

use serde::{Deserialize, Serialize};

use crate::resource::{Resource, Table};

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

/// A role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Role {
    /// Its identifier, a number.
    pub role_id: String,
    /// Its name, which is unique.
    pub role_name: String,
    /// Its description.
    pub description: String,
    /// Who may assume it, in JSON.
    pub assume_role_policy_document: String,
    /// How long a session lasts at most, in seconds.
    pub max_session_duration: i64,
    /// The service that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// When it was created.
    pub create_date: String,
    /// The last try to delete it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_deletion_task: Option<DeletionTask>,
}

impl Resource for Role {
    fn id(&self) -> &str {
        &self.role_id
    }
}

/// A try to delete a role of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct DeletionTask {
    /// When it was made.
    pub create_date: String,
    /// Its identifier.
    pub deletion_task_id: String,
}
