//! The finalizer at the Secret that a BackupBucket or a BackupEntry names: its credentials stay as long as an object of
//! the kind needs them (reference: gardener-contract 2.8, A.1, A.2).

use kube::Client;
use serde_json::Value;

use crate::api_server::member::text;
use crate::api_server::objects::{Objects, is_deleted, name};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::SECRETS;
use crate::controller::runtime::actuator::{Retry, Task};
use crate::controller::runtime::extension::SUCCEEDED;
use crate::controller::runtime::kind::{Kind, Migration, Operation};
use crate::controller::runtime::reconcile::{with_finalizer, without_finalizer};
use trellis_runner::plan::guard::Guard;

/// The Secret that an object names, at its API server.
pub(super) struct NamedSecret<'s> {
    kind: &'static Kind,
    objects: Objects,
    object: &'s Value,
    /// Whether nothing may be changed.
    is_only_read: bool,
}

impl<'s> NamedSecret<'s> {
    /// The Secret that the object of an operation names.
    pub(super) fn of(kind: &'static Kind, client: &Client, task: Task<'s>) -> Self {
        let objects = Objects::new(client.clone(), task.permit.clone(), task.deadline);
        Self { kind, objects, object: task.object, is_only_read: task.guard == Guard::ReadOnly }
    }

    /// The Secret; none where there is none.
    pub(super) async fn read(&self) -> Result<Option<Value>, Retry> {
        let (namespace, name) = named(self.object);
        self.objects.get(&SECRETS, namespace, name).await.map_err(|error| retry(&self.unread(), error))
    }

    /// Adds the finalizer to the Secret, which must exist. A process that only reads leaves it as it is.
    pub(super) async fn hold(&self) -> Result<(), Retry> {
        let (namespace, name) = named(self.object);
        let secret = self.read().await?.ok_or_else(|| Retry::Failed(self.missing()))?;
        let change = |live: Option<&Value>| with_finalizer(live?.get("metadata")?, self.kind.finalizer);
        if self.is_only_read || change(Some(&secret)).is_none() {
            return Ok(());
        }
        let added = self.objects.change(&SECRETS, namespace, name, change).await;
        added.map(drop).map_err(|error| retry("failed to add finalizer to secret", error))
    }

    /// Removes the finalizer from the Secret, unless another object of the kind, of whatever type and class, needs
    /// the Secret.
    pub(super) async fn release(&self) -> Result<(), Retry> {
        let (namespace, name) = named(self.object);
        let change = |live: Option<&Value>| without_finalizer(live?.get("metadata")?, self.kind.finalizer);
        if change(self.read().await?.as_ref()).is_none() {
            return Ok(());
        }
        let kept = |error| retry("failed to remove finalizer from secret", error);
        let all = self.objects.list(&self.kind.objects(), "", "").await.map_err(kept)?;
        if all.iter().any(|other| self.is_needed_by(other)) {
            return Ok(());
        }
        self.objects.change(&SECRETS, namespace, name, change).await.map(drop).map_err(kept)
    }

    fn is_needed_by(&self, other: &Value) -> bool {
        name(other) != name(self.object)
            && named(other) == named(self.object)
            && self.releases(other)
            && !self.has_left(other)
    }

    /// Whether the end of an object releases the Secret. An object without the finalizer of the kind goes without that,
    /// and adds the Secret's before it needs the Secret.
    fn releases(&self, other: &Value) -> bool {
        let finalizers = other.pointer("/metadata/finalizers").and_then(Value::as_array);
        finalizers.is_some_and(|all| all.iter().any(|one| one == self.kind.finalizer))
    }

    /// Whether an object only waits for its finalizers. Of two objects that leave at the same time, the one that
    /// looks last sees that the other one has succeeded, because that is written before anybody looks.
    fn has_left(&self, other: &Value) -> bool {
        let is_last = |operation: Operation| text(other, "/status/lastOperation/type") == operation.name();
        let has_migrated = self.kind.rules.migration != Migration::Never && is_last(Operation::Migrate);
        text(other, "/status/lastOperation/state") == SUCCEEDED
            && (has_migrated || is_deleted(other) && is_last(Operation::Delete))
    }

    /// That the Secret is missing, as the existing extensions say it.
    pub(super) fn missing(&self) -> String {
        let (_, name) = named(self.object);
        format!("{}: {}", self.unread(), SECRETS.not_found(name))
    }

    fn unread(&self) -> String {
        let what = if self.kind.name == "BackupBucket" { "bucket" } else { "entry" };
        format!("failed to get backup {what} secret")
    }
}

/// Namespace and name of the Secret that an object names.
fn named(object: &Value) -> (&str, &str) {
    (text(object, "/spec/secretRef/namespace"), text(object, "/spec/secretRef/name"))
}

fn retry(what: &str, error: WriteError) -> Retry {
    match error {
        WriteError::PermitEnded(_) => Retry::PermitEnded,
        error @ WriteError::Api(_) => Retry::Failed(format!("{what}: {error}")),
    }
}

#[cfg(test)]
mod tests;
