//! The cache of Clusters.

use futures_util::StreamExt as _;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::reflector::{ObjectRef, Store, store::Writer};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Resource as _, ResourceExt as _};
use tokio::task::JoinSet;

use crate::api_server::requests::watch_trouble;
use crate::controller::runtime::cluster::{Cluster, Shared};
use crate::controller::runtime::wake::{Wake, Wakes};
use crate::health::{Check, Readiness};

/// The cache of Clusters. Each one that changes wakes the objects of its namespace.
pub fn watch(client: Client, wakes: Wakes, readiness: &Readiness, background: &mut JoinSet<()>) -> Store<Cluster> {
    let mut writer = Writer::<Cluster>::default();
    let (store, reader) = (writer.as_reader(), writer.as_reader());
    let ready = readiness.condition(Check::Caches, "clusters");
    background.spawn(async move {
        let events = watcher(Api::<Cluster>::all(client), watcher::Config::default()).default_backoff();
        let mut events = std::pin::pin!(events);
        let (mut shared, mut names) = (Shared::default(), Vec::new());
        while let Some(event) = events.next().await {
            let event = match event {
                Ok(event) => event.modify(|cluster| shared.share(cluster)),
                Err(error) => {
                    tracing::warn!(
                        kind = "Cluster",
                        "the watch failed, and starts again: {}",
                        watch_trouble(&error)
                    );
                    continue;
                }
            };
            let is_new = |cluster: &Cluster| {
                let old = reader.get(&ObjectRef::from_obj(cluster));
                old.is_none_or(|old| old.meta().resource_version != cluster.meta().resource_version)
            };
            match &event {
                Event::Apply(cluster) | Event::InitApply(cluster) if is_new(cluster) => {
                    names.push(cluster.name_any());
                }
                _ => {}
            }
            writer.apply_watcher_event(&event);
            if matches!(event, Event::InitDone) {
                ready.set(true);
            }
            // While all Clusters are listed, the cache still has the old ones.
            if !matches!(event, Event::InitApply(_)) {
                names.drain(..).for_each(|name| wakes.notify(&Wake::Cluster(name)));
            }
        }
    });
    store
}
