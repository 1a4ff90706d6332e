//! How often a call is tried.

use tokio::time::Instant;

use super::{CallFailure, ResolvedCall};

/// Says which failures may be gone when the same call is made again.
pub trait Classifier: Send + Sync {
    /// Whether the same call may succeed later.
    fn is_transient(&self, call: &ResolvedCall, failure: &CallFailure) -> bool;
}

/// How often a call is tried, and until when.
#[derive(Clone, Copy)]
pub struct Attempts<'a> {
    /// Most attempts.
    pub most: u32,
    /// No attempt goes on after this.
    pub deadline: Option<Instant>,
    /// Which failures are tried again.
    pub classifier: Option<&'a dyn Classifier>,
}

impl Attempts<'_> {
    /// A single attempt.
    pub const fn one(deadline: Option<Instant>) -> Self {
        Self { most: 1, deadline, classifier: None }
    }
}
