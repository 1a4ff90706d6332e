//! What is written, and in which order, against an API server in memory.

mod hooks;
mod kinds;
mod stage;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http_body_util::BodyExt as _;
use hyper::{Method, Request as HttpRequest, Response};
use kube::Client;
use kube::client::Body;
use tower::service_fn;

use super::*;
use crate::controller::runtime::kind::INFRASTRUCTURE;
use crate::controller::runtime::safeguards::PAUSE;
use crate::controller::runtime::testing::merge;
use trellis_runner::plan::guard::PlanHold;

const FINALIZER: &str = "extensions.gardener.cloud/infrastructure";

/// One object, and the patches that it got.
struct Server {
    object: Value,
    patches: Vec<Value>,
    /// The patch that fails, counted from 0, and with which code.
    fails: Option<(usize, u16)>,
}

impl Server {
    fn answer(&mut self, method: &Method, patch: Value) -> (u16, Value) {
        if method == Method::GET {
            return (200, self.object.clone());
        }
        if let Some((_, code)) = self.fails.filter(|(at, _)| *at == self.patches.len()) {
            self.fails = None;
            self.patches.push(json!(code));
            return (code, json!({ "kind": "Status", "code": code, "message": "no", "status": "Failure" }));
        }
        merge(&mut self.object, patch.clone());
        let version = self.patches.len() + 2;
        self.object["metadata"]["resourceVersion"] = json!(version.to_string());
        self.patches.push(patch);
        (200, self.object.clone())
    }
}

fn client(server: &Arc<Mutex<Server>>) -> Client {
    let server = Arc::clone(server);
    let service = service_fn(move |request: HttpRequest<Body>| {
        let server = Arc::clone(&server);
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let patch = serde_json::from_slice(&body).unwrap_or_default();
            let (code, answer) = server.lock().unwrap().answer(&head.method, patch);
            let answer = serde_json::to_vec(&answer).unwrap();
            Ok::<_, std::convert::Infallible>(Response::builder().status(code).body(Body::from(answer)).unwrap())
        }
    });
    Client::new(service, "default")
}

/// An actuator that ends as a test says.
struct FixedActuator(Ended);

impl Actuator for FixedActuator {
    fn kind(&self) -> &'static Kind {
        &INFRASTRUCTURE
    }

    fn act<'t>(&'t self, _: Task<'t>) -> BoxFuture<'t, Ended> {
        std::future::ready(self.0.clone()).boxed()
    }
}

/// A case: the object, what its Shoot is annotated with, and how the actuator ends.
struct Case {
    object: Value,
    shoot: Value,
    ended: Ended,
    safeguards: Safeguards,
    fails: Option<(usize, u16)>,
    is_owed: bool,
    waits: Option<Waits>,
}

impl Case {
    fn new(object: Value) -> Self {
        let (ended, safeguards) = (Ended::Done(Map::new()), Safeguards::default());
        Self { object, shoot: json!({}), ended, safeguards, fails: None, is_owed: false, waits: None }
    }

    /// Reconciles once. Returns the outcome, and in short what was written.
    fn run(self) -> (Outcome, Vec<String>) {
        let object = self.object.clone();
        self.at(object)
    }

    /// Reconciles once, with an API server that has another version of the object than the cache.
    fn at(self, found: Value) -> (Outcome, Vec<String>) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let object: Extension = serde_json::from_value(self.object.clone()).unwrap();
            let cluster = json!({ "metadata": { "name": "s" }, "spec": { "shoot": self.shoot } });
            let cluster: Cluster = serde_json::from_str(&cluster.to_string()).unwrap();
            let server = Arc::new(Mutex::new(Server { object: found, patches: Vec::new(), fails: self.fails }));
            let api =
                ObjectApi::new(client(&server), INFRASTRUCTURE.objects(), &object.metadata, Permit::unlimited());
            let reconcile = Reconcile {
                actuator: &FixedActuator(self.ended),
                object: &object,
                cluster: Some(&cluster),
                api,
                client: client(&server),
                trigger: Trigger::Annotation,
                is_owed: self.is_owed,
                waits: self.waits,
                safeguards: self.safeguards,
                permit: Permit::unlimited(),
                events: &Events::none(),
            };
            let outcome = reconcile.run().await;
            let written = server.lock().unwrap().patches.iter().map(short).collect();
            (outcome, written)
        })
    }
}

