//! The controllers of a process, and the caches that they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::StreamExt as _;
use futures_util::future::{FutureExt as _, join_all, ready};
use kube::Client;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::options::Options;
use super::watches::{Needs, Watches};
use crate::api_server::object::ObjectApi;
use crate::controller::health_check::checks::KindChecks;
use crate::controller::health_check::{self, CheckedObject, HealthChecks};
use crate::controller::kinds::backup_bucket::BackupBuckets;
use crate::controller::kinds::backup_entry::BackupEntries;
use crate::controller::kinds::bastion::Bastions;
use crate::controller::kinds::control_plane::ControlPlanes;
use crate::controller::kinds::dns_record::DnsRecords;
use crate::controller::kinds::infrastructure::Infrastructures;
use crate::controller::kinds::planned::Planned;
use crate::controller::kinds::worker::Workers;
use crate::controller::kinds::worker::garden::Garden;
use crate::controller::process::election;
use crate::controller::runtime::actuator::Actuator;
use crate::controller::runtime::asking::{Asked, Asking};
use crate::controller::runtime::cache::{Caches, Listener};
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::kind::{KINDS, Kind};
use crate::controller::runtime::queue::{Controller, Ran, Unfinished};
use crate::controller::runtime::reconcile::{Outcome, Reconcile};
use crate::controller::runtime::safeguards::Safeguards;
use crate::controller::runtime::secrets::Secrets;
use crate::controller::runtime::trigger::{Filter, Trigger};
use crate::health::Readiness;
use crate::metrics::Metrics;
use trellis_policies::answer::ManagedResource;
use trellis_policies::engine::{PolicyThreads, Versions};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::Stop;
use trellis_runner::transport::{Options as WireOptions, Wire};

/// What controllers need of their process.
#[derive(Clone)]
pub struct Surroundings {
    /// The API server of the seed.
    pub client: Client,
    /// The policies in use.
    pub versions: Arc<Versions>,
    /// Counts what happens.
    pub metrics: Metrics,
    /// Reports whether the caches are filled.
    pub readiness: Readiness,
    /// Whether requests may be sent.
    pub permit: Permit,
    /// What registers webhooks in Shoots; none where no webhook sees objects of Shoots.
    pub webhooks: Option<watch::Receiver<Arc<ManagedResource>>>,
}

/// What all controllers share.
#[derive(Clone)]
struct Common {
    provider: String,
    classes: Vec<String>,
    trigger: Trigger,
    safeguards: Safeguards,
    watches: Watches,
    surroundings: Surroundings,
}

