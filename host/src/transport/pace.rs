//! Limits how fast calls follow each other.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// How many calls an account may make to a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Calls at once.
    pub burst: u32,
    /// Calls a second, after those.
    pub per_second: u32,
}

impl Default for Rate {
    /// The cloud allows more, and a plan needs less.
    fn default() -> Self {
        Self { burst: 50, per_second: 25 }
    }
}

/// Lets calls pass at the rate, and as slowly as the cloud asks.
#[derive(Debug)]
pub(super) struct Pace {
    rate: Rate,
    times: Mutex<Times>,
}

/// By access key and service.
type Who = (String, String);

#[derive(Debug, Default)]
struct Times {
    /// When the calls that have passed would all be done, if each took its part of a second.
    due: HashMap<Who, Instant>,
    /// By action, until when the cloud asks for no call.
    asked: HashMap<(Who, String), Instant>,
}

impl Pace {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, times: Mutex::default() }
    }

    /// Waits until a call may pass. Fails at once where that is after the deadline.
    pub(super) async fn turn(&self, who: Who, action: &str, deadline: Instant) -> Result<(), Late> {
        let asked = (who, action.to_owned());
        while let Some(until) = self.asked(&asked) {
            wait(until, deadline).await?;
        }
        let turn = self.reserve(asked.0, deadline)?;
        wait(turn, deadline).await
    }

    fn asked(&self, call: &(Who, String)) -> Option<Instant> {
        self.times().asked.get(call).copied().filter(|until| *until > Instant::now())
    }

    /// When the caller's turn comes. A caller who cannot wait that long takes no turn from others.
    fn reserve(&self, who: Who, deadline: Instant) -> Result<Instant, Late> {
        let each = Duration::from_secs(1) / self.rate.per_second.max(1);
        let now = Instant::now();
        let mut times = self.times();
        let due = times.due.entry(who).or_insert(now);
        let ahead = due.saturating_duration_since(now);
        let turn = now + ahead.saturating_sub(each * self.rate.burst.saturating_sub(1));
        if turn > deadline {
            return Err(Late);
        }
        *due = now + ahead + each;
        Ok(turn)
    }

    /// The cloud asks for no calls of an action for a time. A longer time that the cloud asked for before still holds.
    pub(super) fn rest(&self, who: Who, action: &str, time: Duration) {
        let until = Instant::now() + time;
        let mut times = self.times();
        let asked = times.asked.entry((who, action.to_owned())).or_insert(until);
        *asked = until.max(*asked);
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn comes after the deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Late;

async fn wait(until: Instant, deadline: Instant) -> Result<(), Late> {
    if until > deadline {
        return Err(Late);
    }
    if until > Instant::now() {
        sleep_until(until).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
