//! What all requests to an API server share: who sends them, why they fail, and how long to wait before the next.

use std::time::Duration;

use hyper::header::HeaderValue;
use kube::runtime::watcher;

use super::exchange::{refused, with_causes};
use trellis_runner::limits::backoff::Backoff;
use trellis_runner::limits::permit::PermitEnded;
use trellis_runner::state::object::ApiError;

/// The field manager of all that controllers write.
pub const MANAGER: &str = "trellis";

/// Asks for metadata alone (Kubernetes API concepts, "Metadata-only fetches").
pub(crate) const METADATA: HeaderValue =
    HeaderValue::from_static("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");

/// Why a write has no effect, or none that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The API server did not do as it was asked.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// The process may send nothing any more.
    #[error("{0}")]
    PermitEnded(#[from] PermitEnded),
}

impl WriteError {
    /// Whether there is no such object, or another one in its place.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Api(ApiError::NotFound))
    }

    /// Whether the API server refuses the content, however often it is sent.
    pub fn refusal(&self) -> Option<&str> {
        match self {
            Self::Api(ApiError::Refused { message, .. }) => Some(message),
            _ => None,
        }
    }
}

/// How long to wait before a request is sent again; none where it would end as it did.
pub(crate) fn pause(error: &ApiError, backoff: &mut Backoff) -> Option<Duration> {
    match error {
        ApiError::TooMany { retry_after } => Some(backoff.next(*retry_after)),
        ApiError::Server { .. } => Some(backoff.next(None)),
        ApiError::NotFound | ApiError::Conflict | ApiError::AlreadyExists | ApiError::Refused { .. } => None,
    }
}

/// The failure of a request without an answer in time.
pub(crate) fn late(limit: Duration) -> ApiError {
    let message = format!("there was no answer within {} s", limit.as_secs());
    ApiError::Server { status: None, message }
}

/// What an error of the client says of the API server.
pub fn reported(error: &kube::Error) -> ApiError {
    if let kube::Error::SerdeError(_) = error {
        // The error may quote the answer, which may be a Secret.
        let message = "its answer is not the object that was asked for".to_owned();
        return ApiError::Server { status: None, message };
    }
    let kube::Error::Api(status) = error else {
        return ApiError::Server { status: None, message: with_causes(error) };
    };
    refused(status.code, status.message.clone(), status)
}

/// Why a watch failed, and what an operator can do.
pub fn watch_trouble(error: &watcher::Error) -> String {
    let reported = match error {
        watcher::Error::InitialListFailed(error)
        | watcher::Error::WatchStartFailed(error)
        | watcher::Error::WatchFailed(error) => reported(error),
        watcher::Error::WatchError(status) => return status.message.clone(),
        watcher::Error::NoResourceVersion => return error.to_string(),
    };
    match reported {
        ApiError::Refused { status: 401 | 403, message } => {
            format!("{message}; charts-templates/run has all that this process must be allowed to do")
        }
        ApiError::NotFound => "this API server does not serve the kind: is it that of a seed?".to_owned(),
        other => other.to_string(),
    }
}
