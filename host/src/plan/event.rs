//! What a run tells while it goes.

use serde::Serialize;

use super::document::Plan;
use super::reconcile::{Calls, Ending};

/// Something that happened. As JSON, one line each is a log that programs can follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// The cloud is looked at.
    Observing {
        /// Counts the observations of this run, from 1.
        round: u32,
    },
    /// There is a plan.
    Planned {
        /// Counts the observations of this run, from 1.
        round: u32,
        /// The plan; an empty one where all is as it should be.
        plan: Plan,
    },
    /// The call of a step is made.
    StepStarted {
        /// Id of the step.
        step: String,
        /// The API.
        service: String,
        /// The action.
        action: String,
    },
    /// A call failed, and is made again.
    Retrying {
        /// Id of the step or query.
        step: String,
        /// What happened.
        why: String,
        /// How long until then, in milliseconds.
        delay: u64,
    },
    /// The call of a step is answered, and its effect is waited for.
    Waiting {
        /// Id of the step.
        step: String,
        /// Most time, in seconds.
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
        /// What happened, and what mends it.
        message: String,
        /// Gardener error codes.
        codes: Vec<String>,
    },
    /// A step was not tried, because of one before it.
    StepSkipped {
        /// Id of the step.
        step: String,
        /// Id of the step that was not done.
        because: String,
    },
    /// The state is kept.
    StateSaved {
        /// Number of its keys.
        keys: usize,
    },
    /// The run is over.
    Finished {
        /// How it ended.
        ending: Ending,
        /// What was sent.
        calls: Calls,
    },
}

/// Hears of events.
pub type Listener<'l> = dyn Fn(Event) + Send + Sync + 'l;
