//! The first part of a step that takes a Worker over from another seed: its machines are there before the
//! machine-controller-manager.

use serde_json::Value;

use super::desired::DesiredDeployment;
use super::reconcile::{MachineChanges, force_deletion};
use super::replicas::Case;
use super::restore::{Saved, SavedDeployment, restored};
use super::writing::{all, scale_manager};
use super::{During as _, Read, Stopped};
use crate::api_server::objects::name;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MACHINE_SETS, MACHINES, Resource};
use crate::controller::runtime::status::Failure;
use trellis_runner::state::object::ApiError;

impl MachineChanges<'_> {
    /// Creates saved machine sets and machines, then their machine deployments, and starts the
    /// machine-controller-manager. A machine deployment that exists is restored already: what is missing of its
    /// machines now, nobody wants any more. Returns what there is then.
    pub(super) async fn restore(self, read: Read) -> Result<Read, Stopped> {
        let state = self.worker.pointer("/status/state");
        let saved = Saved::read(state).map_err(|error| Failure::new(error.to_string()))?;
        let is_missing =
            |wanted: &&DesiredDeployment| !read.deployments.iter().any(|live| name(live) == wanted.name);
        let missing = self.wanted.deployments.iter().filter(is_missing);
        let missing: Vec<(&DesiredDeployment, &SavedDeployment)> =
            missing.filter_map(|wanted| Some((wanted, saved.deployment(&wanted.name)?))).collect();
        let read = if missing.is_empty() { read } else { self.bring_back(&missing, read).await? };
        if !self.hibernation.is_reached {
            let scaled = scale_manager(self.objects, self.namespace(), 1).await;
            scaled.during("failed to scale up machine-controller-manager")?;
        }
        Ok(read)
    }

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
