//! The store on a Kubernetes object, rule by rule, on an API server in memory.

mod breakage;
mod leases;

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::{Instant, advance, sleep, timeout};
use trellis_runner::document::State;
use trellis_runner::limits::lease::{Lease, LeaseSignal, lease};
use trellis_runner::plan::ledger::{StateStore, StoreError};
use trellis_runner::state::object::{ApiError, Form, FormError, Object, ObjectStore, Objects, Options};

use crate::api_server::{ApiServer, Fault};

/// The form of a provider whose documents hold states as they are.
pub struct Plain;

impl Form for Plain {
    async fn read(&self, document: &Value, _: Instant) -> Result<State, FormError> {
        Ok(serde_json::from_value(document["data"].clone())?)
    }

    async fn write(&self, state: &State, _: Instant) -> Result<Map<String, Value>, FormError> {
        Ok(serde_json::from_value(document(state))?)
    }
}

fn document(state: &State) -> Value {
    json!({ "kind": "FlowState", "apiVersion": "acme/v1", "data": state })
}

/// A state with one key.
pub fn state(value: &str) -> State {
    State::from([("VPC".to_owned(), value.to_owned())])
}

fn options() -> Options {
    let second = Duration::from_secs(1);
    Options { request_limit: 5 * second, limit: 60 * second, jitter: || 0.5 }
}

pub fn start(server: &ApiServer, lease_signal: LeaseSignal) -> ObjectStore {
    ObjectStore::start(server.clone(), Plain, lease_signal, options())
}

/// A server whose object holds a state, and a store that has loaded it.
async fn loaded(value: &str) -> (ApiServer, ObjectStore) {
    let server = ApiServer::with(Some(document(&state(value))));
    let store = start(&server, LeaseSignal::unlimited());
    assert_eq!(store.load().await.unwrap(), Some(state(value)));
    (server, store)
}

/// The values that stores wrote, in order.
pub fn written(server: &ApiServer) -> Vec<String> {
    server.written().iter().map(|state| state["data"]["VPC"].as_str().unwrap_or_default().to_owned()).collect()
}

