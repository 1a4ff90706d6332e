//! Requests for one object, and what its state needs of an API server.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::Request as HttpRequest;
use hyper::header::ACCEPT;
use kube::Client;
use kube::api::{Patch, PatchParams};
use kube::core::Request;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::api_server::bare::Bare;
use crate::api_server::requests::{MANAGER, METADATA, WriteError, late, pause, told};
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::Kind;
use trellis_policies::span::{span, within};
use trellis_runner::limits::backoff::Backoff;
use trellis_runner::limits::leave::{Leave, Withdrawn};
use trellis_runner::limits::stop::Stop;
use trellis_runner::state::object::{ApiError, Object, Objects};

/// The longest time for one request.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// The longest time for a write with all retries.
const LIMIT: Duration = Duration::from_mins(1);
/// The longest time until a request has left this machine: by then the lease must still be held. A request that the API server
/// carries out later has no effect, since it is fenced.
const SENDING: Duration = Duration::from_secs(2);

/// One object of a kind, at its API server. Each write is fenced by the version of the object that was seen last: it has no
/// effect on an object that somebody else changed or made again meanwhile, however late the API server carries it out.
#[derive(Clone)]
pub struct ObjectApi {
    client: Client,
    kind: &'static Kind,
    namespace: String,
    name: String,
    uid: String,
    leave: Leave,
    /// The metadata of the object as they were seen last.
    known: Arc<Mutex<Value>>,
}

/// A part of an object that is written on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Main,
    Status,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Main => "metadata",
            Self::Status => "status",
        }
    }
}

/// What the API server answers to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The object.
    Object,
    /// Its metadata alone: most objects are many times larger.
    Metadata,
}

impl ObjectApi {
    /// An object as the cache has it.
    pub fn new(client: Client, kind: &'static Kind, object: &Extension, leave: Leave) -> Self {
        // Never fails: metadata have string keys and no fallible parts.
        let known = serde_json::to_value(&object.metadata).unwrap_or_default();
        Self {
            client,
            kind,
            namespace: object.namespace().to_owned(),
            name: object.name().to_owned(),
            uid: object.metadata.uid.clone().unwrap_or_default(),
            leave,
            known: Arc::new(Mutex::new(known)),
        }
    }

    /// The newest version of the object that was seen, as a number.
    pub fn newest(&self) -> Option<u64> {
        self.known().get("resourceVersion")?.as_str()?.parse().ok()
    }

    /// Changes the metadata of the object by a merge patch, again and again while the API server is not well. `change` gets the
    /// metadata as they are, and says what to change, or that nothing is to be changed.
    pub async fn change(&self, change: impl Fn(&Value) -> Option<Value>) -> Result<(), WriteError> {
        self.persist(Part::Main, Answer::Metadata, change).await.map(drop)
    }

    /// Writes into the status of the object by a merge patch, in the same way.
    pub async fn write_status(&self, status: &Value) -> Result<(), WriteError> {
        self.persist(Part::Status, Answer::Metadata, |_| Some(json!({ "status": status }))).await.map(drop)
    }

    /// Writes into the status, and returns the object as it is then.
    pub async fn begin(&self, status: &Value) -> Result<Value, WriteError> {
        let written = self.persist(Part::Status, Answer::Object, |_| Some(json!({ "status": status }))).await?;
        Ok(written.unwrap_or_default())
    }

    /// Looks at the object again, again and again while the API server is not well. An object with another uid is another one.
    pub async fn reread(&self) -> Result<Value, WriteError> {
        let until = Instant::now() + LIMIT;
        let mut backoff = Backoff::new(fastrand::f64);
        loop {
            self.leave.to_read()?;
            let error = match self.leave.while_held(self.same()).await? {
                Ok(object) => return Ok(object),
                Err(error) => error,
            };
            let Some(pause) = pause(&error, &mut backoff) else { return Err(error.into()) };
            if Instant::now() + pause >= until {
                return Err(error.into());
            }
            tokio::select! {
                biased;
                withdrawn = self.leave.withdrawn() => return Err(withdrawn.into()),
                () = sleep(pause) => {}
            }
        }
    }

    /// Writes into the status of the object once; who calls this can do without.
    pub async fn try_write_status(&self, status: &Value) -> Result<(), WriteError> {
        let patch = self.fenced(json!({ "status": status }));
        self.leave.tenure.lasting(SENDING).await.map_err(|_| Withdrawn::Lapsed)?;
        let sent = self.leave.while_held(self.send(Part::Status, Answer::Metadata, &patch)).await?;
        sent?;
        Ok(())
    }

