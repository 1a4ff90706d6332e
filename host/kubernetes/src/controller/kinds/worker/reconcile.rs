//! A step towards the machines that are wanted.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::desired::{DesiredDeployment, DesiredMachines};
use super::readiness::{Readiness, awake, hibernated};
use super::removal::{Removal, unwanted, unwanted_left};
use super::replicas::{Case, replicas};
use super::shoot::Hibernation;
use super::writing::{all, bring, delete, manager, scale_manager};
use super::{
    AVAILABLE, During as _, EVERY, MOST, Read, Stopped, Workers, classes, deployments, in_place, machines, status,
    stuck, wait,
};
use crate::api_server::member::{number, text};
use crate::api_server::objects::{Objects, name};
use crate::api_server::resource::{MACHINE_CLASSES, MACHINE_DEPLOYMENTS, MACHINES, PODS, Resource, SECRETS};
use crate::controller::runtime::actuator::{Ended, Task, Wait};
use crate::controller::runtime::kind::Operation;
use crate::controller::runtime::status::Failure;
use crate::controller::runtime::unchanged::StepInput;

/// What is wanted of a Worker.
#[derive(Clone, Copy)]
pub(super) struct MachineChanges<'m> {
    /// The objects of its API server.
    pub objects: &'m Objects,
    /// The Worker.
    pub worker: &'m Value,
    /// What the policy wants.
    pub wanted: &'m DesiredMachines,
    /// Whether the Shoot sleeps.
    pub hibernation: Hibernation,
}

impl Workers {
    /// Brings the machines to what is wanted.
    pub(super) async fn make(
        &self,
        task: Task<'_>,
        subject: StepInput,
        objects: &Objects,
    ) -> Result<Ended, Stopped> {
        let worker = task.object;
        let wanted = self.wanted(task, objects).await?;
        let hibernation = task.cluster.map(Hibernation::of).unwrap_or_default();
        let changes = MachineChanges { objects, worker, wanted: &wanted, hibernation };
        let mut read = Read::of(objects, changes.namespace()).await?;

        deploy_classes(objects, &wanted, &read).await?;
        if let Some(images) = status::images(worker, &wanted) {
            task.api.write_status(&images).await.during("failed to update the machine image status")?;
        }
        if task.operation == Operation::Restore {
            read = self.restore(task, changes, read).await?;
        }
        let replaced = replaced(&wanted, &read);
        let written = changes.deploy(&read).await?;
        read.take(written);
        // gardenlet configures the cluster autoscaler by the list, without which machines may never come.
        let is_reported = task.waits.is_some() && self.reported.has(worker);
        if let Some(list) = status::deployments(worker, &wanted, is_reported, Timestamp::now()) {
            let written = task.api.write_status(&list).await;
            written.during("failed to update the machine deployments in worker status")?;
        }
        self.reported.note(worker);
        match changes.readiness(&replaced, &read).await? {
            Readiness::Ready => {}
            Readiness::Waiting(text) if task.waited(AVAILABLE) < MOST => {
                let late = Failure::new(unavailable(&text));
                // This step itself fails when it is late.
                let most = MOST + 2 * EVERY;
                return Ok(Ended::Waiting(Wait { what: AVAILABLE, text, every: EVERY, most, late }));
            }
            Readiness::Waiting(text) => {
                changes.restart_manager(&read).await?;
                return Err(Failure::new(unavailable(&text)).into());
            }
            Readiness::Failed(text) => return Err(Failure::new(unavailable(&text)).into()),
        }
        if let Some(hashes) = in_place::hashes(worker, &wanted, &read.deployments) {
            let written = task.api.write_status(&hashes).await;
            written
                .during("failed to update the worker status with the hashes of pools that are updated in place")?;
        }
        if let Some(ended) = changes.remove(&read).await? {
            return Ok(ended);
        }
        if changes.hibernation.is_enabled {
            let scaled = scale_manager(objects, changes.namespace(), 0).await;
            scaled.during("failed to scale down machine-controller-manager")?;
        } else if let Some(secrets) = wanted.secrets {
            self.remember(task, subject, &read, secrets);
        }
        Ok(Ended::Done(Map::new()))
    }
}

