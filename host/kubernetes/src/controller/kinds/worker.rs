//! Workers: the machines of a Shoot, as the machine-controller-manager makes them (reference: gardener-contract
//! 3.4).
//!
//! A step reads what is there, asks the policy what is wanted, writes the difference, and ends with what it waits
//! for. Nothing but the objects shows how far an operation is, so that the next step finishes one that is killed
//! anywhere.
//!
//! Steps write in `reconcile`, `restoring` and `delete`. The other modules compute, as values, what they write and
//! whether it has come true.

mod classes;
mod delete;
mod deployments;
mod desired;
pub mod garden;
mod in_place;
mod machines;
mod owned;
mod readiness;
mod reconcile;
mod removal;
mod replicas;
mod reported;
mod restore;
mod restoring;
mod shoot;
mod status;
mod stuck;
mod unchanged;
mod writing;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kube::Client;
use serde_json::{Map, Value};

use crate::api_server::objects::{Objects, name};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MACHINE_CLASSES, MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, SECRETS};
use crate::controller::runtime::actuator::{Actuator, Ended, Task, Wait};
use crate::controller::runtime::asking::Asking;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::kind::{Kind, Operation, WORKER};
use crate::controller::runtime::status::Failure;
use crate::controller::runtime::unchanged::{StepInput, Unchanged};
use classes::SECRETS_OF_CLASSES;
use desired::DesiredMachines;
use garden::Garden;
use machines::Fleet;
use removal::Remains;
use reported::ReportedRequests;
use unchanged::Seen;

/// The name of the Deployment machine-controller-manager.
const MANAGER: &str = "machine-controller-manager";
/// What a step waits for: the wanted machines.
const AVAILABLE: &str = "machines";
/// How long to wait before the objects are read again.
const EVERY: Duration = Duration::from_secs(5);
/// How long to wait for one thing in all.
const MOST: Duration = Duration::from_mins(5);

/// Reconciles Workers.
pub struct Workers {
    asking: Arc<Asking>,
    client: Client,
    /// Where machines of a Worker may be that comes from another seed; none where nobody says where the garden is.
    garden: Option<Garden>,
    reported: ReportedRequests,
    unchanged: Unchanged<Seen>,
}

/// Why a step stops before its end.
enum Stopped {
    /// It waits, or failed.
    Ended(Ended),
    /// A request has no effect; what it was for.
    Write(&'static str, WriteError),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Ended(Ended::Failed(failure, Map::new()))
    }
}

/// What was being done when a request had no effect.
trait During<T> {
    /// Names what was being done.
    fn during(self, what: &'static str) -> Result<T, Stopped>;
}

impl<T> During<T> for Result<T, WriteError> {
    fn during(self, what: &'static str) -> Result<T, Stopped> {
        self.map_err(|error| Stopped::Write(what, error))
    }
}

/// All objects that a Worker owns, as they were read at the beginning of a step.
struct Read {
    deployments: Vec<Value>,
    sets: Vec<Value>,
    machines: Vec<Value>,
    classes: Vec<Value>,
    secrets: Vec<Value>,
}

impl Workers {
    /// Reconciles with a policy.
    pub fn new(asking: Arc<Asking>, client: Client, garden: Option<Garden>) -> Self {
        Self { asking, client, garden, reported: ReportedRequests::default(), unchanged: Unchanged::default() }
    }

