//! Carries out plans. The runner knows steps, and no kinds of resources.

use std::collections::BTreeMap;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::{Instant, sleep};

use super::event::{Event, Listener};
use super::graph::{Graph, PlanError};
use super::ledger::{Ledger, StateStore, StoreError};
use super::options::{Classify, Options, permit_ended};
use super::phase::{Phase, Phases};
use super::probes::Prober;
use super::step::{End, StepFailure, StepRunner};
use super::token::Tokens;
use crate::call::cloud::Cloud;
use crate::document::{Plan, State, Step};
use crate::limits::permit::Permit;
use crate::limits::stop::{Stop, stop};

/// Makes calls and carries out plans.
pub struct Runner<'r, C> {
    /// The cloud that gets the calls.
    pub cloud: &'r C,
    /// Says what to do about the errors of calls.
    pub classify: &'r dyn Classify,
    /// Gets the events.
    pub listener: &'r Listener<'r>,
    /// Whether calls may be sent.
    pub permit: Permit,
    /// How to carry out plans.
    pub options: Options,
    /// The other tokens that the run took.
    pub tokens: Tokens,
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
    /// Ids of the steps that were not done because the run ended before.
    pub left: Vec<String>,
    /// Why the store has not saved the state, where it has not.
    pub unkept: Option<StoreError>,
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

impl<C> Runner<'_, C> {
    /// Waits until the run may start no further call.
    pub(super) async fn permit_ended(&self) {
        permit_ended(&self.permit, self.options.deadline).await;
    }

    /// Until when the runner waits for the answer of the policy to a question of now.
    pub(super) fn policy_deadline(&self) -> Instant {
        let limit = Instant::now() + self.options.policy_limit;
        self.options.deadline.map_or(limit, |deadline| deadline.min(limit))
    }

    /// Waits until the run has to drop everything.
    async fn over(&self) {
        tokio::select! {
            () = self.permit.stop.asked(Stop::AtOnce) => {}
            () = self.permit.lease_signal.lost() => {}
            () = async {
                self.permit.stop.asked(Stop::Gracefully).await;
                sleep(self.options.grace).await;
            } => {}
        }
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
        let ledger = Ledger::new(store, self.listener, &self.permit.lease_signal, recorded);
        let mut applied = Applied::default();
        if let Err(error) = ledger.replace(plan.state.clone()).await {
            let left = plan.steps.iter().map(|step| step.id.clone()).collect();
            let unkept = if error.is_final() { Some(error) } else { ledger.flush().await.err() };
            return Ok(Applied { state: ledger.state(), left, unkept, ..applied });
        }
        let phases = Phases::new(&plan.steps);
        let permits = Semaphore::new(self.options.concurrency);
        // A step that the cloud asks to wait keeps its permit meanwhile, and no probe waits for that.
        let probe_permits = Semaphore::new(self.options.concurrency);
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
            permit: &self.permit,
            tokens: &self.tokens,
            broken: broken.clone(),
        };
        let prober = Prober {
            cloud: self.cloud,
            classify: self.classify,
            listener: self.listener,
            permit: &self.permit,
            permits: &probe_permits,
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
                        breaker.stop(if error.is_final() { Stop::AtOnce } else { Stop::Gracefully });
                        applied.unkept.get_or_insert(error);
                    }
                }
            }
        };
        tokio::select! {
            biased;
            () = self.over() => {}
            () = broken.asked(Stop::AtOnce) => {}
            () = work => {}
            never = prober.run(waits) => match never {},
        }
        if !applied.unkept.as_ref().is_some_and(StoreError::is_final) {
            // Answers that came before the end, and what the store could not save before.
            applied.unkept = ledger.flush().await.err();
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
