//! The apply button of the page: plans are carried out in a simulator in this process, whose world ends with the
//! process.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State as Shared};
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{OnceCell, OwnedMutexGuard};
use trellis_simulator::cloud::Filter;

use crate::cli::Trouble;
use crate::cli::apply::{refused_line, result_line};
use crate::cli::cloud::built_in;
use crate::cli::subject::{Operation, Subject};
use crate::cli::world::World;
use crate::credentials::{Accounts, CredentialSource};
use crate::engine::Engine;
use crate::judge::Ruling;
use crate::manifest::{Document, Manifests, is_secret_kind};
use crate::plan::document::State;
use crate::plan::ledger::{StateStore, StoreError};
use crate::plan::planner::Planner;
use crate::plan::reconcile::{Ending, ReconcileError, Reconciler, Report};
use crate::plan::runner::{Options, Runner};
use crate::plan::stop::StopSignal;
use crate::source::{self, MAX_BYTES};
use crate::transport::{self, CallFailure, Endpoint, Identities, Rate, Transport};

/// How many seconds of the simulator pass in a second: a person sees each step, and does not wait long.
const CLOCK: f64 = 20.0;

/// Media type of events, a line each.
const EVENTS: &str = "application/x-ndjson";

/// Carries out the runs that the page asks for, one at a time, and keeps their records.
struct Applier {
    engine: Box<dyn Engine>,
    /// The simulator, which the first run starts.
    world: OnceCell<World>,
    identities: Identities,
    /// Held by the run that goes on.
    turn: Arc<tokio::sync::Mutex<()>>,
    records: Mutex<Records>,
}

/// The records of all runs.
#[derive(Default)]
struct Records {
    /// States by technical id.
    states: BTreeMap<String, State>,
    /// The Shoots that were applied and not destroyed since, by technical id.
    applied: BTreeMap<String, String>,
    /// The objects of the last run, none once that destroyed them; and their technical id.
    last: Option<(Vec<Box<RawValue>>, String)>,
}

/// What the page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunRequest {
    manifests: Vec<Box<RawValue>>,
    operation: RequestedOperation,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RequestedOperation {
    Reconcile,
    Delete,
}

/// The record of the last run, from which the page plans.
#[derive(Serialize)]
struct Recorded<'r> {
    /// The objects of the last run, none once that destroyed them.
    manifests: &'r [Box<RawValue>],
    /// The state of their infrastructure.
    state: &'r State,
}

/// The routes of the apply button.
pub(super) fn routes(engine: Box<dyn Engine>) -> Router {
    let (world, turn, records) = (OnceCell::new(), Arc::default(), Mutex::default());
    let applier = Arc::new(Applier { engine, world, identities: Identities::default(), turn, records });
    Router::new().route("/apply", post(apply)).route("/apply/state", get(recorded)).with_state(applier)
}

async fn recorded(Shared(applier): Shared<Arc<Applier>>) -> Response {
    let records = applier.records();
    let none = State::new();
    let recorded = match &records.last {
        Some((manifests, id)) => Recorded { manifests, state: records.states.get(id).unwrap_or(&none) },
        None => Recorded { manifests: &[], state: &none },
    };
    // Never fails: there is only JSON in it.
    let text = serde_json::to_string(&recorded).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn apply(Shared(applier): Shared<Arc<Applier>>, request: Request) -> Response {
    if let Some(refusal) = refused(request.headers()) {
        return refusal;
    }
    let Ok(body) = to_bytes(request.into_body(), MAX_BYTES).await else {
        let words = format!("Manifests of at most {} MiB are read.\n", MAX_BYTES >> 20);
        return (StatusCode::PAYLOAD_TOO_LARGE, words).into_response();
    };
    let run_request: RunRequest = match serde_json::from_slice(&body) {
        Ok(run_request) => run_request,
        Err(error) => {
            let words = format!(
                "Write {{\"manifests\": [objects], \"operation\": \"reconcile\" or \"delete\"}}: {error}.\n"
            );
            return (StatusCode::BAD_REQUEST, words).into_response();
        }
    };
    let Ok(turn) = Arc::clone(&applier.turn).try_lock_owned() else {
        return (StatusCode::CONFLICT, "Another run is still going on; wait until it ends.\n").into_response();
    };
    let (sender, receiver) = mpsc::unbounded_channel();
    // The run goes on when the page is closed: half a network is of no use to anybody.
    tokio::spawn(async move { applier.carry_out(run_request, turn, sender).await });
    let lines = stream::unfold(receiver, async |mut receiver| {
        let line: String = receiver.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(line)), receiver))
    });
    ([(CONTENT_TYPE, EVENTS)], Body::from_stream(lines)).into_response()
}

