//! Whether a call may be sent: not after a stop, and what changes things not without the right to change them.

use std::time::Duration;

use tokio::time::Instant;

use crate::limits::lease::{LeaseLost, LeaseSignal};
use crate::limits::stop::{Stop, StopSignal};

/// The right of a run to send calls. Code that sends a call asks right before it sends the call.
#[derive(Clone, Debug)]
pub struct Permit {
    /// Says when the run is to end.
    pub stop: StopSignal,
    /// Says for how long this process may change things.
    pub lease_signal: LeaseSignal,
}

/// Until when a call may take, and whether the call may be sent.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'t> {
    /// When the caller stops waiting.
    pub deadline: Instant,
    /// Whether the call may be sent.
    pub permit: &'t Permit,
}

/// Why a call may not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermitEnded {
    /// Somebody stopped the run.
    #[error("the call was not sent: the run was stopped")]
    Stopped,
    /// The time of the lease is over, or ends too soon.
    #[error("the call was not sent: this process may no longer change things, as its lease was not renewed")]
    LeaseLost,
}

impl Permit {
    /// A permit to send everything, which never ends.
    pub fn unlimited() -> Self {
        Self { stop: StopSignal::never(), lease_signal: LeaseSignal::unlimited() }
    }

    /// Whether a call that changes nothing may be sent now.
    pub fn to_read(&self) -> Result<(), PermitEnded> {
        if self.stop.now() > Stop::No {
            return Err(PermitEnded::Stopped);
        }
        if self.lease_signal.holds() { Ok(()) } else { Err(PermitEnded::LeaseLost) }
    }

    /// Waits until a call that may change something may be sent. `sending` is the longest time until the call has
    /// left this machine: by then the lease must still be held, and this waits for its next renewal where it is
    /// not.
    pub async fn to_change(&self, sending: Duration) -> Result<(), PermitEnded> {
        self.to_read()?;
        tokio::select! {
            biased;
            () = self.stop.asked(Stop::Gracefully) => Err(PermitEnded::Stopped),
            lasting = self.lease_signal.lasting(sending) => lasting.map_err(|LeaseLost| PermitEnded::LeaseLost),
        }
    }

    /// Ends when no call may be sent any more.
    pub async fn ended(&self) -> PermitEnded {
        tokio::select! {
            biased;
            () = self.stop.asked(Stop::Gracefully) => PermitEnded::Stopped,
            () = self.lease_signal.lost() => PermitEnded::LeaseLost,
        }
    }

    /// Awaits a call that is being sent, for as long as this process may change things. A process that was asleep
    /// beyond the lease drops the call before it does anything else for the call.
    pub async fn while_held<T>(&self, call: impl Future<Output = T>) -> Result<T, PermitEnded> {
        self.lease_signal.while_held(call).await.map_err(|LeaseLost| PermitEnded::LeaseLost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::lease::lease;
    use crate::limits::stop::stop;

    #[tokio::test(start_paused = true)]
    async fn a_change_needs_a_lease_that_lasts_until_the_change_is_sent() {
        let second = Duration::from_secs(1);
        let began = Instant::now();
        let (lease, lease_signal) = lease(began + 10 * second);
        let to_send = Permit { lease_signal, ..Permit::unlimited() };
        assert_eq!(to_send.to_change(6 * second).await, Ok(()));
        tokio::time::advance(5 * second).await;
        assert_eq!(to_send.to_read(), Ok(()));
        let renewed = async {
            tokio::time::sleep(second).await;
            lease.extend(began + 15 * second).unwrap();
        };
        let (sent, ()) = tokio::join!(to_send.to_change(6 * second), renewed);
        assert_eq!((sent, began.elapsed()), (Ok(()), 6 * second));
        tokio::time::advance(4 * second).await;
        assert_eq!(to_send.to_change(6 * second).await, Err(PermitEnded::LeaseLost));
        assert_eq!((to_send.to_read(), began.elapsed()), (Err(PermitEnded::LeaseLost), 15 * second));
        assert_eq!(to_send.ended().await, PermitEnded::LeaseLost);
        let polled = to_send.while_held(async { unreachable!("the call is dropped unseen") }).await;
        assert_eq!(polled, Err::<(), _>(PermitEnded::LeaseLost));
    }

    #[tokio::test]
    async fn nothing_is_sent_after_a_stop_and_what_is_in_flight_goes_on() {
        let (stopper, stop) = stop();
        let permit = Permit { stop, ..Permit::unlimited() };
        assert_eq!(permit.to_change(Duration::ZERO).await, Ok(()));
        stopper.stop(Stop::Gracefully);
        assert_eq!(permit.to_read(), Err(PermitEnded::Stopped));
        assert_eq!(permit.ended().await, PermitEnded::Stopped);
        assert_eq!(permit.while_held(async { 7 }).await, Ok(7));
    }
}
