//! Observes, plans and applies, until there is nothing left to do.

use std::fmt;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tracing::Instrument as _;

use super::event::{Calls, Ending, Event};
use super::graph::PlanError;
use super::guard::{Guard, PlanHold};
use super::ledger::{StateStore, StoreError};
use super::observe::{AskError, Fact};
use super::planner::{Baseline, Decision, ObserveError, Observed, Planner};
use super::runner::{Applied, Runner, Skipped};
use super::step::StepFailure;
use crate::call::cloud::Cloud;
use crate::document::{Afterwards, Plan, State, SubjectStatus};
use crate::limits::permit::PermitEnded;
use trellis_policies::answer::{Failure, Finding};
use trellis_policies::span::{span, within};

/// The most plans that one run carries out, those apart that do a part of a known whole.
const MAX_PLANS: u32 = 3;
/// How long a run waits before it observes again, once it has carried out a second plan; for each further plan,
/// once more as long. The cloud may answer for a while as things were before.
const LATE_READS: Duration = Duration::from_secs(3);

/// How long a run that deletes waits for the cloud to show a resource that an interrupted run began to create,
/// before it takes the resource for gone.
const LATE_EFFECTS: Duration = Duration::from_secs(6);

/// Makes of the cloud what the request wants.
pub struct Reconciler<'r, C, S> {
    /// Asks the policy for plans.
    pub planner: Planner<'r>,
    /// Carries out plans.
    pub runner: &'r Runner<'r, C>,
    /// Saves the state.
    pub store: &'r S,
    /// What may be carried out.
    pub guard: Guard,
}

/// What a run did.
#[derive(Debug)]
pub struct Report {
    /// How the run ended.
    pub ending: Ending,
    /// The number of plans that the run carried out.
    pub plans: u32,
    /// The number of steps that the run carried out: each is a call that changes the cloud.
    pub steps: usize,
    /// Numbers of requests.
    pub calls: Calls,
    /// The state; `None` where nothing is recorded.
    pub state: Option<State>,
    /// Whether the run changed anything, in the state or in the cloud.
    pub written: bool,
    /// Steps that failed.
    pub failed: Vec<StepFailure>,
    /// Steps that the runner skipped because a step before them failed.
    pub skipped: Vec<Skipped>,
    /// Ids of steps that were not done because the run ended.
    pub left: Vec<String>,
    /// The last findings of the policy.
    pub findings: Vec<Finding>,
    /// Gardener error codes, sorted.
    pub codes: Vec<String>,
    /// The status at the end, or why there is none.
    pub status: Result<SubjectStatus, Failure>,
}

/// Why a run has no report.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// There is no plan.
    #[error(transparent)]
    Observe(ObserveError),
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// How far a run is.
struct Run {
    state: Option<State>,
    plans: u32,
    /// How many of the plans did a part of a known whole.
    parts: u32,
    steps: usize,
    calls: Calls,
    written: bool,
    applied: Applied,
    findings: Vec<Finding>,
    codes: Vec<String>,
    /// Ids of the resources that the run deleted or replaced.
    destroyed: Vec<String>,
}

