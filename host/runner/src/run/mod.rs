//! A run: Trellis observes the cloud, plans, and carries plans out, until nothing is left to do.
//!
//! Command line, page and controllers start the same run; hundreds of runs may live in one process. A run knows no
//! terminal and no file, and whatever breaks in a run is that run's failure.

pub mod form;
pub mod metrics;
pub mod reads;
pub mod target;
pub mod world;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde_json::value::RawValue;

use crate::call::cloud::Cloud;
use crate::document::Consent;
use crate::document::Plan;
use crate::limits::permit::Permit;
use crate::plan::event::{Event, Listener};
use crate::plan::guard::Guard;
use crate::plan::ledger::{StateStore, StoreError};
use crate::plan::options::Options;
use crate::plan::planner::{ObserveError, Observed, Planner};
use crate::plan::reconcile::{ReconcileError, Reconciler, Report};
use crate::plan::runner::Runner;
use crate::plan::token::Tokens;
use metrics::{Counter, Metrics};
use trellis_policies::engine::{Asker, words};

/// A run on one infrastructure.
pub struct Run<'r, C, S> {
    /// Asks the policy. The run keeps the version of the policy that it began with.
    pub asker: Asker,
    /// The infrastructure request: operation, infrastructure, cluster, configuration.
    pub request: &'r RawValue,
    /// What the person agreed to.
    pub consent: &'r [Consent],
    /// Keeps the state.
    pub store: &'r S,
    /// The cloud, with endpoint, region, counts and credentials of this run.
    pub cloud: &'r C,
    /// Whether the run may send calls.
    pub permit: Permit,
    /// What the run may carry out.
    pub guard: Guard,
    /// Gets the events.
    pub listener: &'r Listener<'r>,
    /// Limits of calls and waits.
    pub options: Options,
    /// Counts what the run does.
    pub counter: Counter,
}

/// Why a run has no report.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store has no state to begin with.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no plan.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(crate::plan::PlanError),
    /// The run broke off, which is a mistake in Trellis.
    #[error(
        "the run broke off, which is a mistake in Trellis: {0}; run it again: it goes on from what is recorded"
    )]
    Panicked(String),
}

impl From<ReconcileError> for RunError {
    fn from(error: ReconcileError) -> Self {
        match error {
            ReconcileError::Observe(error) => Self::Observe(error),
            ReconcileError::Plan(error) => Self::Plan(error),
        }
    }
}

impl<C: Cloud, S: StateStore> Run<'_, C, S> {
    /// Looks at the cloud and plans; changes nothing.
    pub async fn observe(&self) -> Result<Observed, RunError> {
        whole(async {
            let state = self.store.load().await?;
            let planner = self.planner();
            let listener = |event| self.show(event);
            let runner = self.runner(&planner, &listener);
            let reconciler = Reconciler { planner, runner: &runner, store: self.store, guard: self.guard };
            Ok(reconciler.observe(state.as_ref()).await?)
        })
        .await
    }

    /// Observes, plans and applies until the plan is empty. `observed` is an observation from just before, where
    /// there is one. `agreed` is the plan that the first plan must equal.
    pub async fn carry_out(&self, observed: Option<Observed>, agreed: Option<&Plan>) -> Result<Report, RunError> {
        whole(async {
            let state = self.store.load().await?;
            let planner = self.planner();
            let listener = |event| self.show(event);
            let runner = self.runner(&planner, &listener);
            let reconciler = Reconciler { planner, runner: &runner, store: self.store, guard: self.guard };
            Ok(reconciler.reconcile(state, observed, agreed).await?)
        })
        .await
    }

    /// What the run did so far.
    pub fn metrics(&self) -> Metrics {
        Metrics {
            requests: self.cloud.sent(),
            answers: self.cloud.tally(),
            policy_calls: self.asker.asked(),
            counts: self.counter.counts(),
        }
    }

    /// Counts an event, and hands it on.
    fn show(&self, event: Event) {
        self.counter.note(&event);
        (self.listener)(event);
    }

    fn planner(&self) -> Planner<'_> {
        Planner { asker: &self.asker, request: self.request, consent: self.consent, waited: false }
    }

    fn runner<'s>(&'s self, planner: &'s Planner<'s>, listener: &'s Listener<'s>) -> Runner<'s, C> {
        Runner {
            cloud: self.cloud,
            classify: planner,
            listener,
            permit: self.permit.clone(),
            options: self.options.clone(),
            tokens: Tokens::default(),
        }
    }
}

/// Awaits the work of a run. A panic is the failure of this run alone.
async fn whole<T>(work: impl Future<Output = Result<T, RunError>>) -> Result<T, RunError> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|panic| Err(RunError::Panicked(words(&*panic))))
}
