//! Watches of the metadata of objects that extension resources depend on. What the objects hold is never asked for.

use std::fmt::Debug;

use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::PartialObjectMeta;
use kube::runtime::watcher;
use kube::{Api, Client, Resource};
use tokio::task::JoinSet;

use crate::controller::runtime::kind::Metadata;
use crate::controller::runtime::wake::{Wake, Wakes};
use crate::controller::runtime::watch::watch;

/// The annotation of the namespace of a Shoot with the UID of the Shoot.
const SHOOT_UID: &str = "shoot.gardener.cloud/uid";

impl Metadata {
    /// Watches such objects in the background. Each one that changes wakes what depends on it.
    pub fn watch(self, client: Client, wakes: Wakes, background: &mut JoinSet<()>) {
        match self {
            Self::Secrets => background.spawn(changes::<Secret>(client, wakes, |metadata| {
                Some(Wake::Secret(metadata.namespace.clone()?, metadata.name.clone()?))
            })),
            Self::Namespaces => background.spawn(changes::<Namespace>(client, wakes, |metadata| {
                let uid = metadata.annotations.as_ref()?.get(SHOOT_UID)?;
                Some(Wake::Namespace(metadata.name.clone()?, uid.clone()))
            })),
        };
    }
}

/// Watches objects of which another version wakes something.
async fn changes<K>(client: Client, wakes: Wakes, wake: fn(&ObjectMeta) -> Option<Wake>)
where
    K: Resource<DynamicType = ()> + Clone + Debug + Send + 'static,
{
    let api = Api::<PartialObjectMeta<K>>::all(client);
    let version = |object: &PartialObjectMeta<K>| object.metadata.resource_version.clone();
    watch(api, watcher::Config::default(), wakes, version, |before, object| {
        if before == Some(&version(object)) { None } else { wake(&object.metadata) }
    })
    .await;
}

#[cfg(test)]
mod tests;