/// The refusal of a request that the page of this server did not send. Browsers keep other pages from sending one that
/// passes.
fn refused(headers: &HeaderMap) -> Option<Response> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let host = text(HOST);
    if text(ORIGIN) != format!("http://{host}") {
        return Some((StatusCode::FORBIDDEN, "Only the page of this server may ask for that.\n").into_response());
    }
    let media_type = text(CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send `application/json`.\n").into_response());
    }
    None
}

impl Applier {
    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a run, and sends its events line by line.
    async fn carry_out(&self, run_request: RunRequest, turn: OwnedMutexGuard<()>, lines: UnboundedSender<String>) {
        let told = self.run(run_request, &lines).await.unwrap_or_else(|message| {
            serde_json::json!({ "event": "error", "message": message }).to_string() + "\n"
        });
        // A client that reads the last line may ask for the next run at once.
        drop(turn);
        // The client may be gone.
        let _ = lines.send(told);
    }

    /// The last line of a run, or an error message for people.
    async fn run(&self, run_request: RunRequest, lines: &UnboundedSender<String>) -> Result<String, String> {
        let RunRequest { manifests, operation } = run_request;
        let subject = self.subject(&manifests).map_err(|trouble| told(&trouble))?;
        let operation = match operation {
            RequestedOperation::Reconcile => subject.operation(),
            RequestedOperation::Delete => Operation::Delete,
        };
        let id = subject.technical_id().to_owned();
        let applied = self.records().applied.get(&id).cloned();
        let applied =
            applied.map(|text| documents("applied", &text)).transpose().map_err(|trouble| told(&trouble))?;
        let before = applied.iter().flatten().find(|one| one.identity() == subject.document().identity());
        if operation != Operation::Delete
            && let Some(ruling) =
                subject.admission(self.engine.as_ref(), before, false).map_err(|trouble| told(&trouble))?
            && let Ruling { verdict: crate::answer::Verdict::Reject, findings, .. } = ruling
        {
            let findings: Vec<_> = findings.into_iter().map(|placed| placed.finding).collect();
            return Ok(refused_line(&findings));
        }
        // The record of the last run goes to the page later, and must hold no Secrets.
        let manifests: Vec<_> = manifests.into_iter().flat_map(without_secrets).collect();
        self.records().last = Some((manifests, id.clone()));
        let world =
            self.world.get_or_try_init(|| World::forgetful(CLOCK)).await.map_err(|error| error.to_string())?;
        let options = transport::Options {
            endpoint: Endpoint::Url(world.url().clone()),
            region: subject.region().to_owned(),
            authority: None,
            rate: Rate { burst: 10_000, per_second: 10_000 },
            identities: self.identities.clone(),
        };
        let accounts = Accounts::new(CredentialSource::fixed(built_in()));
        let cloud = Transport::new(options, accounts).map_err(|error| error.to_string())?;
        let state = self.records().states.get(&id).cloned();
        let report = self.reconcile(&subject, operation, &cloud, state, lines).await;
        let report = report.map_err(|error| error.to_string())?;
        if operation == Operation::Delete && report.ending == Ending::Done {
            let mut records = self.records();
            records.applied.remove(&id);
            records.last = Some((Vec::new(), id));
        } else if operation != Operation::Delete && (report.plans > 0 || report.ending == Ending::Done) {
            self.records().applied.extend(subject.manifest().map(|manifest| (id, manifest.to_owned())));
        }
        let inventory = world.cloud().inventory(&Filter { added: true, ..Filter::default() });
        Ok(result_line(&report, Some(inventory)))
    }

