//! One reconcile of one object: what is written before and after an operation, and in which order (reference:
//! gardener-contract 2.2, 2.3).

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::api::{ObjectApi, PatchError};
use super::caution::{Caution, Hold, paused};
use super::cluster::Cluster;
use super::events::Events;
use super::extension::{Extension, OPERATION, Request};
use super::kind::{Kind, Operation};
use super::status::{self, Failure};
use super::trigger::Trigger;
use crate::plan::guard::Guard;
use crate::plan::leave::Leave;

/// What a controller does for objects of its kind.
pub trait Actuator: Send + Sync {
    /// The kind of the objects.
    fn kind(&self) -> &'static Kind;

    /// Creates, reconciles, restores or deletes what an object stands for.
    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended>;
}

/// An operation that an actuator carries out.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// Create, reconcile, restore or delete.
    pub operation: Operation,
    /// The object as the API server has just answered it.
    pub object: &'t Value,
    /// Its Cluster.
    pub cluster: &'t Cluster,
    /// The object at its API server.
    pub api: &'t ObjectApi,
    /// What may be carried out.
    pub guard: Guard,
    /// Whether calls may be sent.
    pub leave: &'t Leave,
    /// When the attempt ends.
    pub deadline: Instant,
    /// Tells people of what happens.
    pub events: &'t Events,
}

/// How an operation of an actuator ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It is done; further members of the status.
    Done(Map<String, Value>),
    /// It failed; further members of the status that are known all the same.
    Failed(Failure, Map<String, Value>),
    /// Caution holds it back.
    Held(Hold),
    /// The process ends, and another one goes on.
    Halted,
}

/// How a reconcile ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There was nothing to do, for this reason.
    Idle(&'static str),
    /// The operation is done.
    Done(Operation),
    /// The operation waits until somebody goes on.
    Held(Hold),
    /// The operation failed, and the status says why.
    Failed(String),
    /// The operation did not begin, or its end is not in the status: the API server is not well, or the Cluster is missing.
    Unwritten(String),
    /// The process ends, and another one goes on.
    Halted,
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
    /// What an operator holds back.
    pub caution: Caution,
    /// Whether requests may be sent.
    pub leave: Leave,
    /// Tells people of what happens.
    pub events: &'r Events,
}

