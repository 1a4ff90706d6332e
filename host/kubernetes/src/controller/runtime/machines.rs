//! The watch of machines whose nodes are updated in place. Where a person starts the update of each, nobody asks for a
//! reconcile of their Worker (reference: gardener-contract 2.9, A.6).

use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::runtime::watcher;
use kube::{Api, Client, Resource};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::api_server::managed_fields::WithoutManagedFields;
use crate::api_server::member::text;
use crate::api_server::requests::reported;
use crate::api_server::resource::MACHINES;
use crate::controller::runtime::wake::{Wake, Wakes};
use crate::controller::runtime::watch::watch;
use trellis_runner::state::object::ApiError;

/// The label of such a machine that names its Worker.
pub const WORKER_NAME: &str = "worker.gardener.cloud/name";
/// The reason of a machine that waits until a person starts its update.
const CANDIDATE: &str = "CandidateForUpdate";

/// A machine, as far as it wakes its Worker.
#[derive(Clone, Debug)]
struct Machine {
    metadata: ObjectMeta,
    /// Whether it waits until a person starts its update.
    is_candidate: bool,
}

/// The reason of the condition of a machine about its update in place.
fn update_reason(machine: &Value) -> Option<&str> {
    let conditions = machine.pointer("/status/conditions")?.as_array()?;
    let of_update = conditions.iter().find(|condition| text(condition, "/type") == "InPlaceUpdate")?;
    Some(text(of_update, "/reason"))
}

/// Whether the update of a machine in place has begun.
pub fn has_begun_update(machine: &Value) -> bool {
    update_reason(machine).is_some_and(|reason| reason != CANDIDATE)
}

/// Watches the machines. One that is new wakes its Worker, and so does one whose update begins.
pub async fn watch_updates(client: Client, wakes: Wakes) {
    let of_updated_pools = watcher::Config::default().labels(WORKER_NAME);
    let is_candidate = |machine: &Machine| machine.is_candidate;
    watch(Api::<Machine>::all(client), of_updated_pools, wakes, is_candidate, |was_candidate, machine| {
        let is_due = was_candidate.is_none_or(|was_candidate| *was_candidate && !machine.is_candidate);
        if is_due { machine.wake() } else { None }
    })
    .await;
}

/// Whether an API server has machines.
pub async fn are_served(client: &Client) -> Result<bool, ApiError> {
    match client.list_api_group_resources(&MACHINES.api_version()).await {
        Ok(all) => Ok(all.resources.iter().any(|one| one.name == MACHINES.plural)),
        Err(error) => match reported(&error) {
            ApiError::NotFound => Ok(false),
            error => Err(error),
        },
    }
}

impl Machine {
    fn wake(&self) -> Option<Wake> {
        let worker = self.metadata.labels.as_ref()?.get(WORKER_NAME)?;
        Some(Wake::Machine(self.metadata.namespace.clone()?, worker.clone()))
    }
}

impl<'de> Deserialize<'de> for Machine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WithoutManagedFields(machine) = WithoutManagedFields::deserialize(deserializer)?;
        let metadata = machine.get("metadata").cloned().unwrap_or_default();
        Ok(Self {
            metadata: serde_json::from_value(metadata).map_err(serde::de::Error::custom)?,
            is_candidate: update_reason(&machine) == Some(CANDIDATE),
        })
    }
}

impl Resource for Machine {
    type DynamicType = ();
    type Scope = kube::core::NamespaceResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        MACHINES.kind.into()
    }

    fn group((): &()) -> Cow<'_, str> {
        MACHINES.group.into()
    }

    fn version((): &()) -> Cow<'_, str> {
        MACHINES.version.into()
    }

    fn plural((): &()) -> Cow<'_, str> {
        MACHINES.plural.into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[cfg(test)]
mod tests;
