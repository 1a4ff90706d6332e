//! The state in `status.state` of a Kubernetes object.
//!
//! One task of the store sends all patches, one after the other. Each is fenced by the version of the object that
//! this store saw last, so that no patch has an effect on a state that somebody else wrote, or after a newer
//! patch.

mod keeper;
mod order;
mod patch;
mod store;

use std::error::Error;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::document::State;
use trellis_policies::span::Coded;

pub use order::Options;
pub use store::ObjectStore;

/// What a store needs of an API server, for one object.
pub trait Objects: Send + Sync {
    /// Reads the object from the API server itself, not from a cache.
    fn read(&self) -> impl Future<Output = Result<Object, ApiError>> + Send;

    /// Sends a JSON merge patch (RFC 7386) of the status subresource. The patch names the version of the object
    /// that it belongs to, in `metadata.resourceVersion`; where the object has another one, this fails with
    /// [`ApiError::Conflict`] and has no effect. Each patch is sent once, without retries.
    fn patch(&self, patch: &Value) -> impl Future<Output = Result<Object, ApiError>> + Send;
}

/// What a store wants to know of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// `metadata.resourceVersion`, which differs after each change of the object.
    pub resource_version: String,
    /// `metadata.uid`, which differs when an object of the same name is made again.
    pub uid: String,
    /// `status.state`.
    pub state: Option<Value>,
}

/// Why an API server did not do as it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// There is no such object.
    #[error("the object does not exist")]
    NotFound,
    /// The object has another version than the patch names.
    #[error("the object changes all the time")]
    Conflict,
    /// There is an object of the name that is to be created.
    #[error("the object exists already")]
    AlreadyExists,
    /// The API server has too much to do, and did nothing.
    #[error("the API server has too much to do (429)")]
    TooMany {
        /// How long the API server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The API server or the connection failed. Nobody knows whether the request had its effect.
    #[error("the API server failed{}: {message}", .status.map(|status| format!(" ({status})")).unwrap_or_default())]
    Server {
        /// Of the HTTP response; `None` where there was no response.
        status: Option<u16>,
        /// What happened.
        message: String,
    },
    /// The API server refuses the request, and did nothing.
    #[error("the API server refuses the request ({status}): {message}")]
    Refused {
        /// Of the HTTP response.
        status: u16,
        /// The reason.
        message: String,
    },
}

impl Coded for ApiError {
    fn code(&self) -> &str {
        match self {
            Self::NotFound => "NotFound",
            Self::Conflict => "Conflict",
            Self::AlreadyExists => "AlreadyExists",
            Self::TooMany { .. } => "TooManyRequests",
            Self::Server { .. } => "ServerError",
            Self::Refused { .. } => "Refused",
        }
    }
}

impl ApiError {
    /// Whether the same request may succeed later.
    fn is_temporary(&self) -> bool {
        matches!(self, Self::Conflict | Self::TooMany { .. } | Self::Server { .. })
    }

    /// How long the API server asks to wait.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooMany { retry_after } => *retry_after,
            _ => None,
        }
    }
}

/// Translates between a state and the document that `status.state` holds.
pub trait Form: Send + Sync {
    /// The state that a document holds. Takes no longer than until a time.
    fn read(&self, document: &Value, until: Instant) -> impl Future<Output = Result<State, FormError>> + Send;

    /// The document that holds a state. Takes no longer than until a time.
    fn write(
        &self,
        state: &State,
        until: Instant,
    ) -> impl Future<Output = Result<Map<String, Value>, FormError>> + Send;
}

/// Why a state cannot be translated.
pub type FormError = Box<dyn Error + Send + Sync>;
