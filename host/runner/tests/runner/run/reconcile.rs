//! Observing, planning and applying until nothing is left to do, with a policy that wants some named things.

mod afterwards;
mod shop;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::document::{Plan, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, StopSignal, stop};
use trellis_runner::plan::event::Event;
use trellis_runner::plan::event::{Calls, Ending};
use trellis_runner::plan::ledger::StoreError;
use trellis_runner::plan::planner::{Baseline, Decision, ObserveError, Planner};
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::RunError;
use trellis_runner::run::metrics::Counter;

use shop::{Policy, query, shop, things};

use crate::cloud::{MemoryStore, Reply, Scripted, fine, options, refused, text};

/// What came of it, the events, and what was saved.
struct Run {
    result: Result<Report, RunError>,
    events: Vec<Event>,
    saved: Vec<State>,
}

impl Run {
    fn report(&self) -> &Report {
        self.result.as_ref().unwrap()
    }
}

async fn run(
    policy: &Policy,
    cloud: &Scripted,
    state: Option<State>,
    agreed: Option<&Plan>,
    stop: StopSignal,
) -> Run {
    let request = RawValue::from_string(r#"{"things":["a","b"]}"#.to_owned()).unwrap();
    let events = Mutex::new(Vec::new());
    let listener = |event| events.lock().unwrap().push(event);
    let store = MemoryStore { recorded: state, ..MemoryStore::default() };
    let run = trellis_runner::run::Run {
        asker: policy.asker(),
        request: &request,
        consent: &[],
        store: &store,
        cloud,
        permit: Permit { stop, ..Permit::unlimited() },
        guard: trellis_runner::plan::guard::Guard::Open,
        listener: &listener,
        options: options(),
        counter: Counter::default(),
    };
    let result = send(run.carry_out(None, agreed)).await;
    Run { result, events: events.into_inner().unwrap(), saved: store.saved.into_inner().unwrap() }
}

/// Runs go on in whatever thread there is.
fn send<F: Future + Send>(future: F) -> F {
    future
}

fn both() -> State {
    [("a", "id-a"), ("b", "id-b")].map(|(key, value)| (key.to_owned(), value.to_owned())).into()
}

#[tokio::test(start_paused = true)]
async fn what_is_missing_is_made_and_looked_at_again_and_a_second_run_writes_nothing() {
    let (policy, cloud) = (Policy(Arc::new(things)), shop());
    let first = run(&policy, &cloud, None, None, StopSignal::never()).await;
    let report = first.report();
    assert_eq!((&report.ending, report.plans, report.written), (&Ending::Done, 1, true));
    assert_eq!(report.calls, Calls { observe: 1, steps: 2, closing: 1 });
    assert_eq!(report.state, Some(both()));
    let status = serde_json::to_string(report.status.as_ref().unwrap()).unwrap();
    assert_eq!(status, r#"{"providerStatus":{"of":{"a":"id-a","b":"id-b"}},"state":{"a":"id-a","b":"id-b"}}"#);
    assert!(matches!(first.events.last(), Some(Event::Finished { ending: Ending::Done, .. })));

    let second = run(&policy, &cloud, Some(both()), None, StopSignal::never()).await;
    let report = second.report();
    assert_eq!((&report.ending, report.plans, report.written), (&Ending::Done, 0, false));
    assert_eq!(report.calls, Calls { observe: 1, steps: 0, closing: 0 });
    assert!(second.saved.is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_is_only_recorded_again_is_recorded_without_another_look_at_the_cloud() {
    let (policy, cloud) = (Policy(Arc::new(things)), shop());
    run(&policy, &cloud, None, None, StopSignal::never()).await;
    let adopted = run(&policy, &cloud, None, None, StopSignal::never()).await;
    let report = adopted.report();
    assert_eq!((&report.ending, report.written, report.state.as_ref()), (&Ending::Done, true, Some(&both())));
    assert_eq!(report.calls, Calls { observe: 1, steps: 0, closing: 0 });
    assert_eq!(adopted.saved, [both()]);
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_nobody_agreed_to_is_not_carried_out() {
    let (policy, cloud) = (Policy(Arc::new(things)), shop());
    let stale = run(&policy, &cloud, None, Some(&Plan::default()), StopSignal::never()).await;
    assert_eq!((&stale.report().ending, stale.report().written), (&Ending::Stale, false));
    assert_eq!((cloud.count("Create"), stale.saved.len()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn things_that_differ_again_and_again_end_the_run_by_name() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => fine(0, json!({ "Id": "id-x" })),
        _ => fine(0, json!({ "Items": [{ "Name": "a", "Id": "id-a" }] })),
    });
    let ended = run(&Policy(Arc::new(things)), &cloud, None, None, StopSignal::never()).await;
    let report = ended.report();
    assert_eq!(report.ending, Ending::Unsettled { resources: vec!["b".to_owned()] });
    assert_eq!((report.plans, cloud.count("Create"), report.calls.closing), (3, 3, 3));
    assert!(report.ending.to_string().contains("still differ: b;"));
}

#[tokio::test(start_paused = true)]
async fn findings_forbid_everything() {
    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("Forbidden", 403))));
    let ended = run(&Policy(Arc::new(things)), &cloud, None, None, StopSignal::never()).await;
    let report = ended.report();
    assert_eq!((&report.ending, report.written, report.findings.len()), (&Ending::Refused, false, 1));
    assert_eq!(
        (report.findings[0].detail.as_str(), report.codes.as_slice()),
        ("Forbidden", &["ERR_INFRA_UNAUTHORIZED".to_owned()][..])
    );
    assert_eq!(cloud.count("List"), 1, "what will not succeed is asked once");
}

#[tokio::test(start_paused = true)]
async fn transient_errors_of_queries_are_waited_out_for_a_minute() {
    let cloud = Scripted::new(|_, count| match count {
        1 | 2 => Reply(0, Err(refused("Throttling", 400))),
        _ => fine(0, json!({ "Items": [{ "Name": "a", "Id": "id-a" }, { "Name": "b", "Id": "id-b" }] })),
    });
    let ended = run(&Policy(Arc::new(things)), &cloud, Some(both()), None, StopSignal::never()).await;
    assert_eq!((&ended.report().ending, ended.report().calls.observe), (&Ending::Done, 3));

    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("Throttling", 400))));
    let ended = run(&Policy(Arc::new(things)), &cloud, Some(both()), None, StopSignal::never()).await;
    assert_eq!(ended.report().findings[0].detail, "Throttling");
    assert!(*cloud.times("List").last().unwrap() < 60_000);
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_reported_with_its_codes_and_what_was_done_is_kept() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" if text(call, "Name") == "a" => Reply(0, Err(refused("QuotaExceeded", 400))),
        "Create" => fine(0, json!({ "Id": "id-b" })),
        _ => fine(0, json!({ "Items": [] })),
    });
    let ended = run(&Policy(Arc::new(things)), &cloud, None, None, StopSignal::never()).await;
    let report = ended.report();
    assert_eq!((&report.ending, report.failed[0].step.as_str()), (&Ending::Failed, "a/create"));
    assert_eq!(
        (report.codes.as_slice(), report.calls.closing),
        (&["ERR_CONFIGURATION_PROBLEM".to_owned()][..], 0)
    );
    assert_eq!(ended.saved, [State::from([("b".to_owned(), "id-b".to_owned())])]);
    assert!(report.status.is_ok());
    assert!(report.ending.to_string().contains("run it again from its manifests"));
}

