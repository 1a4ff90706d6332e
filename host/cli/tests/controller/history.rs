//! What becomes of an Infrastructure, change by change, as a watch shows it.

use std::sync::{Arc, Mutex};

use futures_util::{StreamExt as _, pin_mut};
use kube::api::{WatchEvent, WatchParams};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::seed::{Seed, annotations};
use crate::shoot::Shoot;

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// `ADDED`, `MODIFIED` or `DELETED`.
    pub kind: &'static str,
    /// The object after it.
    pub object: Value,
}

impl Change {
    /// Type, state, progress and description of the last operation, in one line.
    pub fn operation(&self) -> Option<String> {
        let last = self.object["status"]["lastOperation"].as_object()?;
        let text = |key: &str| last.get(key).and_then(Value::as_str).unwrap_or_default();
        let progress = last.get("progress").unwrap_or(&Value::Null);
        Some(format!("{} {} {progress} {}", text("type"), text("state"), text("description")))
    }

    pub fn has_finalizer(&self) -> bool {
        let finalizers = self.object["metadata"]["finalizers"].as_array();
        finalizers.is_some_and(|all| all.contains(&json!(FINALIZER)))
    }

    /// The annotation `gardener.cloud/operation`.
    pub fn asked(&self) -> Option<String> {
        Some(annotations(&self.object).get("gardener.cloud/operation")?.as_str()?.to_owned())
    }
}

/// What holds an Infrastructure until it is deleted in the cloud.
pub const FINALIZER: &str = "extensions.gardener.cloud/infrastructure";

/// A record that goes on until it is dropped.
pub struct History {
    changes: Arc<Mutex<Vec<Change>>>,
    task: JoinHandle<()>,
}

impl History {
    /// Begins with what is there. The namespace need not exist.
    pub fn of(seed: &Seed, shoot: &Shoot) -> Self {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let (api, kept) = (seed.infrastructures(shoot), Arc::clone(&changes));
        let only = WatchParams::default().fields(&format!("metadata.name={}", shoot.name));
        let task = tokio::spawn(async move {
            let mut version = "0".to_owned();
            loop {
                // A server that is restarted breaks the watch, and is away for a while.
                let Ok(stream) = api.watch(&only, &version).await else {
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                    continue;
                };
                pin_mut!(stream);
                while let Some(Ok(event)) = stream.next().await {
                    let (kind, object) = match event {
                        WatchEvent::Added(object) => ("ADDED", object),
                        WatchEvent::Modified(object) => ("MODIFIED", object),
                        WatchEvent::Deleted(object) => ("DELETED", object),
                        WatchEvent::Bookmark(mark) => {
                            version = mark.metadata.resource_version;
                            continue;
                        }
                        WatchEvent::Error(_) => break,
                    };
                    version = object.metadata.resource_version.clone().unwrap();
                    let object = serde_json::to_value(object).unwrap();
                    kept.lock().unwrap().push(Change { kind, object });
                }
            }
        });
        Self { changes, task }
    }

    pub fn changes(&self) -> Vec<Change> {
        self.changes.lock().unwrap().clone()
    }

    /// How many changes there were.
    pub fn len(&self) -> usize {
        self.changes.lock().unwrap().len()
    }

    /// The last operations one after the other, each once, from the change with this number on.
    pub fn operations(&self, from: usize) -> Vec<String> {
        let mut operations: Vec<String> =
            self.changes.lock().unwrap().iter().skip(from).filter_map(Change::operation).collect();
        operations.dedup();
        operations
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.task.abort();
    }
}
