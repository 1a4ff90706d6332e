//! The time of the cloud. The cloud refuses calls that are signed with another time.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::answer::Answer;
use crate::call::CallFailure;

/// The time to sign calls with: the time of this machine, until the cloud refuses a call and says its own time.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The time of the cloud, and when the cloud said it: so a later change of the clock of this machine makes no
    /// difference.
    reported: Mutex<Option<(Timestamp, Instant)>>,
}

/// How far the clock of this machine is from the clock of the cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Off(SignedDuration);

impl Clock {
    /// The time to sign with now.
    pub(super) fn now(&self) -> Timestamp {
        let reported = *self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.and_then(|(time, at)| time.checked_add(at.elapsed()).ok()).unwrap_or_else(Timestamp::now)
    }

    /// Uses the time of the cloud from now on.
    pub(super) fn set(&self, time: Timestamp) {
        *self.reported.lock().unwrap_or_else(PoisonError::into_inner) = Some((time, Instant::now()));
    }
}

impl Off {
    /// How far the clock of this machine is from the time in an answer.
    pub(super) fn of(time: Timestamp) -> Self {
        Self(Timestamp::now().duration_since(time))
    }
}

impl fmt::Display for Off {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.0.is_negative() { "behind" } else { "ahead of" };
        let seconds = self.0.as_secs().unsigned_abs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(out, "{hours} h {minutes} min {seconds} s {direction} the cloud's")
    }
}

impl Answer {
    /// The time of the server, as the answer has it.
    pub(super) fn date(&self) -> Option<Timestamp> {
        jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(self.header("date")?).ok()
    }
}

/// A refusal because of the time, with words about the clock of this machine.
pub(super) fn explained(mut failure: CallFailure, date: Option<Timestamp>) -> CallFailure {
    let off = match date {
        Some(date) => format!("the clock of this machine is {}", Off::of(date)),
        None => "the answer does not say the time of the cloud".to_owned(),
    };
    failure.message = format!("{}; {off}: set the clock", failure.message.trim_end_matches('.'));
    failure
}
