//! The status of a resource, and the transitions to its next ones.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The status of a resource, and the statuses that follow by themselves.
///
/// In a resource it is flattened, so that `Status` stands next to the other fields as on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The status now.
    #[serde(rename = "Status")]
    pub status: Status,
    #[serde(rename = "Next", default, skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
}

/// The next status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Next {
    at: Timestamp,
    /// `None` where the resource is gone then.
    to: Option<Status>,
    /// The status after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    then: Option<Box<Next>>,
}

impl Phase {
    /// A status that lasts.
    pub fn stay(status: Status) -> Self {
        Self { status, next: None }
    }

    /// A status that becomes another.
    pub fn turn(status: Status, now: Timestamp, takes: Duration, to: Status) -> Self {
        Self { status, next: Some(Next { at: after(now, takes), to: Some(to), then: None }) }
    }

    /// A last status, after which the resource is gone.
    pub fn leave(status: Status, now: Timestamp, takes: Duration) -> Self {
        Self { status, next: Some(Next { at: after(now, takes), to: None, then: None }) }
    }

    /// Goes on to another status after the last transition. A status that lasts stays as it is.
    #[must_use]
    pub fn then(mut self, takes: Duration, to: Status) -> Self {
        let mut last = self.next.as_mut();
        while let Some(next) = last {
            if next.then.is_none() {
                next.then = Some(Box::new(Next { at: after(next.at, takes), to: Some(to), then: None }));
                break;
            }
            last = next.then.as_deref_mut();
        }
        self
    }

    /// The same transition under another status.
    pub fn with(&self, status: Status) -> Self {
        Self { status, next: self.next.clone() }
    }

    /// Whether the resource is being deleted.
    pub fn leaving(&self) -> bool {
        self.next.as_ref().is_some_and(|next| next.to.is_none())
    }

    /// When the status becomes another.
    pub fn due(&self) -> Option<Timestamp> {
        self.next.as_ref().map(|next| next.at)
    }

    /// Ends a transition that is over, and returns whether there was one; `None` where the resource is gone.
    pub(super) fn end_transition(&mut self, at: Timestamp) -> Option<bool> {
        let Some(next) = self.next.take_if(|next| next.at <= at) else { return Some(false) };
        self.status = next.to?;
        self.next = next.then.map(|then| *then);
        Some(true)
    }
}

/// A time that is too far away becomes the last one possible.
fn after(now: Timestamp, takes: Duration) -> Timestamp {
    now.checked_add(takes).unwrap_or(Timestamp::MAX)
}

macro_rules! statuses {
    ($($name:ident = $text:literal,)*) => {
        /// A status, as it is written on the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Status {
            $(
                #[doc = concat!("`", $text, "`")]
                #[serde(rename = $text)]
                $name,
            )*
        }

        impl Status {
            /// As it is written on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

statuses! {
    Active = "Active",
    Associating = "Associating",
    Available = "Available",
    CreateComplete = "CREATE_COMPLETE",
    CreateFailed = "CREATE_FAILED",
    CreateInProgress = "CREATE_IN_PROGRESS",
    CreateRollbackComplete = "CREATE_ROLLBACK_COMPLETE",
    CreateRollbackInProgress = "CREATE_ROLLBACK_IN_PROGRESS",
    Creating = "Creating",
    DeleteComplete = "DELETE_COMPLETE",
    DeleteFailed = "DELETE_FAILED",
    DeleteInProgress = "DELETE_IN_PROGRESS",
    Deleting = "Deleting",
    InUse = "InUse",
    Modifying = "Modifying",
    Pending = "Pending",
    Provisioning = "Provisioning",
    Releasing = "Releasing",
    Running = "Running",
    Starting = "Starting",
    Stopped = "Stopped",
    Stopping = "Stopping",
    Unassociating = "Unassociating",
    UnAvailable = "UnAvailable",
    Waiting = "Waiting",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_written_as_on_the_wire() {
        assert_eq!(serde_json::to_value(Status::CreateComplete).unwrap(), "CREATE_COMPLETE");
        assert_eq!(Status::CreateComplete.as_str(), "CREATE_COMPLETE");
    }

    #[test]
    fn a_transition_ends_at_its_time() {
        let now = Timestamp::UNIX_EPOCH;
        let mut phase = Phase::turn(Status::Pending, now, Duration::from_secs(2), Status::Available);
        let due = phase.due().unwrap();
        assert_eq!(phase.end_transition(now), Some(false));
        assert_eq!(phase.end_transition(due), Some(true));
        assert_eq!(phase, Phase::stay(Status::Available));

        let mut phase = Phase::turn(Status::Pending, now, Duration::ZERO, Status::Starting)
            .then(Duration::from_secs(2), Status::Running);
        assert_eq!((phase.end_transition(now), phase.status), (Some(true), Status::Starting));
        assert_eq!((phase.end_transition(due), phase.status), (Some(true), Status::Running));

        let mut phase = Phase::leave(Status::Deleting, now, Duration::ZERO);
        assert!(phase.leaving());
        assert_eq!(phase.end_transition(now), None);
    }
}
