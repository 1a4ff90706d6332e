//! An API server in memory, with the objects of one namespace.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use http_body_util::BodyExt as _;
use hyper::{Method, Request, Response, Uri};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tower::service_fn;

use crate::controller::runtime::testing::merge;

/// The server. Clones are the same one.
#[derive(Clone, Default)]
pub(super) struct Server(Arc<Mutex<State>>);

#[derive(Default)]
pub(super) struct State {
    /// By kind and name, such as `secrets/a`.
    pub objects: BTreeMap<String, Value>,
    /// What the controller wrote, such as `create secrets/a`.
    pub writes: Vec<String>,
    /// The controller's write that is refused, by its number.
    refuses: Option<usize>,
    /// What somebody else writes right before the controller's next write of an object.
    pub overtaken: Option<(String, Value)>,
    requests: usize,
    version: u64,
}

impl Server {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub fn client(&self) -> Client {
        let server = self.clone();
        let service = service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move {
                let (head, body) = request.into_parts();
                let body = body.collect().await.unwrap().to_bytes();
                let body: Value = serde_json::from_slice(&body).unwrap_or_default();
                let (code, answer) = server.state().answer(&head.method, &head.uri, body);
                let answer = serde_json::to_vec(&answer).unwrap();
                Ok::<_, Infallible>(Response::builder().status(code).body(Body::from(answer)).unwrap())
            }
        });
        Client::new(service, "default")
    }
}

impl State {
    /// Puts an object as somebody else than the controller writes it.
    pub fn put(&mut self, plural: &str, mut object: Value) {
        let key = format!("{plural}/{}", object["metadata"]["name"].as_str().unwrap());
        self.version += 1;
        let metadata = &mut object["metadata"];
        metadata["namespace"] = json!("shoot--a--b");
        metadata["resourceVersion"] = json!(self.version.to_string());
        for (key, value) in [("uid", json!(format!("u{}", self.version))), ("generation", json!(1))] {
            if metadata.get(key).is_none() {
                metadata[key] = value;
            }
        }
        if metadata.get("creationTimestamp").is_none() {
            metadata["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        self.objects.insert(key, object);
    }

    /// Refuses a write of the controller, counted from 0 and from now on.
    pub fn refuse(&mut self, write: usize) {
        (self.refuses, self.requests) = (Some(write), 0);
    }

    /// Whether that write was refused.
    pub fn has_refused(&self) -> bool {
        self.refuses.is_some_and(|write| self.requests > write)
    }

    /// Changes an object by a merge patch, as somebody else than the controller does.
    pub fn patch(&mut self, key: &str, patch: Value) {
        let Some(object) = self.objects.get_mut(key) else { return };
        let before = object["spec"].clone();
        merge(object, patch);
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        if object["spec"] != before {
            let generation = object["metadata"]["generation"].as_i64().unwrap_or_default();
            object["metadata"]["generation"] = json!(generation + 1);
        }
        let is_held = object["metadata"]["finalizers"].as_array().is_some_and(|finalizers| !finalizers.is_empty());
        if object["metadata"].get("deletionTimestamp").is_some() && !is_held {
            self.objects.remove(key);
        }
    }

    /// Deletes an object, which its finalizers may hold.
    pub fn delete(&mut self, key: &str) {
        self.patch(key, json!({ "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" } }));
    }

    /// The names of the objects of a kind.
    pub fn names(&self, plural: &str) -> Vec<String> {
        let prefix = format!("{plural}/");
        self.objects.keys().filter_map(|key| key.strip_prefix(&prefix)).map(str::to_owned).collect()
    }

    /// The objects of a kind.
    pub fn all(&self, plural: &str) -> Vec<Value> {
        self.names(plural).iter().map(|name| self.objects[&format!("{plural}/{name}")].clone()).collect()
    }

    fn answer(&mut self, method: &Method, uri: &Uri, body: Value) -> (u16, Value) {
        let parts: Vec<&str> = uri.path().split('/').skip_while(|part| *part != "namespaces").skip(2).collect();
        let (plural, name) = (parts[0], parts.get(1).copied().unwrap_or_default());
        if method == Method::GET && name.is_empty() {
            return (200, json!({ "items": self.list(plural, uri.query().unwrap_or_default()) }));
        }
        let name = if method == Method::POST { body["metadata"]["name"].as_str().unwrap() } else { name };
        let key = format!("{plural}/{name}");
        let missing = (404, status(404));
        if method == Method::GET {
            return self.objects.get(&key).map_or(missing, |object| (200, object.clone()));
        }
        self.requests += 1;
        if self.refuses == Some(self.requests - 1) {
            return (422, status(422));
        }
        if let Some((_, patch)) = self.overtaken.take_if(|(overtaken, _)| *overtaken == key) {
            self.patch(&key, patch);
        }
        let live = self.objects.get(&key);
        match method.as_str() {
            "POST" if live.is_some() => return (409, exists()),
            "POST" => {
                self.put(plural, body);
                self.writes.push(format!("create {key}"));
            }
            "PATCH" => {
                let Some(live) = live else { return missing };
                if ["uid", "resourceVersion"].iter().any(|part| live["metadata"][*part] != body["metadata"][*part])
                {
                    return (409, status(409));
                }
                self.patch(&key, body);
                self.writes.push(format!("patch {key}"));
            }
            _ => {
                let Some(live) = live else { return missing };
                assert_eq!(live["metadata"]["uid"], body["preconditions"]["uid"], "{key}");
                self.delete(&key);
                self.writes.push(format!("delete {key}"));
            }
        }
        (200, self.objects.get(&key).cloned().unwrap_or_else(|| status(200)))
    }

    fn list(&self, plural: &str, query: &str) -> Vec<Value> {
        let selector = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "labelSelector");
        let selects = |object: &Value| {
            selector.as_ref().and_then(|(_, selector)| selector.split_once('=')).is_none_or(|(key, value)| {
                object["metadata"]["labels"].get(key).and_then(Value::as_str) == Some(value)
            })
        };
        let mut items = self.all(plural);
        items.retain(selects);
        for item in &mut items {
            for key in ["apiVersion", "kind"] {
                item.as_object_mut().unwrap().shift_remove(key);
            }
        }
        items
    }
}

fn exists() -> Value {
    let mut answer = status(409);
    answer["reason"] = json!("AlreadyExists");
    answer
}

fn status(code: u16) -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "code": code, "message": "no", "reason": "no", "status": "Failure" })
}
