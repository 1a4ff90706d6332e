//! Leader election: one process of several may change things.
//!
//! Candidates contend for a Lease of `coordination.k8s.io/v1` as client-go's `leaderelection` has them do it, so
//! that processes of both kinds exclude each other. No clock of another machine counts: a Lease is over when this
//! process has not seen the Lease change for as long as the Lease is to last.

mod lock;
#[cfg(test)]
pub(super) mod server;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tracing::{debug, error, info, warn};

use crate::controller::runtime::request_error::RequestError;
use lock::{Lock, Renewal};
use trellis_runner::limits::lease::{Lease, LeaseLost, LeaseSignal, lease};
use trellis_runner::limits::stop::{Stop, StopSignal};
use trellis_runner::state::host;

/// Which Lease a process contends for, and in which times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Namespace of the Lease.
    pub namespace: String,
    /// Name of the Lease.
    pub name: String,
    /// Name of this process, which no other process has: see [`identity`].
    pub identity: String,
    /// How long others leave the Lease alone after they saw it change last. The Lease holds it in whole seconds.
    pub lease_duration: Duration,
    /// How long a holder goes on after it sent the last renewal that succeeded. Shorter than the lease duration.
    pub renew_deadline: Duration,
    /// How long to wait between two attempts.
    pub retry_period: Duration,
}

impl Options {
    /// The times of client-go: 15, 10 and 2 seconds.
    pub fn new(namespace: String, name: String, identity: String) -> Self {
        let [lease_duration, renew_deadline, retry_period] = [15, 10, 2].map(Duration::from_secs);
        Self { namespace, name, identity, lease_duration, renew_deadline, retry_period }
    }

    /// The rules of client-go.
    fn check(&self) -> Result<(), ElectionError> {
        let broken = [
            (self.identity.is_empty(), "the identity of this process is empty"),
            (
                self.lease_duration <= self.renew_deadline,
                "the lease duration is not longer than the renew deadline",
            ),
            (
                self.renew_deadline <= self.retry_period.mul_f64(JITTER),
                "the renew deadline is not longer than 1.2 retry periods",
            ),
            (self.retry_period.is_zero(), "the retry period is zero"),
        ];
        match broken.into_iter().find(|(is_broken, _)| *is_broken) {
            Some((_, rule)) => Err(ElectionError::Options(rule)),
            None => Ok(()),
        }
    }
}

/// By how many retry periods, at most, a wait for a Lease of somebody else is longer than one. It is client-go's
/// factor.
const JITTER: f64 = 1.2;

