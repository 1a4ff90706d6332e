//! Watches of the metadata of objects that extension resources depend on. What the objects hold is never asked for.

use std::collections::HashMap;
use std::fmt::Debug;

use futures_util::StreamExt as _;
use k8s_openapi::api::core::v1::{Namespace, Secret};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::PartialObjectMeta;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Resource};
use tokio::task::JoinSet;

use crate::api_server::requests::watch_trouble;
use crate::controller::runtime::kind::Metadata;
use crate::controller::runtime::wake::{Wake, Wakes};

/// The annotation of the namespace of a Shoot with the UID of the Shoot.
const SHOOT_UID: &str = "shoot.gardener.cloud/uid";

impl Metadata {
    /// Watches such objects in the background. Each one that changes wakes what depends on it.
    pub fn watch(self, client: Client, wakes: Wakes, background: &mut JoinSet<()>) {
        match self {
            Self::Secrets => background.spawn(watch::<Secret>(client, wakes, |metadata| {
                Some(Wake::Secret(metadata.namespace.clone()?, metadata.name.clone()?))
            })),
            Self::Namespaces => background.spawn(watch::<Namespace>(client, wakes, |metadata| {
                let uid = metadata.annotations.as_ref()?.get(SHOOT_UID)?;
                Some(Wake::Namespace(metadata.name.clone()?, uid.clone()))
            })),
        };
    }
}

async fn watch<K>(client: Client, wakes: Wakes, wake: fn(&ObjectMeta) -> Option<Wake>)
where
    K: Resource<DynamicType = ()> + Clone + Debug + Send + 'static,
{
    let api = Api::<PartialObjectMeta<K>>::all(client);
    let events = watcher(api, watcher::Config::default()).default_backoff();
    let mut events = std::pin::pin!(events);
    let tell = |metadata: &ObjectMeta| wake(metadata).iter().for_each(|wake| wakes.tell(wake));
    // The versions, because of objects that are listed again most have not changed.
    let (mut known, mut listed) = (HashMap::new(), HashMap::new());
    let mut is_filled = false;
    while let Some(event) = events.next().await {
        match event {
            Ok(Event::Init) => listed.clear(),
            Ok(Event::InitApply(object)) => {
                let (name, version) = version(&object.metadata);
                // At first, every object of the controllers is looked at anyway.
                if is_filled && known.get(&name) != Some(&version) {
                    tell(&object.metadata);
                }
                listed.insert(name, version);
            }
            Ok(Event::InitDone) => {
                known = std::mem::take(&mut listed);
                is_filled = true;
            }
            Ok(Event::Apply(object)) => {
                let (name, version) = version(&object.metadata);
                known.insert(name, version);
                tell(&object.metadata);
            }
            Ok(Event::Delete(object)) => _ = known.remove(&version(&object.metadata).0),
            Err(error) => tracing::warn!(
                kind = %K::kind(&()),
                "the watch of metadata failed, and starts again: {}",
                watch_trouble(&error)
            ),
        }
    }
}

/// Namespace and name of an object, and its version.
type Version = ((Option<String>, Option<String>), Option<String>);

fn version(metadata: &ObjectMeta) -> Version {
    ((metadata.namespace.clone(), metadata.name.clone()), metadata.resource_version.clone())
}

#[cfg(test)]
mod tests;
