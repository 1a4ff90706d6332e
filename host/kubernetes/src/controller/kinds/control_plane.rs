//! ControlPlanes: what the policy renders, delivered as ManagedResources, and the Secrets next to it (reference:
//! gardener-contract 3.1).

mod bounds;
mod delete;
mod memory;
mod reconcile;
mod secrets;
mod unchanged;
mod webhooks;

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kube::Client;
use serde_json::Map;
use tokio::sync::watch;

use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::certificates::issue::{FreshKeys, Keys};
use crate::controller::runtime::actuator::{Actuator, Ended, Task};
use crate::controller::runtime::asking::Asking;
use crate::controller::runtime::kind::{CONTROL_PLANE, Kind, Operation};
use crate::controller::runtime::status::Failure;
use crate::controller::runtime::unchanged::{StepInput, Unchanged};
use crate::controller::webhooks::shoots::NAME as SHOOT_WEBHOOKS;
use memory::Memory;
use trellis_policies::answer::ManagedResource;
use unchanged::Seen;

/// What is applied in the seed.
const SEED: &str = "extension-controlplane-seed";
/// What is applied in the Shoot.
const SHOOT: &str = "extension-controlplane-shoot";
/// Definitions that are applied in the Shoot before anything of their kinds.
const SHOOT_CRDS: &str = "extension-controlplane-shoot-crds";
/// The classes of volumes in the Shoot.
const STORAGE_CLASSES: &str = "extension-controlplane-storageclasses";
/// The ManagedResources that a policy may render, of every provider: a deletion removes these.
const RENDERED: [&str; 4] = [SEED, SHOOT, SHOOT_CRDS, STORAGE_CLASSES];

/// Reconciles ControlPlanes.
pub struct ControlPlanes {
    asking: Arc<Asking>,
    client: Client,
    /// What registers webhooks in the Shoot; none where no webhook sees its objects.
    webhooks: Option<watch::Receiver<Arc<ManagedResource>>>,
    /// Where the keys of certificates come from.
    keys: Arc<dyn Keys>,
    memory: Memory,
    unchanged: Unchanged<Seen>,
}

/// Why an operation stops before its end.
enum Stopped {
    /// It waits, or failed.
    Ended(Ended),
    /// A write has no effect.
    Write(WriteError),
}

impl From<WriteError> for Stopped {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Ended(Ended::Failed(failure, Map::new()))
    }
}

impl ControlPlanes {
    /// Reconciles with a policy. `webhooks` is what registers webhooks in a Shoot.
    pub fn new(
        asking: Arc<Asking>,
        client: Client,
        webhooks: Option<watch::Receiver<Arc<ManagedResource>>>,
    ) -> Self {
        let (memory, unchanged) = (Memory::default(), Unchanged::default());
        Self { asking, client, webhooks, keys: Arc::new(FreshKeys), memory, unchanged }
    }

    /// What registers webhooks in the Shoot, as it is now.
    fn webhooks(&self) -> Option<Arc<ManagedResource>> {
        self.webhooks.as_ref().map(|webhooks| Arc::clone(&webhooks.borrow()))
    }

    async fn carry_out(&self, task: Task<'_>) -> Ended {
        let objects = Objects::new(self.client.clone(), task.permit.clone(), task.deadline);
        let stopped = match task.operation {
            Operation::Create | Operation::Reconcile | Operation::Restore => {
                let subject = StepInput::of(task, &self.asking.policies);
                match self.is_unchanged(task, &subject, &objects).await {
                    Ok(false) => self.make(task, subject, &objects).await,
                    Ok(true) => Ok(Ended::Done(Map::new())),
                    Err(stopped) => Err(stopped),
                }
            }
            Operation::Delete => self.delete(task, &objects).await,
            Operation::Migrate => self.migrate(task, &objects).await,
        };
        let ended = match stopped {
            Ok(ended) | Err(Stopped::Ended(ended)) => ended,
            Err(Stopped::Write(WriteError::PermitEnded(_))) => Ended::PermitEnded,
            Err(Stopped::Write(error @ WriteError::Api(_))) => Ended::Failed(
                Failure::new(format!("an object of the control plane cannot be written: {error}")),
                Map::new(),
            ),
        };
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
}

impl Actuator for ControlPlanes {
    fn kind(&self) -> &'static Kind {
        &CONTROL_PLANE
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.carry_out(task).boxed()
    }
}

#[cfg(test)]
mod tests;