/// What a patch writes, in short.
fn short(patch: &Value) -> String {
    if patch.is_number() {
        return patch.to_string();
    }
    assert_eq!(patch["metadata"]["uid"], "u");
    if let Some(finalizers) = patch.pointer("/metadata/finalizers") {
        return format!("finalizers {finalizers} at {}", patch["metadata"]["resourceVersion"].as_str().unwrap());
    }
    if patch.pointer("/metadata/annotations").is_some() {
        return "no annotation".to_owned();
    }
    let last = &patch["status"]["lastOperation"];
    let text = |key: &str| last[key].as_str().unwrap_or_default();
    let generation = patch.pointer("/status/observedGeneration").map(|at| format!(" {at}")).unwrap_or_default();
    format!("{} {}{generation}", text("type"), text("state"))
}

fn object(annotation: Option<&str>, last: Option<(&str, &str)>, finalizers: &[&str]) -> Value {
    let mut object = json!({
        "metadata": {
            "name": "a", "namespace": "s", "uid": "u", "resourceVersion": "1", "generation": 4, "finalizers": finalizers,
        },
        "spec": { "type": "alicloud" }, "status": {},
    });
    if let Some(annotation) = annotation {
        object["metadata"]["annotations"] = json!({ OPERATION: annotation });
    }
    if let Some((operation, state)) = last {
        object["status"]["lastOperation"] = json!({ "type": operation, "state": state });
    }
    object
}

fn deleted(mut object: Value) -> Value {
    object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    object
}

#[test]
fn a_new_object_gets_the_finalizer_after_its_annotation_is_gone_and_before_its_first_status() {
    let (outcome, written) = Case::new(object(Some("reconcile"), None, &[])).run();
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    let finalizer = format!("finalizers [\"{FINALIZER}\"] at 2");
    assert_eq!(written, ["no annotation", &finalizer, "Create Processing", "Create Succeeded 4"]);
}

#[test]
fn a_reconcile_writes_three_times() {
    let done = Some(("Reconcile", "Succeeded"));
    let (_, written) = Case::new(object(Some("reconcile"), done, &[FINALIZER])).run();
    assert_eq!(written, ["no annotation", "Reconcile Processing", "Reconcile Succeeded 4"]);
    let (outcome, written) = Case::new(object(None, done, &[FINALIZER])).run();
    assert_eq!((outcome, written.len()), (Outcome::Idle("nobody asks for anything"), 0));
}

#[test]
fn a_deletion_removes_its_own_finalizer_alone_and_only_once_it_is_done() {
    let ready = deleted(object(None, Some(("Reconcile", "Succeeded")), &["other", FINALIZER]));
    let (_, written) = Case::new(ready.clone()).run();
    assert_eq!(written, ["Delete Processing", "Delete Succeeded 4", "finalizers [\"other\"] at 3"]);
    let failing = Case { ended: Ended::Failed(Failure::new("no"), Map::new()), ..Case::new(ready) };
    let (outcome, written) = failing.run();
    assert_eq!(outcome, Outcome::Failed("Error deleting Infrastructure: no".to_owned()));
    assert_eq!(written, ["Delete Processing", "Delete Error 4"]);
    let (outcome, written) = Case::new(deleted(object(None, Some(("Reconcile", "Succeeded")), &[]))).run();
    assert_eq!((outcome, written.len()), (Outcome::Idle("it has no finalizer, and so nothing to delete"), 0));
}

#[test]
fn a_forced_deletion_is_held_back_by_nothing() {
    let forced = json!({ "metadata": { "annotations": {
        "confirmation.gardener.cloud/force-deletion": "true", PAUSE: "true",
    } } });
    let case = Case::new(deleted(object(None, Some(("Delete", "Error")), &[FINALIZER])));
    let (outcome, written) = Case { shoot: forced, ..case }.run();
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    assert_eq!(written, ["Delete Processing", "Delete Succeeded 4", "finalizers [] at 3"]);
}

