//! One reconcile of one object: what is written before and after an operation, and in which order (reference:
//! gardener-contract 2.2, 2.3).

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::api_server::object::ObjectApi;
use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Actuator, Ended, Task, Wait, Waits};
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::{Extension, OPERATION, Request};
use crate::controller::runtime::kind::{Kind, Operation};
use crate::controller::runtime::safeguards::{Hold, Safeguards, paused};
use crate::controller::runtime::status::{self, Failure};
use crate::controller::runtime::trigger::Trigger;
use trellis_runner::limits::permit::Permit;

/// How a reconcile ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There was nothing to do, for this reason.
    Idle(&'static str),
    /// The operation is done.
    Done(Operation),
    /// The operation is done for now, and has to be done once more soon.
    Again(Operation),
    /// The operation waits for something, and looks again after a while.
    Waiting(Waits, Duration),
    /// It is done, and is due again after so long.
    Checked(Duration),
    /// The operation waits until somebody goes on.
    Held(Hold),
    /// The operation waits for something that the caches may show soon.
    Later(&'static str),
    /// The operation failed, and the status says why.
    Failed(String),
    /// The operation did not begin, or its end is not in the status: the API server is not well, or the Cluster is
    /// missing.
    Unwritten(String),
    /// The process ends, and another one goes on.
    PermitEnded,
}

impl Outcome {
    /// How the reconcile ended, as a code.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle(_) => "Idle",
            Self::Done(_) => "Done",
            Self::Again(_) => "Again",
            Self::Waiting(..) => "Waiting",
            Self::Checked(_) => "Checked",
            Self::Held(_) => "Held",
            Self::Later(_) => "Later",
            Self::Failed(_) => "Failed",
            Self::Unwritten(_) => "Unwritten",
            Self::PermitEnded => "Halted",
        }
    }
}

/// A reconcile of one object.
pub struct Reconcile<'r> {
    /// Does the work.
    pub actuator: &'r dyn Actuator,
    /// The object as the cache has it.
    pub object: &'r Extension,
    /// The Cluster of its namespace as the cache has it.
    pub cluster: Option<&'r Cluster>,
    /// The object at its API server.
    pub api: ObjectApi,
    /// What asks for a reconcile.
    pub trigger: Trigger,
    /// Whether an attempt before was not done.
    pub is_owed: bool,
    /// What an attempt before waits for. A request for a reconcile lets the time begin again.
    pub waits: Option<Waits>,
    /// What an operator holds back.
    pub safeguards: Safeguards,
    /// Whether requests may be sent.
    pub permit: Permit,
    /// Shows people what happens.
    pub events: &'r Events,
}

