//! Secrets in memory, behind a process that is killed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::keeper::SecretStore;
use crate::controller::runtime::testing::{is_selected, merge};

/// When the process is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kill {
    /// Before this write reaches the API server.
    Before(usize),
    /// After this write has had its effect, and before its answer is there.
    After(usize),
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("killed")]
pub struct Killed;

#[derive(Clone, Default)]
struct State {
    secrets: BTreeMap<String, Value>,
    now: Timestamp,
    writes: Vec<String>,
    kill: Option<Kill>,
    killed_at: usize,
}

/// The Secrets of a namespace, and what was written.
#[derive(Default)]
pub struct Memory(Mutex<State>);

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().unwrap().clone()))
    }
}

impl Memory {
    pub fn new(secrets: &[Value]) -> Self {
        let named = |secret: &Value| (secret["metadata"]["name"].as_str().unwrap().to_owned(), secret.clone());
        Self(Mutex::new(State { secrets: secrets.iter().map(named).collect(), ..State::default() }))
    }

    /// Sets the clock, and forgets what was written.
    pub fn at(&self, now: Timestamp, kill: Option<Kill>) {
        let mut state = self.0.lock().unwrap();
        (state.now, state.kill, state.killed_at) = (now, kill, state.writes.len());
    }

    /// What was written since the beginning, such as `create a`.
    pub fn writes(&self) -> Vec<String> {
        self.0.lock().unwrap().writes.clone()
    }

    pub fn secrets(&self) -> Vec<Value> {
        self.0.lock().unwrap().secrets.values().cloned().collect()
    }

    pub fn put(&self, secret: Value) {
        let name = secret["metadata"]["name"].as_str().unwrap().to_owned();
        self.0.lock().unwrap().secrets.insert(name, secret);
    }

    fn write<T>(&self, what: String, effect: impl FnOnce(&mut State) -> T) -> Result<T, Killed> {
        let mut state = self.0.lock().unwrap();
        let count = state.writes.len() - state.killed_at + 1;
        if state.kill == Some(Kill::Before(count)) {
            return Err(Killed);
        }
        state.writes.push(what);
        let answer = effect(&mut state);
        if state.kill == Some(Kill::After(count)) { Err(Killed) } else { Ok(answer) }
    }
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap().to_owned()
}

impl SecretStore for &Memory {
    type Error = Killed;

    async fn list(&self, selector: &str) -> Result<Vec<Value>, Killed> {
        Ok(self.secrets().into_iter().filter(|secret| is_selected(secret, selector)).collect())
    }

    async fn get(&self, name: &str) -> Result<Option<Value>, Killed> {
        Ok(self.0.lock().unwrap().secrets.get(name).cloned())
    }

    async fn create(&self, secret: &Value) -> Result<Option<Value>, Killed> {
        let name = name(secret);
        if self.0.lock().unwrap().secrets.contains_key(&name) {
            return Ok(None);
        }
        self.write(format!("create {name}"), |state| {
            let mut secret = secret.clone();
            secret["metadata"]["creationTimestamp"] = json!(state.now);
            secret["metadata"]["uid"] = json!(format!("{name}-{}", state.writes.len()));
            state.secrets.insert(name, secret.clone());
            Some(secret)
        })
    }

    async fn patch(&self, live: &Value, patch: &Value) -> Result<(), Killed> {
        assert!(live.get("data").is_none() && patch.get("data").is_none(), "a write names no data");
        let name = name(live);
        self.write(format!("patch {name}"), |state| merge(state.secrets.get_mut(&name).unwrap(), patch.clone()))
    }

    async fn delete(&self, live: &Value) -> Result<(), Killed> {
        let name = name(live);
        self.write(format!("delete {name}"), |state| drop(state.secrets.remove(&name)))
    }
}
