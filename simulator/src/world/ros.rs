//! Stacks, and the images that they made.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::resource::{Phase, Status, Table, Tags, Transitions, resource};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Stacks, also some that are deleted.
    pub stacks: Table<Stack>,
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        self.stacks.due()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.stacks.end_transitions(at);
    }
}

/// A stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Stack {
    /// Its identifier.
    pub stack_id: String,
    /// Its name.
    pub stack_name: String,
    /// What its template is for.
    pub description: String,
    /// The parameters of its template, as text.
    pub parameters: BTreeMap<String, Option<String>>,
    /// The images that it made.
    pub images: Vec<CopiedImage>,
    /// The outputs of its template.
    pub outputs: Vec<Output>,
    /// How long its creation may take, in minutes.
    pub timeout: i64,
    /// Whether its images stay when its creation fails.
    pub disable_rollback: bool,
    /// Whether it cannot be deleted.
    pub deletion_protection: bool,
    /// Why its creation or deletion fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// When it was created.
    pub create_time: String,
    /// When it was changed last.
    pub update_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Stack, stack_id);

impl Stack {
    /// Whether it is deleted, and kept for reads only.
    pub fn is_deleted(&self) -> bool {
        self.phase.status == Status::DeleteComplete
    }
}

/// An image that a stack made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CopiedImage {
    /// The resource in the template.
    pub resource: String,
    /// The region of the image.
    pub region_id: String,
    /// The image.
    pub image_id: String,
}

/// An output of a stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Output {
    /// Its name.
    #[serde(rename = "OutputKey")]
    pub key: String,
    /// Its value.
    #[serde(rename = "OutputValue")]
    pub value: Value,
    /// What it is.
    pub description: String,
}
