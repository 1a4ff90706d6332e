//! For how long this process may change things: the time of a lease, which moves while the lease is held.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// The holder's side of a lease. Code that renews the lease moves the time here.
#[derive(Debug)]
pub struct Lease(watch::Sender<Option<Instant>>);

/// Says for how long this process may change things.
#[derive(Clone, Debug)]
pub struct LeaseSignal(watch::Receiver<Option<Instant>>);

/// The time of the lease is over. Another process may hold the lease by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time of the lease is over, and another process may hold it by now")]
pub struct LeaseLost;

/// A lease until its renewal deadline, and what says until when it lasts.
pub fn lease(until: Instant) -> (Lease, LeaseSignal) {
    let (sender, receiver) = watch::channel(Some(until));
    (Lease(sender), LeaseSignal(receiver))
}

impl Lease {
    /// Moves the renewal deadline. A lease whose time is over stays over, even if it was renewed: this process may
    /// have been asleep.
    pub fn extend(&self, until: Instant) -> Result<(), LeaseLost> {
        let mut result = Err(LeaseLost);
        self.0.send_if_modified(|known| {
            if known.is_some_and(|known| known > Instant::now()) {
                *known = Some(until);
                result = Ok(());
            }
            result.is_ok()
        });
        result
    }

    /// Ends the time of the lease now.
    pub fn give_up(&self) {
        self.0.send_modify(|known| {
            *known = Some(known.map_or_else(Instant::now, |known| known.min(Instant::now())));
        });
    }
}

impl Default for LeaseSignal {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl LeaseSignal {
    /// No lease: this process may change things for as long as it runs.
    pub fn unlimited() -> Self {
        Self(watch::channel(None).1)
    }

    /// Whether this process may change things now.
    pub fn holds(&self) -> bool {
        self.holds_for(Duration::ZERO)
    }

    /// Whether what begins now, and takes so long, ends before the renewal deadline.
    pub fn holds_for(&self, time: Duration) -> bool {
        self.0.borrow().is_none_or(|until| Instant::now() + time < until)
    }

    /// Waits until the renewal deadline is so far away. Fails when the time of the lease is over.
    pub async fn lasting(&self, time: Duration) -> Result<(), LeaseLost> {
        let mut receiver = self.0.clone();
        loop {
            receiver.mark_unchanged();
            if self.holds_for(time) {
                return Ok(());
            }
            tokio::select! {
                biased;
                () = self.lost() => return Err(LeaseLost),
                moved = receiver.changed() => if moved.is_err() {
                    // Nobody renews it any more.
                    self.lost().await;
                    return Err(LeaseLost);
                },
            }
        }
    }

    /// Awaits something for as long as this process may change things. A process that was asleep beyond the lease
    /// drops it before anything else is done for it.
    pub async fn while_held<T>(&self, something: impl Future<Output = T>) -> Result<T, LeaseLost> {
        let mut something = pin!(something);
        let mut lost = pin!(self.lost());
        std::future::poll_fn(|context| {
            if !self.holds() || lost.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(LeaseLost));
            }
            something.as_mut().poll(context).map(Ok)
        })
        .await
    }

    /// Ends when the time of the lease is over.
    pub async fn lost(&self) {
        let mut receiver = self.0.clone();
        loop {
            let Some(until) = *receiver.borrow_and_update() else { return std::future::pending().await };
            if until <= Instant::now() {
                return;
            }
            tokio::select! {
                () = sleep_until(until) => {}
                moved = receiver.changed() => if moved.is_err() {
                    // Nobody renews it any more.
                    return sleep_until(until).await;
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_renewed_holds_and_ends_after_its_last_renewal() {
        let began = Instant::now();
        let (lease, lease_signal) = lease(began + 10 * SECOND);
        assert!(lease_signal.holds_for(9 * SECOND) && !lease_signal.holds_for(10 * SECOND));
        tokio::time::advance(8 * SECOND).await;
        assert!(!lease_signal.holds_for(3 * SECOND));
        lease.extend(began + 18 * SECOND).unwrap();
        assert!(lease_signal.holds_for(3 * SECOND));
        drop(lease);
        lease_signal.lost().await;
        assert_eq!(began.elapsed(), 18 * SECOND);
        assert!(!lease_signal.holds());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_whose_time_is_over_cannot_be_renewed() {
        let (lease, lease_signal) = lease(Instant::now() + SECOND);
        tokio::time::advance(SECOND).await;
        assert_eq!(lease.extend(Instant::now() + 9 * SECOND), Err(LeaseLost));
        assert!(!lease_signal.holds());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_given_up_ends_at_once() {
        let (lease, lease_signal) = lease(Instant::now() + 9 * SECOND);
        lease.give_up();
        lease_signal.lost().await;
        assert!(!lease_signal.holds());
        assert_eq!(lease.extend(Instant::now() + 9 * SECOND), Err(LeaseLost));
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_lease_there_is_no_end() {
        let lease_signal = LeaseSignal::unlimited();
        assert!(lease_signal.holds_for(Duration::from_hours(9999)));
        assert!(tokio::time::timeout(Duration::from_hours(1), lease_signal.lost()).await.is_err());
    }
}
