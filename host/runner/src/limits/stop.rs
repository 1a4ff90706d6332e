//! Ends a run before it is done.

use tokio_util::sync::CancellationToken;

/// How a run is to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// The run goes on.
    #[default]
    No,
    /// The run sends no further call. It waits for the answers of calls in flight, and records them.
    Gracefully,
    /// The run drops everything. The state is saved already; nobody knows whether calls in flight have their
    /// effect.
    AtOnce,
}

/// Ends a run, or all runs of a process.
#[derive(Clone, Debug, Default)]
pub struct Stopper {
    gracefully: CancellationToken,
    at_once: CancellationToken,
}

/// Asks a run to end.
#[derive(Clone, Debug)]
pub struct StopSignal(Stopper);

/// A stopper and its signal.
pub fn stop() -> (Stopper, StopSignal) {
    let stopper = Stopper::default();
    (stopper.clone(), StopSignal(stopper))
}

impl Stopper {
    /// Asks for an end. A stronger end that somebody asked for before stays.
    pub fn stop(&self, how: Stop) {
        if how >= Stop::Gracefully {
            self.gracefully.cancel();
        }
        if how == Stop::AtOnce {
            self.at_once.cancel();
        }
    }

    /// A stopper for one of several runs: it ends with this one, too.
    pub fn child(&self) -> (Self, StopSignal) {
        let child = Self { gracefully: self.gracefully.child_token(), at_once: self.at_once.child_token() };
        (child.clone(), StopSignal(child))
    }
}

impl StopSignal {
    /// A signal that never comes.
    pub fn never() -> Self {
        stop().1
    }

    /// The strongest end that somebody asked for so far.
    pub fn now(&self) -> Stop {
        if self.0.at_once.is_cancelled() {
            Stop::AtOnce
        } else if self.0.gracefully.is_cancelled() {
            Stop::Gracefully
        } else {
            Stop::No
        }
    }

    /// Waits until somebody asks for that end, or for a stronger one.
    pub async fn asked(&self, how: Stop) {
        match how {
            Stop::No => {}
            Stop::Gracefully => self.0.gracefully.cancelled().await,
            Stop::AtOnce => self.0.at_once.cancelled().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stronger_end_is_a_weaker_one_too() {
        let (stopper, signal) = stop();
        assert_eq!(signal.now(), Stop::No);
        stopper.stop(Stop::Gracefully);
        assert_eq!(signal.now(), Stop::Gracefully);
        stopper.stop(Stop::AtOnce);
        stopper.stop(Stop::Gracefully);
        assert_eq!(signal.now(), Stop::AtOnce);
        signal.asked(Stop::Gracefully).await;
        signal.asked(Stop::AtOnce).await;
    }

    #[tokio::test]
    async fn the_end_of_all_runs_ends_each_and_the_end_of_one_no_other() {
        let (all, _) = stop();
        let (one, first) = all.child();
        let (_other, second) = all.child();
        one.stop(Stop::AtOnce);
        assert_eq!((first.now(), second.now()), (Stop::AtOnce, Stop::No));
        all.stop(Stop::Gracefully);
        assert_eq!(second.now(), Stop::Gracefully);
    }
}
