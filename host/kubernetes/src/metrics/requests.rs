//! Requests to the API server.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::{Method, Request, Response, Uri};
use tokio::time::Instant;
use tower::{Layer, Service};

use super::families::Families;

/// Counts the requests of a client of kube. A request that the client sends again by itself, because the API
/// server is busy, counts once.
#[derive(Clone, Debug)]
pub struct ClientLayer {
    families: Families,
    host: String,
}

impl ClientLayer {
    pub(super) fn new(families: &Families, server: &Uri) -> Self {
        let host = server.authority().map(|authority| match authority.port_u16() {
            Some(port) => format!("{}:{port}", authority.host()),
            None => authority.host().to_owned(),
        });
        Self { families: families.clone(), host: host.unwrap_or_default() }
    }
}

impl<S> Layer<S> for ClientLayer {
    type Service = Counted<S>;

    fn layer(&self, inner: S) -> Counted<S> {
        Counted { inner, layer: self.clone() }
    }
}

/// A service whose requests are counted.
#[derive(Clone, Debug)]
pub struct Counted<S> {
    inner: S,
    layer: ClientLayer,
}

impl<S, B, R> Service<Request<B>> for Counted<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let layer = self.layer.clone();
        let sent = Sent { layer, method: request.method().clone(), at: Instant::now(), code: None };
        let answer = self.inner.call(request);
        Box::pin(async move {
            // All of it, and not its field alone, ends with this.
            let mut sent = sent;
            let answer = answer.await;
            sent.code = answer.as_ref().ok().map(|answer| answer.status().as_u16());
            answer
        })
    }
}

/// A request that was sent. It counts when it ends, even if its sender no longer waits.
struct Sent {
    layer: ClientLayer,
    method: Method,
    at: Instant,
    /// The status of the answer.
    code: Option<u16>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        let ClientLayer { families, host } = &self.layer;
        // The word of client-go for a request without an answer.
        let code = self.code.map_or_else(|| "<error>".to_owned(), |code| code.to_string());
        let method = self.method.as_str();
        families.requests.add([("code", &code), ("host", host), ("method", method)], 1);
        let time = self.at.elapsed().as_secs_f64();
        families.request_time.row([("verb", method), ("host", host)]).observe(time);
    }
}
