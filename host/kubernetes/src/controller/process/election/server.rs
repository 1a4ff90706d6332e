//! An API server in memory that knows Leases, and fails as a test says.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::{Method, Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::time::Instant;

/// What goes wrong with a request.
#[derive(Clone, Copy, Debug)]
pub(in crate::controller) enum Fault {
    /// The server answers with this status, and does nothing.
    Status(u16),
    /// The server does what it is asked to, and the connection breaks.
    LostAnswer,
    /// The server does nothing, and never answers.
    Silence,
    /// The server does what it is asked to, and the answer takes so long.
    Slow(Duration),
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub(in crate::controller) struct Seen {
    pub(in crate::controller) at: Instant,
    pub(in crate::controller) method: Method,
    pub(in crate::controller) status: Option<u16>,
}

#[derive(Default)]
struct State {
    leases: BTreeMap<String, Value>,
    version: u64,
    faults: VecDeque<Fault>,
    /// What goes wrong with every request of these methods.
    always: Option<(Vec<Method>, Fault)>,
    seen: Vec<Seen>,
}

/// The server. Clones are the same server.
#[derive(Clone, Default)]
pub(in crate::controller) struct Server(Arc<Mutex<State>>);

impl Server {
    /// A client with a connection of its own.
    pub(in crate::controller) fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request| {
            let server = server.clone();
            async move { server.answer(request).await }
        });
        Client::new(service, "default")
    }

    /// The next requests fail so, one after the other.
    pub(in crate::controller) fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().faults.extend(faults);
    }

    /// From now on each request of these methods fails so, or none.
    pub(in crate::controller) fn fail_always(&self, fault: Option<(Vec<Method>, Fault)>) {
        self.lock().always = fault;
    }

    /// The `spec` of a Lease.
    pub(in crate::controller) fn spec(&self, name: &str) -> Option<Value> {
        Some(self.lock().leases.get(name)?["spec"].clone())
    }

    /// Somebody edits a Lease.
    pub(in crate::controller) fn edit(&self, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut state = self.lock();
        state.version += 1;
        let version = state.version.to_string();
        let lease = state.leases.entry(name.to_owned()).or_insert_with(|| {
            json!({
                "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                "metadata": { "name": name, "namespace": "garden", "uid": "1" }, "spec": {},
            })
        });
        edit(lease);
        lease["metadata"]["resourceVersion"] = json!(version);
    }

    /// Somebody deletes a Lease.
    pub(in crate::controller) fn delete(&self, name: &str) {
        self.lock().leases.remove(name);
    }

    /// The requests that arrived.
    pub(in crate::controller) fn seen(&self) -> Vec<Seen> {
        self.lock().seen.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, std::io::Error> {
        let (head, body) = request.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let name = head.uri.path().split_once("/leases").unwrap().1.trim_start_matches('/').to_owned();
        let (fault, index) = {
            let mut state = self.lock();
            let always = state.always.clone().filter(|(methods, _)| methods.contains(&head.method));
            let fault = state.faults.pop_front().or(always.map(|(_, fault)| fault));
            state.seen.push(Seen { at: Instant::now(), method: head.method.clone(), status: None });
            (fault, state.seen.len() - 1)
        };
        let (status, answer) = match fault {
            Some(Fault::Status(status)) => (status, failure(status, "as the test says")),
            Some(Fault::Silence) => return std::future::pending().await,
            _ => self.carry_out(&head.method, &name, body),
        };
        match fault {
            Some(Fault::LostAnswer) => return Err(std::io::ErrorKind::ConnectionReset.into()),
            Some(Fault::Slow(time)) => tokio::time::sleep(time).await,
            _ => {}
        }
        self.lock().seen[index].status = Some(status);
        let body = Body::from(serde_json::to_vec(&answer).unwrap());
        Ok(Response::builder().status(StatusCode::from_u16(status).unwrap()).body(body).unwrap())
    }

    fn carry_out(&self, method: &Method, name: &str, body: Value) -> (u16, Value) {
        let mut state = self.lock();
        let version = state.version + 1;
        let stored = |mut lease: Value| {
            lease["metadata"]["resourceVersion"] = json!(version.to_string());
            lease["metadata"]["uid"] = json!("1");
            lease
        };
        let created = body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let (name, known) = match *method {
            Method::POST => (created.as_str(), state.leases.get(&created).cloned()),
            _ => (name, state.leases.get(name).cloned()),
        };
        let next = match (method, known) {
            (&Method::POST, Some(_)) => return (409, failure(409, "AlreadyExists")),
            (&Method::POST, None) => stored(body),
            (_, None) => return (404, failure(404, "NotFound")),
            (&Method::GET, Some(lease)) => return (200, lease),
            (&Method::PUT, Some(lease)) => {
                if body["metadata"]["resourceVersion"] != lease["metadata"]["resourceVersion"] {
                    return (409, failure(409, "Conflict"));
                }
                stored(body)
            }
            (&Method::PATCH, Some(mut lease)) => {
                for (key, value) in body["spec"].as_object().unwrap() {
                    lease["spec"][key] = value.clone();
                }
                stored(lease)
            }
            (method, _) => unreachable!("{method}"),
        };
        state.version = version;
        state.leases.insert(name.to_owned(), next.clone());
        (if *method == Method::POST { 201 } else { 200 }, next)
    }
}

fn failure(code: u16, reason: &str) -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": reason, "code": code })
}
