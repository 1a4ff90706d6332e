//! Objects of Kubernetes that controllers keep in addition to extension resources: Secrets, ManagedResources,
//! machines.

mod head;

use std::fmt;

use hyper::Request as HttpRequest;
use hyper::header::{ACCEPT, HeaderValue};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;
use kube::Client;
use kube::api::{DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams, Preconditions};
use kube::core::Request;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::api_server::managed_fields::WithoutManagedFields;
use crate::api_server::member::text;
use crate::api_server::requests::{MANAGER, METADATA, WriteError};
use crate::api_server::resource::Resource;
use crate::api_server::sender::{Asked, Effect, LIMIT, Sender, fenced};
use head::Partial;
pub use head::{Head, ResourceVersions};
use trellis_policies::span::span;
use trellis_runner::limits::permit::Permit;
use trellis_runner::state::object::ApiError;

/// The most objects in an answer to a list.
const PAGE: u32 = 500;
/// How often a change is computed again because somebody else changes the object.
const MOST_CONFLICTS: usize = 10;

/// The objects of an API server. A write is sent only while this process may change things. A patch is fenced: it
/// has no effect on an object that somebody else has changed or made again since.
#[derive(Clone)]
pub struct Objects {
    sender: Sender,
    /// When the attempt that they are read and written for ends.
    deadline: Instant,
}

/// Asks for metadata alone (Kubernetes API concepts, "Metadata-only fetches").
const METADATA_OF_LIST: HeaderValue =
    HeaderValue::from_static("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");

impl Objects {
    /// The objects of an API server, for as long as the permit lasts, and until a deadline.
    pub fn new(client: Client, permit: Permit, deadline: Instant) -> Self {
        Self { sender: Sender { client, permit }, deadline }
    }

    /// An object; none where there is none.
    pub async fn get(&self, of: &Resource, namespace: &str, name: &str) -> Result<Option<Value>, WriteError> {
        let request = || Request::new(of.path(namespace)).get(name, &GetParams::default());
        found(self.carry_out("get", of, Effect::Reads, request).await)
    }

    /// An object as the cache of the API server has it, which may be some moments old: for code that only looks,
    /// and often.
    pub async fn glance(&self, of: &Resource, namespace: &str, name: &str) -> Result<Option<Value>, WriteError> {
        let request = || Request::new(of.path(namespace)).get(name, &GetParams::any());
        found(self.carry_out("get", of, Effect::Reads, request).await)
    }

    /// All objects of a namespace, in the same way. They have no `apiVersion` and no `kind`.
    pub async fn glance_all(&self, of: &Resource, namespace: &str) -> Result<Vec<Value>, WriteError> {
        let all = self.pages(of, namespace, ListParams::default().match_any(), None).await?;
        Ok(all.into_iter().map(|WithoutManagedFields(object)| object).collect())
    }

    /// All objects of a namespace that a label selector selects, in the order of their names. They have no
    /// `apiVersion` and no `kind`.
    pub async fn list(&self, of: &Resource, namespace: &str, selector: &str) -> Result<Vec<Value>, WriteError> {
        let parameters = ListParams::default().limit(PAGE);
        let parameters = if selector.is_empty() { parameters } else { parameters.labels(selector) };
        let all = self.pages(of, namespace, parameters, None).await?;
        Ok(all.into_iter().map(|WithoutManagedFields(object)| object).collect())
    }

    /// What identifies an object and its version; none where there is none. The API server sends its metadata
    /// alone.
    pub async fn head(&self, of: &Resource, namespace: &str, name: &str) -> Result<Option<Head>, WriteError> {
        let request =
            || Ok(accepting(METADATA, Request::new(of.path(namespace)).get(name, &GetParams::default())?));
        found(self.carry_out_as("get", of, Effect::Reads, request).await.map(|Partial { metadata }| metadata))
    }

    /// What identifies the objects of a namespace and their versions. The API server sends their metadata alone.
    pub async fn heads(&self, of: &Resource, namespace: &str) -> Result<Vec<Head>, WriteError> {
        let parameters = ListParams::default().limit(PAGE);
        let all = self.pages(of, namespace, parameters, Some(METADATA_OF_LIST)).await?;
        Ok(all.into_iter().map(|Partial { metadata }| metadata).collect())
    }

