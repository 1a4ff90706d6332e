//! The Lease in the API, and what this process knows of it.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client};
use tokio::time::Instant;

use super::Options;
use crate::controller::runtime::request_error::{RequestError, answer};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::stop::{Stop, StopSignal};

/// A Lease that processes contend for.
#[derive(Debug)]
pub(super) struct Lock {
    options: Options,
    leases: Api<Lease>,
    known: Option<Known>,
}

/// A Lease as it was read or written last.
#[derive(Debug)]
struct Known {
    lease: Lease,
    /// When this process asked for the Lease and saw a change of its `spec`, for the last time.
    changed: Instant,
}

/// What came of a renewal.
#[derive(Debug)]
pub(super) enum Renewal {
    /// The Lease is renewed, by a request that was sent then.
    Sent(Instant),
    /// The time of the lease was over before the request was sent.
    Late,
    /// The Lease names another holder, or none.
    Taken {
        /// The holder that the Lease names.
        holder: String,
    },
}

/// How often a request to give the Lease back is sent again when it meets a renewal that was still on its way.
const RELEASES: usize = 3;

impl Lock {
    pub(super) fn new(client: Client, options: Options) -> Self {
        Self { leases: Api::namespaced(client, &options.namespace), options, known: None }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn client(&self) -> Client {
        self.leases.clone().into_client()
    }

    pub(super) fn identity(&self) -> &str {
        &self.options.identity
    }

    /// Namespace and name of the Lease.
    pub(super) fn place(&self) -> String {
        format!("{}/{}", self.options.namespace, self.options.name)
    }

    /// The holder that the Lease named last, if any.
    pub(super) fn holder(&self) -> Option<&str> {
        let holder = self.spec()?.holder_identity.as_deref()?;
        (!holder.is_empty()).then_some(holder)
    }

    /// Takes the Lease if nobody else holds it. Returns when the request was sent.
    pub(super) async fn attempt(&mut self, stop: &StopSignal) -> Result<Option<Instant>, RequestError> {
        tokio::select! {
            biased;
            () = stop.asked(Stop::Gracefully) => return Ok(None),
            read = self.read() => read?,
        }
        if self.is_held_by_another() {
            return Ok(None);
        }
        let sent = Instant::now();
        self.write(self.mine()).await?;
        // An answer that comes so late is one to a process that slept.
        Ok((sent.elapsed() < self.options.renew_deadline).then_some(sent))
    }

    /// Renews the Lease that this process holds.
    pub(super) async fn renew(&mut self, lease_signal: &LeaseSignal) -> Result<Renewal, RequestError> {
        let sent = Instant::now();
        match self.write(self.mine()).await {
            Ok(()) => return Ok(Renewal::Sent(sent)),
            Err(RequestError::Conflict) => {}
            Err(error) => return Err(error),
        }
        // Somebody changed the Lease, or the answer to an earlier renewal was lost.
        self.read().await?;
        if self.known.is_some() && self.holder() != Some(self.identity()) {
            return Ok(Renewal::Taken { holder: self.holder().unwrap_or_default().to_owned() });
        }
        if !lease_signal.holds() {
            return Ok(Renewal::Late);
        }
        let sent = Instant::now();
        self.write(self.mine()).await?;
        Ok(Renewal::Sent(sent))
    }

    /// Leaves the Lease to the process that comes first, if it names this process.
    pub(super) async fn release(&mut self) -> Result<(), RequestError> {
        let mut released = Err(RequestError::Conflict);
        for _ in 0..RELEASES {
            self.read().await?;
            if self.holder() != Some(self.identity()) {
                return Ok(());
            }
            let now = now();
            let spec = LeaseSpec {
                holder_identity: Some(String::new()),
                // Zero is not valid.
                lease_duration_seconds: Some(1),
                acquire_time: Some(now.clone()),
                renew_time: Some(now),
                ..self.spec().cloned().unwrap_or_default()
            };
            released = self.write(spec).await;
            if !matches!(released, Err(RequestError::Conflict)) {
                break;
            }
        }
        released
    }

    fn spec(&self) -> Option<&LeaseSpec> {
        self.known.as_ref()?.lease.spec.as_ref()
    }

    /// Whether another process holds the Lease, and its time is not over.
    fn is_held_by_another(&self) -> bool {
        let (Some(known), Some(holder)) = (&self.known, self.holder()) else { return false };
        let seconds = self.spec().and_then(|spec| u64::try_from(spec.lease_duration_seconds?).ok());
        let lasts = seconds.map_or(self.options.lease_duration, Duration::from_secs);
        holder != self.identity() && known.changed.elapsed() < lasts
    }

    /// The Lease, held by this process from now on, or still.
    fn mine(&self) -> LeaseSpec {
        let former = self.spec().cloned().unwrap_or_default();
        let now = now();
        let is_mine = self.holder() == Some(self.identity());
        let transitions = match self.known {
            None => 0,
            Some(_) => former.lease_transitions.unwrap_or_default().saturating_add(i32::from(!is_mine)),
        };
        // Whole seconds, and rather too long than too short for those who wait.
        let seconds = self.options.lease_duration.as_millis().div_ceil(1_000);
        LeaseSpec {
            holder_identity: Some(self.options.identity.clone()),
            lease_duration_seconds: Some(i32::try_from(seconds).unwrap_or(i32::MAX)),
            acquire_time: if is_mine { former.acquire_time.clone() } else { None }.or_else(|| Some(now.clone())),
            renew_time: Some(now),
            lease_transitions: Some(transitions),
            ..former
        }
    }

    async fn read(&mut self) -> Result<(), RequestError> {
        let asked = Instant::now();
        let lease = match answer(self.patience(), self.leases.get(&self.options.name)).await {
            Err(RequestError::Missing(_)) => None,
            read => Some(read?),
        };
        self.known = lease.map(|lease| {
            let same = self.known.take().filter(|known| known.lease.spec == lease.spec);
            Known { lease, changed: same.map_or(asked, |known| known.changed) }
        });
        Ok(())
    }

    /// Writes the Lease, unless it changed since this process saw it.
    async fn write(&mut self, spec: LeaseSpec) -> Result<(), RequestError> {
        let asked = Instant::now();
        let parameters = PostParams::default();
        let name = self.options.name.clone();
        let written = if let Some(Known { lease, .. }) = &self.known {
            let lease = Lease { metadata: lease.metadata.clone(), spec: Some(spec) };
            match answer(self.patience(), self.leases.replace(&name, &parameters, &lease)).await {
                // Somebody deleted the Lease.
                Err(RequestError::Missing(_)) => Err(RequestError::Conflict),
                written => written,
            }
        } else {
            let namespace = Some(self.options.namespace.clone());
            let metadata = ObjectMeta { name: Some(name), namespace, ..ObjectMeta::default() };
            let lease = Lease { metadata, spec: Some(spec) };
            answer(self.patience(), self.leases.create(&parameters, &lease)).await
        };
        self.known = Some(Known { lease: written?, changed: asked });
        Ok(())
    }

    /// How long to wait for an answer: one request that hangs does not cost the leadership.
    fn patience(&self) -> Duration {
        self.options.renew_deadline / 2
    }
}

fn now() -> MicroTime {
    MicroTime(Timestamp::now())
}
