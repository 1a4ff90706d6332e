//! The simulator's own time.

use std::time::{Duration, Instant};

use jiff::Timestamp;

/// The simulator's own time, which goes at a given rate, and forward only.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The time at `since`.
    origin: Timestamp,
    since: Instant,
    /// Seconds of this clock in a real second.
    rate: f64,
}

/// The fastest clock: a day in less than a tenth of a second.
pub const FASTEST: f64 = 1e6;

/// A clock cannot go so fast, or backward.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the rate of the clock must be from 0 to 1000000")]
pub struct NoRate;

impl Clock {
    /// A clock that goes as fast as real time.
    pub fn at(origin: Timestamp) -> Self {
        Self { origin, since: Instant::now(), rate: 1.0 }
    }

    /// A clock that stands still until it is stepped.
    pub fn still(origin: Timestamp) -> Self {
        Self { rate: 0.0, ..Self::at(origin) }
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        let passed = self.since.elapsed().as_secs_f64() * self.rate;
        let passed = Duration::try_from_secs_f64(passed).unwrap_or(Duration::MAX);
        self.origin.checked_add(passed).unwrap_or(Timestamp::MAX)
    }

    /// How many seconds of this clock are in a real second; 0 when it is only stepped.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Goes on at another speed.
    pub fn set_rate(&mut self, rate: f64) -> Result<(), NoRate> {
        if !(0.0..=FASTEST).contains(&rate) {
            return Err(NoRate);
        }
        *self = Self { origin: self.now(), since: Instant::now(), rate };
        Ok(())
    }

    /// Goes forward at once.
    pub fn step(&mut self, by: Duration) {
        self.origin = self.origin.checked_add(by).unwrap_or(Timestamp::MAX);
    }

    /// Goes to another time at once.
    pub fn set(&mut self, to: Timestamp) {
        *self = Self { origin: to, since: Instant::now(), rate: self.rate };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_clock_goes_only_by_steps() {
        let mut clock = Clock::at(Timestamp::UNIX_EPOCH);
        clock.set_rate(0.0).unwrap();
        let now = clock.now();
        assert_eq!(clock.now(), now);
        clock.step(Duration::from_mins(1));
        assert_eq!(clock.now(), now.checked_add(Duration::from_mins(1)).unwrap());
    }

    #[test]
    fn no_rate_leaves_time() {
        let mut clock = Clock::at(Timestamp::UNIX_EPOCH);
        for rate in [-1.0, f64::NAN, f64::INFINITY, 1e7] {
            assert!(clock.set_rate(rate).is_err(), "{rate}");
        }
        clock.set_rate(FASTEST).unwrap();
        clock.step(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
    }
}
