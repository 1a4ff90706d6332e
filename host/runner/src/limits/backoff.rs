//! How long to wait before the next attempt at a call.

use std::time::Duration;

/// Delays that grow exponentially. Half of each is jitter.
#[derive(Debug)]
pub struct Backoff {
    ceiling: Duration,
    jitter: fn() -> f64,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(500);
    const MOST: Duration = Duration::from_secs(20);

    /// `jitter` gives a number from 0 to 1, another one each time.
    pub fn new(jitter: fn() -> f64) -> Self {
        Self { ceiling: Self::FIRST, jitter }
    }

    /// The next delay, which is at least as long as the cloud asks for.
    pub fn next(&mut self, asked: Option<Duration>) -> Duration {
        let half = self.ceiling / 2;
        self.ceiling = (self.ceiling * 2).min(Self::MOST);
        let jitter = half.mul_f64((self.jitter)().clamp(0.0, 1.0));
        match asked {
            Some(asked) => asked + jitter,
            None => half + jitter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_a_limit_and_never_undercut_what_is_asked() {
        let mut backoff = Backoff::new(|| 0.5);
        let millis: Vec<_> = (0..8).map(|_| backoff.next(None).as_millis()).collect();
        assert_eq!(millis, [375, 750, 1500, 3000, 6000, 12000, 15000, 15000]);
        let asked = Duration::from_mins(1);
        assert!(backoff.next(Some(asked)) >= asked);
    }
}