    async fn reconcile(
        &self,
        subject: &Subject,
        operation: Operation,
        cloud: &Transport,
        state: Option<State>,
        lines: &UnboundedSender<String>,
    ) -> Result<Report, ReconcileError> {
        let request = subject.request(operation);
        let (engine, provider) = (self.engine.as_ref(), subject.provider());
        let planner = Planner { engine, provider, request: &request, consent: &[], waited: false };
        let classify = |failure: &CallFailure| planner.classify(failure);
        let listener = |event| {
            // Never fails: there are only texts and numbers in it.
            let _ = lines.send(serde_json::to_string(&event).unwrap_or_default() + "\n");
        };
        let runner = Runner {
            cloud,
            classify: &classify,
            listener: &listener,
            stop: StopSignal::never(),
            options: Options::default(),
        };
        let store = Memory { applier: self, id: subject.technical_id() };
        Reconciler { planner, runner: &runner, store: &store }.reconcile(state, None, None).await
    }

    fn subject(&self, manifests: &[Box<RawValue>]) -> Result<Subject, Trouble> {
        let mut all = Vec::new();
        for (at, manifest) in manifests.iter().enumerate() {
            all.extend(documents(&format!("manifest {}", at + 1), manifest.get())?);
        }
        Subject::of(Manifests::new(all)?, None, self.engine.as_ref())
    }
}

/// The objects of a text.
fn documents(name: &str, text: &str) -> Result<Vec<Document>, Trouble> {
    let (input, roots) = source::read(name, text.as_bytes())?;
    Ok(Document::all_of(&input, roots)?)
}

/// Keeps a state for as long as this process runs.
struct Memory<'o> {
    applier: &'o Applier,
    id: &'o str,
}

impl StateStore for Memory<'_> {
    async fn save(&self, state: &State) -> Result<(), StoreError> {
        self.applier.records().states.insert(self.id.to_owned(), state.clone());
        Ok(())
    }
}

/// An error in one sentence, with its remedy.
fn told(trouble: &Trouble) -> String {
    match trouble.help() {
        Some(help) => format!("{trouble}: {help}"),
        None => trouble.to_string(),
    }
}

/// The objects of a manifest, which may be a list, without Secrets. An object that cannot be read may be a Secret.
fn without_secrets(manifest: Box<RawValue>) -> Vec<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Parts {
        kind: String,
        items: Option<Vec<Box<RawValue>>>,
    }
    let Ok(Parts { kind, items }) = serde_json::from_str(manifest.get()) else { return Vec::new() };
    match (kind.strip_suffix("List"), items) {
        (Some(of), _) if is_secret_kind(of) => Vec::new(),
        (Some(_), Some(items)) => items.into_iter().flat_map(without_secrets).collect(),
        _ if is_secret_kind(&kind) => Vec::new(),
        _ => vec![manifest],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_recorded_wherever_it_stands() {
        let kept = |manifest: &str| {
            let kept = without_secrets(RawValue::from_string(manifest.to_owned()).unwrap());
            kept.iter().map(|kept| kept.get().to_owned()).collect::<Vec<_>>()
        };
        let shoot = r#"{"kind":"Shoot","spec":{"items":[{"kind":"Secret"}]}}"#;
        assert_eq!(kept(shoot), [shoot]);
        for secret in [
            r#"{"kind":"Secret"}"#,
            r#"{"kind":"InternalSecret"}"#,
            r#"{"kind":"SecretList","items":[{"data":{"a":"b"}}]}"#,
            r#"{"kind":"Secret","items":[]}"#,
            // Nobody knows which of the two counts.
            r#"{"kind":"Shoot","kind":"Secret"}"#,
        ] {
            assert_eq!(kept(secret), [""; 0], "{secret}");
            for kind in ["List", "ShootList"] {
                let list = format!(
                    r#"{{"kind":"{kind}","items":[{secret},{{"kind":"List","items":[{shoot},{secret}]}}]}}"#
                );
                assert_eq!(kept(&list), [shoot], "{list}");
            }
        }
    }
}