    /// All objects of a list, page by page.
    async fn pages<T: DeserializeOwned>(
        &self,
        of: &Resource,
        namespace: &str,
        mut parameters: ListParams,
        accept: Option<HeaderValue>,
    ) -> Result<Vec<T>, WriteError> {
        #[derive(Deserialize)]
        struct Page<T> {
            metadata: Option<ListMeta>,
            items: Option<Vec<T>>,
        }
        let mut all = Vec::new();
        loop {
            let request = || {
                let request = Request::new(of.path(namespace)).list(&parameters)?;
                Ok(match &accept {
                    Some(accept) => accepting(accept.clone(), request),
                    None => request,
                })
            };
            let Page { metadata, items } = self.carry_out_as("list", of, Effect::Reads, request).await?;
            all.extend(items.into_iter().flatten());
            match metadata.and_then(|metadata| metadata.continue_) {
                Some(token) if !token.is_empty() => parameters = parameters.continue_token(&token),
                _ => return Ok(all),
            }
        }
    }

    /// Creates an object. Where one of its name exists, nothing happens, and this is [`ApiError::AlreadyExists`].
    pub async fn create(&self, of: &Resource, object: &Value) -> Result<Value, WriteError> {
        let body = serde_json::to_vec(&whole(of, object)).unwrap_or_default();
        let parameters = PostParams { field_manager: Some(MANAGER.to_owned()), ..PostParams::default() };
        let request = || Request::new(of.path(namespace(object))).create(&parameters, body.clone());
        self.carry_out("create", of, Effect::Writes, request).await
    }

    /// Sends a merge patch, which has an effect on the version `live` of the object alone. Returns the object as
    /// it is then.
    pub async fn patch(&self, of: &Resource, live: &Value, patch: &Value) -> Result<Value, WriteError> {
        let of_live = |key: &str| live.pointer(&format!("/metadata/{key}")).cloned().unwrap_or_default();
        let patch = fenced(patch.clone(), of_live("resourceVersion"), of_live("uid"));
        let parameters = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let patch = Patch::Merge(patch);
        let request = || Request::new(of.path(namespace(live))).patch(name(live), &parameters, &patch);
        self.carry_out("patch", of, Effect::Writes, request).await
    }

    /// Deletes an object, and no other one of its name. Its finalizers may keep it for a while.
    pub async fn delete(&self, of: &Resource, live: &Value) -> Result<(), WriteError> {
        let uid = live.pointer("/metadata/uid").and_then(Value::as_str).map(str::to_owned);
        let preconditions = Some(Preconditions { uid, resource_version: None });
        let parameters = DeleteParams { preconditions, ..DeleteParams::background() };
        let request = || Request::new(of.path(namespace(live))).delete(name(live), &parameters);
        for _ in 0..MOST_CONFLICTS {
            match self.carry_out("delete", of, Effect::Writes, request).await {
                Err(WriteError::Api(ApiError::Conflict)) => {}
                answer => return found(answer).map(drop),
            }
            // Another object has its name, or else the API server was busy with this one.
            let now = self.get(of, namespace(live), name(live)).await?.unwrap_or_default();
            if now.pointer("/metadata/uid") != live.pointer("/metadata/uid") {
                return Ok(());
            }
        }
        Err(ApiError::Conflict.into())
    }

    /// Deletes an object by its name, where it exists.
    pub async fn delete_named(&self, of: &Resource, namespace: &str, name: &str) -> Result<(), WriteError> {
        match self.get(of, namespace, name).await? {
            Some(live) if live.pointer("/metadata/deletionTimestamp").is_none() => self.delete(of, &live).await,
            _ => Ok(()),
        }
    }

    /// Gives an object the members of `wanted`, and creates it where it is missing. Members that `wanted` has as
    /// null go; what `wanted` does not name stays. Where nothing differs, nothing is written. Returns the object
    /// as it is then.
    pub async fn keep(&self, of: &Resource, wanted: &Value) -> Result<Value, WriteError> {
        self.change(of, namespace(wanted), name(wanted), |live| match live {
            None => without_nulls(wanted),
            Some(live) => difference(live, wanted),
        })
        .await
        .map(Option::unwrap_or_default)
    }

