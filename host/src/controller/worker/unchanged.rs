//! Workers of which nothing has changed since a step that had nothing to do: the next step has nothing to do either.
//!
//! What such a step saw is remembered. The next step asks for the versions of the same objects alone, where a whole step reads machines
//! and user data, and asks the policy.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use jiff::Timestamp;
use kube::Resource as _;
use serde_json::{Map, Value};

use super::classes::SECRETS_OF_CLASSES;
use super::{During as _, Read, Stopped, Workers, status, text};
use crate::controller::actuator::{Ended, Task};
use crate::controller::kind::Operation;
use crate::controller::objects::{Head, Objects, namespace};
use crate::controller::resource::{MACHINE_CLASSES, MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, SECRETS};
use crate::digest::Digest;
use crate::engine::Engine;

/// The most Workers that are remembered.
const MOST: usize = 10_000;
/// What changes in the status of a Worker while nothing else does. The policy does not read it.
const PASSING: [&str; 5] =
    ["conditions", "lastError", "lastOperation", "machineDeploymentsLastUpdateTime", "observedGeneration"];
/// The annotations with which gardenlet asks for an operation.
const REQUEST: [&str; 2] = ["gardener.cloud/operation", "gardener.cloud/timestamp"];

/// Names of Secrets, each with its version.
pub type Secrets = BTreeMap<String, String>;

/// What the steps saw that had nothing to do, by the uids of their Workers.
#[derive(Default)]
pub struct Unchanged(Mutex<HashMap<String, Seen>>);

/// What a step saw.
#[derive(Clone)]
struct Seen {
    worker: Digest,
    /// The version of the Cluster.
    cluster: Option<String>,
    policy: Weak<dyn Engine>,
    /// Of all machine deployments, machine sets, machines and machine classes, and of the Secrets of the classes.
    machines: Digest,
    /// The Secrets that the policy asked for.
    secrets: Secrets,
}

impl Unchanged {
    fn of(&self, worker: &Value) -> Option<Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(text(worker, "/metadata/uid")).cloned()
    }

    /// Forgets what a step of a Worker saw.
    pub fn forget(&self, worker: &Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(text(worker, "/metadata/uid"));
    }

    fn keep(&self, worker: &Value, seen: Seen) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text(worker, "/metadata/uid").to_owned(), seen);
    }
}

impl Workers {
    /// Ends the step of a Worker of which nothing has changed; none where something has, or may have.
    pub(super) async fn unchanged(&self, task: Task<'_>, objects: &Objects) -> Result<Option<Ended>, Stopped> {
        let (worker, cluster) = (task.object, task.cluster.meta());
        let Some(seen) = self.unchanged.of(worker) else { return Ok(None) };
        let policy = Arc::downgrade(&self.asking.policies.current());
        let may_be_same = task.operation == Operation::Reconcile
            && task.waits.is_none()
            && seen.worker == digest(worker)
            && seen.cluster == cluster.resource_version
            && seen.policy.ptr_eq(&policy);
        if !may_be_same || !Box::pin(seen.is_there(objects, namespace(worker))).await? {
            self.unchanged.forget(worker);
            return Ok(None);
        }
        // gardenlet waits for a later list at each request.
        if let Some(list) = status::again(worker, Timestamp::now()) {
            let written = task.api.write_status(&list).await;
            written.during("failed to update the machine deployments in worker status")?;
        }
        Ok(Some(Ended::Done(Map::new())))
    }

    /// Remembers what a step saw that is done. `secrets` are those that the policy asked for.
    pub(super) fn remember(&self, task: Task<'_>, read: &Read, secrets: Secrets) {
        let heads = |objects: &[Value]| objects.iter().map(Head::of).collect::<Vec<_>>();
        let Read { deployments, sets, machines, classes, secrets: of_classes } = read;
        let seen = Seen {
            worker: digest(task.object),
            cluster: task.cluster.meta().resource_version.clone(),
            policy: Arc::downgrade(&self.asking.policies.current()),
            machines: versions([deployments, sets, machines, classes, of_classes].map(|all| heads(all))),
            secrets,
        };
        self.unchanged.keep(task.object, seen);
    }
}

impl Seen {
    /// Whether the objects of a namespace are those that the step saw.
    async fn is_there(&self, objects: &Objects, namespace: &str) -> Result<bool, Stopped> {
        let read = tokio::try_join!(
            objects.heads(&MACHINE_DEPLOYMENTS, namespace),
            objects.heads(&MACHINE_SETS, namespace),
            objects.heads(&MACHINES, namespace),
            objects.heads(&MACHINE_CLASSES, namespace),
            objects.heads(&SECRETS, namespace),
        );
        let (deployments, sets, machines, classes, secrets) = read.during("the machines cannot be read")?;
        let asked: Secrets = secrets
            .iter()
            .filter(|secret| self.secrets.contains_key(&secret.name))
            .map(|secret| (secret.name.clone(), secret.version.clone()))
            .collect();
        let is_of_class = |secret: &Head| {
            SECRETS_OF_CLASSES.split_once('=').is_some_and(|(label, value)| secret.has_label(label, value))
        };
        let of_classes = secrets.into_iter().filter(is_of_class).collect();
        Ok(asked == self.secrets && versions([deployments, sets, machines, classes, of_classes]) == self.machines)
    }
}

/// Names and versions of objects, kind by kind.
fn versions(kinds: [Vec<Head>; 5]) -> Digest {
    let mut text = String::new();
    for mut heads in kinds {
        heads.sort_by(|a, b| a.name.cmp(&b.name));
        for Head { name, version, .. } in heads {
            text.extend([&name, " ", &version, "\n"]);
        }
        text.push('\n');
    }
    Digest::of(text.as_bytes())
}

/// What a step and the policy read of a Worker. Its generation stands for its specification.
fn digest(worker: &Value) -> Digest {
    let members = |pointer: &str, without: &[&str]| {
        let members = worker.pointer(pointer).and_then(Value::as_object).into_iter().flatten();
        members
            .filter(|(key, _)| !without.contains(&key.as_str()))
            .map(|(key, value)| format!("{key} {value}\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let parts: [String; 5] = [
        text(worker, "/metadata/uid").to_owned(),
        super::number(worker, "/metadata/generation").to_string(),
        members("/metadata/labels", &[]),
        members("/metadata/annotations", &REQUEST),
        members("/status", &PASSING),
    ];
    Digest::of(parts.join("\n").as_bytes())
}
