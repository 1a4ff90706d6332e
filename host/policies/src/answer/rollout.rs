//! The answer of `rollout`: what an edit of a Shoot does to its nodes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an edit does to the nodes of each pool.
#[derive(Debug, Deserialize, Serialize)]
pub struct Rollout {
    /// The pools.
    pub pools: Vec<PoolRollout>,
    /// What only the cluster knows.
    #[serde(default)]
    pub undecided: Vec<Value>,
}

/// What an edit does to the nodes of a pool. The host hands on what it does not look into.
#[derive(Debug, Deserialize, Serialize)]
pub struct PoolRollout {
    /// What happens to the nodes.
    pub change: NodeChange,
    /// All of it in a sentence.
    pub summary: String,
    /// The other members.
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

/// What happens to the nodes of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum NodeChange {
    /// They stay as they are, and as many as they are.
    Unchanged,
    /// Nodes come or go; no node is replaced.
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

impl Rollout {
    /// Whether the nodes of no pool change.
    pub fn is_empty(&self) -> bool {
        self.pools.iter().all(|pool| pool.change == NodeChange::Unchanged)
    }
}
