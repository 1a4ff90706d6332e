//! Objects of which nothing has changed since a step that was done: the next step has nothing to do either.
//!
//! A step that is done remembers what it saw. The next step asks for the versions of the same objects alone, where
//! a whole step reads the objects and asks the policy.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::Value;

use crate::api_server::member::text;
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::kind::Operation;
use trellis_policies::digest::Digest;
use trellis_policies::engine::{Engine, Versions};

/// The most objects that are remembered.
const MOST: usize = 10_000;
/// What changes in the status of an object while nothing else does. No policy reads it.
const PASSING: [&str; 5] =
    ["conditions", "lastError", "lastOperation", "machineDeploymentsLastUpdateTime", "observedGeneration"];
/// The annotations with which gardenlet asks for an operation.
const REQUEST: [&str; 2] = ["gardener.cloud/operation", "gardener.cloud/timestamp"];

/// What the steps saw that were done, by the uids of their objects. `S` is what a step saw in addition to its
/// [`StepInput`].
pub struct Unchanged<S>(Mutex<HashMap<String, (StepInput, S)>>);

/// What every step of a kind begins with.
#[derive(Clone)]
pub struct StepInput {
    object: Digest,
    /// What lasts of the Cluster.
    cluster: Option<u64>,
    policy: Weak<dyn Engine>,
}

impl StepInput {
    /// The object and the Cluster of a task, and the policy that is in use. It must be taken before the policy is
    /// asked.
    pub fn of(task: Task<'_>, policies: &Versions) -> Self {
        Self {
            object: digest(task.object),
            cluster: task.cluster.map(Cluster::lasting),
            policy: Arc::downgrade(&policies.current()),
        }
    }

    fn is(&self, other: &Self) -> bool {
        self.object == other.object && self.cluster == other.cluster && self.policy.ptr_eq(&other.policy)
    }
}

impl<S> Default for Unchanged<S> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Clone> Unchanged<S> {
    /// What the step saw that was done last, where a reconcile has the same subject now.
    pub fn of(&self, task: Task<'_>, subject: &StepInput) -> Option<S> {
        let known = self.lock();
        let (last, seen) = known.get(uid(task.object))?;
        let is_same = task.operation == Operation::Reconcile && task.waits.is_none() && last.is(subject);
        is_same.then(|| seen.clone())
    }

    /// Forgets an object.
    pub fn forget(&self, object: &Value) {
        self.lock().remove(uid(object));
    }

    /// Keeps what a step saw that is done.
    pub fn keep(&self, object: &Value, subject: StepInput, seen: S) {
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(uid(object).to_owned(), (subject, seen));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (StepInput, S)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn uid(object: &Value) -> &str {
    text(object, "/metadata/uid")
}

/// What a step and the policy read of an object. Its generation stands for its specification.
fn digest(object: &Value) -> Digest {
    let members = |pointer: &str, without: &[&str]| {
        let members = object.pointer(pointer).and_then(Value::as_object).into_iter().flatten();
        members
            .filter(|(key, _)| !without.contains(&key.as_str()))
            .map(|(key, value)| format!("{key} {value}\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let parts: [String; 5] = [
        uid(object).to_owned(),
        object.pointer("/metadata/generation").map(Value::to_string).unwrap_or_default(),
        members("/metadata/labels", &[]),
        members("/metadata/annotations", &REQUEST),
        members("/status", &PASSING),
    ];
    Digest::of(parts.join("\n").as_bytes())
}
