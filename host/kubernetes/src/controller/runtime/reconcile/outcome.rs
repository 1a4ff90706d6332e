//! How a reconcile ends.

use std::time::Duration;

use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Retry, Waits};
use crate::controller::runtime::kind::Operation;
use crate::controller::runtime::safeguards::Hold;

/// How a reconcile ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There was nothing to do, for this reason.
    Idle(&'static str),
    /// The operation is done.
    Done(Operation),
    /// The operation is done for now, and has to be done once more soon.
    Again(Operation),
    /// The operation waits for something, and looks again after a while.
    Waiting(Waits, Duration),
    /// It is done, and is due again after so long.
    Checked(Duration),
    /// The operation waits until somebody goes on.
    Held(Hold),
    /// The operation waits for something that the caches may show soon.
    Later(&'static str),
    /// The operation failed, and the status says why.
    Failed(String),
    /// The same, and the next attempt comes after so long.
    FailedFor(Duration, String),
    /// The operation did not begin or is not complete, and the status does not say so: the API server is not well,
    /// or an object is missing that it needs.
    Unwritten(String),
    /// The process ends, and another one goes on.
    PermitEnded,
}

impl Outcome {
    /// How the reconcile ended, as a code.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle(_) => "Idle",
            Self::Done(_) => "Done",
            Self::Again(_) => "Again",
            Self::Waiting(..) => "Waiting",
            Self::Checked(_) => "Checked",
            Self::Held(_) => "Held",
            Self::Later(_) => "Later",
            Self::Failed(_) | Self::FailedFor(..) => "Failed",
            Self::Unwritten(_) => "Unwritten",
            Self::PermitEnded => "Halted",
        }
    }

    /// How a request ends a reconcile that has no effect. `failed` says what it was for.
    pub(super) fn broken(error: WriteError, failed: impl FnOnce(WriteError) -> Self) -> Self {
        match error {
            WriteError::PermitEnded(_) => Self::PermitEnded,
            error @ WriteError::Api(_) => failed(error),
        }
    }
}

/// How a write of the object ends a reconcile that has no effect.
impl From<WriteError> for Outcome {
    fn from(error: WriteError) -> Self {
        Self::broken(error, |error| {
            if error.is_gone() {
                return Self::Idle("the object does not exist any more");
            }
            Self::Unwritten(format!("the object cannot be written: {error}"))
        })
    }
}

impl From<Retry> for Outcome {
    fn from(retry: Retry) -> Self {
        match retry {
            Retry::Failed(why) => Self::Unwritten(why),
            Retry::PermitEnded => Self::PermitEnded,
        }
    }
}