#[test]
fn a_migration_gives_the_object_up_once_it_is_done() {
    let ended = Ended::Failed(Failure::new("no"), Map::new());
    let asked = object(Some("migrate"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let (_, written) = Case { ended, ..Case::new(asked.clone()) }.run();
    assert_eq!(written, ["Migrate Processing", "Migrate Error 4"]);
    let (outcome, written) = Case::new(asked).run();
    assert_eq!(outcome, Outcome::Done(Operation::Migrate));
    assert_eq!(written, ["Migrate Processing", "Migrate Succeeded 4", "finalizers [] at 3", "no annotation"]);
    let migrated = Some(("Migrate", "Succeeded"));
    let (outcome, written) = Case::new(deleted(object(None, migrated, &[FINALIZER]))).run();
    assert_eq!((outcome, written.len()), (Outcome::Idle("it has left for another seed"), 0));
}

#[test]
fn a_restore_keeps_its_annotation_until_it_is_done() {
    let (_, written) = Case::new(object(Some("restore"), None, &[])).run();
    let finalizer = format!("finalizers [\"{FINALIZER}\"] at 1");
    assert_eq!(written, [&finalizer, "Restore Processing", "no annotation", "Restore Succeeded 4"]);
    let failing = Case {
        ended: Ended::Failed(Failure::new("no"), Map::new()),
        ..Case::new(object(Some("restore"), None, &[FINALIZER]))
    };
    assert_eq!(failing.run().1, ["Restore Processing", "Restore Error 4"]);
}

#[test]
fn nothing_is_touched_before_its_state_is_there_or_after_its_shoot_failed() {
    let (outcome, written) = Case::new(object(Some("wait-for-state"), None, &[])).run();
    assert_eq!((outcome, written.len()), (Outcome::Idle("its state comes later"), 0));
    let failed = json!({ "status": { "lastOperation": { "state": "Failed" } } });
    let why = "the last operation of its Shoot has failed";
    let case = |object| Case { shoot: failed.clone(), ..Case::new(object) };
    assert_eq!(case(object(Some("reconcile"), None, &[])).run(), (Outcome::Later(why), Vec::new()));
    assert_eq!(case(object(None, None, &[])).run(), (Outcome::Idle(why), Vec::new()));
}

#[test]
fn what_is_paused_keeps_its_annotation_and_says_once_how_to_go_on() {
    let paused = json!({ "metadata": { "annotations": { PAUSE: "true" } } });
    let mut waiting = object(Some("reconcile"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let case = |object: &Value| Case { shoot: paused.clone(), ..Case::new(object.clone()) };
    let (outcome, written) = case(&waiting).run();
    let hold = Hold::Paused { of: "Shoot" };
    assert_eq!((outcome, written), (Outcome::Held(hold.clone()), vec!["Reconcile Error 4".to_owned()]));
    let text = format!("Error reconciling infrastructure: {hold}");
    waiting["status"]["lastError"] = json!({ "description": text });
    assert_eq!(case(&waiting).run().1, ["Reconcile Error 4"], "its status does not say so any more");
    waiting["status"]["lastOperation"]["state"] = json!("Error");
    assert_eq!(case(&waiting).run().1.len(), 0);
}

#[test]
fn a_plan_that_is_held_back_is_an_error_that_says_how_to_go_on() {
    let hold = Hold::Plan(PlanHold::Destructive { resources: vec!["a".to_owned()], most: 0 });
    let words = hold.to_string();
    assert!(words.contains("max-destructive-changes=1"), "{words}");
    let case = Case::new(object(Some("reconcile"), Some(("Reconcile", "Succeeded")), &[FINALIZER]));
    let (outcome, written) = Case { ended: Ended::Held(hold.clone()), ..case }.run();
    assert_eq!(outcome, Outcome::Held(hold));
    assert_eq!(written, ["no annotation", "Reconcile Processing", "Reconcile Error 4"]);
}

#[test]
fn with_read_only_no_object_is_given_up() {
    let safeguards = Safeguards { read_only: true, most_destructive: None };
    let case = Case::new(object(Some("migrate"), Some(("Reconcile", "Succeeded")), &[FINALIZER]));
    let (outcome, written) = Case { safeguards, ..case }.run();
    assert_eq!((outcome, written), (Outcome::Held(Hold::ReadOnly), vec!["Migrate Error 4".to_owned()]));
}

#[test]
fn a_write_is_sent_again_while_the_api_server_is_not_well_or_somebody_else_was_faster() {
    let asked = || object(Some("reconcile"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let (outcome, written) = Case { fails: Some((1, 503)), ..Case::new(asked()) }.run();
    assert_eq!(outcome, Outcome::Done(Operation::Reconcile));
    assert_eq!(written, ["no annotation", "503", "Reconcile Processing", "Reconcile Succeeded 4"]);
    let stale = Case { fails: Some((1, 409)), ..Case::new(object(Some("reconcile"), None, &[])) };
    let (outcome, written) = stale.run();
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    let finalizer = format!("finalizers [\"{FINALIZER}\"] at 2");
    assert_eq!(written, ["no annotation", "409", &finalizer, "Create Processing", "Create Succeeded 4"]);
}

#[test]
fn a_reconcile_that_could_not_begin_is_owed_although_nobody_asks_any_more() {
    let done = object(None, Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let (outcome, written) = Case { is_owed: true, ..Case::new(done) }.run();
    assert_eq!(outcome, Outcome::Done(Operation::Reconcile));
    assert_eq!(written, ["Reconcile Processing", "Reconcile Succeeded 4"]);
}

#[test]
fn a_status_that_the_api_server_refuses_becomes_an_error_that_says_so() {
    let asked = object(Some("reconcile"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let (outcome, written) = Case { fails: Some((2, 422)), ..Case::new(asked) }.run();
    assert!(matches!(&outcome, Outcome::Failed(text) if text.contains("refuses the status: no")), "{outcome:?}");
    assert_eq!(written, ["no annotation", "Reconcile Processing", "422", "Reconcile Error 4"]);
}

#[test]
fn an_object_that_was_made_again_is_another_one() {
    let mut asked = object(Some("reconcile"), None, &[]);
    let cached = asked.clone();
    asked["metadata"]["uid"] = json!("another");
    let case = Case { fails: Some((0, 409)), ..Case::new(cached) };
    let (outcome, written) = case.at(asked);
    assert_eq!((outcome, written), (Outcome::Idle("the object does not exist any more"), vec!["409".to_owned()]));
}

#[test]
fn an_annotation_that_asks_for_something_else_by_now_stays() {
    let cached = object(Some("reconcile"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let newer = object(Some("migrate"), Some(("Reconcile", "Succeeded")), &[FINALIZER]);
    let (_, written) = Case { fails: Some((0, 409)), ..Case::new(cached) }.at(newer);
    assert_eq!(written, ["409", "Reconcile Processing", "Reconcile Succeeded 4"]);
}

#[test]
fn a_stop_leaves_the_status_as_it_is_for_the_next_process() {
    let case = Case::new(object(Some("reconcile"), None, &[FINALIZER]));
    let (outcome, written) = Case { ended: Ended::PermitEnded, ..case }.run();
    assert_eq!(
        (outcome, written),
        (Outcome::PermitEnded, vec!["no annotation".to_owned(), "Create Processing".to_owned()])
    );
}

fn waiting(most: u64) -> Ended {
    Ended::Waiting(Wait {
        what: "machines",
        text: "1 of 2 machines".to_owned(),
        every: Duration::from_secs(5),
        most: Duration::from_secs(most),
        late: Failure::new("no machines"),
    })
}

#[test]
fn a_wait_is_reported_once_and_the_operation_goes_on_without_beginning_again() {
    let mut going = object(None, Some(("Create", "Processing")), &[FINALIZER]);
    let (outcome, written) = Case { ended: waiting(60), ..Case::new(going.clone()) }.run();
    let Outcome::Waiting(waits, every) = outcome else { panic!("{outcome:?}") };
    assert_eq!((waits.what, every.as_secs()), ("machines", 5));
    assert_eq!(written, ["Create Processing", " "], "the second one has the text alone");
    let waits = Some(Waits { what: "machines", since: Instant::now() });
    let (_, written) = Case { ended: waiting(60), waits, ..Case::new(going.clone()) }.run();
    assert_eq!(written, [" "]);
    going["status"]["lastOperation"]["description"] = json!("1 of 2 machines");
    let (_, written) = Case { ended: waiting(60), waits, ..Case::new(going.clone()) }.run();
    assert_eq!(written.len(), 0);
    let (outcome, _) = Case { waits, ..Case::new(going) }.run();
    assert_eq!(outcome, Outcome::Done(Operation::Create));
}

#[test]
fn a_wait_fails_after_its_time_and_another_wait_has_a_time_of_its_own() {
    let going = || object(None, Some(("Reconcile", "Processing")), &[FINALIZER]);
    let since = Instant::now();
    let waits = |what| Some(Waits { what, since });
    let (outcome, written) = Case { ended: waiting(0), waits: waits("machines"), ..Case::new(going()) }.run();
    assert_eq!(outcome, Outcome::Failed("Error reconciling infrastructure: no machines".to_owned()));
    assert_eq!(written, ["Reconcile Error 4"]);
    let (outcome, _) = Case { ended: waiting(60), waits: waits("something else"), ..Case::new(going()) }.run();
    assert!(matches!(outcome, Outcome::Waiting(now, _) if now.since > since), "{outcome:?}");
}

#[test]
fn a_new_request_lets_the_time_of_a_wait_begin_again() {
    let waits = Some(Waits { what: "machines", since: Instant::now() });
    let asked = object(Some("reconcile"), Some(("Reconcile", "Processing")), &[FINALIZER]);
    let (outcome, written) = Case { ended: waiting(0), waits, ..Case::new(asked) }.run();
    assert_eq!(outcome, Outcome::Failed("Error reconciling infrastructure: no machines".to_owned()), "of no time");
    assert_eq!(written[..2], ["no annotation", "Reconcile Processing"]);
}

#[test]
fn what_is_done_for_now_keeps_the_annotation_of_a_restore() {
    let asked = object(Some("restore"), Some(("Restore", "Processing")), &[FINALIZER]);
    let (outcome, written) = Case { ended: Ended::Again(Map::new()), ..Case::new(asked) }.run();
    assert_eq!(outcome, Outcome::Again(Operation::Restore));
    assert_eq!(written, ["Restore Processing", "Restore Succeeded 4"]);
}
