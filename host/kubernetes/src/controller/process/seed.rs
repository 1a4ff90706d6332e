//! The process in a seed: its client, caches, Leases, servers and controllers.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kube::Client;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::controller::kinds::planned::GRACE as RUN_GRACE;
use crate::controller::process::controllers::{self, Surroundings};
use crate::controller::process::election::{self, ElectionError, Leadership};
use crate::controller::process::heartbeat;
use crate::controller::process::options::{Election, Options};
use crate::controller::process::policies::PolicyError;
use crate::controller::runtime::client::ClientError;
use crate::controller::webhooks::mutating::Mutating;
use crate::controller::webhooks::upkeep::Upkeep;
use crate::controller::webhooks::{self, WebhooksError};
use crate::health::{self, Check, Readiness, ServeError, Setter};
use crate::metrics::Metrics;
use trellis_policies::engine::{PolicyThreads, Versions};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, StopSignal, Stopper};

/// How long the process goes on after a stop, until the answers of calls in flight are recorded.
const GRACE: Duration = Duration::from_secs(40);
/// Why a process that is to stop is not ready.
const STOPPING: &str = "stopping";

/// Why a process does not run, or ends.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no API server to call.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The task that loads the policies broke off.
    #[error("the policies cannot be loaded: {0}")]
    Broken(#[from] tokio::task::JoinError),
    /// The policies cannot be loaded.
    #[error(transparent)]
    Policies(#[from] PolicyError),
    /// A server does not start.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The webhooks are not served.
    #[error(transparent)]
    Webhooks(#[from] WebhooksError),
    /// The Lease cannot be had.
    #[error(transparent)]
    Election(#[from] ElectionError),
    /// Another process may hold the Lease.
    #[error(
        "leader election lost: another process may be the leader now; start this one again, and it waits for its turn"
    )]
    LeaseLost,
}

/// Runs until it is stopped, or may not go on with its work. Reviews are answered for a while then, whatever the
/// end is, because those of another process begin when API servers hear that this one is not ready any more.
pub async fn run(options: Options, stop: StopSignal, stopper: Stopper) -> Result<(), RunError> {
    let metrics = Metrics::new();
    let readiness = Readiness::default();
    let (load, counted) = (options.policies.clone(), metrics.clone());
    let loaded = tokio::task::spawn_blocking(move || load.load(&counted)).await;
    let versions = Arc::new(Versions::new(loaded??));
    let client = options.access.client(&metrics).await?;
    // A kubelet asks until the end.
    let until = StopSignal::never();
    let bound = health::serve(options.metrics, options.health, metrics.clone(), readiness.clone(), until).await?;
    tracing::info!(
        metrics = bound.metrics.map(|address| address.to_string()),
        health = bound.health.map(|address| address.to_string()),
        "serving"
    );
    let mut background = JoinSet::new();
    background.spawn(options.policies.clone().watch(Arc::clone(&versions), metrics.clone()));
    // Not in the background, which may end before the process does.
    tokio::spawn(unready(readiness.condition(Check::Process, STOPPING), stop.clone()));
    let (server, upkeep) = match options.webhooks.clone() {
        None => (None, None),
        Some(wanted) => {
            let mutating = Mutating {
                provider: options.provider.clone(),
                policies: Arc::clone(&versions),
                threads: PolicyThreads::default(),
                configuration: options.configuration.document.clone().map(Arc::from),
                images: options.images.clone().map(Arc::from),
                client: client.clone(),
                metrics: metrics.clone(),
            };
            let client = client.clone();
            let served = webhooks::start(wanted, mutating, client, &readiness, stop, &mut background).await?;
            tracing::info!(address = %served.address, "serving webhooks");
            (Some(served.server), Some(served.upkeep))
        }
    };
    let (of_work, stop) = stopper.child();
    let process = Process { client, versions, metrics, readiness, stop, stopper: of_work };
    let ended = Box::pin(process.work(options, upkeep, &mut background)).await;
    if let Some(server) = server {
        if let Err(error) = &ended {
            background.abort_all();
            tracing::warn!("the process ends, and answers reviews until others do: {error}");
            stopper.stop(Stop::Gracefully);
        }
        // A panic of the server has been reported already.
        let _ = server.await;
    }
    ended
}

/// The process is ready until it is to stop.
async fn unready(ready: Setter, stop: StopSignal) {
    ready.set(true);
    stop.asked(Stop::Gracefully).await;
    ready.set(false);
}

/// What a process has once it serves.
struct Process {
    client: Client,
    versions: Arc<Versions>,
    metrics: Metrics,
    readiness: Readiness,
    stop: StopSignal,
    /// Ends the work, and not the process.
    stopper: Stopper,
}

impl Process {
    /// Waits for its turn, and then does what one process alone may do, until it is stopped.
    async fn work(
        self,
        options: Options,
        upkeep: Option<Upkeep>,
        background: &mut JoinSet<()>,
    ) -> Result<(), RunError> {
        let Self { client, versions, metrics, readiness, stop, stopper } = self;
        let leadership = match &options.election {
            None => None,
            Some(Election { namespace, name }) => {
                let wanted = election::Options::new(namespace.clone(), name.clone(), election::identity());
                match election::acquire(client.clone(), wanted, stop.clone()).await? {
                    None => return Ok(()),
                    Some(leadership) => Some((leadership, name.clone())),
                }
            }
        };
        if let Some((_, name)) = &leadership {
            metrics.leader(name, true);
        }
        let lease_signal =
            leadership.as_ref().map_or_else(LeaseSignal::unlimited, |(leadership, _)| leadership.lease_signal());
        let permit = Permit { stop: stop.clone(), lease_signal: lease_signal.clone() };
        if let Some((namespace, interval)) = &options.heartbeat {
            let wanted = heartbeat::Options {
                namespace: namespace.clone(),
                holder: format!("provider-{}", options.provider),
                interval: *interval,
            };
            background.spawn(heartbeat::beat(client.clone(), wanted, lease_signal, stop.clone()));
        }
        let webhooks = match upkeep {
            None => None,
            Some(upkeep) => match upkeep.register(&permit).await {
                Ok(shoots) => {
                    let watched = shoots.watch();
                    background.spawn(upkeep.lead(permit.clone(), shoots));
                    watched
                }
                Err(_) if stop.now() > Stop::No => None,
                Err(error) => return Err(error.into()),
            },
        };
        let surroundings =
            Surroundings { client, versions, metrics: metrics.clone(), readiness, permit, webhooks };
        let controllers = controllers::run(options, surroundings, background);
        Box::pin(lead(leadership, &metrics, controllers, stop, &stopper)).await
    }
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
    let began = OnceLock::new();
    let late = async {
        stop.asked(Stop::Gracefully).await;
        began.get_or_init(Instant::now);
        tracing::info!("stopping: no further call is sent; the answers of calls in flight are recorded");
        tokio::select! {
            () = stop.asked(Stop::AtOnce) => {}
            () = sleep(GRACE) => {}
        }
    };
    let is_done = tokio::select! {
        biased;
        () = lost => {
            stopper.stop(Stop::AtOnce);
            if let Some((_, name)) = &lease {
                metrics.leader(name, false);
            }
            return Err(RunError::LeaseLost);
        }
        () = &mut controllers => true,
        () = late => false,
    };
    // A call whose answer nobody waited for may still have its effect: the Lease has to run out first.
    let is_quiet = is_done && began.get().is_none_or(|began| began.elapsed() < RUN_GRACE);
    if !is_quiet {
        tracing::warn!("some calls had no answer in time; the next process goes on once the Lease has run out");
        return Ok(());
    }
    if let Some((leadership, name)) = lease {
        leadership.release().await;
        metrics.leader(&name, false);
    }
    tracing::info!("stopped");
    Ok(())
}