/// Runs all controllers until they are stopped.
pub async fn run(options: Options, surroundings: Surroundings, background: &mut JoinSet<()>) {
    let Surroundings { client, versions, metrics, readiness, permit, webhooks } = &surroundings;
    if options.controllers.0.is_empty() {
        // Nobody reads what the caches would hold.
        return permit.stop.asked(Stop::Gracefully).await;
    }
    let is_reconciled = |kind: &&Kind| options.controllers.most(kind.controller).is_some();
    let reconciled: Vec<&Kind> = KINDS.into_iter().filter(is_reconciled).collect();
    let most_checks = options.controllers.most(health_check::NAME);
    let checks_of = |kind: &'static Kind| Some((kind, KindChecks::of(&options.provider, kind)?, most_checks?));
    let all_checks: Vec<(&'static Kind, KindChecks, u16)> = KINDS.into_iter().filter_map(checks_of).collect();
    let checked: Vec<&Kind> = all_checks.iter().map(|(kind, ..)| *kind).collect();
    let needs = Needs::of(&reconciled, &checked, &options.classes, options.trigger);
    let needs = if options.is_self_hosted { needs.of_self_hosted(client).await } else { needs };
    let secrets = Secrets::new(client.clone(), options.family.clone());
    let watches = Watches::start(needs, client, &secrets, readiness, background);
    let threads = PolicyThreads::default();
    let document = options.configuration.document;
    let asking = Arc::new(Asking {
        provider: options.provider.clone(),
        policies: Arc::clone(versions),
        threads: threads.clone(),
        configuration: document.clone().map(Arc::from),
        images: options.images.map(Arc::from),
        asked: Asked::default(),
        metrics: metrics.clone(),
    });
    let planned = Arc::new(Planned {
        provider: options.provider.clone(),
        policies: Arc::clone(versions),
        threads,
        family: options.family,
        wire: Wire::new(WireOptions { lease_signal: permit.lease_signal.clone(), ..options.wire }),
        endpoint: options.endpoint,
        allowed_calls: options.allowed_calls,
        secrets,
        configuration: document,
        client: client.clone(),
        metrics: metrics.clone(),
    });
    let backup_bucket = BackupBuckets(Arc::clone(&planned));
    let backup_entry = BackupEntries(Arc::clone(&planned));
    let bastion = Bastions(Arc::clone(&planned));
    let image_owner = options.configuration.image_owner;
    let infrastructure = Infrastructures { planned: Arc::clone(&planned), image_owner };
    let dns_record = DnsRecords { planned };
    let control_plane = ControlPlanes::new(Arc::clone(&asking), client.clone(), webhooks.clone());
    let garden = options.garden.map(|access| Garden::new(access, metrics.clone()));
    let worker = Workers::new(Arc::clone(&asking), client.clone(), garden);
    let checks = Arc::new(HealthChecks::new(asking, client.clone(), options.configuration.health_check));
    let all: [Arc<dyn Actuator>; KINDS.len()] = [
        Arc::new(backup_bucket),
        Arc::new(backup_entry),
        Arc::new(bastion),
        Arc::new(infrastructure),
        Arc::new(control_plane),
        Arc::new(worker),
        Arc::new(dns_record),
    ];
    let mut caches = Caches::default();
    let common = Common {
        provider: options.provider,
        classes: options.classes,
        trigger: options.trigger,
        safeguards: options.safeguards,
        watches,
        surroundings: surroundings.clone(),
    };
    let mut running = Vec::new();
    for actuator in all {
        if let Some(most) = options.controllers.most(actuator.kind().controller) {
            let objects = caches.listen(actuator.kind());
            running.push(common.clone().reconcile(actuator, objects, most).boxed());
        }
    }
    for (kind, kind_checks, most) in all_checks {
        let (checks, objects) = (Arc::clone(&checks), caches.listen(kind));
        running.push(common.clone().check(kind, checks, kind_checks, objects, most).boxed());
    }
    caches.watch(client, readiness, background);
    join_all(running).await;
}

impl Common {
    /// Reconciles objects of one kind until the process is stopped.
    async fn reconcile(self, actuator: Arc<dyn Actuator>, objects: Listener, concurrency: u16) {
        let Self { trigger, safeguards, watches, surroundings, .. } = self.clone();
        let Surroundings { client, metrics, permit, .. } = surroundings;
        let kind = actuator.kind();
        let filter = self.filter(kind, trigger);
        let name = format!("{}-controller", kind.controller);
        let events = Arc::new(Events::new(client.clone(), &name, &election::identity()));
        let reconcile = move |object: Arc<Extension>, Unfinished { is_owed, waits }: Unfinished| {
            let (actuator, events, permit, held) =
                (Arc::clone(&actuator), Arc::clone(&events), permit.clone(), metrics.clone());
            let cluster = watches.cluster(object.namespace());
            let client = client.clone();
            let api = ObjectApi::new(client.clone(), kind.objects(), &object.metadata, permit.clone());
            async move {
                let reconcile = Reconcile {
                    actuator: &*actuator,
                    object: &object,
                    cluster: cluster.as_deref(),
                    api: api.clone(),
                    client,
                    trigger,
                    is_owed,
                    waits,
                    safeguards,
                    permit,
                    events: &events,
                };
                let outcome = reconcile.run().await;
                if let Outcome::Held(hold) = &outcome {
                    held.held_back(hold.reason());
                }
                (outcome, api.newest())
            }
        };
        self.control(kind, kind.controller.to_owned(), filter, objects, concurrency, reconcile).await;
    }

    /// Checks the health of objects of one kind until the process is stopped.
    async fn check(
        self,
        kind: &'static Kind,
        checks: Arc<HealthChecks>,
        kind_checks: KindChecks,
        objects: Listener,
        concurrency: u16,
    ) {
        // As in Gardener's library: whatever asks for reconciles, a new spec and a Cluster that changes ask for a
        // check.
        let filter = self.filter(kind, Trigger::Generation);
        let Self { watches, surroundings, .. } = self.clone();
        let Surroundings { client, permit, .. } = surroundings;
        let kind_checks = Arc::new(kind_checks);
        let check = move |object: Arc<Extension>, _: Unfinished| {
            let (checks, kind_checks, permit) = (Arc::clone(&checks), Arc::clone(&kind_checks), permit.clone());
            let cluster = watches.cluster(object.namespace());
            let api = ObjectApi::new(client.clone(), kind.objects(), &object.metadata, permit.clone());
            async move {
                let cluster = cluster.as_deref();
                let checked = CheckedObject {
                    object: &object,
                    cluster,
                    api: &api,
                    permit: &permit,
                    kind_checks: &kind_checks,
                };
                (checks.check(checked).await, api.newest())
            }
        };
        let name = format!("{}-{}", health_check::NAME, kind.controller);
        self.control(kind, name, filter, objects, concurrency, check).await;
    }

    /// Which objects of a kind a controller works with.
    fn filter(&self, kind: &Kind, trigger: Trigger) -> Filter {
        let types = Granted::of(&self.provider).types(&self.provider, kind.name);
        Filter { types, classes: self.classes.clone(), trigger }
    }

    /// Runs a queue once the caches that every reconcile needs are filled, until the process is stopped.
    async fn control<R, F>(
        self,
        kind: &'static Kind,
        name: String,
        filter: Filter,
        objects: Listener,
        concurrency: u16,
        reconcile: R,
    ) where
        R: Fn(Arc<Extension>, Unfinished) -> F + Send + 'static,
        F: Future<Output = Ran> + Send + 'static,
    {
        let Surroundings { metrics, permit, .. } = self.surroundings;
        let stopped = permit.stop.clone();
        let controller = Controller {
            objects,
            resource: kind.resource(),
            filter,
            concurrency,
            metrics: metrics.controller(&name, concurrency.into()),
            stop: permit.stop,
        };
        let changed = self.watches.wakes.subscribe().filter(move |wake| ready(wake.is_for(kind)));
        tokio::select! {
            biased;
            () = stopped.asked(Stop::Gracefully) => return,
            () = self.watches.filled => {}
        }
        let is_filled = Arc::new(AtomicBool::new(false));
        let filled = Arc::clone(&is_filled);
        let running = controller.run(reconcile, changed, move || filled.store(true, Ordering::Relaxed));
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
