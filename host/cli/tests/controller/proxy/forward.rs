//! One request on its way to the API server and back.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderValue, RETRY_AFTER, TRANSFER_ENCODING};
use hyper::{Request, Response, StatusCode};
use serde_json::json;
use tokio::sync::watch;

use super::{Call, Fault, Shared};

/// Why a connection breaks.
#[derive(Debug)]
pub(super) struct Broken(String);

impl Broken {
    fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

type Answer = Response<UnsyncBoxBody<Bytes, Broken>>;

/// Answers a request. An error breaks the connection.
pub(super) async fn forward(shared: &Shared, request: Request<Incoming>) -> Result<Answer, Broken> {
    let call = Call::of(request.method(), request.uri().path(), request.uri().query());
    shared.calls.count(&call);
    let fault = shared.orders.of(&call);
    match fault {
        None | Some(Fault::AnswerLost) => {}
        Some(Fault::Slow(time)) => tokio::time::sleep(time).await,
        Some(Fault::Conflict) => return Ok(status(StatusCode::CONFLICT, "Conflict", None)),
        Some(Fault::Internal) => return Ok(status(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", None)),
        Some(Fault::TooMany(seconds)) => {
            return Ok(status(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", Some(seconds)));
        }
    }
    let (mut parts, body) = request.into_parts();
    parts.headers.remove(HOST);
    parts.headers.remove(CONNECTION);
    let body = body.collect().await.map_err(Broken::of)?.to_bytes();
    let body = if body.is_empty() { kube::client::Body::empty() } else { kube::client::Body::from(body) };
    // The effect comes also where the caller goes away before the answer: the API server has the request then.
    let answer = shared.client.send(Request::from_parts(parts, body)).await.map_err(Broken::of)?;
    if fault == Some(Fault::AnswerLost) {
        answer.into_body().collect().await.map_err(Broken::of)?;
        return Err(Broken::of("the connection breaks"));
    }
    if answer.status() == StatusCode::FORBIDDEN {
        shared.calls.forbid(&call);
    }
    let (mut parts, body) = answer.into_parts();
    parts.headers.remove(TRANSFER_ENCODING);
    parts.headers.remove(CONNECTION);
    let body = body.map_err(Broken::of);
    let body = if call.verb == "watch" {
        shared.watches.fetch_add(1, Ordering::SeqCst);
        Cut { body: body.boxed_unsync(), cut: cut(shared.dropped.subscribe()) }.boxed_unsync()
    } else {
        body.boxed_unsync()
    };
    Ok(Response::from_parts(parts, body))
}

/// An error as the API server has it.
fn status(code: StatusCode, reason: &str, retry: Option<u64>) -> Answer {
    let text = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code.as_u16(),
        "message": "the proxy was asked to", "details": { "retryAfterSeconds": retry },
    });
    let body = Full::new(Bytes::from(text.to_string())).map_err(|never| match never {}).boxed_unsync();
    let mut answer = Response::new(body);
    *answer.status_mut() = code;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(seconds) = retry {
        answer.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    answer
}

/// Is done when watches are dropped.
fn cut(mut dropped: watch::Receiver<u64>) -> BoxFuture<'static, ()> {
    async move {
        // A proxy that has gone cuts the connection itself.
        let _ = dropped.changed().await;
    }
    .boxed()
}

/// A body that breaks off.
struct Cut {
    body: UnsyncBoxBody<Bytes, Broken>,
    cut: BoxFuture<'static, ()>,
}

impl Body for Cut {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if self.cut.poll_unpin(context).is_ready() {
            return Poll::Ready(Some(Err(Broken::of("the watch is dropped"))));
        }
        Poll::Ready(ready!(Pin::new(&mut self.body).poll_frame(context)))
    }
}
