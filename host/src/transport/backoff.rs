//! How long to wait before the same call is made again.

use std::time::Duration;

/// The most that is waited before the second attempt.
const FIRST: Duration = Duration::from_millis(500);
/// The most that is waited before any attempt, unless the cloud asks for more.
const LONGEST: Duration = Duration::from_secs(20);
/// What the cloud asks for beyond this is not waited.
const LONGEST_ASKED: Duration = Duration::from_mins(2);

/// Times between the attempts of one call: random ones out of a range that doubles each time (exponential backoff with
/// full jitter), so that those who failed together do not come back together.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { most: FIRST }
    }
}

impl Backoff {
    /// How long to wait before the next attempt. `asked` is how long the cloud asks to wait, which is waited in any case.
    pub fn next(&mut self, asked: Option<Duration>) -> Duration {
        let most = self.most;
        self.most = (most * 2).min(LONGEST);
        asked.unwrap_or_default().min(LONGEST_ASKED) + most.mul_f64(fastrand::f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_doubles_up_to_a_limit() {
        let mut backoff = Backoff::default();
        let mut most = FIRST;
        for _ in 0..20 {
            assert!(backoff.next(None) <= most);
            most = (most * 2).min(LONGEST);
        }
        assert_eq!(backoff.most, LONGEST);
    }

    #[test]
    fn those_who_failed_together_do_not_come_back_together() {
        let mut waits: Vec<Duration> = (0..100).map(|_| Backoff::default().next(None)).collect();
        waits.sort_unstable();
        waits.dedup();
        assert!(waits.len() > 90);
    }

    #[test]
    fn what_the_cloud_asks_for_is_waited_within_reason() {
        let asked = Duration::from_secs(7);
        assert!((asked..=asked + FIRST).contains(&Backoff::default().next(Some(asked))));
        assert!(Backoff::default().next(Some(Duration::MAX)) <= LONGEST_ASKED + FIRST);
    }
}
