//! A plan: what people read, and the steps that the runner takes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{State, Step};

/// What changes, and the steps that make the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Plan {
    /// The state after the observation. It replaces the recorded state before the first step.
    #[serde(default)]
    pub state: State,
    /// Resources that the state records, and that the cloud does not have although Trellis did not delete them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// In a plan that deletes everything: ids of resources that an interrupted run began to create, and that the
    /// cloud does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<String>,
    /// Every resource that exists or will exist, in the order of creation.
    #[serde(default)]
    pub resources: Vec<PlannedResource>,
    /// The changes, in the order of `resources`.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// The steps, each after the steps that it waits for.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Differences that Trellis reports and does not change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Plan {
    /// Whether the plan changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.steps.is_empty()
    }
}

/// A resource that the state records, and that the cloud does not have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// The kind of the resource, such as `NAT gateway`.
    pub kind: String,
    /// The name of the resource in the cloud.
    pub name: String,
    /// The recorded id of the resource.
    pub resource_id: String,
}

/// A resource, and what the plan does to it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedResource {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// The kind of the resource, such as `NAT gateway`.
    pub kind: String,
    /// The name of the resource in the cloud.
    pub name: String,
    /// The id of the resource in the cloud; absent where the resource does not exist yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// What the plan does to the resource; absent where the plan keeps it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether the resource is somebody else's: Trellis reads and associates it, and never updates or deletes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// Whether the cloud charges for the resource by the hour, as long as it exists.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub billed: bool,
    /// Ids of the resources that this one needs.
    #[serde(default)]
    pub needs: Vec<String>,
}

/// What a plan does to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Trellis creates the resource.
    Create,
    /// Trellis updates the resource.
    Update,
    /// Trellis deletes the resource, and creates another one in its place.
    Replace,
    /// Trellis deletes the resource.
    Delete,
    /// The resource exists, and Trellis takes it over: with tags and records.
    Adopt,
    /// Trellis binds two resources that exist to each other.
    Associate,
}

impl Action {
    /// The verb, such as `create`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Adopt => "adopt",
            Self::Associate => "associate",
        }
    }
}

/// Attributes with their values; null where there is no value, or only the cloud knows it.
pub type Attributes = BTreeMap<String, Option<String>>;

/// A change of one resource, for people.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Id of the resource in the plan.
    pub id: String,
    /// What the plan does to the resource.
    pub action: Action,
    /// The kind of the resource.
    pub kind: String,
    /// The name of the resource in the cloud.
    pub name: String,
    /// The id of the resource in the cloud, where it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// The attributes that change, with their values before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Attributes>,
    /// The attributes that change, with their values after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Attributes>,
    /// The attributes whose difference is the reason for a replacement; none where another resource is the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forces_replacement: Vec<String>,
    /// What stops working during the change, or is different afterwards, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disruption: Option<String>,
    /// Ids of the steps that make the change.
    #[serde(default)]
    pub steps: Vec<String>,
}

/// A difference that Trellis reports and does not change.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Note {
    /// Id of the resource in the plan.
    pub id: String,
    /// The attribute.
    pub attribute: String,
    /// The value that the attribute should have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The value that the attribute has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}
