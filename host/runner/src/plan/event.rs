//! What a run reports while it goes on.

use serde::Serialize;

use super::guard::PlanHold;
use crate::document::Plan;

/// Something that happened. Written as JSON, one line each, events are a log that programs can read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The run begins to observe the cloud.
    Observing {
        /// Counts the observations of this run, from 1.
        round: u32,
    },
    /// The policy answered with a plan.
    Planned {
        /// Counts the observations of this run, from 1.
        round: u32,
        /// The plan, which is empty where everything is as it should be.
        plan: Plan,
    },
    /// The runner makes the call of a step.
    StepStarted {
        /// Id of the step.
        step: String,
        /// The API.
        service: String,
        /// The action.
        action: String,
    },
    /// A call failed, and the runner will make it again.
    Retrying {
        /// Id of the step or query.
        step: String,
        /// What happened.
        why: String,
        /// The time until then, in milliseconds.
        delay: u64,
    },
    /// The call of a step has an answer, and the runner waits for its effect.
    Waiting {
        /// Id of the step.
        step: String,
        /// The longest time to wait, in seconds.
        limit: u32,
    },
    /// A step is done.
    StepDone {
        /// Id of the step.
        step: String,
    },
    /// A step failed.
    StepFailed {
        /// Id of the step.
        step: String,
        /// What happened, and what the person can do.
        message: String,
        /// Gardener error codes.
        codes: Vec<String>,
    },
    /// The runner skipped a step, because a step before it was not done.
    StepSkipped {
        /// Id of the step.
        step: String,
        /// Id of the step that was not done.
        because: String,
    },
    /// The store saved the state.
    StateSaved {
        /// The number of keys of the state.
        keys: usize,
    },
    /// The run is over.
    Finished {
        /// How the run ended.
        ending: Ending,
        /// The numbers of requests.
        calls: Calls,
    },
}

/// Gets every event.
pub type Listener<'l> = dyn Fn(Event) + Send + Sync + 'l;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ending {
    /// Everything is as the request wants it.
    Done,
    /// Findings forbid a plan.
    Refused,
    /// The plan is not the one that the person agreed to; the run changed nothing.
    Stale,
    /// The guard held a plan back; the run changed nothing with that plan.
    Held(PlanHold),
    /// Steps failed.
    Failed,
    /// Resources differ, however often the run updates them.
    Unsettled {
        /// Ids of the resources.
        resources: Vec<String>,
    },
    /// Somebody stopped the run.
    Stopped,
    /// The run had no more time.
    OutOfTime,
    /// This process may no longer change things: its lease was not renewed in time.
    LeaseLost,
    /// Somebody else has changed the recorded state.
    Overtaken {
        /// What the store found.
        why: String,
    },
    /// The store cannot save the state.
    Unkept {
        /// Why not.
        why: String,
    },
}

/// Numbers of requests, reads and retries among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// For the first observation.
    pub observe: u64,
    /// For steps, with their retries and probes.
    pub steps: u64,
    /// For the observations after a plan, which show whether something is left to do.
    pub closing: u64,
}