impl<C: Cloud, S: StateStore> Reconciler<'_, C, S> {
    /// Looks at the cloud and plans.
    pub async fn observe(&self, state: Option<&State>) -> Result<Observed, ObserveError> {
        self.planner.observe(self.runner, state, Baseline::Observed, Vec::new()).await
    }

    /// Observes, plans and applies until the plan is empty, or one has ended the run. `state` is the recorded state. `observed` is an
    /// observation from just before, where there is one. `agreed` is the plan that the first plan must equal.
    pub async fn reconcile(
        &self,
        state: Option<State>,
        observed: Option<Observed>,
        agreed: Option<&Plan>,
    ) -> Result<Report, ReconcileError> {
        let mut run = Run {
            state,
            plans: 0,
            parts: 0,
            steps: 0,
            calls: Calls::default(),
            written: false,
            applied: Applied::default(),
            findings: Vec::new(),
            codes: Vec::new(),
            destroyed: Vec::new(),
        };
        let ending = self.until_settled(&mut run, observed, agreed).await?;
        let Run { state, plans, steps, calls, written, applied, findings, mut codes, .. } = run;
        codes.extend(applied.failed.iter().flat_map(|failure| failure.codes.iter().cloned()));
        codes.sort_unstable();
        codes.dedup();
        let status = self.planner.status(self.runner, state.as_ref()).await;
        (self.runner.listener)(Event::Finished { ending: ending.clone(), calls });
        let Applied { failed, skipped, left, .. } = applied;
        Ok(Report { ending, plans, steps, calls, state, written, failed, skipped, left, findings, codes, status })
    }

    async fn until_settled(
        &self,
        run: &mut Run,
        mut observed: Option<Observed>,
        agreed: Option<&Plan>,
    ) -> Result<Ending, ReconcileError> {
        let mut facts: Vec<Fact> = Vec::new();
        let mut planner = self.planner;
        // The last plan, where it did a part of a known whole.
        let mut part = None;
        for round in 1.. {
            let seen = if let Some(observed) = observed.take() {
                observed
            } else {
                self.put_off(run.plans - run.parts).await;
                (self.runner.listener)(Event::Observing { round });
                let known = std::mem::take(&mut facts);
                let seen = planner.observe(self.runner, run.state.as_ref(), Baseline::Observed, known);
                match within(span!("observe", round = i64::from(round)), seen).await {
                    Ok(seen) => seen,
                    Err(ObserveError::Ask(AskError::PermitEnded)) => return Ok(self.ending_early()),
                    Err(error) => return Err(ReconcileError::Observe(error)),
                }
            };
            let phase = if round == 1 { &mut run.calls.observe } else { &mut run.calls.closing };
            *phase += seen.calls;
            run.findings = seen.findings;
            let plan = match seen.decision {
                Decision::Plan(plan) => plan,
                Decision::Refused(codes) | Decision::Withheld(_, codes) => {
                    run.codes = codes;
                    return Ok(Ending::Refused);
                }
            };
            (self.runner.listener)(Event::Planned { round, plan: Plan::clone(&plan) });
            if round == 1 && agreed.is_some_and(|agreed| *agreed != *plan) {
                return Ok(Ending::Stale);
            }
            let settled = plan.is_empty();
            let is_part = !settled && plan.afterwards == Some(Afterwards::More);
            let may_follow =
                if is_part { part.as_ref() != Some(&plan) } else { run.plans - run.parts < MAX_PLANS };
            if !settled && !may_follow {
                let resources = plan.changes.into_iter().map(|change| change.id).collect();
                return Ok(Ending::Unsettled { resources });
            }
            if settled && run.state.as_ref().is_none_or(State::is_empty) && plan.state.is_empty() {
                return Ok(Ending::Done);
            }
            let is_written = run.state.as_ref() != Some(&plan.state);
            if let Some(held) = self.guard.holds(&plan, is_written, &mut run.destroyed) {
                return Ok(Ending::Held(held));
            }
            if let Some(ending) = self.apply(run, &plan).await? {
                return Ok(ending);
            }
            if settled && !plan.awaited.is_empty() && !planner.waited {
                self.pause(LATE_EFFECTS).await;
                if self.must_end() {
                    return Ok(self.ending_early());
                }
                planner.waited = true;
                continue;
            }
            let is_done = plan.afterwards == Some(Afterwards::Done) && run.applied.is_complete();
            if settled || is_done {
                return Ok(Ending::Done);
            }
            run.parts += u32::from(is_part);
            if plan.steps.is_empty() {
                // The run changed nothing in the cloud: the answers of the cloud still hold.
                facts = seen.facts;
            }
            // A part that did not succeed is done once more.
            part = (is_part && run.applied.is_complete()).then_some(plan);
        }
        Ok(Ending::Done)
    }

    /// Waits until the cloud shows the last changes, where it may not show them yet.
    async fn put_off(&self, plans: u32) {
        self.pause(LATE_READS * plans.saturating_sub(1)).await;
    }

    /// Waits, unless the run has to end.
    async fn pause(&self, time: Duration) {
        tokio::select! {
            biased;
            () = self.runner.permit_ended() => {}
            () = sleep(time) => {}
        }
    }

    /// Carries out a plan. How the run ends, where it does.
    async fn apply(&self, run: &mut Run, plan: &Plan) -> Result<Option<Ending>, ReconcileError> {
        let sent = self.runner.cloud.sent();
        let before = run.state.take().unwrap_or_default();
        run.written |= before != plan.state || !plan.steps.is_empty();
        let span = span!("apply", steps = i64::try_from(plan.steps.len()).ok());
        run.applied = self.runner.apply(plan, before, self.store).instrument(span).await?;
        run.steps += run.applied.done.len();
        run.calls.steps += self.runner.cloud.sent() - sent;
        run.plans += u32::from(!plan.is_empty());
        run.state = Some(run.applied.state.clone());
        let Applied { failed, left, unkept, .. } = &run.applied;
        Ok(match unkept {
            Some(StoreError::Overtaken(why)) => Some(Ending::Overtaken { why: why.clone() }),
            Some(StoreError::LeaseLost) => Some(Ending::LeaseLost),
            Some(error) => Some(Ending::Unkept { why: error.to_string() }),
            None if failed.iter().any(|failure| !failure.is_outdated) => Some(Ending::Failed),
            // What failed or was left is planned again, as things are now.
            None if !left.is_empty() && self.must_end() => Some(self.ending_early()),
            None => None,
        })
    }

    /// Whether the run may start no further call.
    fn must_end(&self) -> bool {
        let is_late = self.runner.options.deadline.is_some_and(|deadline| deadline <= Instant::now());
        is_late || self.runner.permit.to_read().is_err()
    }

    fn ending_early(&self) -> Ending {
        match self.runner.permit.to_read() {
            Err(PermitEnded::Stopped) => Ending::Stopped,
            Err(PermitEnded::LeaseLost) => Ending::LeaseLost,
            Ok(()) => Ending::OutOfTime,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "run it again from its manifests: it goes on from what is recorded";
        match self {
            Self::Done => formatter.write_str("everything is as it is wanted"),
            Self::Refused => formatter.write_str("there is no plan: fix what is found, and run again"),
            Self::Stale => formatter.write_str(
                "things have changed since the plan was made, and nothing was done: make a new plan and look at it",
            ),
            Self::Held(PlanHold::ReadOnly { changes }) => {
                write!(formatter, "read-only: the plan has {changes} changes, and nothing was done")
            }
            Self::Held(PlanHold::Destructive { resources, most }) => write!(
                formatter,
                "nothing was done: this plan deletes or replaces {}, which are more than {most} resources",
                resources.join(", ")
            ),
            Self::Failed => write!(formatter, "not everything is done: fix what failed, and {AGAIN}"),
            Self::Unsettled { resources } => write!(
                formatter,
                "after {MAX_PLANS} plans these still differ: {}; something else may be changing them",
                resources.join(", ")
            ),
            Self::Stopped => write!(formatter, "stopped before everything was done; {AGAIN}"),
            Self::OutOfTime => write!(formatter, "there was not enough time for everything; {AGAIN}"),
            Self::LeaseLost => write!(
                formatter,
                "this process lost its lease, and with it the right to change things: the holder of the lease goes on from what \
                 is recorded"
            ),
            Self::Overtaken { why } => {
                write!(formatter, "stopped at once, since somebody else changes the same: {why}")
            }
            Self::Unkept { why } => write!(formatter, "{why}; fix that, and {AGAIN}"),
        }
    }
}
