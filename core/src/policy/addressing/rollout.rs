//! `rollout`: what an edit of a Shoot does to its nodes.

use serde::Serialize;

use super::Addressing;
use crate::document::parse;
use crate::policy::answer::text;
use crate::policy::owner::is_of_provider;
use crate::policy::part::unanswered;
use crate::policy::{Request, RequestError};
use crate::report::Undecided;

pub(super) fn rollout(policy: &Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = Request::read(&document, &["object", "oldObject"])?;
    is_of_provider(&request, policy.about.provider)?;
    let rollout = policy.rollout.ok_or_else(|| unanswered("rollout"))?;
    Ok(text(&rollout(&request)?))
}

/// The answer of `rollout`.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rollout {
    /// The worker pools: those of the edited Shoot in its order, then those that go.
    pub pools: Vec<PoolRollout>,
    /// What only the cluster knows.
    pub undecided: Vec<Undecided>,
}

/// What an edit does to the nodes of a worker pool.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PoolRollout {
    /// The pool.
    pub name: String,
    /// What happens to the nodes.
    pub change: NodeChange,
    /// What in the Shoot causes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// How many nodes the pool has before the edit, none while the Shoot hibernates; absent for a new pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Range>,
    /// How many nodes the pool has after the edit, none while the Shoot hibernates; absent for a pool that goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Range>,
    /// How many nodes change at once, where nodes are rolled or updated in place by a rollout. Absent where a
    /// person selects the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<Range>,
    /// Zones that the pool gets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added_zones: Vec<String>,
    /// Zones whose nodes go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed_zones: Vec<String>,
    /// All of it in a sentence, for people.
    pub summary: String,
}

/// What happens to the nodes of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NodeChange {
    /// They stay as they are, and as many as they are.
    Unchanged,
    /// Nodes come or go, since the bounds or the zones of the pool change, or the Shoot falls asleep or wakes up.
    /// No node is replaced.
    Resized,
    /// A new node replaces each of them.
    Rolled,
    /// They stay, and something on them changes.
    UpdatedInPlace,
    /// The pool is new.
    Added,
    /// They go.
    Removed,
}

/// A value that an edit changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Its name: within the pool, or from `spec` or `metadata` on.
    pub field: String,
    /// The place as an RFC 6901 pointer into the edited Shoot.
    pub pointer: String,
}

/// A smallest and a largest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// The smallest number.
    pub minimum: i32,
    /// The largest number.
    pub maximum: i32,
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    /// The request of `rollout`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct RolloutRequest {
        /// The Shoot after the edit, with its defaults.
        object: Map<String, Value>,
        /// The Shoot before it, with its defaults.
        old_object: Map<String, Value>,
    }
}
