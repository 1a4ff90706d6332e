//! Runs that lose the right to change things, that are stopped, or whose store fails.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep};
use trellis_runner::document::{Plan, State};
use trellis_runner::limits::lease::lease;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, StopSignal, stop};
use trellis_runner::plan::ledger::StoreError;
use trellis_runner::plan::options::Options;
use trellis_runner::plan::runner::{Applied, Runner};
use trellis_runner::plan::token::Tokens;

use crate::cloud::{MemoryStore, Scripted, classify, fine, options, plan, run, run_with};

const SECOND: Duration = Duration::from_secs(1);

async fn run_within(cloud: &Scripted, plan: &Plan, store: &MemoryStore, permit: Permit) -> Applied {
    let runner = Runner {
        cloud,
        classify: &classify,
        listener: &|_| {},
        permit,
        options: options(),
        tokens: Tokens::default(),
    };
    runner.apply(plan, State::new(), store).await.unwrap()
}

/// Steps one after the other, each of which records something.
fn chain(names: &[&str]) -> Plan {
    let step = |(at, name): (usize, &&str)| {
        let after: Vec<_> = at.checked_sub(1).map(|before| names[before]).into_iter().collect();
        json!({ "id": name, "call": { "service": "vpc", "action": name }, "after": after, "record": { *name: "/Id" } })
    };
    plan(names.iter().enumerate().map(step).collect())
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_lease_lapses_drops_what_is_in_flight_and_saves_nothing_more() {
    let began = Instant::now();
    let (_lease, lease_signal) = lease(began + 15 * SECOND);
    let cloud = Scripted::new(|_, _| fine(10_000, json!({ "Id": "x" })));
    let store = MemoryStore::default();
    let permit = Permit { lease_signal, ..Permit::unlimited() };
    let applied = run_within(&cloud, &chain(&["A", "B", "C"]), &store, permit).await;
    assert_eq!((applied.done.as_slice(), applied.left.len()), (&["A".to_owned()][..], 2));
    assert_eq!(began.elapsed(), 15 * SECOND);
    sleep(60 * SECOND).await;
    assert_eq!((cloud.count("B"), cloud.count("C"), store.saved.lock().unwrap().len()), (1, 0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_lease_is_renewed_goes_on() {
    let (lease, lease_signal) = lease(Instant::now() + 15 * SECOND);
    let cloud = Scripted::new(|_, _| fine(10_000, json!({ "Id": "x" })));
    let (plan, store) = (chain(&["A", "B", "C"]), MemoryStore::default());
    let renewing = async {
        loop {
            sleep(5 * SECOND).await;
            lease.extend(Instant::now() + 15 * SECOND).unwrap();
        }
    };
    let applied = tokio::select! {
        () = renewing => unreachable!(),
        applied = run_within(&cloud, &plan, &store, Permit { lease_signal, ..Permit::unlimited() }) => applied,
    };
    assert!(applied.is_complete());
}

#[tokio::test(start_paused = true)]
async fn a_graceful_end_waits_no_longer_than_its_grace() {
    let (stopper, signal) = stop();
    let cloud = Scripted::new(move |_, _| {
        stopper.stop(Stop::Gracefully);
        fine(60_000, json!({}))
    });
    let began = Instant::now();
    let options = Options { grace: 20 * SECOND, ..options() };
    let (applied, _) = run_with(&cloud, &chain(&["A"]), &MemoryStore::default(), signal, options).await;
    assert_eq!((applied.left.as_slice(), began.elapsed()), (&["A".to_owned()][..], 20 * SECOND));
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_long_leave_probes_their_own_permits() {
    let began = Instant::now();
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        // The cloud asks this account to wait.
        "Slow" => fine(600_000, json!({})),
        _ => fine(100, json!({ "Done": "yes" })),
    });
    let mut steps = vec![json!({
        "id": "quick", "call": { "service": "vpc", "action": "Quick" }, "until": {
            "call": { "service": "vpc", "action": "Describe" }, "success": [{ "present": "/Done" }],
            "interval": 5, "limit": 60 },
    })];
    steps.extend(
        (0..20).map(|n| json!({ "id": format!("slow{n}"), "call": { "service": "vpc", "action": "Slow" } })),
    );
    let ended = Mutex::new(None);
    let listener = |event| {
        if matches!(&event, trellis_runner::plan::event::Event::StepDone { step } if step == "quick") {
            *ended.lock().unwrap() = Some(began.elapsed());
        }
    };
    let permit = Permit::unlimited();
    let options = Options { step_limit: Duration::from_hours(9), ..options() };
    let runner = Runner {
        cloud: &cloud,
        classify: &classify,
        listener: &listener,
        permit,
        options,
        tokens: Tokens::default(),
    };
    let applied = runner.apply(&plan(json!(steps)), State::new(), &MemoryStore::default()).await.unwrap();
    assert!(applied.is_complete());
    assert_eq!(ended.into_inner().unwrap(), Some(Duration::from_millis(200)));
}

#[tokio::test(start_paused = true)]
async fn a_state_that_can_be_saved_in_the_end_is_kept() {
    let cloud = Scripted::new(|_, _| fine(100, json!({ "Id": "x" })));
    let store = MemoryStore::default();
    *store.faults.lock().unwrap() = [None, Some(StoreError::unkept("the server is busy"))].into();
    let (applied, _) = run(&cloud, &chain(&["A", "B", "C"]), &store).await;
    assert!(applied.unkept.is_none());
    // Nothing builds on what is not saved; the next round of the run plans the rest again.
    assert_eq!((applied.left.as_slice(), cloud.count("C")), (&["B".to_owned(), "C".to_owned()][..], 0));
    assert_eq!(store.saved.lock().unwrap().last().unwrap()["B"], "x");
}

#[tokio::test(start_paused = true)]
async fn a_run_stops_at_once_where_somebody_else_changes_the_state() {
    for fault in [StoreError::Overtaken("it has another VPC".to_owned()), StoreError::LeaseLost] {
        let cloud =
            Scripted::new(|call, _| fine(if call.action == "Long" { 60_000 } else { 100 }, json!({ "Id": "x" })));
        let store = MemoryStore::default();
        *store.faults.lock().unwrap() = [Some(fault)].into();
        let began = Instant::now();
        let mut steps = chain(&["A", "B"]);
        steps.steps.extend(chain(&["Long"]).steps);
        let (applied, _) = run_with(&cloud, &steps, &store, StopSignal::never(), options()).await;
        assert!(matches!(applied.unkept, Some(StoreError::Overtaken(_) | StoreError::LeaseLost)));
        assert_eq!((applied.left.len(), began.elapsed()), (3, Duration::from_millis(100)));
        assert_eq!(store.saved.lock().unwrap().len(), 0);
    }
}
