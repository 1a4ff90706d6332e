//! A step towards the end of a Worker.

use serde_json::{Map, Value};

use super::reconcile::{deploy_classes, force_deletion};
use super::removal::{Removal, Stage, is_acquired, unwanted};
use super::writing::delete;
use super::{During as _, Read, Stopped, Workers, wait};
use crate::api_server::member::text;
use crate::api_server::objects::Objects;
use crate::api_server::resource::{MACHINE_CLASSES, MACHINE_DEPLOYMENTS, SECRETS};
use crate::controller::runtime::actuator::{Ended, Task};
use crate::controller::runtime::status::Failure;

impl Workers {
    /// Deletes all machines, and what they are made of.
    pub(super) async fn delete(&self, task: Task<'_>, objects: &Objects) -> Result<Ended, Stopped> {
        let worker = task.object;
        let read = Read::of(objects, text(worker, "/metadata/namespace")).await?;
        let stage = read.remains().stage();
        if stage == Stage::Preparing {
            let wanted = self.wanted(task, objects).await?;
            deploy_classes(objects, &wanted, &read).await?;
            // Without the credentials nobody can delete the machines.
            if !credentials(objects, worker).await?.as_ref().is_some_and(is_acquired) {
                return Ok(wait_for_credentials("acquired"));
            }
        }
        if stage != Stage::Gone {
            force_deletion(objects, &read.machines).await?;
            let none = |_: &str| false;
            let deleted = delete(objects, &MACHINE_DEPLOYMENTS, unwanted(&read.deployments, none)).await;
            deleted.during("cleaning up all machine deployments failed")?;
            let deleted = delete(objects, &MACHINE_CLASSES, unwanted(&read.classes, none)).await;
            deleted.during("cleaning up all machine classes failed")?;
            let deleted = delete(objects, &SECRETS, unwanted(&read.secrets, none)).await;
            deleted.during("cleaning up all machine class secrets failed")?;
        }
        let prefix = "failed while waiting for all machine resources to be deleted";
        match read.remains().left() {
            Removal::Done => {}
            Removal::Waiting(text) => return Ok(wait("machine resources", &text, format!("{prefix}: {text}"))),
            Removal::Failed(text) => return Err(Failure::new(format!("{prefix}: {text}")).into()),
        }
        if credentials(objects, worker).await?.as_ref().is_some_and(is_acquired) {
            return Ok(wait_for_credentials("released"));
        }
        Ok(Ended::Done(Map::new()))
    }
}

/// The Secret with the credentials.
async fn credentials(objects: &Objects, worker: &Value) -> Result<Option<Value>, Stopped> {
    let of_worker = text(worker, "/metadata/namespace");
    let namespace = Some(text(worker, "/spec/secretRef/namespace")).filter(|namespace| !namespace.is_empty());
    let secret = objects.get(&SECRETS, namespace.unwrap_or(of_worker), text(worker, "/spec/secretRef/name")).await;
    secret.during("could not get the secret referenced by worker")
}

fn wait_for_credentials(what: &'static str) -> Ended {
    let text = format!("machine class credentials secret has not yet been {what}");
    let late = format!("failed while waiting for the machine class credentials secret to be {what}: {text}");
    wait(if what == "acquired" { "credentials acquired" } else { "credentials released" }, &text, late)
}
