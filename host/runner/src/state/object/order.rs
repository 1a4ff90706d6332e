//! What a store asks of the task that saves states, and how long the task takes for it.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::document::State;
use crate::plan::ledger::StoreError;

/// How a store waits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The longest time for one request to the API server. No patch is sent when the lease may end within this
    /// time.
    pub request_limit: Duration,
    /// The longest time for a load or a save, with all retries.
    pub limit: Duration,
    /// Random numbers from 0 to 1, for delays.
    pub jitter: fn() -> f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { request_limit: Duration::from_secs(5), limit: Duration::from_mins(1), jitter: fastrand::f64 }
    }
}

/// What the task is to do.
pub(super) enum Order {
    Load { until: Instant, answer: oneshot::Sender<Result<Option<State>, StoreError>> },
    Save(Save),
}

/// A state to save, and who waits for that.
pub(super) struct Save {
    pub state: State,
    pub waiting: Waiting,
}

/// Somebody who waits for a save.
pub(super) struct Waiting {
    pub until: Instant,
    pub answer: oneshot::Sender<Result<(), StoreError>>,
}