#[tokio::test(start_paused = true)]
async fn a_run_can_be_stopped_while_it_looks() {
    let (stopper, signal) = stop();
    let cloud = Scripted::new(move |_, _| {
        stopper.stop(Stop::Gracefully);
        fine(60_000, json!({}))
    });
    let ended = run(&Policy(Arc::new(things)), &cloud, None, None, signal).await;
    assert_eq!((&ended.report().ending, ended.report().written), (&Ending::Stopped, false));
}

#[tokio::test(start_paused = true)]
async fn a_policy_that_asks_without_end_is_an_error() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let endless = Policy(Arc::new(
        move |_| json!({ "queries": [query(&format!("q{}", counter.fetch_add(1, Ordering::Relaxed)))] }),
    ));
    let cloud = Scripted::new(|_, _| fine(0, json!({})));
    let ended = run(&endless, &cloud, None, None, StopSignal::never()).await;
    assert!(matches!(ended.result, Err(RunError::Observe(ObserveError::Endless(_)))));
    assert_eq!(cloud.count("List"), 8);

    let forgetful = Policy(Arc::new(|_| json!({ "queries": [query("q")] })));
    let ended = run(&forgetful, &cloud, None, None, StopSignal::never()).await;
    let error = ended.result.unwrap_err().to_string();
    assert_eq!(error, "the policy repeats the query `q`, which has its answer");
}

