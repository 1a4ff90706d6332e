//! Limits how fast calls follow each other: each account has a lane for each action.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

/// How many lanes there may be before those that nobody uses go.
const MANY: usize = 1_024;
/// How long a lane stays that nobody uses. By then, its burst is whole again.
const UNUSED: Duration = Duration::from_mins(2);

/// How many calls of an action an account may make.
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

impl Rate {
    fn quota(self) -> Quota {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        Quota::per_second(at_least_one(self.per_second)).allow_burst(at_least_one(self.burst))
    }
}

/// How many calls of a service a process makes with one access key, whatever their actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many calls.
    pub rate: Rate,
    /// The longest time that a call waits for its turn: then it fails, so that nobody queues up for longer.
    pub wait: Duration,
}

/// Lets calls pass at the rate, and as slowly as the cloud asks.
#[derive(Debug)]
pub(super) struct Pace {
    rate: Rate,
    lanes: Mutex<HashMap<Key, Arc<Lane>>>,
}

/// The calls that share a lane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The account; the access key where nobody knows the account.
    pub(super) account: String,
    pub(super) service: String,
    /// The action; empty for all of them.
    pub(super) action: String,
}

#[derive(Debug)]
struct Lane {
    /// Held by the first of those who wait. The others get it in the order in which they came.
    queue: tokio::sync::Mutex<()>,
    limiter: RateLimiter<NotKeyed, InMemoryState, Time, NoOpMiddleware<Duration>>,
    times: Mutex<Times>,
}

#[derive(Debug)]
struct Times {
    /// Until when the cloud asks for no call.
    rest: Instant,
    /// When somebody came here last.
    used: Instant,
}

/// The time of the runtime, since a lane was made.
#[derive(Clone, Debug)]
struct Time(Instant);

impl Clock for Time {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The turn comes after the deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Late;

impl Pace {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, lanes: Mutex::default() }
    }

    /// Waits until a call may pass, and says how long that took. A caller whose turn would come after the
    /// deadline fails, and takes no turn from others.
    pub(super) async fn turn(&self, key: Key, deadline: Instant) -> Result<Duration, Late> {
        self.turn_at(self.rate, key, deadline).await
    }

    /// The same for calls with a rate of their own. Those that share a lane have the same.
    pub(super) async fn turn_at(&self, rate: Rate, key: Key, deadline: Instant) -> Result<Duration, Late> {
        let came = Instant::now();
        let lane = self.lane(key, rate);
        if lane.times().rest > deadline {
            return Err(Late);
        }
        let _first = timeout_at(deadline, lane.queue.lock()).await.map_err(|_| Late)?;
        loop {
            let rest = lane.times().rest;
            if rest > Instant::now() {
                if rest > deadline {
                    return Err(Late);
                }
                sleep_until(rest).await;
                continue;
            }
            let Err(early) = lane.limiter.check() else { return Ok(came.elapsed()) };
            let wait = early.wait_time_from(lane.limiter.clock().now());
            if Instant::now() + wait > deadline {
                return Err(Late);
            }
            sleep(wait).await;
        }
    }

    /// The cloud asks for no calls for a time. A longer time that the cloud asked for before still holds.
    pub(super) fn rest(&self, key: Key, time: Duration) {
        let lane = self.lane(key, self.rate);
        let mut times = lane.times();
        times.rest = times.rest.max(Instant::now() + time);
    }

    fn lane(&self, key: Key, rate: Rate) -> Arc<Lane> {
        let now = Instant::now();
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if lanes.len() >= MANY && !lanes.contains_key(&key) {
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1 || lane.times().is_used(now));
        }
        let lane = lanes.entry(key).or_insert_with(|| Arc::new(Lane::new(rate, now)));
        lane.times().used = now;
        Arc::clone(lane)
    }
}

impl Lane {
    fn new(rate: Rate, now: Instant) -> Self {
        Self {
            queue: tokio::sync::Mutex::default(),
            limiter: RateLimiter::direct_with_clock(rate.quota(), Time(now)),
            times: Mutex::new(Times { rest: now, used: now }),
        }
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Times {
    fn is_used(&self, now: Instant) -> bool {
        self.rest > now || self.used + UNUSED > now
    }
}

#[cfg(test)]
mod tests;