impl Reconcile<'_> {
    /// Does what there is to do with the object.
    pub async fn run(&self) -> Outcome {
        match self.dispatch().await {
            Ok(outcome) => outcome,
            Err(error) if error.is_gone() => Outcome::Idle("the object does not exist any more"),
            Err(WriteError::PermitEnded(_)) => Outcome::PermitEnded,
            Err(error @ WriteError::Api(_)) => {
                Outcome::Unwritten(format!("the object cannot be written: {error}"))
            }
        }
    }

    async fn dispatch(&self) -> Result<Outcome, WriteError> {
        let (object, operation) = (self.object, self.object.operation());
        if object.request() == Some(Request::WaitForState) {
            return Ok(Outcome::Idle("its state comes later"));
        }
        let is_asked =
            object.request().is_some() || object.is_deleted() || !object.has_succeeded() || object.lacks_answer();
        if self.trigger == Trigger::Annotation && !is_asked && !self.is_owed {
            return Ok(Outcome::Idle("nobody asks for anything"));
        }
        let Some(cluster) = self.cluster else {
            let namespace = object.namespace();
            return Ok(Outcome::Unwritten(format!("there is no Cluster `{namespace}`")));
        };
        if cluster.has_failed() {
            // A retry changes the Cluster first, and the cache may not show that yet.
            let why = "the last operation of its Shoot has failed";
            let is_asked = object.request().is_some() || object.is_deleted();
            return Ok(if is_asked { Outcome::Later(why) } else { Outcome::Idle(why) });
        }
        if object.has_migrated() && !matches!(operation, Operation::Migrate | Operation::Restore) {
            return Ok(Outcome::Idle("it has left for another seed"));
        }
        if operation == Operation::Delete && !self.has_finalizer() {
            return Ok(Outcome::Idle("it has no finalizer, and so nothing to delete"));
        }
        let is_forced = operation == Operation::Delete && cluster.is_forced();
        // Force deletion never waits for anything.
        let hold = paused(object, self.kind().name, cluster).filter(|_| !is_forced);
        if let Some(hold) = hold {
            return self.hold(operation, hold).await;
        }
        if self.safeguards.read_only && (is_forced || operation == Operation::Migrate || !self.kind().is_planned) {
            return self.hold(operation, Hold::ReadOnly).await;
        }
        if object.request() == Some(Request::Reconcile) {
            self.remove_annotation("reconcile").await?;
        }
        match operation {
            Operation::Migrate => self.migrate(cluster).await,
            Operation::Delete => self.delete(cluster, is_forced).await,
            Operation::Create | Operation::Reconcile | Operation::Restore => {
                self.api.change(|metadata| with_finalizer(metadata, self.kind().finalizer)).await?;
                self.make(operation, cluster).await
            }
        }
    }

    async fn make(&self, operation: Operation, cluster: &Cluster) -> Result<Outcome, WriteError> {
        let begun = self.begin(operation).await?;
        let ended = self.act(operation, &begun, cluster, false).await;
        if operation == Operation::Restore && matches!(ended, Ended::Done(_)) {
            self.remove_annotation("restore").await?;
        }
        self.end(operation, &begun, ended).await
    }

    async fn delete(&self, cluster: &Cluster, is_forced: bool) -> Result<Outcome, WriteError> {
        let begun = self.begin(Operation::Delete).await?;
        let ended = self.act(Operation::Delete, &begun, cluster, is_forced).await;
        let outcome = self.end(Operation::Delete, &begun, ended).await?;
        if let Outcome::Done(_) = outcome {
            self.release().await?;
        }
        Ok(outcome)
    }

    async fn migrate(&self, cluster: &Cluster) -> Result<Outcome, WriteError> {
        let begun = self.begin(Operation::Migrate).await?;
        let ended = self.act(Operation::Migrate, &begun, cluster, false).await;
        let outcome = self.end(Operation::Migrate, &begun, ended).await?;
        if !matches!(outcome, Outcome::Done(_)) {
            return Ok(outcome);
        }
        self.release().await?;
        match self.remove_annotation("migrate").await {
            // Nothing holds the object any more.
            Err(error) if !error.is_gone() => Err(error),
            _ => Ok(outcome),
        }
    }

    /// Writes that an operation begins, unless it goes on. Returns the object as it is then.
    async fn begin(&self, operation: Operation) -> Result<Value, WriteError> {
        let last = self.object.last.as_ref();
        let goes_on =
            last.is_some_and(|last| last.state == status::PROCESSING && last.operation == operation.name());
        if goes_on && self.waits().is_some() {
            return self.api.reread().await;
        }
        self.api.begin(&status::processing(self.kind(), operation)).await
    }

    async fn act(&self, operation: Operation, object: &Value, cluster: &Cluster, is_forced: bool) -> Ended {
        let task = Task {
            operation,
            is_forced,
            object,
            cluster,
            api: &self.api,
            guard: self.safeguards.guard(self.object, cluster),
            permit: &self.permit,
            deadline: Instant::now() + self.kind().limit,
            events: self.events,
            waits: self.waits(),
        };
        self.actuator.act(task).await
    }

    /// Writes how an operation ended.
    async fn end(&self, operation: Operation, begun: &Value, ended: Ended) -> Result<Outcome, WriteError> {
        let generation = begun.pointer("/metadata/generation").and_then(Value::as_i64);
        match ended {
            Ended::Done(members) => self.succeed(operation, generation, members, Outcome::Done(operation)).await,
            Ended::Again(members) => self.succeed(operation, generation, members, Outcome::Again(operation)).await,
            Ended::Waiting(wait) => self.wait(operation, begun, wait).await,
            Ended::Failed(failure, members) => {
                self.fail(operation, generation, &failure, members).await.map(Outcome::Failed)
            }
            Ended::Held(hold) => {
                self.fail(operation, generation, &Failure::new(hold.to_string()), Map::new()).await?;
                Ok(Outcome::Held(hold))
            }
            Ended::PermitEnded => Ok(Outcome::PermitEnded),
        }
    }

    async fn succeed(
        &self,
        operation: Operation,
        generation: Option<i64>,
        members: Map<String, Value>,
        outcome: Outcome,
    ) -> Result<Outcome, WriteError> {
        let status = status::success(self.kind(), operation, generation, members);
        let Err(error) = self.api.write_status(&status).await else { return Ok(outcome) };
        let Some(why) = error.refusal() else { return Err(error) };
        let failure = Failure::new(format!("the API server refuses the status: {why}"));
        self.fail(operation, generation, &failure, Map::new()).await.map(Outcome::Failed)
    }

    /// Writes what an operation waits for, unless the status says so already. After its time, the operation fails.
    async fn wait(&self, operation: Operation, begun: &Value, wait: Wait) -> Result<Outcome, WriteError> {
        let known = self.waits().filter(|waits| waits.what == wait.what);
        let waits = known.unwrap_or_else(|| Waits { what: wait.what, since: Instant::now() });
        if waits.since.elapsed() >= wait.most {
            let generation = begun.pointer("/metadata/generation").and_then(Value::as_i64);
            return self.fail(operation, generation, &wait.late, Map::new()).await.map(Outcome::Failed);
        }
        if begun.pointer("/status/lastOperation/description").and_then(Value::as_str) != Some(&wait.text) {
            self.api.write_status(&status::waiting(&wait.text)).await?;
        }
        Ok(Outcome::Waiting(waits, wait.every))
    }

    /// Writes that nothing is done, unless the status says so already.
    async fn hold(&self, operation: Operation, hold: Hold) -> Result<Outcome, WriteError> {
        let failure = Failure::new(hold.to_string());
        let text = status::text(self.kind(), operation, &failure);
        let last = self.object.last.as_ref();
        let is_told = last.is_some_and(|last| last.state == "Error" && last.operation == operation.name());
        if !is_told || self.object.error.as_deref() != Some(&text) {
            self.fail(operation, self.object.metadata.generation, &failure, Map::new()).await?;
        }
        Ok(Outcome::Held(hold))
    }

    async fn fail(
        &self,
        operation: Operation,
        generation: Option<i64>,
        failure: &Failure,
        members: Map<String, Value>,
    ) -> Result<String, WriteError> {
        let mut status = status::error(self.kind(), operation, generation, failure);
        if let Value::Object(status) = &mut status {
            status.extend(members);
        }
        self.api.write_status(&status).await?;
        let text = status::text(self.kind(), operation, failure);
        self.events.warn(&self.object.reference(self.kind()), "ReconcileError", operation, &text).await;
        Ok(text)
    }

    /// Removes the finalizer of an object that nobody needs any more.
    async fn release(&self) -> Result<(), WriteError> {
        match self.api.change(|metadata| without_finalizer(metadata, self.kind().finalizer)).await {
            Err(error) if !error.is_gone() => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes the operation annotation, where it still asks for what is done: somebody may ask for something else
    /// by now.
    async fn remove_annotation(&self, asked: &str) -> Result<(), WriteError> {
        let change = |metadata: &Value| {
            let value = metadata.get("annotations").and_then(|annotations| annotations.get(OPERATION));
            let is_same = value.and_then(Value::as_str) == Some(asked);
            is_same.then(|| json!({ "metadata": { "annotations": { OPERATION: null } } }))
        };
        self.api.change(change).await
    }

    fn waits(&self) -> Option<Waits> {
        self.waits.filter(|_| self.object.request() != Some(Request::Reconcile))
    }

    fn has_finalizer(&self) -> bool {
        let finalizers = self.object.metadata.finalizers.as_deref().unwrap_or_default();
        finalizers.iter().any(|finalizer| finalizer == self.kind().finalizer)
    }

    fn kind(&self) -> &'static Kind {
        self.actuator.kind()
    }
}

/// Adds a finalizer to metadata, where it is missing.
fn with_finalizer(metadata: &Value, finalizer: &str) -> Option<Value> {
    let mut finalizers = finalizers(metadata);
    if finalizers.contains(&finalizer) {
        return None;
    }
    finalizers.push(finalizer);
    Some(json!({ "metadata": { "finalizers": finalizers } }))
}

/// Removes a finalizer from metadata, where it is there.
fn without_finalizer(metadata: &Value, finalizer: &str) -> Option<Value> {
    let all = finalizers(metadata);
    let left: Vec<&str> = all.iter().copied().filter(|known| *known != finalizer).collect();
    (left.len() < all.len()).then(|| json!({ "metadata": { "finalizers": left } }))
}

fn finalizers(metadata: &Value) -> Vec<&str> {
    metadata.get("finalizers").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests;
