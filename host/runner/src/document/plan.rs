//! What the host reads of a plan.

use super::{Action, Plan};

impl Plan {
    /// Whether the plan changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.steps.is_empty()
    }
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
