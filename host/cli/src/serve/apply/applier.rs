//! Carries out the runs that the page asks for, one at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::sync::{OnceCell, OwnedMutexGuard, TryLockError};
use trellis_simulator::cloud::Filter;

use super::networks::{LastRun, Networks};
use super::run::Run as Log;
use super::secrets::without_secrets;
use super::{RequestedOperation, RunRequest};
use crate::CommandError;
use crate::apply::{refused_line, result_line};
use crate::cloud::{CloudError, UNHURRIED};
use crate::world::World;
use trellis_policies::answer::Verdict;
use trellis_policies::engine::{Asker, Engine, PolicyThreads};
use trellis_policies::judge::Ruling;
use trellis_policies::manifest::{Document, Manifests};
use trellis_policies::source;
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::{Operation, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::event::Event;
use trellis_runner::plan::ledger::{StateStore, StoreError};
use trellis_runner::plan::options::Options;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::target::{RunTarget, TargetError};
use trellis_runner::run::world;
use trellis_runner::run::{Run, RunError};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options as WireOptions, Session, Wire, family_of};

/// How many seconds of the simulator pass in a second, so that a person sees each step and does not wait long.
const CLOCK: f64 = 20.0;

/// The simulated cloud, its networks, and whose turn it is to change them.
pub(super) struct Applier {
    engine: Arc<dyn Engine>,
    threads: PolicyThreads,
    /// The simulator, which the first run starts.
    world: OnceCell<World>,
    wire: Arc<Wire>,
    /// Held by the run that goes on.
    turn: Arc<tokio::sync::Mutex<()>>,
    networks: Mutex<Networks>,
}

/// The last line of a run, and the kind of its ending.
struct LastLine {
    line: String,
    ending: String,
}

impl Applier {
    pub(super) fn new(engine: Arc<dyn Engine>) -> Self {
        let (world, turn, networks) = (OnceCell::new(), Arc::default(), Mutex::default());
        Self {
            engine,
            threads: PolicyThreads::default(),
            world,
            wire: Wire::new(WireOptions { rate: UNHURRIED, ..WireOptions::default() }),
            turn,
            networks,
        }
    }

    pub(super) fn networks(&self) -> MutexGuard<'_, Networks> {
        self.networks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The right to run, where no run goes on.
    pub(super) fn turn(&self) -> Result<OwnedMutexGuard<()>, TryLockError> {
        Arc::clone(&self.turn).try_lock_owned()
    }

    /// Carries out a run, and reports its events.
    pub(super) async fn carry_out(self: Arc<Self>, request: RunRequest, turn: OwnedMutexGuard<()>, run: Arc<Log>) {
        let RunRequest { manifests, operation } = request;
        let line = match self.target(manifests.clone()).await {
            Ok(target) => {
                let target = Arc::new(target);
                let operation = match operation {
                    RequestedOperation::Reconcile => target.operation(),
                    RequestedOperation::Delete => Operation::Delete,
                };
                self.begin(&target, operation, &run);
                let reported = self
                    .run(&target, operation, manifests, &run)
                    .await
                    .unwrap_or_else(|message| LastLine { line: error_line(&message), ending: "error".to_owned() });
                self.end(&target, reported.ending);
                reported.line
            }
            Err(message) => error_line(&message),
        };
        // A client that reads the last line may ask for the next run at once.
        drop(turn);
        run.end(line);
    }

    /// Shows every tab which network the run is for.
    fn begin(&self, target: &RunTarget, operation: Operation, run: &Arc<Log>) {
        let (id, identity) = (target.name(), target.document().identity());
        let shoot = match identity.namespace.as_str() {
            "" => identity.name.clone(),
            namespace => format!("{namespace}/{}", identity.name),
        };
        let operation = if operation == Operation::Delete { "delete" } else { "reconcile" };
        let started = serde_json::json!({ "event": "started", "id": id, "shoot": shoot, "operation": operation });
        run.add(started.to_string() + "\n");
        let mut networks = self.networks();
        networks.running = Some(id.to_owned());
        let network = networks.of(id);
        network.shoot = shoot;
        network.run = Some(Arc::clone(run));
        network.last_run = Some(LastRun { operation, ending: None });
    }

    fn end(&self, target: &RunTarget, ending: String) {
        let mut networks = self.networks();
        networks.running = None;
        if let Some(last) = &mut networks.of(target.name()).last_run {
            last.ending = Some(ending);
        }
    }

