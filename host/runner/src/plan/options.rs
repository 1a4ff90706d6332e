//! How the runner carries out plans, and who says what an error of a call means.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use tokio::time::{Instant, sleep_until};

use crate::call::CallFailure;
use crate::document::Classification;
use crate::limits::permit::Permit;

/// Says what to do about the errors of calls.
pub trait Classify: Send + Sync {
    /// What to do about an error; takes no longer than until a time.
    fn classify<'f>(&'f self, failure: &'f CallFailure, until: Instant) -> BoxFuture<'f, Classification>;
}

/// What can be said without waiting.
impl<F: Fn(&CallFailure) -> Classification + Send + Sync> Classify for F {
    fn classify<'f>(&'f self, failure: &'f CallFailure, _: Instant) -> BoxFuture<'f, Classification> {
        std::future::ready(self(failure)).boxed()
    }
}

/// How the runner carries out plans.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most calls of steps at a time; of probes, as many more.
    pub concurrency: usize,
    /// The longest time for a call with its retries, where the step names no limit.
    pub step_limit: Duration,
    /// The longest time for a query with its retries. Where twice the time that the action may take is longer,
    /// that counts.
    pub query_limit: Duration,
    /// The longest time for a question to the policy, with its retries.
    pub policy_limit: Duration,
    /// How long a run that somebody stops waits for the answers of calls in flight.
    pub grace: Duration,
    /// When the runner stops to start calls.
    pub deadline: Option<Instant>,
    /// Random numbers from 0 to 1, for delays.
    pub jitter: fn() -> f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            concurrency: 8,
            step_limit: Duration::from_mins(5),
            query_limit: Duration::from_mins(1),
            policy_limit: Duration::from_mins(5),
            // No answer of the cloud takes longer.
            grace: Duration::from_secs(150),
            deadline: None,
            jitter: fastrand::f64,
        }
    }
}

/// Waits until a run may start no further call: its permit or its time has ended.
pub(super) async fn permit_ended(permit: &Permit, deadline: Option<Instant>) {
    tokio::select! {
        biased;
        _ = permit.ended() => {}
        () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {}
    }
}
