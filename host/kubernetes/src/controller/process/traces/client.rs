//! Sends batches of spans over the connections that Trellis has anyway.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::http::uri::Scheme;
use hyper::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;

use super::{Receiver, TracesError};
use trellis_runner::call::CallFailure;
use trellis_runner::call::failure::NOBODY_LISTENS;
use trellis_runner::transport::answer::Answer;
use trellis_runner::transport::{Connections, Http};

/// The longest time for one batch.
const LIMIT: Duration = Duration::from_secs(10);
/// How often a warning says that traces are not sent.
const REMINDER: Duration = Duration::from_mins(10);

/// A client for one receiver.
#[derive(Debug)]
pub(super) struct Client {
    http: Arc<Http>,
    /// Batches come from a thread without a runtime.
    runtime: Handle,
    failure_log: Arc<FailureLog>,
}

impl Client {
    /// Over the proxy of the environment where the receiver has TLS; one without is near.
    pub(super) fn new(receiver: &Receiver, runtime: Handle) -> Result<Self, TracesError> {
        let is_plain = receiver.0.scheme() == Some(&Scheme::HTTP);
        // A trace changes nothing, and may report the end of a lease.
        let connections = Connections::default();
        let http =
            if is_plain { Http::local(&Scheme::HTTP, None, connections) } else { Http::cloud(None, connections) };
        let http = http.map_err(|error| TracesError::Setup(error.to_string()))?;
        let failure_log = FailureLog { receiver: receiver.to_string(), reported: Mutex::default() };
        Ok(Self { http: Arc::new(http), runtime, failure_log: Arc::new(failure_log) })
    }
}

impl HttpClient for Client {
    // The signature that the macro of `async_trait` makes.
    fn send_bytes<'life0, 'async_trait>(
        &'life0 self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        let (http, failure_log) = (Arc::clone(&self.http), Arc::clone(&self.failure_log));
        let sent = self.runtime.spawn(async move {
            let answer = http.send(request, LIMIT, tokio::time::Instant::now() + LIMIT).await;
            failure_log.note(&answer);
            answer
        });
        Box::pin(async move {
            let Answer { status, headers, body } = sent.await??;
            let mut response = Response::builder().status(status).body(body)?;
            *response.headers_mut() = headers;
            Ok(response)
        })
    }
}

/// Reports a receiver that takes no traces, now and then.
#[derive(Debug)]
struct FailureLog {
    receiver: String,
    reported: Mutex<FailureState>,
}

/// What was reported of a receiver.
#[derive(Debug, Default)]
struct FailureState {
    /// When the last warning was.
    at: Option<Instant>,
    /// Whether nothing was sent since.
    is_open: bool,
    /// How many requests failed since something was sent.
    failures: u64,
}

/// What there is to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    Lost,
    Sent,
}

impl FailureLog {
    fn note(&self, answer: &Result<Answer, CallFailure>) {
        let failure = match answer {
            Ok(answer) if (200..300).contains(&answer.status) => None,
            Ok(answer) => Some(format!("it answers with HTTP status {}", answer.status)),
            Err(failure) if failure.code == NOBODY_LISTENS => Some("nobody listens there".to_owned()),
            Err(failure) => Some(failure.message.clone()),
        };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let news = reported.news(failure.is_some(), Instant::now());
        let (receiver, failures) = (&self.receiver, reported.failures);
        match news {
            None => {}
            Some(News::Lost) => {
                let why = failure.unwrap_or_default();
                tracing::warn!(receiver, failures, "traces are lost: {why}");
            }
            Some(News::Sent) => tracing::info!(receiver, "traces are sent again"),
        }
    }
}

impl FailureState {
    fn news(&mut self, has_failed: bool, now: Instant) -> Option<News> {
        if !has_failed {
            self.failures = 0;
            return std::mem::take(&mut self.is_open).then_some(News::Sent);
        }
        self.failures += 1;
        if self.at.is_some_and(|at| now.duration_since(at) < REMINDER) {
            return None;
        }
        (self.at, self.is_open) = (Some(now), true);
        Some(News::Lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_is_down_is_reported_now_and_then_and_not_at_each_batch() {
        let (mut reported, begin) = (FailureState::default(), Instant::now());
        for (minute, has_failed, news) in [
            (0, false, None),
            (1, true, Some(News::Lost)),
            (2, true, None),
            (10, true, None),
            (11, true, Some(News::Lost)),
            (12, false, Some(News::Sent)),
            (13, false, None),
            (14, true, None),
            (15, false, None),
            (21, true, Some(News::Lost)),
        ] {
            let found = reported.news(has_failed, begin + Duration::from_mins(minute));
            assert_eq!(found, news, "minute {minute}");
        }
        assert_eq!(reported.failures, 1);
    }
}