impl Reconcile<'_> {
    /// Does what there is to do with the object.
    pub async fn run(&self) -> Outcome {
        match self.dispatch().await {
            Ok(outcome) => outcome,
            Err(error) if error.is_gone() => Outcome::Idle("the object does not exist any more"),
            Err(PatchError::Withdrawn(_)) => Outcome::Halted,
            Err(error @ PatchError::Api(_)) => {
                Outcome::Unwritten(format!("the object cannot be written: {error}"))
            }
        }
    }

    async fn dispatch(&self) -> Result<Outcome, PatchError> {
        let (object, operation) = (self.object, self.object.operation());
        if object.request() == Some(Request::WaitForState) {
            return Ok(Outcome::Idle("its state comes later"));
        }
        let is_asked = object.request().is_some() || object.is_deleted() || !object.has_succeeded();
        if self.trigger == Trigger::Annotation && !is_asked {
            return Ok(Outcome::Idle("nobody asks for anything"));
        }
        let Some(cluster) = self.cluster else {
            let namespace = object.namespace();
            return Ok(Outcome::Unwritten(format!("there is no Cluster `{namespace}`")));
        };
        if cluster.has_failed() {
            return Ok(Outcome::Idle("the last operation of its Shoot has failed"));
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
        if self.caution.read_only && (is_forced || operation == Operation::Migrate) {
            return self.hold(operation, Hold::ReadOnly).await;
        }
        let mut holders = Holders::of_cached(object);
        if object.request() == Some(Request::Reconcile) {
            holders = Holders::of(&self.remove_annotation().await?);
        }
        match operation {
            Operation::Migrate => self.migrate().await,
            Operation::Delete => self.delete(cluster, is_forced).await,
            Operation::Create | Operation::Reconcile | Operation::Restore => {
                if let Some(patch) = holders.with(self.kind().finalizer) {
                    self.api.patch(patch).await?;
                }
                self.make(operation, cluster).await
            }
        }
    }

    async fn make(&self, operation: Operation, cluster: &Cluster) -> Result<Outcome, PatchError> {
        let begun = self.begin(operation).await?;
        let ended = self.act(operation, &begun, cluster).await;
        if operation == Operation::Restore && matches!(ended, Ended::Done(_)) {
            self.remove_annotation().await?;
        }
        self.end(operation, &begun, ended).await.map(|(outcome, _)| outcome)
    }

    async fn delete(&self, cluster: &Cluster, is_forced: bool) -> Result<Outcome, PatchError> {
        let begun = self.begin(Operation::Delete).await?;
        let ended =
            if is_forced { Ended::Done(Map::new()) } else { self.act(Operation::Delete, &begun, cluster).await };
        let (outcome, object) = self.end(Operation::Delete, &begun, ended).await?;
        if let Some(object) = object {
            self.release(&object).await?;
        }
        Ok(outcome)
    }

    /// The state is in the status already: there is nothing to do in the cloud.
    async fn migrate(&self) -> Result<Outcome, PatchError> {
        let begun = self.begin(Operation::Migrate).await?;
        let (outcome, object) = self.end(Operation::Migrate, &begun, Ended::Done(Map::new())).await?;
        if let Some(object) = object {
            self.release(&object).await?;
        }
        match self.remove_annotation().await {
            // Nothing holds the object any more.
            Err(error) if !error.is_gone() => Err(error),
            _ => Ok(outcome),
        }
    }

    /// Writes that an operation begins. Returns the object as it is then.
    async fn begin(&self, operation: Operation) -> Result<Value, PatchError> {
        self.api.patch_status(status::processing(self.kind(), operation)).await
    }

    async fn act(&self, operation: Operation, object: &Value, cluster: &Cluster) -> Ended {
        let task = Task {
            operation,
            object,
            cluster,
            api: &self.api,
            guard: self.caution.guard(self.object, cluster),
            leave: &self.leave,
            deadline: Instant::now() + self.kind().limit,
            events: self.events,
        };
        self.actuator.act(task).await
    }

    /// Writes how an operation ended. Returns the object as it is then, where the operation is done.
    async fn end(
        &self,
        operation: Operation,
        begun: &Value,
        ended: Ended,
    ) -> Result<(Outcome, Option<Value>), PatchError> {
        let generation = begun.pointer("/metadata/generation").and_then(Value::as_i64);
        match ended {
            Ended::Done(members) => {
                let patch = status::success(self.kind(), operation, generation, members);
                let object = self.api.patch_status(patch).await?;
                Ok((Outcome::Done(operation), Some(object)))
            }
            Ended::Failed(failure, members) => {
                let text = self.fail(operation, generation, &failure, members).await?;
                Ok((Outcome::Failed(text), None))
            }
            Ended::Held(hold) => {
                self.fail(operation, generation, &Failure::new(hold.to_string()), Map::new()).await?;
                Ok((Outcome::Held(hold), None))
            }
            Ended::Halted => Ok((Outcome::Halted, None)),
        }
    }

    /// Writes that nothing is done, unless the status says so already.
    async fn hold(&self, operation: Operation, hold: Hold) -> Result<Outcome, PatchError> {
        let failure = Failure::new(hold.to_string());
        let text = status::text(self.kind(), operation, &failure);
        if self.object.error.as_deref() != Some(&text) {
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
    ) -> Result<String, PatchError> {
        let mut patch = status::error(self.kind(), operation, generation, failure);
        if let Some(status) = patch.get_mut("status").and_then(Value::as_object_mut) {
            status.extend(members);
        }
        self.api.patch_status(patch).await?;
        let text = status::text(self.kind(), operation, failure);
        self.events.warn(&self.object.reference(self.kind()), "ReconcileError", operation, &text).await;
        Ok(text)
    }

    /// Removes the finalizer of an object that nobody needs any more.
    async fn release(&self, object: &Value) -> Result<(), PatchError> {
        match self.api.patch(Holders::of(object).without(self.kind().finalizer)).await {
            Err(error) if !error.is_gone() => Err(error),
            _ => Ok(()),
        }
    }

    async fn remove_annotation(&self) -> Result<Value, PatchError> {
        self.api.patch(json!({ "metadata": { "annotations": { OPERATION: null } } })).await
    }

    fn has_finalizer(&self) -> bool {
        Holders::of_cached(self.object).has(self.kind().finalizer)
    }

    fn kind(&self) -> &'static Kind {
        self.actuator.kind()
    }
}

/// The finalizers of a version of an object.
struct Holders {
    finalizers: Vec<String>,
    version: Option<String>,
}

impl Holders {
    fn of_cached(object: &Extension) -> Self {
        let finalizers = object.metadata.finalizers.clone().unwrap_or_default();
        Self { finalizers, version: object.metadata.resource_version.clone() }
    }

    fn of(object: &Value) -> Self {
        let finalizers = object.pointer("/metadata/finalizers").and_then(Value::as_array);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Self {
            finalizers: finalizers.into_iter().flatten().filter_map(text).collect(),
            version: object.pointer("/metadata/resourceVersion").and_then(text),
        }
    }

    fn has(&self, finalizer: &str) -> bool {
        self.finalizers.iter().any(|known| known == finalizer)
    }

    /// A patch of this version that adds a finalizer, where it is missing.
    fn with(mut self, finalizer: &str) -> Option<Value> {
        if self.has(finalizer) {
            return None;
        }
        self.finalizers.push(finalizer.to_owned());
        Some(self.patch())
    }

    /// A patch of this version that removes a finalizer.
    fn without(mut self, finalizer: &str) -> Value {
        self.finalizers.retain(|known| known != finalizer);
        self.patch()
    }

    fn patch(&self) -> Value {
        json!({ "metadata": { "finalizers": self.finalizers, "resourceVersion": self.version } })
    }
}

#[cfg(test)]
mod tests;
