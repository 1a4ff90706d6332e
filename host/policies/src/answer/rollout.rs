//! What an edit does to nodes.

use super::{NodeChange, Rollout};

impl Rollout {
    /// Whether the nodes of no pool change.
    pub fn is_empty(&self) -> bool {
        self.pools.iter().all(|pool| pool.change == NodeChange::Unchanged)
    }
}
