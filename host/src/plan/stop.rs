//! Ends a run before it is done.

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// How a run is to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// The run goes on.
    #[default]
    No,
    /// The run starts no further call. It waits for the answers of calls in flight, and records them.
    Gracefully,
    /// The run drops everything. The state is saved already; nobody knows whether calls in flight have their effect.
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
    /// Asks for an end. A stronger end that somebody asked for before stays.
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

    /// The strongest end that somebody asked for so far.
    pub fn now(&self) -> Stop {
        *self.0.borrow()
    }

    /// Waits until somebody asks for any end, or the time is over.
    pub(super) async fn halted(&self, deadline: Option<Instant>) {
        tokio::select! {
            () = self.asked(Stop::Gracefully) => {}
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {}
        }
    }

    /// Waits until somebody asks for that end, or for a stronger one.
    pub(super) async fn asked(&self, how: Stop) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stop| *stop >= how).await.is_err() {
            // Nobody can ask any more.
            std::future::pending::<()>().await;
        }
    }
}
