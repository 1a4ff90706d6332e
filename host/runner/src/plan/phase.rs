//! How far the steps of a plan are.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::document::{Call, Step};

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The step waits for steps before it.
    Blocked,
    /// The step waits for its turn, or makes its first attempt.
    Ready,
    /// The first attempt failed.
    Retrying,
    /// The step waits for its effect.
    Waiting,
    /// The step has ended.
    Ended,
}

/// How far all steps are.
pub(super) struct Phases<'p> {
    steps: &'p [Step],
    current: Mutex<Vec<Phase>>,
    changed: Notify,
}

impl<'p> Phases<'p> {
    pub(super) fn new(steps: &'p [Step]) -> Self {
        Self { steps, current: Mutex::new(vec![Phase::Blocked; steps.len()]), changed: Notify::new() }
    }

    pub(super) fn set(&self, step: usize, phase: Phase) {
        if let Some(known) = self.current.lock().unwrap_or_else(PoisonError::into_inner).get_mut(step) {
            *known = phase;
        }
        self.changed.notify_one();
    }

    /// Ends when a step enters another phase. Only one task may listen.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Whether a step is about to wait with this probe: the step is ready, and no step with the same mutex is
    /// retried.
    pub(super) fn expect(&self, probe: &Call) -> bool {
        let phases = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let retried = |mutex: &String| {
            self.steps
                .iter()
                .zip(phases.iter())
                .any(|(step, phase)| *phase == Phase::Retrying && step.mutex.as_ref() == Some(mutex))
        };
        self.steps.iter().zip(phases.iter()).any(|(step, phase)| {
            *phase == Phase::Ready
                && step.until.as_ref().is_some_and(|until| until.call == *probe)
                && !step.mutex.as_ref().is_some_and(retried)
        })
    }
}
