//! One reconcile of one object: what is written before and after an operation, and in which order (reference:
//! gardener-contract 2.2, 2.3).

mod creation;
mod need;
mod outcome;

use std::time::Duration;

use kube::Client;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::api_server::object::ObjectApi;
use crate::api_server::requests::WriteError;
use crate::controller::runtime::actuator::{Actuator, Ended, Prepared, Task, Wait, Waits};
use crate::controller::runtime::cluster::{Cluster, FORCE_DELETION};
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::{Extension, OPERATION, Request};
use crate::controller::runtime::kind::{Follows, Kind, Migration, Operation, Rules};
use crate::controller::runtime::safeguards::{Hold, Safeguards, paused};
use crate::controller::runtime::status::{self, Failure};
use crate::controller::runtime::trigger::Trigger;
pub use outcome::Outcome;
use trellis_runner::limits::permit::Permit;

/// How long what follows a run may take.
const RELEASE: Duration = Duration::from_secs(30);

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
    /// The same API server, for what the reconcile looks at in addition.
    pub client: Client,
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
        self.dispatch().await.unwrap_or_else(|ended| ended)
    }

    /// How the reconcile ended, or why it ended before its time.
    async fn dispatch(&self) -> Result<Outcome, Outcome> {
        let (object, operation) = (self.object, self.operation());
        if object.request() == Some(Request::WaitForState) {
            return Ok(Outcome::Idle("its state comes later"));
        }
        let is_asked =
            object.request().is_some() || object.is_deleted() || !object.has_succeeded() || object.lacks_answer();
        if self.trigger == Trigger::Annotation && !is_asked && !self.is_owed {
            return Ok(Outcome::Idle("nobody asks for anything"));
        }
        let cluster = self.needed_cluster().await?;
        if self.rules().follows == Follows::Shoot && cluster.is_some_and(Cluster::has_failed) {
            // A retry changes the Cluster first, and the cache may not show that yet.
            let why = "the last operation of its Shoot has failed";
            let is_asked = object.request().is_some() || object.is_deleted();
            return Ok(if is_asked { Outcome::Later(why) } else { Outcome::Idle(why) });
        }
        if self.moves() && object.has_migrated() && !matches!(operation, Operation::Migrate | Operation::Restore) {
            return Ok(Outcome::Idle("it has left for another seed"));
        }
        if operation == Operation::Delete && !self.has_finalizer() {
            return Ok(Outcome::Idle("it has no finalizer, and so nothing to delete"));
        }
        let is_forced = operation == Operation::Delete && self.is_forced(cluster);
        // Force deletion never waits for anything.
        let hold = paused(object, self.kind(), cluster).filter(|_| !is_forced);
        if let Some(hold) = hold {
            return self.hold(operation, hold).await;
        }
        let leaves = operation == Operation::Migrate && self.moves();
        if self.safeguards.read_only && (is_forced || leaves || !self.kind().is_planned) {
            return self.hold(operation, Hold::ReadOnly).await;
        }
        if object.request() == Some(Request::Reconcile) {
            self.remove_annotation("reconcile").await?;
        }
        if operation == Operation::Delete {
            return self.delete(cluster, is_forced).await;
        }
        if leaves {
            return self.migrate(cluster).await;
        }
        self.api.change(|metadata| with_finalizer(metadata, self.kind().finalizer)).await?;
        self.make(operation, cluster).await
    }

    async fn make(&self, operation: Operation, cluster: Option<&Cluster>) -> Result<Outcome, Outcome> {
        let begun = self.begin(operation).await?;
        let ended = self.act(self.task(operation, &begun, cluster, false)).await?;
        if operation == Operation::Restore && self.moves() && matches!(ended, Ended::Done(_)) {
            self.remove_annotation("restore").await?;
        }
        self.end(operation, &begun, ended).await
    }

    async fn delete(&self, cluster: Option<&Cluster>, is_forced: bool) -> Result<Outcome, Outcome> {
        // What the state records is there, whatever failed afterwards; the cache has no states.
        if self.rules().shows_creation
            && creation::was_never_made(&self.object.conditions())
            && !has_state(&self.api.reread().await?)
        {
            self.release(Operation::Delete).await?;
            return Ok(Outcome::Done(Operation::Delete));
        }
        let begun = self.begin(Operation::Delete).await?;
        let task = self.task(Operation::Delete, &begun, cluster, is_forced);
        let ended = self.act(task).await?;
        let outcome = self.end(Operation::Delete, &begun, ended).await?;
        if let Outcome::Done(_) = outcome {
            self.actuator.released(with_new_time(task)).await?;
            self.release(Operation::Delete).await?;
        }
        Ok(outcome)
    }

    async fn migrate(&self, cluster: Option<&Cluster>) -> Result<Outcome, Outcome> {
        let begun = self.begin(Operation::Migrate).await?;
        let task = self.task(Operation::Migrate, &begun, cluster, false);
        let ended = self.act(task).await?;
        let outcome = self.end(Operation::Migrate, &begun, ended).await?;
        if !matches!(outcome, Outcome::Done(_)) {
            return Ok(outcome);
        }
        self.actuator.released(with_new_time(task)).await?;
        self.release(Operation::Migrate).await?;
        match self.remove_annotation("migrate").await {
            // Nothing holds the object any more.
            Err(error) if !error.is_gone() => Err(error.into()),
            _ => Ok(outcome),
        }
    }

    /// Prepares an operation and carries it out. An object that is given up instead ends the reconcile.
    async fn act(&self, task: Task<'_>) -> Result<Ended, Outcome> {
        match self.actuator.prepare(task).await? {
            Prepared::Go => Ok(self.actuator.act(task).await),
            Prepared::Release => {
                self.release(task.operation).await?;
                Err(Outcome::Done(task.operation))
            }
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

    fn task<'t>(
        &'t self,
        operation: Operation,
        object: &'t Value,
        cluster: Option<&'t Cluster>,
        is_forced: bool,
    ) -> Task<'t> {
        // An object that never leaves is reconciled, whatever its annotation asks for.
        let operation = match operation {
            Operation::Migrate | Operation::Restore if !self.moves() => Operation::Reconcile,
            operation => operation,
        };
        Task {
            operation,
            is_forced,
            object,
            cluster,
            last: self.object.last.as_ref(),
            api: &self.api,
            guard: self.safeguards.guard(self.object, self.kind(), cluster),
            permit: &self.permit,
            deadline: Instant::now() + self.kind().limit,
            events: self.events,
            waits: self.waits(),
        }
    }

    /// Writes how an operation ended.
    async fn end(&self, operation: Operation, begun: &Value, ended: Ended) -> Result<Outcome, Outcome> {
        let generation = begun.pointer("/metadata/generation").and_then(Value::as_i64);
        let shows_creation =
            self.rules().shows_creation && !matches!(operation, Operation::Delete | Operation::Migrate);
        match ended {
            Ended::Done(mut members) => {
                if shows_creation {
                    members.extend(creation::made(begun));
                }
                self.succeed(operation, generation, members, Outcome::Done(operation)).await
            }
            Ended::Again(members) => self.succeed(operation, generation, members, Outcome::Again(operation)).await,
            Ended::Waiting(wait) => self.wait(operation, begun, wait).await,
            Ended::Failed(failure, mut members) => {
                if shows_creation {
                    members.extend(creation::failed(begun));
                }
                self.fail(operation, generation, &failure, members).await
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
    ) -> Result<Outcome, Outcome> {
        let status = status::success(self.kind(), operation, generation, members);
        let Err(error) = self.api.write_status(&status).await else { return Ok(outcome) };
        let Some(why) = error.refusal() else { return Err(error.into()) };
        let failure = Failure::new(format!("the API server refuses the status: {why}"));
        self.fail(operation, generation, &failure, Map::new()).await
    }

    /// Writes what an operation waits for, unless the status says so already. After its time, the operation fails.
    async fn wait(&self, operation: Operation, begun: &Value, wait: Wait) -> Result<Outcome, Outcome> {
        let known = self.waits().filter(|waits| waits.what == wait.what);
        let waits = known.unwrap_or_else(|| Waits { what: wait.what, since: Instant::now() });
        if waits.since.elapsed() >= wait.most {
            let generation = begun.pointer("/metadata/generation").and_then(Value::as_i64);
            return self.fail(operation, generation, &wait.late, Map::new()).await;
        }
        if begun.pointer("/status/lastOperation/description").and_then(Value::as_str) != Some(&wait.text) {
            self.api.write_status(&status::waiting(&wait.text)).await?;
        }
        Ok(Outcome::Waiting(waits, wait.every))
    }

    /// Writes that nothing is done, unless the status says so already.
    async fn hold(&self, operation: Operation, hold: Hold) -> Result<Outcome, Outcome> {
        let failure = Failure::new(hold.to_string());
        let text = status::text(self.kind(), operation, &failure);
        let last = self.object.last.as_ref();
        let is_reported = last.is_some_and(|last| last.state == "Error" && last.operation == operation.name());
        if !is_reported || self.object.error.as_deref() != Some(&text) {
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
    ) -> Result<Outcome, Outcome> {
        let mut status = status::error(self.kind(), operation, generation, failure);
        if let Value::Object(status) = &mut status {
            status.extend(members);
        }
        self.api.write_status(&status).await?;
        let text = status::text(self.kind(), operation, failure);
        self.events.warn(&self.object.reference(self.kind()), "ReconcileError", operation, &text).await;
        Ok(match failure.after {
            Some(after) => Outcome::FailedFor(after, text),
            None => Outcome::Failed(text),
        })
    }

    /// Removes the finalizer of an object that nobody needs any more, or all of them.
    async fn release(&self, operation: Operation) -> Result<(), WriteError> {
        let all = operation == Operation::Migrate && self.rules().migration == Migration::AllFinalizers;
        let change = |metadata: &Value| {
            if all { without_finalizers(metadata) } else { without_finalizer(metadata, self.kind().finalizer) }
        };
        match self.api.change(change).await {
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

    /// What there is to do. Of a kind that never leaves, a deletion comes before whatever the annotation asks for.
    fn operation(&self) -> Operation {
        match self.object.operation() {
            Operation::Migrate if !self.moves() && self.object.is_deleted() => Operation::Delete,
            operation => operation,
        }
    }

    /// Whether a deletion of the object waits for nothing.
    fn is_forced(&self, cluster: Option<&Cluster>) -> bool {
        match self.rules().follows {
            Follows::Shoot => cluster.is_some_and(Cluster::is_forced),
            Follows::Itself => self.object.annotation(FORCE_DELETION) == Some("true"),
        }
    }

    /// Whether objects of the kind leave for other seeds.
    fn moves(&self) -> bool {
        self.rules().migration != Migration::Never
    }

    fn kind(&self) -> &'static Kind {
        self.actuator.kind()
    }

    fn rules(&self) -> &'static Rules {
        &self.kind().rules
    }
}

/// Whether something is recorded.
fn has_state(object: &Value) -> bool {
    !matches!(object.pointer("/status/state"), None | Some(Value::Null))
}

/// What follows a run has a time of its own, because the run may have taken all of its own.
fn with_new_time(task: Task<'_>) -> Task<'_> {
    Task { deadline: Instant::now() + RELEASE, ..task }
}

/// Adds a finalizer to metadata, where it is missing.
pub(in crate::controller) fn with_finalizer(metadata: &Value, finalizer: &str) -> Option<Value> {
    let mut finalizers = finalizers(metadata);
    if finalizers.contains(&finalizer) {
        return None;
    }
    finalizers.push(finalizer);
    Some(json!({ "metadata": { "finalizers": finalizers } }))
}

/// Removes a finalizer from metadata, where it is there.
pub(in crate::controller) fn without_finalizer(metadata: &Value, finalizer: &str) -> Option<Value> {
    let all = finalizers(metadata);
    let left: Vec<&str> = all.iter().copied().filter(|known| *known != finalizer).collect();
    (left.len() < all.len()).then(|| json!({ "metadata": { "finalizers": left } }))
}

/// Removes all finalizers from metadata, where there are some.
fn without_finalizers(metadata: &Value) -> Option<Value> {
    (!finalizers(metadata).is_empty()).then(|| json!({ "metadata": { "finalizers": null } }))
}

fn finalizers(metadata: &Value) -> Vec<&str> {
    metadata.get("finalizers").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests;
