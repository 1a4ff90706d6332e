//! Ending a run before it is done.

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// How a run is to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It goes on.
    #[default]
    No,
    /// No call is started any more; those in flight end, and what they tell is recorded.
    Gracefully,
    /// Everything is dropped as it is. What is recorded is kept already; the effect of calls in flight is not known.
    AtOnce,
}

/// Ends a run.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<Stop>);

/// Tells a run that it is to end.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<Stop>);

/// A stopper and its signal.
pub fn stop() -> (Stopper, StopSignal) {
    let (sender, receiver) = watch::channel(Stop::No);
    (Stopper(sender), StopSignal(receiver))
}

impl Stopper {
    /// Asks for an end; what was asked before and is stronger stays.
    pub fn stop(&self, how: Stop) {
        self.0.send_if_modified(|known| {
            let stronger = *known < how;
            *known = (*known).max(how);
            stronger
        });
    }
}

impl StopSignal {
    /// A signal that never comes.
    pub fn never() -> Self {
        stop().1
    }

    /// What has been asked for so far.
    pub fn now(&self) -> Stop {
        *self.0.borrow()
    }

    /// Ends when any end is asked for, or the time is over.
    pub(super) async fn halted(&self, deadline: Option<Instant>) {
        tokio::select! {
            () = self.asked(Stop::Gracefully) => {}
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {}
        }
    }

    /// Ends when that is asked for, or more.
    pub(super) async fn asked(&self, how: Stop) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stop| *stop >= how).await.is_err() {
            // Nobody is left to ask.
            std::future::pending::<()>().await;
        }
    }
}
