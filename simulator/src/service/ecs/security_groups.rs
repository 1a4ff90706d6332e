//! Security groups.

use serde::{Deserialize, Serialize};

use super::rules::Rule;
use crate::world::{Resource, Tags};

/// A security group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SecurityGroup {
    /// Its identifier.
    pub security_group_id: String,
    /// Its name.
    pub security_group_name: String,
    /// What it is for.
    pub description: String,
    /// `normal` or `enterprise`.
    pub security_group_type: String,
    /// The network that it is in.
    pub vpc_id: String,
    /// Its rules of both directions.
    pub rules: Vec<Rule>,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
}

impl Resource for SecurityGroup {
    fn id(&self) -> &str {
        &self.security_group_id
    }
}
