//! One request to an API server and its answer, within limits of time and size.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use http_body_util::{BodyExt as _, Collected, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use kube::Client;
use kube::client::Body;
use kube::core::Status;
use tokio::time::timeout;

use trellis_runner::state::object::ApiError;

/// What an answer may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest time until all of it is there.
    pub time: Duration,
    /// The most bytes.
    pub bytes: usize,
}

/// Why a request has no answer that its sender can use.
#[derive(Clone, Debug, PartialEq)]
pub enum Unanswered {
    /// The API server does not do as it is asked. It says why, unless something before the API server has
    /// answered.
    Status(StatusCode, Box<Status>),
    /// There are more bytes than that.
    TooLarge(usize),
    /// There is nothing, or not all of it, after that time.
    Late(Duration),
    /// The connection failed.
    Broken(String),
}

/// Sends a request. The answer is its bytes, where the API server does as it is asked.
pub async fn exchange(client: &Client, request: Request<Vec<u8>>, limits: Limits) -> Result<Bytes, Unanswered> {
    let answer = async {
        let sent = client.send(request.map(Body::from)).await;
        let answer = sent.map_err(|error| Unanswered::Broken(with_causes(&error)))?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), limits.bytes).collect().await;
        if !status.is_success() {
            // What a proxy before the API server says is for browsers.
            let reported = body.ok().and_then(|body| serde_json::from_slice(&body.to_bytes()).ok());
            return Err(Unanswered::Status(status, reported.unwrap_or_default()));
        }
        body.map(Collected::to_bytes).map_err(|error| {
            if error.is::<LengthLimitError>() {
                Unanswered::TooLarge(limits.bytes)
            } else {
                Unanswered::Broken(with_causes(&*error))
            }
        })
    };
    timeout(limits.time, answer).await.unwrap_or(Err(Unanswered::Late(limits.time)))
}

impl fmt::Display for Unanswered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status, reported) if reported.message.is_empty() => {
                write!(out, "the API server answers {status}")
            }
            Self::Status(_, reported) => out.write_str(&reported.message),
            Self::TooLarge(most) => write!(out, "the answer is larger than {most} bytes"),
            Self::Late(limit) => write!(out, "there was no answer within {} s", limit.as_secs_f32()),
            Self::Broken(why) => out.write_str(why),
        }
    }
}

impl From<Unanswered> for ApiError {
    fn from(unanswered: Unanswered) -> Self {
        let message = unanswered.to_string();
        match unanswered {
            Unanswered::Status(status, reported) => refused(status.as_u16(), message, &reported),
            _ => Self::Server { status: None, message },
        }
    }
}

/// What an answer without success means.
pub(super) fn refused(status: u16, message: String, reported: &Status) -> ApiError {
    match status {
        404 => ApiError::NotFound,
        409 if reported.reason == "AlreadyExists" => ApiError::AlreadyExists,
        409 => ApiError::Conflict,
        429 => {
            let seconds = reported.details.as_ref().map(|details| details.retry_after_seconds);
            ApiError::TooMany { retry_after: seconds.map(|seconds| Duration::from_secs(seconds.into())) }
        }
        500.. => ApiError::Server { status: Some(status), message },
        status => ApiError::Refused { status, message },
    }
}

/// An error with its causes: the outermost one names only itself.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let words = next.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use hyper::Response;
    use serde_json::json;
    use tower::service_fn;

    use super::*;

    const LIMITS: Limits = Limits { time: Duration::from_secs(5), bytes: 100 };

    /// What comes of a request that has this answer; none that comes in time.
    async fn answered(answer: Option<(u16, String)>) -> Result<Bytes, Unanswered> {
        let service = service_fn(move |_: Request<Body>| {
            let answer = answer.clone();
            async move {
                let Some((status, body)) = answer else { return std::future::pending().await };
                let response = Response::builder().status(status).body(Body::from(body.into_bytes()));
                Ok::<_, Infallible>(response.unwrap())
            }
        });
        exchange(&Client::new(service, "default"), Request::new(Vec::new()), LIMITS).await
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_has_limits_of_time_and_size() {
        assert_eq!(answered(Some((200, "{}".to_owned()))).await, Ok(Bytes::from_static(b"{}")));
        assert_eq!(answered(Some((200, "x".repeat(100)))).await.map(|bytes| bytes.len()), Ok(100));
        assert_eq!(answered(Some((200, "x".repeat(101)))).await, Err(Unanswered::TooLarge(100)));
        assert_eq!(answered(None).await, Err(Unanswered::Late(LIMITS.time)));
    }

    #[tokio::test]
    async fn an_answer_without_success_says_what_its_sender_can_do() {
        let refused = |status, message: &str| ApiError::Refused { status, message: message.to_owned() };
        let server = |status, message: &str| ApiError::Server { status, message: message.to_owned() };
        for (status, body, expected) in [
            (404, json!({ "message": "no" }), ApiError::NotFound),
            (409, json!({ "reason": "AlreadyExists" }), ApiError::AlreadyExists),
            (409, json!({ "reason": "Conflict" }), ApiError::Conflict),
            (429, json!({}), ApiError::TooMany { retry_after: None }),
            (
                429,
                json!({ "details": { "retryAfterSeconds": 3 } }),
                ApiError::TooMany { retry_after: Some(Duration::from_secs(3)) },
            ),
            (403, json!({ "message": "secrets is forbidden" }), refused(403, "secrets is forbidden")),
            (503, json!({ "message": "busy" }), server(Some(503), "busy")),
            (502, json!("<html>"), server(Some(502), "the API server answers 502 Bad Gateway")),
            // A text that is larger than an answer may be says nothing.
            (
                500,
                json!({ "message": "x".repeat(200) }),
                server(Some(500), "the API server answers 500 Internal Server Error"),
            ),
        ] {
            let error = answered(Some((status, body.to_string()))).await.unwrap_err();
            assert_eq!(ApiError::from(error), expected, "{status} {body}");
        }
    }
}
