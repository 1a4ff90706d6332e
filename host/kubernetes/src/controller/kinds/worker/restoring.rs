//! The first part of a step that takes a Worker over from another seed: its machines are there before the
//! machine-controller-manager.

use serde_json::Value;

use super::desired::DesiredDeployment;
use super::garden::GardenError;
use super::reconcile::{MachineChanges, force_deletion};
use super::replicas::Case;
use super::restore::{Saved, SavedDeployment, restored};
use super::writing::{all, scale_manager};
use super::{During as _, Read, Stopped, Workers};
use crate::api_server::objects::name;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MACHINE_SETS, MACHINES, Resource};
use crate::controller::runtime::actuator::Task;
use crate::controller::runtime::client::GARDEN;
use crate::controller::runtime::status::Failure;
use trellis_runner::state::object::ApiError;

impl From<GardenError> for Stopped {
    fn from(error: GardenError) -> Self {
        match error {
            GardenError::Answer(ended @ WriteError::PermitEnded(_), _) => Self::Write("", ended),
            error => Failure::new(error.to_string()).into(),
        }
    }
}

impl Workers {
    /// Creates saved machine sets and machines, then their machine deployments, and starts the
    /// machine-controller-manager. A machine deployment that exists is restored already: what is missing of its
    /// machines now, nobody wants any more. Returns what there is then.
    pub(super) async fn restore(
        &self,
        task: Task<'_>,
        changes: MachineChanges<'_>,
        read: Read,
    ) -> Result<Read, Stopped> {
        let is_missing =
            |wanted: &&DesiredDeployment| !read.deployments.iter().any(|live| name(live) == wanted.name);
        let missing: Vec<&DesiredDeployment> = changes.wanted.deployments.iter().filter(is_missing).collect();
        let saved = if missing.is_empty() { Saved::default() } else { self.saved(task).await? };
        let missing: Vec<(&DesiredDeployment, &SavedDeployment)> =
            missing.into_iter().filter_map(|wanted| Some((wanted, saved.deployment(&wanted.name)?))).collect();
        let read = if missing.is_empty() { read } else { changes.bring_back(&missing, read).await? };
        if !changes.hibernation.is_reached {
            let scaled = scale_manager(changes.objects, changes.namespace(), 1).await;
            scaled.during("failed to scale up machine-controller-manager")?;
        }
        Ok(read)
    }

    /// The machines that the old seed saved: in the Worker, or else in the garden.
    async fn saved(&self, task: Task<'_>) -> Result<Saved, Stopped> {
        let of_worker = task.object.pointer("/status/state").filter(|state| !state.is_null());
        let of_garden = match (of_worker, &self.garden) {
            (Some(_), _) => None,
            (None, Some(garden)) => garden.machines(task).await?,
            (None, None) => {
                tracing::warn!(
                    "the Worker has no saved machines in `status.state`, and gets new ones: gardenlet before 1.135 leaves them in \
                     the garden, which {GARDEN} names"
                );
                None
            }
        };
        Saved::read(of_worker.or(of_garden.as_ref())).map_err(|error| Failure::new(error.to_string()).into())
    }
}

impl MachineChanges<'_> {
    async fn bring_back(
        self,
        missing: &[(&DesiredDeployment, &SavedDeployment)],
        read: Read,
    ) -> Result<Read, Stopped> {
        let sets = missing.iter().flat_map(|(_, saved)| &saved.machine_sets).map(|set| (&MACHINE_SETS, set));
        let machines = missing.iter().flat_map(|(_, saved)| &saved.machines).map(|machine| (&MACHINES, machine));
        let created = all(sets.chain(machines).map(|(of, saved)| self.create(of, saved)).collect()).await;
        created.during("failed restoration of the machineSet and the machines")?;
        let now = Read::of(self.objects, self.namespace()).await?;
        if self.hibernation.is_enabled {
            force_deletion(self.objects, &now.machines).await?;
        }
        let case = |saved: i64| Case { is_scaled: true, saved: Some(saved), ..Case::default() };
        let deployed = missing.iter().map(|(wanted, saved)| self.deploy_one(wanted, &read, case(saved.replicas)));
        let deployed = all(deployed.collect()).await;
        deployed.during("failed to restore the machine deployment config")?;
        let now = Read::of(self.objects, self.namespace()).await?;
        // The classes that were read first show which machine classes are new.
        Ok(Read { classes: read.classes, ..now })
    }

    /// Creates an object, unless it exists.
    async fn create(self, of: &Resource, saved: &Value) -> Result<(), WriteError> {
        match self.objects.create(of, &restored(saved, self.namespace())).await {
            Err(WriteError::Api(ApiError::AlreadyExists)) => Ok(()),
            created => created.map(drop),
        }
    }
}