fn is_overtaken(result: Result<impl std::fmt::Debug, StoreError>, words: &str) {
    match result {
        Err(StoreError::Overtaken(why)) => assert!(why.contains(words), "{why}"),
        other => panic!("{words}: {other:?}"),
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_load_reads_the_object_as_it_is_now() {
    let server = ApiServer::with(None);
    let store = start(&server, LeaseSignal::unlimited());
    assert_eq!(store.load().await.unwrap(), Some(State::new()));
    server.write_state(document(&state("a")));
    assert_eq!(store.load().await.unwrap(), Some(state("a")));
    server.on_reads([Fault::Unavailable, Fault::TooMany(Some(3)), Fault::Forgotten]);
    let began = Instant::now();
    assert_eq!(store.load().await.unwrap(), Some(state("a")));
    assert!(began.elapsed() > 8 * SECOND, "{:?}", began.elapsed());
    server.on_reads([Fault::Unavailable; 99]);
    assert!(matches!(store.load().await, Err(StoreError::Unread(_))));
    assert!(began.elapsed() < 80 * SECOND, "{:?}", began.elapsed());
    let none = start(&ApiServer::default(), LeaseSignal::unlimited());
    assert!(matches!(none.load().await, Err(StoreError::Unread(_))));
    server.write_state(json!({ "kind": "FlowState", "data": [1] }));
    assert!(matches!(start(&server, LeaseSignal::unlimited()).load().await, Err(StoreError::Unread(_))));
}

#[tokio::test(start_paused = true)]
async fn a_save_changes_what_differs_and_leaves_everything_else_alone() {
    let known = json!({
        "kind": "FlowState", "apiVersion": "acme/v1", "data": { "VPC": "a", "Old": "o", "Kept": "k" },
        "extra": { "of": ["somebody", null] },
    });
    let server = ApiServer::with(Some(known));
    server.write_condition();
    let before = server.object();
    let store = start(&server, LeaseSignal::unlimited());
    let mut state = store.load().await.unwrap().unwrap();
    state.remove("Old");
    state.insert("VPC".to_owned(), "b".to_owned());
    store.save(&state).await.unwrap();
    let mut wanted = before;
    wanted["status"]["state"]["data"] = json!({ "VPC": "b", "Kept": "k" });
    wanted["metadata"] = server.object()["metadata"].clone();
    assert_eq!(server.object(), wanted);
}

#[tokio::test(start_paused = true)]
async fn a_document_of_another_kind_goes_with_all_its_members() {
    let server = ApiServer::with(Some(json!({ "data": { "VPC": "a" }, "encoding": "none" })));
    let store = start(&server, LeaseSignal::unlimited());
    let state = store.load().await.unwrap().unwrap();
    store.save(&state).await.unwrap();
    assert_eq!(server.state(), document(&state));
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_state_writes_nothing() {
    let (server, store) = loaded("a").await;
    store.save(&state("a")).await.unwrap();
    assert_eq!(server.requests(), (1, 0));
    store.save(&state("b")).await.unwrap();
    store.save(&state("b")).await.unwrap();
    assert_eq!(server.requests(), (1, 1));
    assert_eq!(written(&server), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn a_state_that_nobody_has_read_is_not_overwritten() {
    let server = ApiServer::with(None);
    let store = start(&server, LeaseSignal::unlimited());
    assert!(matches!(store.save(&state("a")).await, Err(StoreError::Unkept(_))));
    assert_eq!(server.requests(), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_fault_that_passes_is_waited_for_and_the_state_is_written_once() {
    use Fault::{AnswerLost, Conflict, Forgotten, Late, Overtaken, Slow, TooMany, Unavailable};
    for (faults, millis) in [
        (&[][..], 0),
        (&[Conflict], 0),
        (&[Conflict, Conflict, Conflict], 375),
        (&[Overtaken, Overtaken], 0),
        (&[Overtaken, Overtaken, Overtaken, Overtaken], 375),
        (&[TooMany(None)], 375),
        (&[TooMany(Some(7))], 7_125),
        (&[Unavailable, Unavailable, Unavailable], 375 + 750 + 1_500),
        (&[AnswerLost], 375),
        (&[AnswerLost, Overtaken], 375),
        (&[AnswerLost, TooMany(None), Conflict], 375 + 750),
        (&[Forgotten], 5_375),
        (&[Slow(4_000)], 4_000),
        (&[Slow(6_000), Unavailable], 5_375 + 750),
        (&[Late(200)], 375),
        (&[Late(9_000), Unavailable], 375 + 750),
    ] {
        let (server, store) = loaded("a").await;
        server.on_patches(faults.iter().copied());
        let began = Instant::now();
        store.save(&state("b")).await.unwrap();
        assert_eq!(began.elapsed().as_millis(), millis, "{faults:?}");
        assert_eq!(server.state(), document(&state("b")), "{faults:?}");
        store.save(&state("c")).await.unwrap();
        server.settle().await;
        assert_eq!(written(&server), ["b", "c"], "{faults:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_that_does_not_pass_is_reported_and_the_next_save_goes_on() {
    use Fault::{AnswerLost, Conflict, Refused, TooMany, Unavailable};
    for (fault, least, most, words) in [
        (Unavailable, 40, 60, "(503): no leader"),
        (TooMany(Some(25)), 25, 60, "429"),
        (TooMany(Some(600)), 0, 1, "429"),
        (Conflict, 40, 60, "changes all the time"),
        (Refused, 0, 1, "(422): too large"),
        (AnswerLost, 40, 60, "connection reset"),
    ] {
        let (server, store) = loaded("a").await;
        server.on_patches([fault; 999]);
        let began = Instant::now();
        let saved = store.save(&state("b")).await;
        let seconds = began.elapsed().as_secs();
        assert!((least..=most).contains(&seconds), "{fault:?}: {seconds} s");
        let Err(StoreError::Unkept(why)) = saved else { panic!("{fault:?}: {saved:?}") };
        assert!(why.to_string().contains(words), "{why}");
        server.clear_faults();
        store.save(&state("c")).await.unwrap();
        assert_eq!(server.state(), document(&state("c")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_somebody_else_wrote_ends_the_store_at_once_and_for_ever() {
    type Change = fn(&ApiServer);
    let changes: [(Change, &str); 4] = [
        (|server| server.write_state(document(&state("x"))), "is not what this run"),
        (|server| server.write_state(Value::Null), "is not what this run"),
        (ApiServer::delete, "does not exist any more"),
        (
            |server| {
                server.delete();
                server.create(Some(document(&state("b"))));
            },
            "another one of its name",
        ),
    ];
    for (change, words) in changes {
        for fault in [None, Some(Fault::AnswerLost), Some(Fault::Forgotten)] {
            let (server, store) = loaded("a").await;
            store.save(&state("b")).await.unwrap();
            if let Some(fault) = fault {
                server.on_patches([fault]);
                let dropped = timeout(SECOND / 10, async { store.save(&state("lost")).await }).await;
                assert!(dropped.is_err());
            }
            change(&server);
            let there = server.writes();
            is_overtaken(store.save(&state("c")).await, words);
            server.delete();
            server.create(Some(document(&state("b"))));
            let requests = server.requests();
            is_overtaken(store.save(&state("d")).await, words);
            is_overtaken(store.load().await, words);
            is_overtaken(store.close(SECOND).await, words);
            assert_eq!((server.requests(), server.writes()), (requests, there), "{words}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_load_goes_on_only_from_what_this_store_wrote() {
    let (server, store) = loaded("a").await;
    server.write_state(document(&state("x")));
    assert_eq!(store.load().await.unwrap(), Some(state("x")));
    store.save(&state("b")).await.unwrap();
    server.write_condition();
    assert_eq!(store.load().await.unwrap(), Some(state("b")));
    server.write_state(document(&state("y")));
    is_overtaken(store.load().await, "is not what this run");
    is_overtaken(store.save(&state("c")).await, "is not what this run");
    assert_eq!(written(&server), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn a_state_whose_save_was_given_up_is_recognized_later() {
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::AnswerLost]);
    server.on_patches([Fault::Unavailable; 99]);
    assert!(store.save(&state("b")).await.is_err());
    server.clear_faults();
    assert_eq!(server.state(), document(&state("b")));
    store.save(&state("c")).await.unwrap();
    assert_eq!(written(&server), ["b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn states_that_wait_become_one_patch_and_each_caller_learns_of_it() {
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::Slow(1_000)]);
    let first = async { store.save(&state("b")).await };
    let (second, third, fourth) = (state("c"), state("d"), state("e"));
    let later = async {
        sleep(SECOND / 2).await;
        tokio::join!(store.save(&second), store.save(&third), store.save(&fourth))
    };
    let (first, (second, third, fourth)) = tokio::join!(first, later);
    for saved in [first, second, third, fourth] {
        saved.unwrap();
    }
    assert_eq!(written(&server), ["b", "e"]);
}

#[tokio::test(start_paused = true)]
async fn a_newer_state_takes_the_place_of_one_that_is_tried_again() {
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::Unavailable; 4]);
    let (older, newer) = (state("b"), state("c"));
    let later = async {
        sleep(SECOND / 2).await;
        store.save(&newer).await
    };
    let (older, newer) = tokio::join!(store.save(&older), later);
    older.unwrap();
    newer.unwrap();
    assert_eq!(written(&server), ["c"]);
}

#[tokio::test(start_paused = true)]
async fn a_caller_waits_no_longer_than_the_limit_and_a_later_one_goes_on_waiting() {
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::Unavailable; 9]);
    let (older, newer) = (state("b"), state("c"));
    let later = async {
        sleep(30 * SECOND).await;
        store.save(&newer).await
    };
    let began = Instant::now();
    let older = async { (store.save(&older).await, began.elapsed()) };
    let ((older, time), newer) = tokio::join!(older, later);
    assert!(matches!(older, Err(StoreError::Unkept(_))), "{older:?}");
    assert!(time < 60 * SECOND, "{time:?}");
    newer.unwrap();
    assert_eq!(written(&server), ["c"]);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_does_not_cancel_its_patch() {
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::Unavailable, Fault::Slow(1_000)]);
    assert!(timeout(SECOND / 10, store.save(&state("b"))).await.is_err());
    assert!(timeout(SECOND / 10, store.save(&state("c"))).await.is_err());
    drop(store);
    server.settle().await;
    assert_eq!(written(&server), ["c"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_patch_never_overtakes_a_newer_one() {
    for millis in [1, 400, 5_000, 30_000] {
        let (server, store) = loaded("a").await;
        server.on_patches([Fault::Late(millis)]);
        assert!(timeout(Duration::from_millis(10), store.save(&state("b"))).await.is_err());
        store.save(&state("c")).await.unwrap();
        server.settle().await;
        assert_eq!(server.state(), document(&state("c")), "late by {millis} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_patch_has_no_effect_after_the_state_from_before_was_saved_again() {
    for millis in [1_000, 65_000, 119_000] {
        let (server, store) = loaded("a").await;
        server.on_patches([Fault::Late(millis)]);
        server.on_patches([Fault::Unavailable; 99]);
        assert!(store.save(&state("b")).await.is_err());
        server.clear_faults();
        store.save(&state("a")).await.unwrap();
        server.settle().await;
        assert_eq!(server.state(), document(&state("a")), "late by {millis} ms");
        assert_eq!(written(&server), ["b", "a"], "late by {millis} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn closing_waits_for_the_last_state_no_longer_than_it_may() {
    for (fault, is_kept) in
        [(Fault::Slow(4_000), true), (Fault::TooMany(Some(4)), true), (Fault::TooMany(Some(30)), false)]
    {
        let (server, store) = loaded("a").await;
        server.on_patches([fault]);
        assert!(timeout(SECOND, store.save(&state("b"))).await.is_err());
        let began = Instant::now();
        let closed = store.close(10 * SECOND).await;
        assert_eq!(closed.is_ok(), is_kept, "{fault:?}: {closed:?}");
        assert!(began.elapsed() <= 10 * SECOND);
        let there = server.requests();
        server.settle().await;
        assert_eq!(server.requests(), there, "{fault:?}");
        assert_eq!(server.state() == document(&state("b")), is_kept, "{fault:?}");
    }
    let (server, store) = loaded("a").await;
    server.on_patches([Fault::Refused]);
    assert!(timeout(SECOND, store.save(&state("b"))).await.unwrap().is_err());
    assert!(matches!(store.close(SECOND).await, Err(StoreError::Unkept(_))));
}
