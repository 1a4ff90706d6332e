//! An API server with one object, in memory: versions, merge patches of the status, faults, and others who write.

#![allow(dead_code, reason = "not every test needs all of it")]

mod client;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::sleep;
use trellis_runner::state::object::{ApiError, Object, Objects};

pub use client::{Client, Last};

/// Who wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// A client of a store.
    Store,
    /// Somebody who writes conditions.
    Conditions,
    /// Somebody who writes the state.
    Foreign,
}

/// A change of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub by: Writer,
    /// The version of the object after the change.
    pub version: u64,
    /// `status.state` after the change.
    pub state: Value,
}

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing unusual.
    None,
    /// 409, although the version is right.
    Conflict,
    /// 429 and `Retry-After` in seconds, where there is one.
    TooMany(Option<u64>),
    /// 503 without an effect.
    Unavailable,
    /// 422 without an effect.
    Refused,
    /// The request is lost, and nobody ever answers.
    Forgotten,
    /// The effect comes, and the connection breaks before the answer.
    AnswerLost,
    /// The connection breaks at once; the request arrives after so many milliseconds.
    Late(u64),
    /// The request arrives after so many milliseconds, whether or not somebody waits for the answer.
    Slow(u64),
    /// Somebody writes a condition right before the request arrives.
    Overtaken,
}

/// The server. Clones are the same server.
#[derive(Clone, Default)]
pub struct ApiServer(Arc<Shared>);

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    /// Wakes the requests of clients that are cut off.
    cut: Notify,
}

#[derive(Default)]
struct Inner {
    object: Option<Value>,
    version: u64,
    made: u64,
    writes: Vec<Write>,
    reads: usize,
    patches: usize,
    read_faults: VecDeque<Fault>,
    patch_faults: VecDeque<Fault>,
}

impl ApiServer {
    /// A server whose object has this state.
    pub fn with(state: Option<Value>) -> Self {
        let server = Self::default();
        server.create(state);
        server
    }

    /// Makes the object, with a new uid.
    pub fn create(&self, state: Option<Value>) {
        let mut inner = self.lock();
        inner.version += 1;
        inner.made += 1;
        let (uid, version) = (format!("uid-{}", inner.made), inner.version.to_string());
        let mut object = json!({
            "metadata": { "uid": uid, "resourceVersion": version },
            "spec": { "type": "acme" },
            "status": { "observedGeneration": 3 },
        });
        if let Some(state) = state {
            object["status"]["state"] = state;
        }
        inner.object = Some(object);
    }

    /// Deletes the object.
    pub fn delete(&self) {
        self.lock().object = None;
    }

    /// The object.
    pub fn object(&self) -> Value {
        self.lock().object.clone().unwrap()
    }

    /// `status.state`.
    pub fn state(&self) -> Value {
        self.object()["status"]["state"].clone()
    }

    /// Every change.
    pub fn writes(&self) -> Vec<Write> {
        self.lock().writes.clone()
    }

    /// The states that stores wrote.
    pub fn written(&self) -> Vec<Value> {
        self.writes().into_iter().filter(|write| write.by == Writer::Store).map(|write| write.state).collect()
    }

    /// How many reads and patches were sent.
    pub fn requests(&self) -> (usize, usize) {
        let inner = self.lock();
        (inner.reads, inner.patches)
    }

    /// What happens to the next patches.
    pub fn on_patches(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().patch_faults.extend(faults);
    }

    /// What happens to the next reads.
    pub fn on_reads(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().read_faults.extend(faults);
    }

    /// From now on, nothing unusual happens to requests.
    pub fn clear_faults(&self) {
        let mut inner = self.lock();
        inner.read_faults.clear();
        inner.patch_faults.clear();
    }

    /// Somebody writes a condition.
    pub fn write_condition(&self) {
        self.lock().write_condition();
    }

    /// Somebody writes a state.
    pub fn write_state(&self, state: Value) {
        self.lock().apply(Writer::Foreign, &json!({ "status": { "state": null } }));
        self.lock().apply(Writer::Foreign, &json!({ "status": { "state": state } }));
    }

    /// Lets requests that were slow or late arrive.
    pub async fn settle(&self) {
        sleep(Duration::from_mins(2)).await;
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap()
    }

