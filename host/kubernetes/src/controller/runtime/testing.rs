//! An API server in memory, for tests of what controllers read and write: objects in namespaces, their statuses,
//! versions, merge patches; and a reconcile of an object that it has.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use http_body_util::BodyExt as _;
use hyper::{Method, Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::service_fn;

use crate::api_server::object::ObjectApi;
use crate::api_server::objects::Objects;
use crate::api_server::resource::Resource;
use crate::controller::runtime::actuator::Actuator;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::reconcile::{Outcome, Reconcile};
use crate::controller::runtime::safeguards::Safeguards;
use crate::controller::runtime::trigger::Trigger;
use trellis_policies::engine::Engine;
use trellis_runner::limits::permit::Permit;
use trellis_testing::engine::FakeEngine;

/// A policy of Alibaba Cloud whose answers a test gives, whatever the function.
pub fn policy_answering(answer: impl Fn(&str) -> Value + Send + Sync) -> impl Engine {
    FakeEngine::new(&["alicloud"], move |_, _, request| answer(request).to_string())
}

/// The server. Clones are the same one.
#[derive(Clone, Default)]
pub struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// By path.
    objects: BTreeMap<String, Value>,
    requests: Vec<String>,
    /// The write that fails, counted from 0, and with which code.
    fails: Option<(usize, u16)>,
    writes: usize,
    version: u64,
}

impl Server {
    /// With an object.
    pub fn with(self, of: &Resource, object: Value) -> Self {
        let path = format!(
            "{}/{}",
            of.path(crate::api_server::objects::namespace(&object)),
            crate::api_server::objects::name(&object)
        );
        self.lock().store(path, object);
        self
    }

    /// Whose write with this number, counted from 0, fails with a code and without an effect.
    pub fn failing(self, at: usize, code: u16) -> Self {
        self.lock().fails = Some((at, code));
        self
    }

    /// An object as it is.
    pub fn object(&self, of: &Resource, namespace: &str, name: &str) -> Option<Value> {
        self.lock().objects.get(&format!("{}/{name}", of.path(namespace))).cloned()
    }