impl<'m> MachineChanges<'m> {
    /// The namespace of the Worker.
    pub(super) fn namespace(self) -> &'m str {
        text(self.worker, "/metadata/namespace")
    }

    /// Writes the machine deployments. Returns those where something was to be written.
    async fn deploy(self, read: &Read) -> Result<Vec<Value>, Stopped> {
        if self.hibernation.is_enabled {
            force_deletion(self.objects, &read.machines).await?;
        }
        let pools = self.worker.pointer("/spec/pools").and_then(Value::as_array).into_iter().flatten();
        let is_scaled = pools.into_iter().any(|pool| number(pool, "/maximum") > number(pool, "/minimum"));
        let has_machines = |deployment: &Value| number(deployment, "/spec/replicas") != 0;
        let is_waking = !self.hibernation.is_enabled && !read.deployments.iter().any(has_machines);
        let case = Case { is_scaled, is_waking, ..Case::default() };
        let written = self.wanted.deployments.iter().map(|wanted| self.deploy_one(wanted, read, case));
        let written = all(written.collect()).await.during("failed to generate the machine deployment config")?;
        Ok(written.into_iter().flatten().collect())
    }

    /// Writes a machine deployment. Returns it where something was to be written.
    pub(super) async fn deploy_one(
        self,
        wanted: &DesiredDeployment,
        read: &Read,
        case: Case,
    ) -> Result<Option<Value>, crate::api_server::requests::WriteError> {
        let is_hibernated = self.hibernation.is_enabled;
        let (minimum, maximum) = (wanted.minimum, wanted.maximum);
        let change = |live: Option<&Value>| {
            let number = live.map(|live| number(live, "/spec/replicas"));
            let replicas = replicas(Case { is_hibernated, live: number, minimum, maximum, ..case });
            match live {
                None => Some(deployments::new(wanted, self.worker, replicas.unwrap_or(minimum))),
                Some(live) => deployments::patch(wanted, self.worker, live, replicas),
            }
        };
        let live = read.deployments.iter().find(|live| name(live) == wanted.name);
        bring(self.objects, &MACHINE_DEPLOYMENTS, (self.namespace(), &wanted.name), live, change).await
    }

    async fn readiness(self, replaced: &[&str], read: &Read) -> Result<Readiness, Stopped> {
        if !self.hibernation.is_enabled {
            return Ok(awake(self.wanted, replaced, read.fleet()));
        }
        let is_managed = self.manager().await? > 0;
        Ok(hibernated(self.wanted, is_managed, read.fleet()))
    }

    /// Deletes what nobody wants any more, and ends the step where that has to be waited for.
    async fn remove(self, read: &Read) -> Result<Option<Ended>, Stopped> {
        let Self { objects, wanted, .. } = self;
        let deployments = unwanted(&read.deployments, |name| wanted.has_deployment(name));
        let deleted = delete(objects, &MACHINE_DEPLOYMENTS, deployments).await;
        deleted.during("failed to cleanup the machine deployments")?;
        let classes = unwanted(&read.classes, |name| wanted.has_class(name));
        delete(objects, &MACHINE_CLASSES, classes).await.during("failed to cleanup the machine classes")?;
        let secrets = unwanted(&read.secrets, |name| wanted.has_secret(name));
        let deleted = delete(objects, &SECRETS, secrets).await;
        deleted.during("failed to cleanup the orphaned machine class secrets")?;
        let prefix = "error while waiting for all undesired machine deployments to be deleted";
        match unwanted_left(&read.deployments, |name| wanted.has_deployment(name)) {
            Removal::Done => Ok(None),
            // Nobody else deletes machines.
            _ if self.manager().await? == 0 => Ok(None),
            Removal::Waiting(text) => {
                Ok(Some(wait("unwanted machine deployments", &text, format!("{prefix}: {text}"))))
            }
            Removal::Failed(text) => Err(Failure::new(format!("{prefix}: {text}")).into()),
        }
    }

    /// Deletes the pods of a machine-controller-manager that does nothing any more: it begins again.
    async fn restart_manager(self, read: &Read) -> Result<(), Stopped> {
        let Some(deployment) = stuck::stuck_on(read.fleet(), Timestamp::now()) else { return Ok(()) };
        let namespace = self.namespace();
        let pods = self.objects.list(&PODS, namespace, stuck::PODS_OF_MANAGER).await;
        let pods = pods.during("failed to list machine-controller-manager pods")?;
        let deleted = delete(self.objects, &PODS, pods.iter()).await;
        deleted.during("failed to delete stuck machine-controller-manager pod")?;
        tracing::info!("pods of the machine-controller-manager are deleted: {deployment} has no machine set");
        Ok(())
    }

    async fn manager(self) -> Result<i64, Stopped> {
        manager(self.objects, self.namespace())
            .await
            .during("failed reading deployment machine-controller-manager")
    }
}

/// Writes machine classes, each after its Secret.
pub(super) async fn deploy_classes(
    objects: &Objects,
    wanted: &DesiredMachines,
    read: &Read,
) -> Result<(), Stopped> {
    let kinds: [(&'static Resource, &[Value]); 2] = [(&SECRETS, &read.secrets), (&MACHINE_CLASSES, &read.classes)];
    for (of, live) in kinds {
        let bring = |wanted| {
            let name = name(wanted);
            let live = live.iter().find(|live| self::name(live) == name);
            let change = move |live: Option<&Value>| match live {
                None => Some(classes::new(wanted)),
                Some(live) => classes::patch(wanted, live),
            };
            bring(objects, of, (text(wanted, "/metadata/namespace"), name), live, change)
        };
        let written = all(wanted.objects_of(of.kind).map(bring).collect()).await;
        written.during("failed to deploy the machine classes")?;
    }
    Ok(())
}

/// Marks machines whose nodes are not to be drained when they are deleted.
pub(super) async fn force_deletion(objects: &Objects, machines: &[Value]) -> Result<(), Stopped> {
    let mark = |machine| {
        let place = (text(machine, "/metadata/namespace"), name(machine));
        bring(objects, &MACHINES, place, Some(machine), |live| live.and_then(machines::forced))
    };
    let marked =
        all(machines.iter().filter(|machine| machines::forced(machine).is_some()).map(mark).collect()).await;
    marked.during("marking all machines for forceful deletion failed").map(drop)
}

/// The machine deployments that exist and get a machine class that did not exist before.
fn replaced<'w>(wanted: &'w DesiredMachines, read: &Read) -> Vec<&'w str> {
    let has = |objects: &[Value], wanted: &str| objects.iter().any(|object| name(object) == wanted);
    let is_replaced = |wanted: &&DesiredDeployment| {
        has(&read.deployments, &wanted.name) && !has(&read.classes, &wanted.class_name)
    };
    wanted.deployments.iter().filter(is_replaced).map(|wanted| wanted.name.as_str()).collect()
}

fn unavailable(text: &str) -> String {
    format!("failed while waiting for all machine deployments to be ready: {text}")
}