    /// Lets a patch arrive after so many milliseconds. Nobody waits for the answer.
    fn arrive(&self, patch: &Value, millis: u64) {
        let (server, patch) = (self.clone(), patch.clone());
        tokio::spawn(async move {
            sleep(Duration::from_millis(millis)).await;
            let _ = server.lock().patch(&patch);
        });
    }

    async fn serve_patch(&self, patch: &Value) -> Result<Object, ApiError> {
        let fault = {
            let mut inner = self.lock();
            inner.patches += 1;
            inner.patch_faults.pop_front().unwrap_or(Fault::None)
        };
        let broken = |message: &str| ApiError::Server { status: None, message: message.to_owned() };
        match fault {
            Fault::Slow(millis) => {
                let (server, patch) = (self.clone(), patch.clone());
                let arrival = tokio::spawn(async move {
                    sleep(Duration::from_millis(millis)).await;
                    server.lock().patch(&patch)
                });
                arrival.await.unwrap()
            }
            Fault::Late(millis) => {
                self.arrive(patch, millis);
                Err(broken("connection reset"))
            }
            Fault::AnswerLost => {
                let _ = self.lock().patch(patch);
                Err(broken("connection reset"))
            }
            Fault::Overtaken => {
                self.write_condition();
                self.lock().patch(patch)
            }
            other => {
                refuse(other).await?;
                self.lock().patch(patch)
            }
        }
    }
}

impl Objects for ApiServer {
    async fn read(&self) -> Result<Object, ApiError> {
        let fault = {
            let mut inner = self.lock();
            inner.reads += 1;
            inner.read_faults.pop_front().unwrap_or(Fault::None)
        };
        refuse(fault).await?;
        self.lock().reported()
    }

    async fn patch(&self, patch: &Value) -> Result<Object, ApiError> {
        self.serve_patch(patch).await
    }
}

/// What a fault without an effect answers.
async fn refuse(fault: Fault) -> Result<(), ApiError> {
    Err(match fault {
        Fault::Conflict => ApiError::Conflict,
        Fault::TooMany(after) => ApiError::TooMany { retry_after: after.map(Duration::from_secs) },
        Fault::Unavailable => ApiError::Server { status: Some(503), message: "no leader".to_owned() },
        Fault::Refused => ApiError::Refused { status: 422, message: "too large".to_owned() },
        Fault::Forgotten => std::future::pending().await,
        Fault::None | Fault::AnswerLost | Fault::Late(_) | Fault::Slow(_) | Fault::Overtaken => return Ok(()),
    })
}

impl Inner {
    fn reported(&self) -> Result<Object, ApiError> {
        let object = self.object.as_ref().ok_or(ApiError::NotFound)?;
        let text = |key: &str| object["metadata"][key].as_str().unwrap().to_owned();
        Ok(Object {
            resource_version: text("resourceVersion"),
            uid: text("uid"),
            state: object["status"].get("state").cloned(),
        })
    }

    /// A patch of a store, which must have a fence and nothing but the state.
    fn patch(&mut self, patch: &Value) -> Result<Object, ApiError> {
        let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let sent = [members(patch), members(&patch["metadata"]), members(&patch["status"])].concat();
        assert_eq!(sent, ["metadata", "status", "resourceVersion", "state"], "{patch}");
        let there = self.reported()?;
        if patch["metadata"]["resourceVersion"] != there.resource_version.as_str() {
            return Err(ApiError::Conflict);
        }
        self.apply(Writer::Store, patch);
        self.reported()
    }

    fn write_condition(&mut self) {
        let at = format!("condition {}", self.version);
        self.apply(Writer::Conditions, &json!({ "status": { "conditions": [{ "message": at }] } }));
    }

    /// Merges a patch. As in an API server, one that changes nothing leaves the version alone.
    fn apply(&mut self, by: Writer, patch: &Value) {
        let before = self.object.clone().unwrap();
        let mut object = merged(before.clone(), patch);
        object["metadata"] = before["metadata"].clone();
        if object != before {
            self.version += 1;
            object["metadata"]["resourceVersion"] = self.version.to_string().into();
            self.writes.push(Write { by, version: self.version, state: object["status"]["state"].clone() });
            self.object = Some(object);
        }
    }
}

/// RFC 7386.
fn merged(target: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut members = match target {
        Value::Object(members) => members,
        _ => serde_json::Map::new(),
    };
    for (key, value) in patch {
        let known = members.shift_remove(key).unwrap_or_default();
        if !value.is_null() {
            members.insert(key.clone(), merged(known, value));
        }
    }
    Value::Object(members)
}