    /// The last line of a run, or an error message for people.
    async fn run(
        self: &Arc<Self>,
        target: &Arc<RunTarget>,
        operation: Operation,
        manifests: Vec<Box<RawValue>>,
        run: &Log,
    ) -> Result<LastLine, String> {
        let id = target.name();
        if operation != Operation::Delete
            && let Some(line) = self.refusal(target).await?
        {
            return Ok(LastLine { line, ending: "refused".to_owned() });
        }
        let world = self
            .world
            .get_or_try_init(|| async { World::forgetful(CLOCK).await.map_err(|error| error.to_string()) });
        let world = world.await?;
        let endpoint = Endpoint::Url(world.url().clone());
        let allowed_calls = AllowedCalls::of(target.provider());
        let family = family_of(target.provider()).map_err(|error| error.to_string())?;
        let own = family.simulated();
        let own = own.ok_or_else(|| CloudError::NoSimulator(target.provider().to_owned()).to_string())?;
        let accounts = Accounts::new(CredentialSource::fixed(own));
        let cloud = Session::new(family, &self.wire, endpoint, target.region(), accounts, allowed_calls);
        let cloud = cloud.map_err(|error| error.to_string())?;
        let report = self.reconcile(target, operation, &cloud, run).await;
        let report = report.map_err(|error| error.to_string())?;
        {
            let mut networks = self.networks();
            let network = networks.of(id);
            if operation == Operation::Delete {
                if report.ending == Ending::Done {
                    network.applied = None;
                    network.manifests = Vec::new();
                    network.resources = 0;
                }
            } else if report.plans > 0 || report.ending == Ending::Done {
                network.applied = target.manifest().map(str::to_owned);
                // The page gets them, and they must hold no Secrets.
                network.manifests = manifests.into_iter().flat_map(without_secrets).collect();
            }
        }
        let inventory = world.cloud().inventory(&Filter { added: true, ..Filter::default() });
        let ending = serde_json::to_value(&report.ending).unwrap_or_default();
        let ending = ending.get("kind").and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
        Ok(LastLine { line: result_line(&report, Some(inventory)), ending })
    }

    /// What admission rejects: the Shoot is judged as an update of what was applied last.
    async fn refusal(&self, target: &Arc<RunTarget>) -> Result<Option<String>, String> {
        let applied = self.networks().of(target.name()).applied.clone();
        let (engine, target) = (Arc::clone(&self.engine), Arc::clone(target));
        aside(move || {
            let applied = applied.map(|text| documents("applied", &text)).transpose()?;
            let before = applied.iter().flatten().find(|one| one.identity() == target.document().identity());
            let ruling = target.admission(engine.as_ref(), before, false)?;
            let Some(Ruling { verdict: Verdict::Reject, findings, .. }) = ruling else { return Ok(None) };
            let findings: Vec<_> = findings.into_iter().map(|placed| placed.finding).collect();
            Ok(Some(refused_line(&findings)))
        })
        .await
    }

    async fn reconcile(
        &self,
        target: &RunTarget,
        operation: Operation,
        cloud: &Session,
        run: &Log,
    ) -> Result<Report, RunError> {
        let listener = |event| {
            if let Event::Planned { plan, .. } = &event
                && operation != Operation::Delete
            {
                let own = plan.resources.iter().filter(|resource| !resource.foreign).count();
                self.networks().of(target.name()).resources = own;
            }
            // Never fails: there are only texts and numbers in an event.
            run.add(serde_json::to_string(&event).unwrap_or_default() + "\n");
        };
        let run = Run {
            asker: Asker::new(Arc::clone(&self.engine), target.provider(), self.threads.clone()),
            request: &target.request(operation),
            consent: &[],
            store: &Memory { applier: self, id: target.name() },
            cloud: &world::World::of_cloud(cloud),
            permit: Permit::unlimited(),
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &listener,
            options: Options::default(),
            counter: Counter::default(),
        };
        run.carry_out(None, None).await
    }

    async fn target(&self, manifests: Vec<Box<RawValue>>) -> Result<RunTarget, String> {
        let engine = Arc::clone(&self.engine);
        aside(move || {
            let mut all = Vec::new();
            for (at, manifest) in manifests.iter().enumerate() {
                all.extend(documents(&format!("manifest {}", at + 1), manifest.get())?);
            }
            let target = RunTarget::of(Manifests::new(all)?, None, engine.as_ref(), Timestamp::now().to_string());
            // The person sees a sentence, and the next one once this one is done.
            target.map_err(|errors| errors.into_iter().next().unwrap_or(TargetError::NoSubject).into())
        })
        .await
    }
}

/// Does something that asks policies on a thread of its own, because the thread of the runtime serves the page
/// meanwhile. An error, and a panic, is a sentence for people.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CommandError> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| sentence(&error)),
        Err(error) => Err(format!("the manifests cannot be judged, which is a mistake in Trellis: {error}")),
    }
}

/// The objects of a text.
fn documents(name: &str, text: &str) -> Result<Vec<Document>, CommandError> {
    let (input, roots) = source::read(name, text.as_bytes())?;
    Ok(Document::all_of(&input, roots)?)
}

/// Keeps a state for as long as this process runs.
struct Memory<'o> {
    applier: &'o Applier,
    id: &'o str,
}

impl StateStore for Memory<'_> {
    async fn load(&self) -> Result<Option<State>, StoreError> {
        Ok(Some(self.applier.networks().of(self.id).state.clone()).filter(|state| !state.is_empty()))
    }

    async fn save(&self, state: &State) -> Result<(), StoreError> {
        state.clone_into(&mut self.applier.networks().of(self.id).state);
        Ok(())
    }
}

/// The line of a run that did not begin.
fn error_line(message: &str) -> String {
    serde_json::json!({ "event": "error", "message": message }).to_string() + "\n"
}

/// An error in one sentence, with its remedy.
fn sentence(error: &CommandError) -> String {
    match error.help() {
        Some(help) => format!("{error}: {help}"),
        None => error.to_string(),
    }
}
