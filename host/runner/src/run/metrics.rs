//! What a run did, as plain values, so that an exporter only reads them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::call::tally::Tally;
use crate::plan::event::Event;

/// Numbers of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Requests to the cloud.
    pub requests: u64,
    /// The answers to them, and waits for their turns.
    pub answers: Tally,
    /// Calls of the policy, by function.
    pub policy_calls: BTreeMap<&'static str, u64>,
    /// Numbers of what the run reported.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Numbers of what a run reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Observations of the cloud.
    pub observations: u64,
    /// Plans that were not empty.
    pub plans: u64,
    /// Steps that are done.
    pub steps_done: u64,
    /// Steps that failed.
    pub steps_failed: u64,
    /// Steps that the runner skipped because a step before them failed.
    pub steps_skipped: u64,
    /// Calls that failed, and that the runner made again.
    pub retries: u64,
    /// Waits for the effect of a call.
    pub waits: u64,
    /// Changes of the state that the store saved.
    pub saves: u64,
}

/// Counts the events of a run.
#[derive(Debug, Default)]
pub struct Counter(Mutex<Counts>);

impl Counter {
    /// The numbers so far.
    pub fn counts(&self) -> Counts {
        self.lock().clone()
    }

    pub(super) fn note(&self, event: &Event) {
        let mut counts = self.lock();
        let counted = match event {
            Event::Observing { .. } => &mut counts.observations,
            Event::Planned { plan, .. } if !plan.is_empty() => &mut counts.plans,
            Event::Retrying { .. } => &mut counts.retries,
            Event::Waiting { .. } => &mut counts.waits,
            Event::StepDone { .. } => &mut counts.steps_done,
            Event::StepFailed { .. } => &mut counts.steps_failed,
            Event::StepSkipped { .. } => &mut counts.steps_skipped,
            Event::StateSaved { .. } => &mut counts.saves,
            Event::Planned { .. } | Event::StepStarted { .. } | Event::Finished { .. } => return,
        };
        *counted += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