/// Why a process cannot take part in an election.
#[derive(Debug, thiserror::Error)]
pub enum ElectionError {
    /// The times, or the identity, cannot work.
    #[error("no leader election is possible: {0}")]
    Options(&'static str),
    /// The API server refused every request for as long as a Lease lasts.
    #[error("the API server refuses the Lease `{namespace}/{name}` of the leader election: {answer}")]
    Refused {
        /// Namespace of the Lease.
        namespace: String,
        /// Name of the Lease.
        name: String,
        /// What the API server said.
        answer: String,
    },
}

/// A name for this process that no other process has: the name of the machine, which is that of the Pod in a
/// cluster, and 128 random bits.
pub fn identity() -> String {
    format!("{}_{:032x}", host(), fastrand::u128(..))
}

/// Waits until this process holds the Lease, or until it is to stop: then there is no leadership, and the Lease is
/// not held.
///
/// Conflicts, a busy or broken API server and lost connections are waited out. Refusals are waited out for as long
/// as a Lease lasts, because an API server that starts knows no roles yet.
pub async fn acquire(
    client: Client,
    options: Options,
    stop: StopSignal,
) -> Result<Option<Leadership>, ElectionError> {
    options.check()?;
    let mut lock = Lock::new(client, options);
    let mut refused_since = None;
    let mut holder = None;
    info!(lease = %lock.place(), identity = lock.identity(), "waiting for the leadership");
    while stop.now() == Stop::No {
        let attempt = tokio::select! {
            biased;
            // A write in flight is not dropped, because it may succeed, and the Lease is to be given back then.
            () = stop.asked(Stop::AtOnce) => return Ok(None),
            attempt = lock.attempt(&stop) => attempt,
        };
        if !matches!(attempt, Err(RequestError::Refused(_) | RequestError::Missing(_))) {
            refused_since = None;
        }
        match attempt {
            Ok(Some(sent)) => {
                let leadership = Leadership::begin(lock, sent);
                if stop.now() == Stop::No {
                    return Ok(Some(leadership));
                }
                leadership.release().await;
                return Ok(None);
            }
            Ok(None) => {
                if holder.as_deref() != lock.holder() && lock.holder() != Some(lock.identity()) {
                    holder = lock.holder().map(str::to_owned);
                    info!(lease = %lock.place(), holder, "another process is the leader");
                }
            }
            Err(RequestError::Refused(answer) | RequestError::Missing(answer)) => {
                let since = *refused_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= lock.options().lease_duration {
                    let Options { namespace, name, .. } = lock.options().clone();
                    return Err(ElectionError::Refused { namespace, name, answer });
                }
                warn!(lease = %lock.place(), answer, "the API server refuses the Lease of the leader election");
            }
            Err(RequestError::Conflict) => debug!(lease = %lock.place(), "another process was faster"),
            Err(RequestError::Temporary(error)) => {
                warn!(lease = %lock.place(), error, "the Lease of the leader election is out of reach");
            }
        }
        let period = lock.options().retry_period;
        tokio::select! {
            () = sleep(period + period.mul_f64(JITTER * fastrand::f64())) => {}
            () = stop.asked(Stop::Gracefully) => {}
        }
    }
    Ok(None)
}

/// This process is the leader, and renews the Lease in a task of its own. Nobody renews it once this is dropped:
/// the time of the lease ends at the renewal deadline, and others wait until the Lease is over.
#[derive(Debug)]
pub struct Leadership {
    /// Gives the Lease back.
    lock: Lock,
    lease: Arc<Lease>,
    lease_signal: LeaseSignal,
    renewals: JoinSet<()>,
}

impl Leadership {
    /// Begins with a Lease that was taken by a request that was sent then.
    fn begin(lock: Lock, sent: Instant) -> Self {
        let own = Lock::new(lock.client(), lock.options().clone());
        let (lease, lease_signal) = lease(sent + lock.options().renew_deadline);
        let lease = Arc::new(lease);
        info!(lease = %lock.place(), identity = lock.identity(), "this process is the leader");
        let mut renewals = JoinSet::new();
        renewals.spawn(renew(lock, Arc::clone(&lease), lease_signal.clone()));
        Self { lock: own, lease, lease_signal, renewals }
    }

    /// For how long this process may change things: until the renewal deadline, counted from before the request
    /// was sent.
    pub fn lease_signal(&self) -> LeaseSignal {
        self.lease_signal.clone()
    }

    /// Ends when this process is no longer the leader: nobody renewed the Lease in time, or somebody else has it.
    pub async fn lost(&mut self) {
        self.lease_signal.lost().await;
    }

    /// Ends the leadership, and then gives the Lease back, so that another process need not wait. Whatever changes
    /// things under the time of the lease has to be over before. Takes no longer than the renew deadline.
    pub async fn release(mut self) {
        // A renewal that is on its way fails, or this gives the Lease back once more: both name the version that
        // they saw.
        self.renewals.shutdown().await;
        self.lease.give_up();
        let (limit, place) = (self.lock.options().renew_deadline, self.lock.place());
        match timeout(limit, self.lock.release()).await {
            Ok(Ok(())) => info!(lease = %place, "gave the leadership back"),
            Ok(Err(error)) => warn!(lease = %place, %error, "could not give the leadership back"),
            Err(_) => warn!(lease = %place, "could not give the leadership back in time"),
        }
    }
}

/// Renews a Lease until its time is over, or somebody else has it.
async fn renew(mut lock: Lock, lease: Arc<Lease>, lease_signal: LeaseSignal) {
    let place = lock.place();
    let Options { retry_period, renew_deadline, .. } = *lock.options();
    let mut pause = retry_period;
    loop {
        let renewal = tokio::select! {
            // A process that slept beyond the deadline sends nothing any more.
            biased;
            () = lease_signal.lost() => break,
            renewal = async { sleep(pause).await; lock.renew(&lease_signal).await } => renewal,
        };
        pause = retry_period;
        match renewal {
            Ok(Renewal::Sent(sent)) => {
                if let Err(LeaseLost) = lease.extend(sent + renew_deadline) {
                    break;
                }
                debug!(lease = %place, "renewed the Lease");
            }
            Ok(Renewal::Late) => break,
            Ok(Renewal::Taken { holder }) => {
                lease.give_up();
                error!(lease = %place, holder, "lost the leadership: the Lease names another holder");
                return;
            }
            Err(error) => {
                pause = retry_period.mul_f64(f64::midpoint(1.0, fastrand::f64()));
                warn!(lease = %place, %error, "could not renew the Lease of the leader election");
            }
        }
    }
    error!(lease = %place, "lost the leadership: the Lease was not renewed in time");
}
