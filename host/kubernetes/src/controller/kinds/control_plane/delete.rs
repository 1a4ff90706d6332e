//! A ControlPlane goes, or leaves for another seed.

use std::time::Duration;

use serde_json::Map;

use super::{ControlPlanes, SEED, SHOOT, SHOOT_CRDS, SHOOT_WEBHOOKS, STORAGE_CLASSES, Stopped};
use crate::api_server::objects::{Objects, namespace};
use crate::controller::runtime::actuator::{Ended, Task, Wait};
use crate::controller::runtime::managed_resources::{Listed, delete, keep_objects};
use crate::controller::runtime::status::Failure;

/// How long to wait until a ManagedResource is gone.
const MOST: Duration = Duration::from_mins(2);
/// How often to look.
const EVERY: Duration = Duration::from_secs(2);

impl ControlPlanes {
    /// Deletes all that the extension has made for a ControlPlane.
    pub(super) async fn delete(&self, task: Task<'_>, objects: &Objects) -> Result<Ended, Stopped> {
        self.leave(task, objects).await?;
        self.delete_certificates(task, objects).await?;
        Ok(Ended::Done(Map::new()))
    }

    /// As a deletion; the objects in the Shoot stay, and so do the certificates, which gardenlet takes to the
    /// other seed.
    pub(super) async fn migrate(&self, task: Task<'_>, objects: &Objects) -> Result<Ended, Stopped> {
        let listed = Listed::read(objects, namespace(task.object)).await?;
        for name in [SHOOT, SHOOT_CRDS, STORAGE_CLASSES] {
            keep_objects(objects, &listed, name).await?;
        }
        self.leave(task, objects).await?;
        Ok(Ended::Done(Map::new()))
    }

    /// Deletes what is applied in the Shoot before what runs in the seed, which cleans up in the Shoot.
    async fn leave(&self, task: Task<'_>, objects: &Objects) -> Result<(), Stopped> {
        let place = namespace(task.object);
        let listed = Listed::read(objects, place).await?;
        let gone = |name: &'static str| {
            if task.is_forced || listed.get(name).is_none() { Ok(()) } else { Err(Stopped::Ended(wait(name))) }
        };
        delete(objects, &listed, STORAGE_CLASSES).await?;
        delete(objects, &listed, SHOOT_CRDS).await?;
        gone(SHOOT_CRDS)?;
        delete(objects, &listed, SHOOT).await?;
        gone(STORAGE_CLASSES)?;
        gone(SHOOT)?;
        delete(objects, &listed, SEED).await?;
        self.delete_access(task, objects).await?;
        delete(objects, &listed, SHOOT_WEBHOOKS).await?;
        gone(SHOOT_WEBHOOKS)?;
        self.memory.forget(place);
        Ok(())
    }
}

/// Waits until a ManagedResource is gone.
fn wait(name: &'static str) -> Ended {
    let late = format!(
        "the ManagedResource `{name}` is still there after {} minutes: its conditions say what the \
         gardener-resource-manager waits for",
        MOST.as_secs() / 60
    );
    Ended::Waiting(Wait {
        what: name,
        text: format!("Waiting until the ManagedResource {name} is deleted"),
        every: EVERY,
        most: MOST,
        late: Failure::new(late),
    })
}
