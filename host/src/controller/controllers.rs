//! The controllers of a process, and the caches that they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{BoxFuture, FutureExt as _, Shared, join_all};
use kube::Client;
use kube::runtime::reflector::{ObjectRef, Store};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::api::ObjectApi;
use super::asking::{Asked, Asking};
use super::caution::Caution;
use super::cluster::Cluster;
use super::clusters::{self, Changes};
use super::control_plane::ControlPlanes;
use super::election;
use super::events::Events;
use super::extension::Extension;
use super::health::Readiness;
use super::infrastructure::Infrastructures;
use super::metrics::Metrics;
use super::queue::{Controller, Left};
use super::reader::ClusterReader;
use super::reconcile::{Actuator, Outcome, Reconcile};
use super::secrets::Secrets;
use super::seed::Options;
use super::trigger::Filter;
use super::worker::Workers;
use crate::engine::{PolicyThreads, Versions};
use crate::plan::leave::Leave;
use crate::plan::stop::Stop;

/// The most reconciles at a time, by kind; none where the controller of a kind is disabled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Controllers {
    /// Of Infrastructures.
    pub infrastructures: Option<u16>,
    /// Of ControlPlanes.
    pub control_planes: Option<u16>,
    /// Of Workers.
    pub workers: Option<u16>,
}

/// What controllers need of their process.
#[derive(Clone)]
pub struct Surroundings {
    /// The API server of the seed.
    pub client: Client,
    /// The policies in use.
    pub versions: Arc<Versions>,
    /// Counts what happens.
    pub metrics: Metrics,
    /// Tells whether the caches are filled.
    pub readiness: Readiness,
    /// Whether requests may be sent.
    pub leave: Leave,
}

/// What all controllers share.
#[derive(Clone)]
struct Common {
    filter: Filter,
    caution: Caution,
    clusters: Store<Cluster>,
    changes: Changes,
    /// Ends once the caches that every reconcile needs are filled.
    filled: Shared<BoxFuture<'static, ()>>,
    surroundings: Surroundings,
}

/// Runs all controllers until they are stopped.
pub async fn run(options: Options, surroundings: Surroundings, background: &mut JoinSet<()>) {
    let Controllers { infrastructures, control_planes, workers } = options.controllers;
    let Surroundings { client, versions, metrics, readiness, leave } = &surroundings;
    if infrastructures.or(control_planes).or(workers).is_none() {
        // Nobody reads what the caches would hold.
        return leave.stop.asked(Stop::Gracefully).await;
    }
    let secrets = Secrets::new(client.clone());
    let setter = readiness.condition("secrets");
    let (told, listed) = oneshot::channel();
    let mut told = Some(told);
    background.spawn(secrets.clone().watch(move || {
        setter.set(true);
        // Nobody waits after the first time.
        told.take().map(|told| told.send(()));
    }));
    let (clusters, changes) = clusters::watch(client.clone(), readiness, background);
    let filled = {
        let clusters = clusters.clone();
        async move {
            // Never fails: the tasks that fill the caches run as long as the process.
            let _ = clusters.wait_until_ready().await;
            let _ = listed.await;
        }
    };
    let threads = PolicyThreads::default();
    let document = options.configuration.document;
    let asking = Arc::new(Asking {
        provider: options.provider.clone(),
        policies: Arc::clone(versions),
        threads: threads.clone(),
        configuration: document.clone().map(Arc::from),
        images: options.images.map(Arc::from),
        reader: ClusterReader(client.clone()),
        asked: Asked::default(),
    });
    let infrastructure = Infrastructures {
        provider: options.provider.clone(),
        policies: Arc::clone(versions),
        threads,
        wire: options.wire,
        endpoint: options.endpoint,
        authority: options.authority,
        secrets,
        image_owner: options.configuration.image_owner,
        configuration: document,
        reader: ClusterReader(client.clone()),
        metrics: metrics.clone(),
    };
    let control_plane = ControlPlanes::new(Arc::clone(&asking), client.clone());
    let worker = Workers::new(asking, client.clone());
    let all: [(Option<u16>, Arc<dyn Actuator>); 3] = [
        (infrastructures, Arc::new(infrastructure)),
        (control_planes, Arc::new(control_plane)),
        (workers, Arc::new(worker)),
    ];
    let filter = Filter { provider: options.provider, classes: options.classes, trigger: options.trigger };
    let filled = filled.boxed().shared();
    let (caution, surroundings) = (options.caution, surroundings.clone());
    let common = Common { filter, caution, clusters, changes, filled, surroundings };
    let running = all.into_iter().filter_map(|(most, actuator)| Some(common.clone().reconcile(actuator, most?)));
    join_all(running).await;
}

impl Common {
    /// Reconciles objects of one kind until the process is stopped.
    async fn reconcile(self, actuator: Arc<dyn Actuator>, concurrency: u16) {
        let Self { filter, caution, clusters, changes, filled, surroundings } = self;
        let Surroundings { client, metrics, readiness, leave, .. } = surroundings;
        let kind = actuator.kind();
        let trigger = filter.trigger;
        let controller = Controller {
            client: client.clone(),
            resource: kind.resource(),
            filter,
            concurrency,
            metrics: metrics.controller(kind.controller, concurrency.into()),
            stop: leave.stop.clone(),
        };
        let name = format!("{}-controller", kind.controller);
        let events = Arc::new(Events::new(client.clone(), &name, &election::identity()));
        let ready = readiness.condition(kind.plural);
        let changed = changes.subscribe();
        tokio::select! {
            biased;
            () = leave.stop.asked(Stop::Gracefully) => return,
            () = filled => {}
        }
        let stopped = leave.stop.clone();
        let reconcile = move |object: Arc<Extension>, Left { is_owed, waits }: Left| {
            let (actuator, events, leave, held) =
                (Arc::clone(&actuator), Arc::clone(&events), leave.clone(), metrics.clone());
            let cluster = clusters.get(&ObjectRef::new(object.namespace()));
            let api = ObjectApi::new(client.clone(), kind, &object, leave.clone());
            async move {
                let reconcile = Reconcile {
                    actuator: &*actuator,
                    object: &object,
                    cluster: cluster.as_deref(),
                    api: api.clone(),
                    trigger,
                    is_owed,
                    waits,
                    caution,
                    leave,
                    events: &events,
                };
                let outcome = reconcile.run().await;
                if let Outcome::Held(hold) = &outcome {
                    held.held_back(hold.reason());
                }
                (outcome, api.newest())
            }
        };
        let is_filled = Arc::new(AtomicBool::new(false));
        let filled = Arc::clone(&is_filled);
        let running = controller.run(reconcile, changed, move |is_ready| {
            filled.store(true, Ordering::Relaxed);
            ready.set(is_ready);
        });
        // A queue whose cache is not filled does not end by itself.
        let unfilled = async {
            stopped.asked(Stop::Gracefully).await;
            if is_filled.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = running => {}
            () = unfilled => {}
        }
    }
}
