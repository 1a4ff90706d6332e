//! Requests for one object, and what its state needs of an API server.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::header::ACCEPT;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Client;
use kube::api::{GetParams, Patch, PatchParams};
use kube::core::Request;
use serde_json::{Value, json};
use tokio::time::Instant;
use tracing::Span;

use super::managed_fields::WithoutManagedFields;
use super::requests::{MANAGER, METADATA, WriteError};
use super::resource::Resource;
use super::sender::{Asked, Effect, LIMIT, Sender, fenced};
use crate::api_server::member::text;
use trellis_policies::span::{span, within};
use trellis_runner::limits::permit::Permit;
use trellis_runner::state::object::{ApiError, Object, Objects};

/// One object of a kind, at its API server. Each write is fenced by the version of the object that was seen last:
/// it has no effect on an object that somebody else changed or made again meanwhile, however late the API server
/// carries it out.
#[derive(Clone)]
pub struct ObjectApi {
    sender: Sender,
    of: Resource,
    namespace: String,
    name: String,
    uid: String,
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

    fn span(self) -> Span {
        let part = self.name();
        span!("write", otel.name = format!("write {part}"), otel.kind = "client", part)
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
    /// An object of a kind as a cache has it: its metadata.
    pub fn new(client: Client, of: Resource, metadata: &ObjectMeta, permit: Permit) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            sender: Sender { client, permit },
            of,
            namespace: text(&metadata.namespace),
            name: text(&metadata.name),
            uid: text(&metadata.uid),
            // Never fails: metadata have string keys and no fallible parts.
            known: Arc::new(Mutex::new(serde_json::to_value(metadata).unwrap_or_default())),
        }
    }

    /// The newest version of the object that was seen, as a number.
    pub fn newest(&self) -> Option<u64> {
        self.known().get("resourceVersion")?.as_str()?.parse().ok()
    }

    /// Changes the metadata of the object by a merge patch, again and again while the API server is not well.
    /// `change` gets the metadata as they are, and says what to change, or that nothing is to be changed.
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

    /// Looks at the object again, again and again while the API server is not well. An object with another uid is
    /// another one.
    pub async fn reread(&self) -> Result<Value, WriteError> {
        self.same(Effect::Reads, Instant::now() + LIMIT).await
    }

    /// Writes into the status of the object once; who calls this can do without.
    pub async fn try_write_status(&self, status: &Value) -> Result<(), WriteError> {
        let patch = self.fenced(json!({ "status": status }));
        let request = self.patch(Part::Status, Answer::Metadata, &patch);
        self.sender.once(Effect::Records, Part::Status.span(), request).await.map(|object| drop(self.seen(object)))
    }

    /// The objects that a store of the state patches. `first` is the object as the API server has just answered
    /// it.
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
        loop {
            let known = self.known().clone();
            let Some(patch) = change(&known) else { return Ok(None) };
            let patch = self.fenced(patch);
            let request = || self.patch(part, answer, &patch);
            match self.sender.send(Effect::Records, until, || part.span(), request).await {
                // The answer of an attempt before may be lost, or somebody else was faster.
                Err(WriteError::Api(ApiError::Conflict)) if Instant::now() < until => {
                    self.same(Effect::Records, until).await?;
                }
                answer => return answer.map(|object| Some(self.seen(object))),
            }
        }
    }

    /// A patch that has an effect on the version alone that was seen last.
    fn fenced(&self, patch: Value) -> Value {
        let version = self.known().get("resourceVersion").cloned().unwrap_or_default();
        fenced(patch, version, json!(self.uid))
    }

    /// The object as it is. An object with another uid is another one.
    async fn same(&self, effect: Effect, until: Instant) -> Result<Value, WriteError> {
        let object = self.seen(self.sender.send(effect, until, Span::none, || self.get()).await?);
        let is_same = object.pointer("/metadata/uid").and_then(Value::as_str) == Some(&self.uid);
        if is_same { Ok(object) } else { Err(ApiError::NotFound.into()) }
    }

    fn get(&self) -> Asked {
        self.request().get(&self.name, &GetParams::default())
    }

    fn patch(&self, part: Part, answer: Answer, patch: &Value) -> Asked {
        let parameters = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let patch = Patch::Merge(patch);
        let mut request = match part {
            Part::Main => self.request().patch(&self.name, &parameters, &patch),
            Part::Status => self.request().patch_subresource("status", &self.name, &parameters, &patch),
        }?;
        if answer == Answer::Metadata {
            request.headers_mut().insert(ACCEPT, METADATA);
        }
        Ok(request)
    }

    fn request(&self) -> Request {
        Request::new(self.of.path(&self.namespace))
    }

    /// Notes which version an answer has.
    fn seen(&self, WithoutManagedFields(object): WithoutManagedFields) -> Value {
        if let Some(metadata) = object.get("metadata") {
            *self.known() = metadata.clone();
        }
        object
    }

    fn known(&self) -> MutexGuard<'_, Value> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ObjectApi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.of.kind, self.namespace, self.name)
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
        self.api.sender.answer(self.api.get()).await.map(|object| parts(&self.api.seen(object)))
    }

    async fn patch(&self, patch: &Value) -> Result<Object, ApiError> {
        let request = self.api.patch(Part::Status, Answer::Object, patch);
        let sent = within(Part::Status.span(), self.api.sender.answer(request)).await;
        sent.map(|object| parts(&self.api.seen(object)))
    }
}

fn parts(object: &Value) -> Object {
    Object {
        resource_version: text(object, "/metadata/resourceVersion").to_owned(),
        uid: text(object, "/metadata/uid").to_owned(),
        state: object.pointer("/status/state").cloned(),
    }
}