    async fn carry_out(&self, task: Task<'_>) -> Ended {
        let objects = Objects::new(self.client.clone(), task.permit.clone(), task.deadline);
        let ended = match task.operation {
            Operation::Create | Operation::Reconcile | Operation::Restore => {
                let subject = StepInput::of(task, &self.asking.policies);
                match self.unchanged(task, &subject, &objects).await {
                    Ok(None) => self.make(task, subject, &objects).await,
                    Ok(Some(ended)) => Ok(ended),
                    Err(stopped) => Err(stopped),
                }
            }
            // gardenlet removes the objects of machines.
            Operation::Delete if task.is_forced => Ok(Ended::Done(Map::new())),
            Operation::Delete => self.delete(task, &objects).await,
            // gardenlet saves the machines, and removes their objects.
            Operation::Migrate => Ok(Ended::Done(Map::new())),
        };
        let ended = match ended {
            Ok(ended) | Err(Stopped::Ended(ended)) => ended,
            Err(Stopped::Write(_, WriteError::PermitEnded(_))) => Ended::PermitEnded,
            Err(Stopped::Write(what, error @ WriteError::Api(_))) => {
                Ended::Failed(Failure::new(format!("{what}: {error}")), Map::new())
            }
        };
        if !matches!(ended, Ended::Waiting(_)) {
            self.reported.forget(task.object);
        }
        if matches!(task.operation, Operation::Delete | Operation::Migrate) {
            self.unchanged.forget(task.object);
        }
        match ended {
            // What could not be read any more after a stop has not failed.
            Ended::Failed(..) if task.permit.to_read().is_err() => Ended::PermitEnded,
            Ended::Failed(failure, members) => Ended::Failed(self.asking.coded(failure, task).await, members),
            ended => ended,
        }
    }

    /// What the policy wants.
    async fn wanted(&self, task: Task<'_>, objects: &Objects) -> Result<DesiredMachines, Failure> {
        let failed = "failed to generate the machine deployments";
        let mut conversation = self.asking.about(task, objects);
        let answer = conversation.workers().await;
        let answer =
            answer.map_err(|failure| Failure { message: format!("{failed}: {}", failure.message), ..failure })?;
        let wanted = DesiredMachines::read(answer, task.object, Granted::of(&self.asking.provider).machine_class);
        let wanted = wanted.map_err(|error| Failure::new(format!("{failed}: {error}")))?;
        let read = conversation.read().filter(|read| read.deployments.is_empty());
        Ok(DesiredMachines { secrets: read.map(|read| read.secrets), ..wanted })
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workers").field("asking", &self.asking).finish_non_exhaustive()
    }
}

impl Actuator for Workers {
    fn kind(&self) -> &'static Kind {
        &WORKER
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.carry_out(task).boxed()
    }
}

impl Read {
    /// Reads what a namespace has, kind by kind.
    fn of<'o>(objects: &'o Objects, namespace: &'o str) -> BoxFuture<'o, Result<Self, Stopped>> {
        async move {
            let read = tokio::try_join!(
                objects.list(&MACHINE_DEPLOYMENTS, namespace, ""),
                objects.list(&MACHINE_SETS, namespace, ""),
                objects.list(&MACHINES, namespace, ""),
                objects.list(&MACHINE_CLASSES, namespace, ""),
                objects.list(&SECRETS, namespace, SECRETS_OF_CLASSES),
            );
            let (deployments, sets, machines, classes, secrets) = read.during("the machines cannot be read")?;
            Ok(Self { deployments, sets, machines, classes, secrets })
        }
        .boxed()
    }

    /// Takes over machine deployments as they are after a write.
    fn take(&mut self, written: Vec<Value>) {
        for deployment in written {
            match self.deployments.iter_mut().find(|known| name(known) == name(&deployment)) {
                Some(known) => *known = deployment,
                None => self.deployments.push(deployment),
            }
        }
    }

    fn fleet(&self) -> Fleet<'_> {
        Fleet { deployments: &self.deployments, sets: &self.sets, machines: &self.machines }
    }

    fn remains(&self) -> Remains<'_> {
        Remains { fleet: self.fleet(), classes: &self.classes, secrets: &self.secrets }
    }
}

/// Waits for something, and fails with `late` after its time.
fn wait(what: &'static str, text: &str, late: String) -> Ended {
    let mut letters = text.chars();
    let text = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    Ended::Waiting(Wait { what, text, every: EVERY, most: MOST, late: Failure::new(late) })
}

#[cfg(test)]
mod tests;
