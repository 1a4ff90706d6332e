//! What Terraformer left in a seed. Earlier releases of the existing extension ran Terraform in its pods, and its files are
//! in objects that its own finalizer holds (reference: `alicloud-cloud` 2.17, B.5).

use std::time::Duration;

use serde_json::{Map, Value};

use crate::api_server::member::text;
use crate::api_server::objects::{Objects, is_deleted, name, namespace};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{CONFIG_MAPS, PODS, Resource, SECRETS};
use crate::controller::runtime::actuator::{Ended, Wait};
use crate::controller::runtime::reconcile::without_finalizer;
use crate::controller::runtime::status::Failure;

/// Nobody removes it any more, and the namespace does not end while it is there.
const FINALIZER: &str = "gardener.cloud/terraformer";
/// The label selector of its pods for infrastructures.
const FOR_INFRASTRUCTURES: &str = "terraformer.gardener.cloud/purpose=infra";
/// The label of a pod that names its Infrastructure.
const INFRASTRUCTURE: &str = "/metadata/labels/terraformer.gardener.cloud~1name";
/// What its objects are named after the Infrastructure: variables with credentials, the state, the configuration.
const FILES: [(&Resource, &str); 3] =
    [(&SECRETS, "infra.tf-vars"), (&CONFIG_MAPS, "infra.tf-state"), (&CONFIG_MAPS, "infra.tf-config")];

/// Removes what Terraformer left of an Infrastructure. A pod that still runs may give objects their finalizer again, hence pods
/// go first; where nothing may be waited for, nobody needs what such a pod does.
pub async fn remove(objects: &Objects, infrastructure: &Value, is_forced: bool) -> Result<(), Ended> {
    let count = delete_pods(objects, infrastructure).await.map_err(failed)?;
    if count > 0 && !is_forced {
        return Err(wait(count));
    }
    for (of, suffix) in FILES {
        let file = format!("{}.{suffix}", name(infrastructure));
        delete_file(objects, of, namespace(infrastructure), &file).await.map_err(failed)?;
    }
    Ok(())
}

/// Deletes the pods, and returns how many there were. The selector has no name, because that of an Infrastructure may be
/// longer than a label.
async fn delete_pods(objects: &Objects, infrastructure: &Value) -> Result<usize, WriteError> {
    let pods = objects.list(&PODS, namespace(infrastructure), FOR_INFRASTRUCTURES).await?;
    let of_infrastructure = |pod: &&Value| text(pod, INFRASTRUCTURE) == name(infrastructure);
    let pods: Vec<&Value> = pods.iter().filter(of_infrastructure).collect();
    for pod in pods.iter().filter(|pod| !is_deleted(pod)) {
        objects.delete(&PODS, pod).await?;
    }
    Ok(pods.len())
}

/// Deletes an object once Terraformer's finalizer is gone. Those of others stay, and hold it.
async fn delete_file(objects: &Objects, of: &Resource, namespace: &str, name: &str) -> Result<(), WriteError> {
    let release = |live: Option<&Value>| without_finalizer(live?.get("metadata")?, FINALIZER);
    match objects.change(of, namespace, name, release).await? {
        Some(live) if !is_deleted(&live) => objects.delete(of, &live).await,
        _ => Ok(()),
    }
}

fn wait(pods: usize) -> Ended {
    let text = format!("Waiting until the pods of Terraformer are deleted ({pods} left)");
    let late = Failure::new(format!("{pods} pod(s) of Terraformer are not deleted in time"));
    Ended::Waiting(Wait {
        what: "pods of Terraformer",
        text,
        every: Duration::from_secs(5),
        most: Duration::from_mins(2),
        late,
    })
}

fn failed(error: WriteError) -> Ended {
    match error {
        WriteError::PermitEnded(_) => Ended::PermitEnded,
        error @ WriteError::Api(_) => {
            Ended::Failed(Failure::new(format!("cannot remove what Terraformer left: {error}")), Map::new())
        }
    }
}

#[cfg(test)]
mod tests;