    /// The requests since the last call: verb, and kind with name.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().requests)
    }

    /// A client of the server.
    pub fn client(&self) -> Client {
        let server = self.clone();
        let service = service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move {
                let (head, body) = request.into_parts();
                let body = body.collect().await.unwrap().to_bytes();
                let body = serde_json::from_slice(&body).unwrap_or_default();
                let query = head.uri.query().unwrap_or_default();
                let selector = form_urlencoded::parse(query.as_bytes())
                    .find_map(|(key, value)| (key == "labelSelector").then(|| value.into_owned()));
                let selector = selector.unwrap_or_default();
                let (code, answer) = server.lock().answer(&head.method, head.uri.path(), &selector, body);
                let answer = serde_json::to_vec(&answer).unwrap();
                Ok::<_, std::convert::Infallible>(
                    Response::builder().status(code).body(Body::from(answer)).unwrap(),
                )
            }
        });
        Client::new(service, "default")
    }

    /// Its objects, with a permit that never ends.
    pub fn objects(&self) -> Objects {
        Objects::new(self.client(), Permit::unlimited(), Instant::now() + std::time::Duration::from_mins(10))
    }

    /// Reconciles an object of the server once, as its controller does when a cache shows it, for a Shoot.
    pub async fn reconcile(&self, actuator: &dyn Actuator, namespace: &str, name: &str, shoot: &Value) -> Outcome {
        self.reconcile_with(actuator, namespace, name, Some(shoot)).await
    }

    /// The same with the Cluster of a Shoot, or without one.
    pub async fn reconcile_with(
        &self,
        actuator: &dyn Actuator,
        namespace: &str,
        name: &str,
        shoot: Option<&Value>,
    ) -> Outcome {
        let of = actuator.kind().objects();
        let object: Extension = serde_json::from_value(self.object(&of, namespace, name).unwrap()).unwrap();
        // A Cluster keeps parts of the text that it was read from.
        let cluster = |shoot| json!({ "metadata": { "name": namespace }, "spec": { "shoot": shoot } }).to_string();
        let cluster: Option<Cluster> = shoot.map(|shoot| serde_json::from_str(&cluster(shoot)).unwrap());
        let reconcile = Reconcile {
            actuator,
            object: &object,
            cluster: cluster.as_ref(),
            api: ObjectApi::new(self.client(), of, &object.metadata, Permit::unlimited()),
            client: self.client(),
            trigger: Trigger::Annotation,
            is_owed: false,
            waits: None,
            safeguards: Safeguards::default(),
            permit: Permit::unlimited(),
            events: &Events::none(),
        };
        reconcile.run().await
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

impl State {
    fn store(&mut self, path: String, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        if object["metadata"].get("uid").is_none() {
            object["metadata"]["uid"] = json!(format!("u{}", self.version));
            object["metadata"]["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        self.objects.insert(path, object.clone());
        object
    }

    fn answer(&mut self, method: &Method, path: &str, selector: &str, mut body: Value) -> (u16, Value) {
        let status_of = path.strip_suffix("/status").filter(|of| self.objects.contains_key(*of));
        if let Some(members) = body.as_object_mut().filter(|_| status_of.is_some()) {
            members.retain(|key, _| ["metadata", "status"].contains(&key.as_str()));
        }
        let (path, part) = status_of.map_or((path, ""), |of| (of, "/status"));
        let is_list = method == Method::GET && is_plural(path);
        let short: Vec<&str> = path.rsplit('/').take(2).collect();
        let named = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        let verb = if is_list { "LIST" } else { method.as_str() };
        self.requests.push(match (method, is_list) {
            (&Method::POST, _) => format!("{verb} {}/{named}", short[0]),
            (_, true) => format!("{verb} {}", short[0]),
            _ => format!("{verb} {}/{}{part}", short[1], short[0]),
        });
        if method != Method::GET {
            self.writes += 1;
            if let Some((_, code)) = self.fails.filter(|(at, _)| at + 1 == self.writes) {
                return status(code);
            }
        }
        if is_list {
            let items: Vec<&Value> = self
                .objects
                .iter()
                .filter(|(of, object)| is_listed(of, path) && is_selected(object, selector))
                .map(|(_, object)| object)
                .collect();
            return (200, json!({ "items": items, "metadata": {} }));
        }
        match *method {
            Method::POST => {
                let path = format!("{path}/{named}");
                if self.objects.contains_key(&path) { exists() } else { (201, self.store(path, body)) }
            }
            Method::GET => self.objects.get(path).map_or_else(|| status(404), |object| (200, object.clone())),
            Method::PATCH => {
                let Some(mut object) = self.objects.get(path).cloned() else { return status(404) };
                let version = body.pointer("/metadata/resourceVersion");
                if version.is_some_and(|version| *version != object["metadata"]["resourceVersion"]) {
                    return status(409);
                }
                merge(&mut object, body);
                (200, self.store(path.to_owned(), object))
            }
            Method::DELETE => self.objects.remove(path).map_or_else(|| status(404), |object| (200, object)),
            _ => status(405),
        }
    }
}

/// Whether a path is that of a list: after group and version there are a plural, or a namespace and a plural, and
/// no name.
fn is_plural(path: &str) -> bool {
    let root = if path.starts_with("/apis/") { 4 } else { 3 };
    path.split('/').count().saturating_sub(root) % 2 == 1
}

/// Whether the object with a path is one of a list: of a namespace, of those without one, or of all namespaces.
fn is_listed(object: &str, list: &str) -> bool {
    let (place, _) = object.rsplit_once('/').unwrap();
    let of_all = place.split_once("/namespaces/").and_then(|(root, rest)| {
        let (_, plural) = rest.split_once('/')?;
        Some(format!("{root}/{plural}"))
    });
    place == list || of_all.as_deref() == Some(list)
}

/// Whether an object has all labels of a selector, such as `a=b,c=d`.
pub(crate) fn is_selected(object: &Value, selector: &str) -> bool {
    let mut parts = selector.split(',').filter_map(|part| part.split_once('='));
    parts.all(|(key, value)| object["metadata"]["labels"][key] == value)
}

fn exists() -> (u16, Value) {
    let (code, mut answer) = status(409);
    answer["reason"] = json!("AlreadyExists");
    (code, answer)
}

fn status(code: u16) -> (u16, Value) {
    (code, json!({ "kind": "Status", "code": code, "message": "no", "status": "Failure" }))
}

/// JSON merge patch (RFC 7386).
pub(crate) fn merge(into: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *into = patch;
        return;
    };
    if !into.is_object() {
        *into = json!({});
    }
    for (key, value) in patch {
        let members = into.as_object_mut().unwrap();
        if value.is_null() {
            members.shift_remove(&key);
        } else {
            merge(members.entry(key).or_insert(Value::Null), value);
        }
    }
}
