//! The process in a seed: its client, caches, Leases, servers and controllers.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use kube::client::ClientBuilder;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::WatchStreamExt as _;
use kube::runtime::reflector::{ObjectRef, Store, store::Writer};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Config};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::api::ObjectApi;
use super::caution::Caution;
use super::cluster::{Cluster, Shared};
use super::configuration::Configuration;
use super::election::{self, ElectionError, Leadership};
use super::events::Events;
use super::extension::Extension;
use super::health::{self, Readiness, ServeError};
use super::heartbeat;
use super::infrastructure::Infrastructures;
use super::metrics::Metrics;
use super::policies::{PolicyError, PolicyFiles};
use super::queue::Controller;
use super::reader::ClusterReader;
use super::reconcile::{Actuator, Outcome, Reconcile};
use super::secrets::Secrets;
use super::trigger::{Filter, Trigger};
use crate::engine::{PolicyThreads, Versions};
use crate::plan::leave::Leave;
use crate::plan::stop::{Stop, StopSignal, Stopper};
use crate::plan::tenure::Tenure;
use crate::transport::{Authority, Endpoint, Wire};

/// How long the process goes on after a stop, until the answers of calls in flight are recorded.
const GRACE: Duration = Duration::from_secs(40);

/// How a process runs.
#[derive(Debug)]
pub struct Options {
    /// The provider type.
    pub provider: String,
    /// Its policies.
    pub policies: PolicyFiles,
    /// The kubeconfig; else that of the configuration, `$KUBECONFIG`, the pod's own, or the home folder's.
    pub kubeconfig: Option<PathBuf>,
    /// The address of the API server, in place of that of the kubeconfig.
    pub master: Option<String>,
    /// The lock for one of several processes; none where there is one alone.
    pub election: Option<Election>,
    /// The namespace of the heartbeat Lease, and how often it is renewed.
    pub heartbeat: Option<(String, Duration)>,
    /// Where `/metrics` is served.
    pub metrics: Option<SocketAddr>,
    /// Where `/healthz` and `/readyz` are served.
    pub health: Option<SocketAddr>,
    /// The most reconciles of Infrastructures at a time; none where that controller is disabled.
    pub infrastructures: Option<u16>,
    /// What asks for a reconcile.
    pub trigger: Trigger,
    /// The classes of objects.
    pub classes: Vec<String>,
    /// The extension's own configuration.
    pub configuration: Configuration,
    /// What is held back.
    pub caution: Caution,
    /// Where the cloud is.
    pub endpoint: Endpoint,
    /// The way to the cloud.
    pub wire: Arc<Wire>,
    /// The calls that plans may make.
    pub authority: Authority,
}