#[tokio::test(start_paused = true)]
async fn queries_of_one_round_are_asked_side_by_side_and_reported_in_their_order() {
    let rounds = |request: &Value| match request["facts"].as_array() {
        None => json!({ "queries": [query("q1"), query("q2"), query("q3")] }),
        Some(facts) => {
            assert_eq!(
                facts.iter().map(|fact| fact["query"].as_str().unwrap()).collect::<Vec<_>>(),
                ["q1", "q2", "q3"]
            );
            json!({ "plan": {} })
        }
    };
    let cloud = Scripted::new(|_, count| fine([300, 200, 100][count - 1], json!({})));
    let ended = run(&Policy(Arc::new(rounds)), &cloud, None, None, StopSignal::never()).await;
    assert_eq!(ended.report().ending, Ending::Done);
    assert_eq!(cloud.times("List"), [0, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_preview_needs_no_cloud() {
    let preview = Policy(Arc::new(|request| {
        assert_eq!(request["baseline"], "empty");
        json!({ "plan": { "changes": [], "steps": [] } })
    }));
    let request = RawValue::from_string("{}".to_owned()).unwrap();
    let asker = preview.asker();
    let planner = Planner { asker: &asker, request: &request, consent: &[], waited: false };
    let planning = planner.plan(None, Baseline::Empty, &[], Instant::now()).await.unwrap();
    assert_eq!(planning.plan, Some(Plan::default()));
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_to_a_person_is_carried_out_without_looking_twice() {
    let (policy, cloud) = (Policy(Arc::new(things)), shop());
    let request = RawValue::from_string(r#"{"things":["a"]}"#.to_owned()).unwrap();
    let run = trellis_runner::run::Run {
        asker: policy.asker(),
        request: &request,
        consent: &[],
        store: &MemoryStore::default(),
        cloud: &cloud,
        permit: Permit::unlimited(),
        guard: trellis_runner::plan::guard::Guard::Open,
        listener: &|_| {},
        options: options(),
        counter: Counter::default(),
    };
    let observed = run.observe().await.unwrap();
    assert!(matches!(&observed.decision, Decision::Plan(plan) if plan.steps.len() == 1));
    let report = run.carry_out(Some(observed), None).await.unwrap();
    assert_eq!((report.ending, report.calls), (Ending::Done, Calls { observe: 1, steps: 1, closing: 1 }));
    assert_eq!(cloud.count("List"), 2);
}

#[test]
fn events_are_lines_that_programs_can_read() {
    let line = |event: Event| serde_json::to_string(&event).unwrap();
    assert_eq!(
        line(Event::StepStarted { step: "vpc/create".into(), service: "vpc".into(), action: "CreateVpc".into() }),
        r#"{"event":"stepStarted","step":"vpc/create","service":"vpc","action":"CreateVpc"}"#
    );
    assert_eq!(
        line(Event::Finished { ending: Ending::Unsettled { resources: vec![] }, calls: Calls::default() }),
        concat!(
            r#"{"event":"finished","ending":{"kind":"unsettled","resources":[]},"#,
            r#""calls":{"observe":0,"steps":0,"closing":0}}"#
        )
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_goes_on_after_a_save_that_failed_once_and_says_only_at_the_end_that_it_cannot_save() {
    let request = RawValue::from_string(r#"{"things":["a","b"]}"#.to_owned()).unwrap();
    let busy = || Some(StoreError::unkept("the server is busy"));
    let ends = async |faults: Vec<Option<StoreError>>| {
        let (policy, cloud) = (Policy(Arc::new(things)), shop());
        let store = MemoryStore { faults: Mutex::new(faults.into()), ..MemoryStore::default() };
        let run = trellis_runner::run::Run {
            asker: policy.asker(),
            request: &request,
            consent: &[],
            store: &store,
            cloud: &cloud,
            permit: Permit::unlimited(),
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &|_| {},
            options: options(),
            counter: Counter::default(),
        };
        let report = run.carry_out(None, None).await.unwrap();
        let metrics = run.metrics();
        assert_eq!(metrics.requests, cloud.sent());
        assert_eq!(metrics.counts.steps_done, u64::try_from(report.steps).unwrap());
        assert!(metrics.policy_calls["plan"] > 1);
        (report.ending, store.saved.into_inner().unwrap().last().cloned())
    };
    assert_eq!(ends(vec![]).await, (Ending::Done, Some(both())));
    assert_eq!(ends(vec![busy()]).await, (Ending::Done, Some(both())));
    let (ending, saved) = ends(vec![busy(), busy(), busy(), busy()]).await;
    assert_eq!(ending, Ending::Unkept { why: "the state cannot be kept: the server is busy".to_owned() });
    assert_eq!(saved, None);
    let (ending, _) = ends(vec![Some(StoreError::Overtaken("it has another VPC".to_owned()))]).await;
    assert_eq!(ending, Ending::Overtaken { why: "it has another VPC".to_owned() });
    assert_eq!(ends(vec![Some(StoreError::LeaseLost)]).await.0, Ending::LeaseLost);
}
