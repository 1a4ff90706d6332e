//! Carries out plans. The runner knows steps, and no kinds of resources.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::Instant;

use super::cloud::Cloud;
use super::document::{Classification, Plan, State, Step};
use super::event::{Event, Listener};
use super::graph::{Graph, PlanError};
use super::ledger::{Ledger, StateStore};
use super::phase::{Phase, Phases};
use super::probes::Prober;
use super::step::{End, StepFailure, StepRunner};
use super::stop::{Stop, StopSignal, stop};
use crate::transport::CallFailure;

/// Tells what to do about the error of a call.
pub type Classify<'c> = dyn Fn(&CallFailure) -> Classification + Send + Sync + 'c;

/// How the runner carries out plans.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most calls at a time.
    pub concurrency: usize,
    /// The longest time for a call with its retries, where the step names no limit.
    pub step_limit: Duration,
    /// The longest time for a query with its retries. Where twice the time that the action may take is longer, that counts.
    pub query_limit: Duration,
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
            deadline: None,
            jitter: fastrand::f64,
        }
    }
}

/// Makes calls and carries out plans.
pub struct Runner<'r, C> {
    /// The cloud that gets the calls.
    pub cloud: &'r C,
    /// Tells what to do about the errors of calls.
    pub classify: &'r Classify<'r>,
    /// Gets the events.
    pub listener: &'r Listener<'r>,
    /// Tells when to end early.
    pub stop: StopSignal,
    /// How to carry out plans.
    pub options: Options,
}

/// What the runner did of a plan.
#[derive(Debug, Default)]
pub struct Applied {
    /// The state.
    pub state: State,
    /// Ids of the steps that are done.
    pub done: Vec<String>,
    /// Steps that failed.
    pub failed: Vec<StepFailure>,
    /// Steps that the runner skipped because a step before them failed.
    pub skipped: Vec<Skipped>,
    /// Ids of the steps that were not done because somebody stopped the run.
    pub left: Vec<String>,
    /// Why the store could not save the state, where it could not.
    pub unkept: Option<String>,
}

/// A step that the runner skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Id of the step.
    pub step: String,
    /// Id of the step that failed.
    pub because: String,
}

impl Applied {
    /// Whether every step is done.
    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.left.is_empty() && self.unkept.is_none()
    }
}

impl<C: Cloud> Runner<'_, C> {
    /// Carries out a plan. `recorded` is the state that the store has.
    pub async fn apply<S: StateStore>(
        &self,
        plan: &Plan,
        recorded: State,
        store: &S,
    ) -> Result<Applied, PlanError> {
        let mut graph = Graph::new(&plan.steps)?;
        let ledger = Ledger::new(store, self.listener, recorded);
        let mut applied = Applied::default();
        if let Err(error) = ledger.replace(plan.state.clone()).await {
            let left = plan.steps.iter().map(|step| step.id.clone()).collect();
            return Ok(Applied { state: ledger.state(), left, unkept: Some(error.to_string()), ..applied });
        }
        let phases = Phases::new(&plan.steps);
        let permits = Semaphore::new(self.options.concurrency);
        let mutexes: BTreeMap<_, _> = plan
            .steps
            .iter()
            .filter_map(|step| step.mutex.as_deref())
            .map(|name| (name, Mutex::new(())))
            .collect();
        let (sender, waits) = mpsc::unbounded_channel();
        let (breaker, broken) = stop();
        let steps = StepRunner {
            cloud: self.cloud,
            classify: self.classify,
            listener: self.listener,
            options: &self.options,
            ledger: &ledger,
            phases: &phases,
            permits: &permits,
            mutexes: &mutexes,
            waits: sender,
            stop: self.stop.clone(),
            broken,
            deadline: self.options.deadline,
        };
        let prober = Prober {
            cloud: self.cloud,
            classify: self.classify,
            listener: self.listener,
            permits: &permits,
            phases: &phases,
        };
        let work = async {
            let steps = &steps;
            let carry_out = |place: usize, step| async move { (place, step, steps.carry_out(place, step).await) };
            let mut running = FuturesUnordered::new();
            let mut ready = graph.first();
            loop {
                for place in ready.drain(..) {
                    if let Some(step) = plan.steps.get(place) {
                        phases.set(place, Phase::Ready);
                        running.push(carry_out(place, step));
                    }
                }
                let Some((place, step, result)) = running.next().await else { break };
                let step: &Step = step;
                phases.set(place, Phase::Ended);
                match result {
                    Ok(()) => {
                        (self.listener)(Event::StepDone { step: step.id.clone() });
                        applied.done.push(step.id.clone());
                        ready = graph.done(place);
                    }
                    Err(End::Failed(failure)) => {
                        let StepFailure { message, codes, .. } = failure.clone();
                        (self.listener)(Event::StepFailed { step: step.id.clone(), message, codes });
                        applied.failed.push(failure);
                        for skipped in graph.all_after(place).into_iter().filter_map(|place| plan.steps.get(place))
                        {
                            self.skip(&mut applied, skipped, step);
                        }
                    }
                    Err(End::Interrupted) => {}
                    Err(End::Unkept(error)) => {
                        breaker.stop(Stop::Gracefully);
                        applied.unkept.get_or_insert_with(|| error.to_string());
                    }
                }
            }
        };
        tokio::select! {
            biased;
            () = self.stop.asked(Stop::AtOnce) => {}
            () = work => {}
            never = prober.run(waits) => match never {},
        }
        // Answers that came before the end, and that are not saved yet.
        if let Err(error) = ledger.flush().await {
            applied.unkept.get_or_insert_with(|| error.to_string());
        }
        let ended = |step: &&Step| {
            applied.done.contains(&step.id)
                || applied.failed.iter().any(|failed| failed.step == step.id)
                || applied.skipped.iter().any(|skipped| skipped.step == step.id)
        };
        applied.left = plan.steps.iter().filter(|step| !ended(step)).map(|step| step.id.clone()).collect();
        applied.state = ledger.state();
        Ok(applied)
    }

    fn skip(&self, applied: &mut Applied, step: &Step, because: &Step) {
        if applied.skipped.iter().any(|skipped| skipped.step == step.id) {
            return;
        }
        let skipped = Skipped { step: step.id.clone(), because: because.id.clone() };
        (self.listener)(Event::StepSkipped { step: skipped.step.clone(), because: skipped.because.clone() });
        applied.skipped.push(skipped);
    }
}
