//! What the controllers of a process watch in addition to their objects: only what a kind that it serves needs,
//! because other API servers do not have it. A garden has no Clusters.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _, Shared};
use kube::Client;
use kube::runtime::reflector::{ObjectRef, Store};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::clusters;
use crate::controller::runtime::extension::SHOOT;
use crate::controller::runtime::kind::{ClusterNeed, Kind, Machines, Metadata};
use crate::controller::runtime::machines;
use crate::controller::runtime::secrets::Secrets;
use crate::controller::runtime::trigger::Trigger;
use crate::controller::runtime::wake::Wakes;
use crate::health::{Check, Readiness};

/// What the served kinds need.
#[derive(Debug, PartialEq, Eq)]
pub struct Needs {
    clusters: bool,
    labelled_credentials: bool,
    machines: bool,
    metadata: Vec<Metadata>,
}

impl Needs {
    /// What kinds need of which objects are reconciled, or only checked.
    pub fn of(reconciled: &[&Kind], checked: &[&Kind], classes: &[String], trigger: Trigger) -> Self {
        let needs_clusters = |kind: &&Kind| match kind.rules.cluster {
            ClusterNeed::Always => true,
            // Objects of other classes are in no namespace of a Shoot.
            ClusterNeed::OfShootNamespace => classes.iter().any(|class| class == SHOOT),
            ClusterNeed::Never => false,
        };
        let is_woken_by = |metadata: &Metadata| {
            trigger == Trigger::Generation && reconciled.iter().any(|kind| kind.rules.woken_by.contains(metadata))
        };
        Self {
            clusters: reconciled.iter().chain(checked).any(needs_clusters),
            labelled_credentials: reconciled.iter().any(|kind| kind.rules.has_labelled_credentials),
            machines: reconciled.iter().any(|kind| kind.rules.machines == Machines::Watched),
            metadata: [Metadata::Secrets, Metadata::Namespaces].into_iter().filter(is_woken_by).collect(),
        }
    }
}

impl Needs {
    /// In a Shoot that hosts its own control plane: the same without machines, where the API server has none because nobody
    /// makes them. That is looked up once.
    pub async fn of_self_hosted(self, client: &Client) -> Self {
        if !self.machines {
            return self;
        }
        let machines = match machines::are_served(client).await {
            Ok(false) => {
                tracing::info!("this cluster has no machine API: machines are not watched");
                false
            }
            Ok(true) => true,
            Err(error) => {
                tracing::warn!(
                    "it is not known whether this cluster has a machine API, and machines are watched: {error}"
                );
                true
            }
        };
        Self { machines, ..self }
    }
}

/// What is watched.
#[derive(Clone)]
pub struct Watches {
    clusters: Option<Store<Cluster>>,
    /// What wakes objects.
    pub wakes: Wakes,
    /// Ends once the caches that every reconcile needs are filled.
    pub filled: Shared<BoxFuture<'static, ()>>,
}

impl Watches {
    /// Watches what is needed, in tasks of the background.
    pub fn start(
        needs: Needs,
        client: &Client,
        secrets: &Secrets,
        readiness: &Readiness,
        background: &mut JoinSet<()>,
    ) -> Self {
        let wakes = Wakes::default();
        for metadata in needs.metadata {
            metadata.watch(client.clone(), wakes.clone(), background);
        }
        if needs.machines {
            background.spawn(machines::watch_updates(client.clone(), wakes.clone()));
        }
        let listed = needs.labelled_credentials.then(|| {
            let setter = readiness.condition(Check::Caches, "secrets");
            let (reported, listed) = oneshot::channel();
            let mut reported = Some(reported);
            background.spawn(secrets.clone().watch(move || {
                setter.set(true);
                // Nobody waits after the first time.
                reported.take().map(|reported| reported.send(()));
            }));
            listed
        });
        let clusters =
            needs.clusters.then(|| clusters::watch(client.clone(), wakes.clone(), readiness, background));
        let filling = clusters.clone();
        let filled = async move {
            // Never fails, because the tasks that fill the caches run as long as the process.
            if let Some(clusters) = filling {
                let _ = clusters.wait_until_ready().await;
            }
            if let Some(listed) = listed {
                let _ = listed.await;
            }
        };
        Self { clusters, wakes, filled: filled.boxed().shared() }
    }

    /// The Cluster of a namespace.
    pub fn cluster(&self, namespace: &str) -> Option<Arc<Cluster>> {
        self.clusters.as_ref()?.get(&ObjectRef::new(namespace))
    }
}

#[cfg(test)]
mod tests;
