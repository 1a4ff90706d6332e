//! Requests for one object, and what its state needs of an API server.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::Request as HttpRequest;
use kube::Client;
use kube::api::{Patch, PatchParams};
use kube::core::Request;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use super::kind::Kind;
use crate::plan::backoff::Backoff;
use crate::plan::leave::{Leave, Withdrawn};
use crate::state::object::{ApiError, Object, Objects};

/// The longest time for one request.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// The longest time for a patch with all retries.
const LIMIT: Duration = Duration::from_mins(1);

/// One object of a kind, at its API server.
#[derive(Clone)]
pub struct ObjectApi {
    client: Client,
    kind: &'static Kind,
    namespace: String,
    name: String,
    uid: String,
    leave: Leave,
    /// The newest version of the object that an answer had; 0 before there was one.
    newest: Arc<AtomicU64>,
}

/// Why a patch has no effect, or none that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The API server did not do as it was asked.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// The process may send nothing any more.
    #[error("{0}")]
    Withdrawn(#[from] Withdrawn),
}

impl PatchError {
    /// Whether there is no such object, or another one in its place.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Api(ApiError::NotFound))
    }
}

/// A part of an object that is patched on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Main,
    Status,
}

impl ObjectApi {
    /// The object with a uid. An object of the same name with another uid is never changed.
    pub fn new(
        client: Client,
        kind: &'static Kind,
        (namespace, name): (&str, &str),
        uid: &str,
        leave: Leave,
    ) -> Self {
        let (namespace, name, uid) = (namespace.to_owned(), name.to_owned(), uid.to_owned());
        Self { client, kind, namespace, name, uid, leave, newest: Arc::default() }
    }

    /// The newest version of the object that an answer had, as a number; none before there was one.
    pub fn newest(&self) -> Option<u64> {
        Some(self.newest.load(Ordering::Relaxed)).filter(|newest| *newest > 0)
    }

    /// Sends a merge patch of the object's metadata, again and again while the API server is not well.
    pub async fn patch(&self, patch: Value) -> Result<Value, PatchError> {
        self.persist(Part::Main, patch).await
    }

    /// Sends a merge patch of the object's status, in the same way.
    pub async fn patch_status(&self, patch: Value) -> Result<Value, PatchError> {
        self.persist(Part::Status, patch).await
    }

    /// The objects that a store of the state patches. `first` is the object as the API server has just answered it.
    pub fn objects(self, first: &Value) -> StateObjects {
        StateObjects { first: Mutex::new(Some(parts(first))), api: self }
    }

    async fn persist(&self, part: Part, mut patch: Value) -> Result<Value, PatchError> {
        let is_fenced = patch.pointer("/metadata/resourceVersion").is_some();
        if let Value::Object(members) = &mut patch {
            let metadata = members.entry("metadata").or_insert_with(|| json!({}));
            metadata["uid"] = json!(self.uid);
        }
        let until = Instant::now() + LIMIT;
        let mut backoff = Backoff::new(fastrand::f64);
        loop {
            self.leave_to_change().await?;
            let sent = self.leave.while_held(timeout(REQUEST_LIMIT, self.send(part, &patch))).await?;
            let error = match sent.unwrap_or_else(|_| Err(late())) {
                Ok(object) => return Ok(object),
                // Nothing fences the patch but the uid: the object is another one.
                Err(ApiError::Conflict) if !is_fenced && self.is_another().await => ApiError::NotFound,
                Err(error) => error,
            };
            let pause = match &error {
                ApiError::TooMany { retry_after } => backoff.next(*retry_after),
                ApiError::Server { .. } => backoff.next(None),
                ApiError::Conflict if !is_fenced => backoff.next(None),
                _ => return Err(error.into()),
            };
            if Instant::now() + pause >= until {
                return Err(error.into());
            }
            tokio::select! {
                biased;
                () = self.leave.tenure.lapsed() => return Err(Withdrawn::Lapsed.into()),
                () = sleep(pause) => {}
            }
        }
    }

    /// Waits until the lease holds for as long as a request may take. Who is stopped still records what is done.
    async fn leave_to_change(&self) -> Result<(), Withdrawn> {
        self.leave.tenure.lasting(REQUEST_LIMIT.min(Duration::from_secs(2))).await.map_err(|_| Withdrawn::Lapsed)
    }

    async fn is_another(&self) -> bool {
        match self.read().await {
            Ok(object) => object.pointer("/metadata/uid").and_then(Value::as_str) != Some(&self.uid),
            Err(error) => error == ApiError::NotFound,
        }
    }

    async fn read(&self) -> Result<Value, ApiError> {
        let request = self.request().get(&self.name, &kube::api::GetParams::default());
        timeout(REQUEST_LIMIT, self.answer(request)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn send(&self, part: Part, patch: &Value) -> Result<Value, ApiError> {
        let parameters = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let patch = Patch::Merge(patch);
        let request = match part {
            Part::Main => self.request().patch(&self.name, &parameters, &patch),
            Part::Status => self.request().patch_subresource("status", &self.name, &parameters, &patch),
        };
        self.answer(request).await
    }

    fn request(&self) -> Request {
        Request::new(self.kind.path(Some(&self.namespace)))
    }

    async fn answer(
        &self,
        request: Result<HttpRequest<Vec<u8>>, kube::core::request::Error>,
    ) -> Result<Value, ApiError> {
        let request = request.map_err(|error| ApiError::Refused { status: 0, message: error.to_string() })?;
        let object: Value = self.client.request(request).await.map_err(|error| told(&error))?;
        let version = object.pointer("/metadata/resourceVersion").and_then(Value::as_str);
        if let Some(version) = version.and_then(|version| version.parse().ok()) {
            self.newest.fetch_max(version, Ordering::Relaxed);
        }
        Ok(object)
    }
}

impl fmt::Debug for ObjectApi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.kind.name, self.namespace, self.name)
    }
}

/// The field manager of all that controllers write.
pub const MANAGER: &str = "trellis";

/// An object, as a store of its state sees it.
#[derive(Debug)]
pub struct StateObjects {
    api: ObjectApi,
    /// The object as the API server has just answered it; it saves the first request.
    first: Mutex<Option<Object>>,
}

impl Objects for StateObjects {
    async fn read(&self) -> Result<Object, ApiError> {
        if let Some(first) = self.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(first);
        }
        self.api.read().await.map(|object| parts(&object))
    }

    async fn patch(&self, patch: &Value) -> Result<Object, ApiError> {
        self.api.send(Part::Status, patch).await.map(|object| parts(&object))
    }
}

fn parts(object: &Value) -> Object {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    Object {
        resource_version: text("/metadata/resourceVersion"),
        uid: text("/metadata/uid"),
        state: object.pointer("/status/state").cloned(),
    }
}

fn late() -> ApiError {
    let message = format!("there was no answer within {} s", REQUEST_LIMIT.as_secs());
    ApiError::Server { status: None, message }
}

/// What an error of the client tells of the API server.
pub fn told(error: &kube::Error) -> ApiError {
    let kube::Error::Api(status) = error else {
        return ApiError::Server { status: None, message: error.to_string() };
    };
    match status.code {
        404 => ApiError::NotFound,
        409 => ApiError::Conflict,
        429 => {
            let seconds = status.details.as_ref().map(|details| details.retry_after_seconds);
            ApiError::TooMany { retry_after: seconds.map(|seconds| Duration::from_secs(seconds.into())) }
        }
        code if code >= 500 => ApiError::Server { status: Some(code), message: status.message.clone() },
        code => ApiError::Refused { status: code, message: status.message.clone() },
    }
}
