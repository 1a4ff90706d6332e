//! Requests that did not succeed, by what their sender can do.

use std::time::Duration;

use kube::Error;
use tokio::time::timeout;

use crate::api_server::exchange::with_causes;

/// Why a request did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::controller) enum RequestError {
    /// Somebody else changed the object.
    #[error("somebody else changed the object")]
    Conflict,
    /// The API server is busy, broken or out of reach. The request may have had its effect.
    #[error("{0}")]
    Temporary(String),
    /// There is no such object, or no such namespace.
    #[error("{0}")]
    Missing(String),
    /// The API server will not do it.
    #[error("{0}")]
    Refused(String),
}

impl From<Error> for RequestError {
    fn from(error: Error) -> Self {
        match error {
            Error::Api(status) => {
                let answer = if status.message.is_empty() {
                    format!("HTTP {}", status.code)
                } else {
                    format!("{} (HTTP {})", status.message, status.code)
                };
                match status.code {
                    404 => Self::Missing(answer),
                    409 => Self::Conflict,
                    400..=407 | 410..=428 | 430..=499 => Self::Refused(answer),
                    _ => Self::Temporary(answer),
                }
            }
            error => Self::Temporary(with_causes(&error)),
        }
    }
}

/// The answer to a request, within a time limit.
pub(in crate::controller) async fn answer<T>(
    limit: Duration,
    request: impl Future<Output = Result<T, Error>>,
) -> Result<T, RequestError> {
    match timeout(limit, request).await {
        Ok(answer) => answer.map_err(RequestError::from),
        Err(_) => Err(RequestError::Temporary(format!("no answer within {limit:?}"))),
    }
}