/// The lock for one of several processes.
#[derive(Clone, Debug)]
pub struct Election {
    /// The namespace of the Lease.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// Why a process does not run, or ends.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Nothing says where the API server is, or how to call it.
    #[error("there is no API server to call: {0}; name a kubeconfig with --kubeconfig")]
    Client(String),
    /// The policies cannot be loaded.
    #[error(transparent)]
    Policies(#[from] PolicyError),
    /// A server does not start.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The Lease cannot be had.
    #[error(transparent)]
    Election(#[from] ElectionError),
    /// Another process may hold the Lease.
    #[error("leader election lost")]
    LeaseLost,
}

/// Runs until it is stopped.
pub async fn run(options: Options, stop: StopSignal, stopper: Stopper) -> Result<(), RunError> {
    let metrics = Metrics::new();
    let readiness = Readiness::default();
    let (load, counted) = (options.policies.clone(), metrics.clone());
    let loaded = tokio::task::spawn_blocking(move || load.load(&counted)).await;
    let versions = Arc::new(Versions::new(loaded.map_err(|error| RunError::Client(error.to_string()))??));
    let client = client(&options, &metrics).await?;
    let bound =
        health::serve(options.metrics, options.health, metrics.clone(), readiness.clone(), stop.clone()).await?;
    tracing::info!(
        metrics = bound.metrics.map(|address| address.to_string()),
        health = bound.health.map(|address| address.to_string()),
        "serving"
    );
    let mut background = JoinSet::new();
    background.spawn(options.policies.clone().watch(Arc::clone(&versions), metrics.clone()));
    let lease = match &options.election {
        None => None,
        Some(Election { namespace, name }) => {
            let wanted = election::Options::new(namespace.clone(), name.clone(), election::identity());
            tracing::info!(
                lease = format!("{namespace}/{name}"),
                identity = wanted.identity,
                "waiting for the Lease"
            );
            match election::acquire(client.clone(), wanted, stop.clone()).await? {
                None => return Ok(()),
                Some(leadership) => Some((leadership, name.clone())),
            }
        }
    };
    if let Some((_, name)) = &lease {
        metrics.leader(name, true);
        tracing::info!("leading");
    }
    let tenure = lease.as_ref().map_or_else(Tenure::unlimited, |(leadership, _)| leadership.tenure());
    let leave = Leave { stop: stop.clone(), tenure: tenure.clone() };
    if let Some((namespace, interval)) = &options.heartbeat {
        let wanted = heartbeat::Options {
            namespace: namespace.clone(),
            holder: format!("provider-{}", options.provider),
            interval: *interval,
        };
        background.spawn(heartbeat::beat(client.clone(), wanted, tenure, stop.clone()));
    }
    let controllers = controllers(options, client, versions, &metrics, &readiness, leave, &mut background);
    lead(lease, &metrics, controllers, stop, &stopper).await
}

/// Runs controllers while the Lease is held.
async fn lead(
    lease: Option<(Leadership, String)>,
    metrics: &Metrics,
    controllers: impl Future<Output = ()>,
    stop: StopSignal,
    stopper: &Stopper,
) -> Result<(), RunError> {
    let mut controllers = std::pin::pin!(controllers);
    let mut lease = lease;
    let lost = async {
        match &mut lease {
            Some((leadership, _)) => leadership.lost().await,
            None => std::future::pending().await,
        }
    };
    let late = async {
        stop.asked(Stop::Gracefully).await;
        tracing::info!("stopping: no further call is sent; the answers of calls in flight are recorded");
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        biased;
        () = lost => {
            stopper.stop(Stop::AtOnce);
            return Err(RunError::LeaseLost);
        }
        () = &mut controllers => {}
        () = late => tracing::warn!("some reconciles did not end in time; the next process goes on"),
    }
    if let Some((leadership, name)) = lease {
        leadership.release().await;
        metrics.leader(&name, false);
    }
    tracing::info!("stopped");
    Ok(())
}

/// All controllers, until they are stopped.
async fn controllers(
    options: Options,
    client: Client,
    versions: Arc<Versions>,
    metrics: &Metrics,
    readiness: &Readiness,
    leave: Leave,
    background: &mut JoinSet<()>,
) {
    let secrets = Secrets::new(client.clone());
    let setter = readiness.condition("secrets");
    background.spawn(secrets.clone().watch(move |ready| setter.set(ready)));
    let (clusters, changed) = clusters(client.clone(), readiness, options.trigger, background);
    let Some(concurrency) = options.infrastructures else {
        return leave.stop.asked(Stop::Gracefully).await;
    };
    let counted = metrics.clone();
    let actuator = Arc::new(Infrastructures {
        provider: options.provider.clone(),
        policies: versions,
        threads: PolicyThreads::default(),
        wire: options.wire,
        endpoint: options.endpoint,
        authority: options.authority,
        secrets,
        image_owner: options.configuration.image_owner,
        configuration: options.configuration.document,
        reader: ClusterReader(client.clone()),
        metrics: counted,
    });
    let kind = actuator.kind();
    let controller = Controller {
        client: client.clone(),
        resource: kind.resource(),
        filter: Filter { provider: options.provider, classes: options.classes, trigger: options.trigger },
        concurrency,
        metrics: metrics.controller(kind.controller, concurrency.into()),
        stop: leave.stop.clone(),
    };
    let events =
        Arc::new(Events::new(client.clone(), &format!("{}-controller", kind.controller), &election::identity()));
    let (caution, trigger, ready) = (options.caution, options.trigger, readiness.condition(kind.plural));
    // A reconcile needs the Clusters and the Secrets.
    let _ = clusters.wait_until_ready().await;
    let held = metrics.clone();
    let reconcile = move |object: Arc<Extension>| {
        let (actuator, events, leave, held) =
            (Arc::clone(&actuator), Arc::clone(&events), leave.clone(), held.clone());
        let cluster = clusters.get(&ObjectRef::new(object.namespace()));
        let place = (object.namespace(), object.name());
        let uid = object.metadata.uid.as_deref().unwrap_or_default();
        let api = ObjectApi::new(client.clone(), kind, place, uid, leave.clone());
        async move {
            let reconcile = Reconcile {
                actuator: &*actuator,
                object: &object,
                cluster: cluster.as_deref(),
                api: api.clone(),
                trigger,
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
    controller.run(reconcile, changed, move |is_ready| ready.set(is_ready)).await;
}

/// The cache of Clusters, and the names of those that changed, where that asks for reconciles.
fn clusters(
    client: Client,
    readiness: &Readiness,
    trigger: Trigger,
    background: &mut JoinSet<()>,
) -> (Store<Cluster>, impl futures_util::Stream<Item = String> + Send + 'static) {
    let mut writer = Writer::<Cluster>::default();
    let store = writer.as_reader();
    let ready = readiness.condition("clusters");
    let (sender, receiver) = mpsc::unbounded_channel();
    background.spawn(async move {
        let events = watcher(Api::<Cluster>::all(client), watcher::Config::default()).default_backoff();
        let mut events = std::pin::pin!(events);
        let mut shared = Shared::default();
        while let Some(event) = events.next().await {
            let event = match event {
                Ok(event) => event.modify(|cluster| shared.share(cluster)),
                Err(error) => {
                    tracing::warn!(%error, kind = "Cluster", "the watch failed, and starts again");
                    continue;
                }
            };
            if let Event::Apply(cluster) = &event
                && trigger == Trigger::Generation
            {
                // Nobody listens where no controller runs.
                let _ = sender.send(kube::ResourceExt::name_any(cluster));
            }
            writer.apply_watcher_event(&event);
            if matches!(event, Event::InitDone) {
                ready.set(true);
            }
        }
    });
    let changed = stream::unfold(receiver, async |mut receiver: mpsc::UnboundedReceiver<String>| {
        receiver.recv().await.map(|name| (name, receiver))
    });
    (store, changed)
}

/// A client of the API server.
async fn client(options: &Options, metrics: &Metrics) -> Result<Client, RunError> {
    let unclear = |error: &dyn std::fmt::Display| RunError::Client(error.to_string());
    let named = options.kubeconfig.as_ref().or(options.configuration.kubeconfig.as_ref());
    let mut config = match named {
        Some(file) => {
            let kubeconfig = Kubeconfig::read_from(file).map_err(|error| unclear(&error))?;
            Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
                .await
                .map_err(|error| unclear(&error))?
        }
        None => Config::infer().await.map_err(|error| unclear(&error))?,
    };
    if let Some(master) = &options.master {
        config.cluster_url = master.parse().map_err(|error| unclear(&error))?;
    }
    let layer = metrics.client_layer(&config.cluster_url);
    let builder = ClientBuilder::try_from(config).map_err(|error| unclear(&error))?;
    Ok(builder.with_layer(&layer).build())
}
