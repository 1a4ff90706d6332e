//! Sends requests to an API server: within a permit, and again while the API server is not well.

use std::fmt;
use std::time::Duration;

use hyper::Request;
use kube::Client;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tracing::Span;

use super::exchange::{Limits, exchange};
use super::requests::{WriteError, pause};
use trellis_policies::span::within;
use trellis_runner::limits::backoff::Backoff;
use trellis_runner::limits::permit::{Permit, PermitEnded};
use trellis_runner::limits::stop::Stop;
use trellis_runner::state::object::ApiError;

/// What one answer may take.
const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 << 20 };
/// The longest time for a request with all retries.
pub const LIMIT: Duration = Duration::from_mins(1);
/// The longest time until a request has left this machine: by then the lease must still be held. A request that
/// the API server carries out later has no effect, because it is fenced.
const SENDING: Duration = Duration::from_secs(2);

/// A request, or why there is none.
pub type Asked = Result<Request<Vec<u8>>, kube::core::request::Error>;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It reads: not after a stop.
    Reads,
    /// It changes something: not after a stop, and only while this process holds the lease.
    Writes,
    /// It records what is done: also after a stop that leaves time, while this process holds the lease.
    Records,
}

/// Sends requests to an API server.
#[derive(Clone)]
pub struct Sender {
    /// The client of the API server.
    pub client: Client,
    /// Whether requests may be sent.
    pub permit: Permit,
}

impl Sender {
    /// Sends a request again and again while the API server is not well, until some time. `request` makes it each
    /// time.
    pub async fn send<T: DeserializeOwned>(
        &self,
        effect: Effect,
        until: Instant,
        span: impl Fn() -> Span,
        request: impl Fn() -> Asked,
    ) -> Result<T, WriteError> {
        let mut backoff = Backoff::new(fastrand::f64);
        loop {
            let error = match self.once(effect, span(), request()).await {
                Err(WriteError::Api(error)) => error,
                answer => return answer,
            };
            let Some(pause) = pause(&error, &mut backoff) else { return Err(error.into()) };
            if Instant::now() + pause >= until {
                return Err(error.into());
            }
            tokio::select! {
                biased;
                ended = self.permit_ended(effect) => return Err(ended.into()),
                () = sleep(pause) => {}
            }
        }
    }

    /// Sends a request once, while the permit lasts.
    pub async fn once<T: DeserializeOwned>(
        &self,
        effect: Effect,
        span: Span,
        request: Asked,
    ) -> Result<T, WriteError> {
        match effect {
            Effect::Reads => self.permit.to_read()?,
            Effect::Writes => self.permit.to_change(SENDING).await?,
            Effect::Records => {
                self.permit.lease_signal.lasting(SENDING).await.map_err(|_| PermitEnded::LeaseLost)?;
            }
        }
        Ok(self.permit.while_held(within(span, self.answer(request))).await??)
    }

    /// The answer to a request that another permit covers.
    pub async fn answer<T: DeserializeOwned>(&self, request: Asked) -> Result<T, ApiError> {
        let request = request.map_err(|error| ApiError::Refused { status: 0, message: error.to_string() })?;
        let bytes = exchange(&self.client, request, LIMITS).await?;
        // The error may quote the answer, which may be a Secret.
        let message = || "its answer is not the object that was asked for".to_owned();
        serde_json::from_slice(&bytes).map_err(|_| ApiError::Server { status: None, message: message() })
    }

    /// Ends when no such request may be sent any more.
    async fn permit_ended(&self, effect: Effect) -> PermitEnded {
        let Permit { stop, lease_signal } = &self.permit;
        if effect != Effect::Records {
            return self.permit.ended().await;
        }
        tokio::select! {
            biased;
            () = lease_signal.lost() => PermitEnded::LeaseLost,
            () = stop.asked(Stop::AtOnce) => PermitEnded::Stopped,
        }
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Sender")
    }
}

/// A merge patch that has an effect on one version of one object alone, and none on what has its name later.
pub fn fenced(mut patch: Value, version: Value, uid: Value) -> Value {
    if let Value::Object(members) = &mut patch
        && let Value::Object(metadata) = members.entry("metadata").or_insert_with(|| json!({}))
    {
        metadata.insert("resourceVersion".to_owned(), version);
        metadata.insert("uid".to_owned(), uid);
    }
    patch
}

#[cfg(test)]
mod tests {
    use kube::api::ListParams;

    use super::*;
    use crate::api_server::resource::SECRETS;
    use crate::controller::runtime::testing::Server;
    use trellis_runner::limits::lease::lease;
    use trellis_runner::limits::stop::stop;

    /// Sends a request with an effect; whether it was sent.
    async fn is_sent(permit: &Permit, effect: Effect) -> bool {
        let server = Server::default();
        let sender = Sender { client: server.client(), permit: permit.clone() };
        let request = || kube::core::Request::new(SECRETS.path("n")).list(&ListParams::default());
        let sent: Result<Value, _> = sender.send(effect, Instant::now() + LIMIT, Span::none, request).await;
        assert_eq!(sent.is_ok(), server.requests().len() == 1);
        sent.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_stop_what_is_done_is_recorded_and_after_the_lease_nothing_is_sent() {
        let all = [Effect::Reads, Effect::Writes, Effect::Records];
        let began = Instant::now();
        let (_lease, lease_signal) = lease(began + Duration::from_secs(10));
        let (stopper, stop) = stop();
        let permit = Permit { stop, lease_signal };
        for effect in all {
            assert!(is_sent(&permit, effect).await, "{effect:?}");
        }
        stopper.stop(Stop::Gracefully);
        for effect in all {
            assert_eq!(is_sent(&permit, effect).await, effect == Effect::Records, "{effect:?} after a stop");
        }
        sleep(Duration::from_secs(11)).await;
        for effect in all {
            assert!(!is_sent(&permit, effect).await, "{effect:?} without the lease");
        }
    }
}