    /// Changes an object: `change` says of the object as it is which merge patch to send, and where there is none,
    /// which object to create; nothing, where all is well. It is asked again when somebody else was faster.
    /// Returns the object as it is then.
    pub async fn change(
        &self,
        of: &Resource,
        namespace: &str,
        name: &str,
        change: impl Fn(Option<&Value>) -> Option<Value>,
    ) -> Result<Option<Value>, WriteError> {
        let mut error = ApiError::Conflict;
        for _ in 0..MOST_CONFLICTS {
            let live = self.get(of, namespace, name).await?;
            let Some(wanted) = change(live.as_ref()) else { return Ok(live) };
            let written = match &live {
                None => self.create(of, &wanted).await,
                Some(live) => self.patch(of, live, &wanted).await,
            };
            match written {
                Ok(object) => return Ok(Some(object)),
                Err(WriteError::Api(
                    known @ (ApiError::Conflict | ApiError::AlreadyExists | ApiError::NotFound),
                )) => error = known,
                Err(other) => return Err(other),
            }
        }
        Err(error.into())
    }

    /// Sends a request for an object or a list of objects, again and again while the API server is not well.
    async fn carry_out(
        &self,
        verb: &'static str,
        of: &Resource,
        effect: Effect,
        request: impl Fn() -> Asked,
    ) -> Result<Value, WriteError> {
        self.carry_out_as(verb, of, effect, request).await.map(|WithoutManagedFields(object)| object)
    }

    /// The same, where the answer is read as something else.
    async fn carry_out_as<T: DeserializeOwned>(
        &self,
        verb: &'static str,
        of: &Resource,
        effect: Effect,
        request: impl Fn() -> Asked,
    ) -> Result<T, WriteError> {
        let began = Instant::now();
        let until = (began + LIMIT).min(self.deadline);
        if until <= began {
            let message = "the time of this attempt is over".to_owned();
            return Err(ApiError::Server { status: None, message }.into());
        }
        let name = || format!("{verb} {}", of.kind);
        let span = || span!("object", otel.name = name(), otel.kind = "client", verb, kind = of.kind);
        self.sender.send(effect, until, span, request).await
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Objects")
    }
}

/// The merge patch (RFC 7386) that gives `live` the members of `wanted`; none where nothing differs. Members that
/// `wanted` has as null go, what `wanted` does not name stays, and a list is one value.
pub fn difference(live: &Value, wanted: &Value) -> Option<Value> {
    let (Value::Object(live), Value::Object(wanted)) = (live, wanted) else {
        return (live != wanted).then(|| wanted.clone());
    };
    let mut patch = Map::new();
    for (key, wanted) in wanted {
        let change = match live.get(key) {
            None => without_nulls(wanted),
            Some(live) => difference(live, wanted),
        };
        if let Some(change) = change {
            patch.insert(key.clone(), change);
        }
    }
    (!patch.is_empty()).then_some(Value::Object(patch))
}

/// What a value comes to where nothing is there yet: members that are null are none.
fn without_nulls(wanted: &Value) -> Option<Value> {
    match wanted {
        Value::Null => None,
        Value::Object(members) => {
            let kept: Map<String, Value> =
                members.iter().filter_map(|(key, value)| Some((key.clone(), without_nulls(value)?))).collect();
            (members.is_empty() || !kept.is_empty()).then_some(Value::Object(kept))
        }
        other => Some(other.clone()),
    }
}

fn found<T>(answer: Result<T, WriteError>) -> Result<Option<T>, WriteError> {
    match answer {
        Err(error) if error.is_gone() => Ok(None),
        answer => answer.map(Some),
    }
}

fn accepting(accept: HeaderValue, mut request: HttpRequest<Vec<u8>>) -> HttpRequest<Vec<u8>> {
    request.headers_mut().insert(ACCEPT, accept);
    request
}

fn whole(of: &Resource, object: &Value) -> Value {
    let mut whole = object.clone();
    if let Value::Object(members) = &mut whole {
        members.insert("apiVersion".to_owned(), json!(of.api_version()));
        members.insert("kind".to_owned(), json!(of.kind));
    }
    whole
}

/// The namespace of an object; empty where it has none.
pub fn namespace(object: &Value) -> &str {
    text(object, "/metadata/namespace")
}

/// The name of an object.
pub fn name(object: &Value) -> &str {
    text(object, "/metadata/name")
}

/// Whether somebody has deleted an object, which waits for its finalizers.
pub fn is_deleted(object: &Value) -> bool {
    object.pointer("/metadata/deletionTimestamp").is_some()
}

#[cfg(test)]
mod tests;