    /// The objects that a store of the state patches. `first` is the object as the API server has just answered it.
    pub fn objects(self, first: &Value) -> StateObjects {
        StateObjects { first: Mutex::new(Some(parts(first))), api: self }
    }

    /// What the API server answers to a change; none where nothing was to be changed.
    async fn persist(
        &self,
        part: Part,
        answer: Answer,
        change: impl Fn(&Value) -> Option<Value>,
    ) -> Result<Option<Value>, WriteError> {
        let until = Instant::now() + LIMIT;
        let mut backoff = Backoff::new(fastrand::f64);
        loop {
            let known = self.known().clone();
            let Some(patch) = change(&known) else { return Ok(None) };
            let patch = self.fenced(patch);
            // Who is stopped still records what is done.
            self.leave.tenure.lasting(SENDING).await.map_err(|_| Withdrawn::Lapsed)?;
            let sent = self.leave.while_held(self.send(part, answer, &patch)).await?;
            let error = match sent {
                Ok(object) => return Ok(Some(object)),
                Err(error) => error,
            };
            let pause = match &error {
                // The answer of an attempt before may be lost, or somebody else was faster.
                ApiError::Conflict => match self.same().await {
                    Ok(_) => Duration::ZERO,
                    Err(ApiError::NotFound) => return Err(ApiError::NotFound.into()),
                    Err(_) => backoff.next(None),
                },
                error => match self::pause(error, &mut backoff) {
                    Some(pause) => pause,
                    None => return Err(error.clone().into()),
                },
            };
            if Instant::now() + pause >= until {
                return Err(error.into());
            }
            tokio::select! {
                biased;
                () = self.leave.tenure.lapsed() => return Err(Withdrawn::Lapsed.into()),
                () = self.leave.stop.asked(Stop::AtOnce) => return Err(Withdrawn::Stopped.into()),
                () = sleep(pause) => {}
            }
        }
    }

    /// A patch that has an effect on the version alone that was seen last.
    fn fenced(&self, mut patch: Value) -> Value {
        let known = self.known();
        let (version, uid) = (known.get("resourceVersion").cloned(), &self.uid);
        if let Value::Object(members) = &mut patch
            && let Value::Object(metadata) = members.entry("metadata").or_insert_with(|| json!({}))
        {
            metadata.insert("resourceVersion".to_owned(), version.unwrap_or_default());
            metadata.insert("uid".to_owned(), json!(uid));
        }
        patch
    }

    /// The object as it is. An object with another uid is another one.
    async fn same(&self) -> Result<Value, ApiError> {
        let object = self.read().await?;
        let is_same = object.pointer("/metadata/uid").and_then(Value::as_str) == Some(&self.uid);
        if is_same { Ok(object) } else { Err(ApiError::NotFound) }
    }

    async fn read(&self) -> Result<Value, ApiError> {
        let request = self.request().get(&self.name, &kube::api::GetParams::default());
        timeout(REQUEST_LIMIT, self.answer(request)).await.unwrap_or_else(|_| Err(late(REQUEST_LIMIT)))
    }

    async fn send(&self, part: Part, answer: Answer, patch: &Value) -> Result<Value, ApiError> {
        let parameters = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let patch = Patch::Merge(patch);
        let request = match part {
            Part::Main => self.request().patch(&self.name, &parameters, &patch),
            Part::Status => self.request().patch_subresource("status", &self.name, &parameters, &patch),
        };
        let request = request.map(|mut request| {
            if answer == Answer::Metadata {
                request.headers_mut().insert(ACCEPT, METADATA);
            }
            request
        });
        let span =
            span!("write", otel.name = format!("write {}", part.name()), otel.kind = "client", part = part.name());
        let answer = timeout(REQUEST_LIMIT, self.answer(request));
        within(span, async { answer.await.unwrap_or_else(|_| Err(late(REQUEST_LIMIT))) }).await
    }

    fn request(&self) -> Request {
        Request::new(self.kind.path(Some(&self.namespace)))
    }

    async fn answer(
        &self,
        request: Result<HttpRequest<Vec<u8>>, kube::core::request::Error>,
    ) -> Result<Value, ApiError> {
        let request = request.map_err(|error| ApiError::Refused { status: 0, message: error.to_string() })?;
        let Bare(object) = self.client.request(request).await.map_err(|error| told(&error))?;
        if let Some(metadata) = object.get("metadata") {
            *self.known() = metadata.clone();
        }
        Ok(object)
    }

    fn known(&self) -> MutexGuard<'_, Value> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ObjectApi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.kind.name, self.namespace, self.name)
    }
}

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
        self.api.send(Part::Status, Answer::Object, patch).await.map(|object| parts(&object))
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
