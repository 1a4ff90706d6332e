//! Calls that fail, and runs that end early.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use trellis_runner::call::CallFailure;
use trellis_runner::document::{Plan, Query, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, StopSignal, stop};
use trellis_runner::plan::event::Event;
use trellis_runner::plan::observe::FactAnswer;
use trellis_runner::plan::options::Options;
use trellis_runner::plan::runner::Runner;
use trellis_runner::plan::token::Tokens;

use crate::cloud::{MemoryStore, Reply, Scripted, classify, fine, lost, options, plan, refused, run, run_with};

fn step(id: &str) -> Value {
    json!({ "id": id, "call": { "service": "vpc", "action": id } })
}

/// A step that binds two things, and waits until they are bound.
fn association() -> Plan {
    plan(json!([{
        "id": "eip/associate",
        "call": { "service": "vpc", "action": "Associate" },
        "until": {
            "call": { "service": "vpc", "action": "Describe" },
            "item": { "list": "/Items/Item", "key": "Id", "value": "eip-1" },
            "success": [{ "at": "/Status", "among": ["InUse"] }], "interval": 5, "limit": 60,
        },
    }]))
}

fn eip(status: &str) -> Reply {
    fine(0, json!({ "Items": { "Item": [{ "Id": "eip-1", "Status": status }] } }))
}

#[tokio::test(start_paused = true)]
async fn what_is_transient_is_tried_again_ever_more_rarely_and_reported() {
    let cloud = Scripted::new(|_, count| match count {
        1 => Reply(0, Err(refused("Throttling", 400))),
        2 => Reply(0, Err(CallFailure { retry_after: Some(Duration::from_secs(9)), ..refused("Busy", 503) })),
        3 => Reply(0, Err(refused("Busy", 400))),
        _ => fine(0, json!({})),
    });
    let (applied, events) = run(&cloud, &plan(json!([step("A")])), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.times("A"), [0, 500, 10_000, 12_000]);
    let retries: Vec<_> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Retrying { why, delay, .. } => Some((why, delay)),
            _ => None,
        })
        .collect();
    let reported = |code: &str, delay| (format!("advice on {code}"), delay);
    assert_eq!(retries, [reported("Throttling", 500), reported("Busy", 9_500), reported("Busy", 2_000)]);
}

#[tokio::test(start_paused = true)]
async fn trying_again_ends_with_the_time_of_the_step() {
    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("Busy", 400))));
    let (applied, _) = run(&cloud, &plan(json!([step("A")])), &MemoryStore::default()).await;
    assert_eq!(applied.failed[0].message, "not done within 300 s: advice on Busy");
    assert!(applied.failed[0].cause.as_ref().unwrap().contains("the words of Busy"));
    assert!(*cloud.times("A").last().unwrap() < 300_000);
}

#[tokio::test(start_paused = true)]
async fn a_step_of_which_the_cloud_did_a_part_has_failed_and_what_it_made_is_kept() {
    for (failed, works) in [("0", true), ("1", false)] {
        let cloud = Scripted::new(move |_, _| {
            fine(
                0,
                json!({ "Id": "x-1", "FailCount": failed, "Results": [{ "InstanceId": "i-7", "Code": "Denied" }] }),
            )
        });
        let mut detach = step("DetachKeyPair");
        detach["record"] = json!({ "X": "/Id" });
        detach["expect"] = json!([{ "at": "/FailCount", "among": ["0"] }]);
        detach["conclude"] = json!({ "Done": "yes" });
        let store = MemoryStore::default();
        let (applied, _) = run(&cloud, &plan(json!([detach])), &store).await;
        assert_eq!(applied.is_complete(), works);
        assert_eq!(applied.state.get("X").map(String::as_str), Some("x-1"));
        assert_eq!(applied.state.contains_key("Done"), works);
        if !works {
            let message = &applied.failed[0].message;
            let words = "vpc:DetachKeyPair was answered, and not all of it is done, as its FailCount is `1`";
            assert!(message.starts_with(words) && message.contains("i-7"), "{message}");
            assert_eq!(cloud.count("DetachKeyPair"), 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_try_of_a_query_may_take_as_long_as_its_action_does() {
    for (action, slow, waits) in [
        ("DescribeSecurityGroupAttribute", 132, true),
        ("DescribeSecurityGroups", 29, true),
        ("DescribeVpcs", 31, false),
    ] {
        // The first try is never answered.
        let cloud =
            Scripted::new(move |_, count| fine(if count == 1 { 900_000 } else { slow * 1_000 }, json!({})));
        let query = json!([{ "id": "q", "call": { "service": "ecs", "action": action }, "paging": "none" }]);
        let queries: Vec<Query> = serde_json::from_value(query).unwrap();
        let listener = |_| {};
        let permit = Permit::unlimited();
        let runner = Runner {
            cloud: &cloud,
            classify: &classify,
            listener: &listener,
            permit,
            options: options(),
            tokens: Tokens::default(),
        };
        let facts = runner.ask(&queries, &State::new()).await.unwrap();
        assert_eq!(matches!(facts[0].answer, FactAnswer::Response(_)), waits, "{action}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_will_not_succeed_is_tried_once() {
    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("QuotaExceeded", 400))));
    let (applied, _) = run(&cloud, &plan(json!([step("A")])), &MemoryStore::default()).await;
    assert_eq!((cloud.count("A"), applied.failed[0].message.as_str()), (1, "advice on QuotaExceeded"));
}

#[tokio::test(start_paused = true)]
async fn what_is_so_already_is_done() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Delete" => Reply(0, Err(refused("GoneVpc", 404))),
        other => panic!("{other} is not needed"),
    });
    let steps = json!([{
        "id": "vpc/delete", "call": { "service": "vpc", "action": "Delete" },
        "until": { "call": { "service": "vpc", "action": "Describe" }, "success": [{ "gone": true }],
                   "interval": 5, "limit": 60 },
        "conclude": { "VPC": "<deleted>" },
    }]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(applied.state["VPC"], "<deleted>");
}

#[tokio::test(start_paused = true)]
async fn what_is_so_already_may_still_have_to_be_waited_for() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Associate", _) => Reply(0, Err(refused("GoneAlready", 400))),
        (_, 1) => eip("Associating"),
        _ => eip("InUse"),
    });
    let (applied, _) = run(&cloud, &association(), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.count("Describe"), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_an_answer_is_not_repeated_where_its_effect_is_seen() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Associate" => Reply(0, Err(lost("Timeout"))),
        _ => eip("InUse"),
    });
    let (applied, _) = run(&cloud, &association(), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!((cloud.count("Associate"), cloud.count("Describe")), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_call_without_an_answer_is_repeated_where_its_effect_is_not_seen() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Associate", 1) => Reply(0, Err(lost("ConnectionFailed"))),
        ("Associate", _) => fine(0, json!({})),
        (_, 1) => eip("Available"),
        _ => eip("InUse"),
    });
    let (applied, _) = run(&cloud, &association(), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!((cloud.count("Associate"), cloud.count("Describe")), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_what_was_repeated_may_mean_that_it_was_done_the_first_time() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Associate", 1) => Reply(0, Err(lost("Timeout"))),
        ("Associate", _) => Reply(0, Err(refused("InvalidBinding", 400))),
        (_, 1) => eip("Associating"),
        _ => eip("InUse"),
    });
    let (applied, _) = run(&cloud, &association(), &MemoryStore::default()).await;
    assert!(applied.is_complete(), "{:?}", applied.failed);
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_waited_out_once_and_then_looked_into() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Associate", _) => Reply(0, Err(refused("Busy", 400))),
        (_, 1) => eip("Associating"),
        _ => eip("InUse"),
    });
    let (applied, _) = run(&cloud, &association(), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!((cloud.count("Associate"), cloud.count("Describe")), (3, 2));
}

#[tokio::test(start_paused = true)]
async fn what_records_its_answer_is_repeated_with_the_same_token_until_it_has_one() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let cloud = {
        let calls = calls.clone();
        Scripted::new(move |call, _| {
            if call.action == "Describe" {
                let item = |id: &str| json!({ "Id": id, "Status": "Available" });
                return fine(0, json!({ "Items": { "Item": [item("eip-1"), item("eip-2")] } }));
            }
            let mut calls = calls.lock().unwrap();
            calls.push(call.clone());
            if calls.len() == 1 { Reply(0, Err(lost("Timeout"))) } else { fine(0, json!({ "Id": "eip-2" })) }
        })
    };
    let mut plan = plan(json!([{
        "id": "eip/create", "call": { "service": "vpc", "action": "Allocate", "token": "seed" },
        "record": { "EIP": "/Id" },
        "until": {
            "call": { "service": "vpc", "action": "Describe" },
            "item": { "list": "/Items/Item", "key": "Id", "value": { "ref": "EIP" } },
            "success": [{ "at": "/Status", "among": ["Available"] }], "interval": 5, "limit": 60,
        },
    }]));
    // What is there under the former id says nothing about the new one.
    plan.state.insert("EIP".to_owned(), "eip-1".to_owned());
    let (applied, _) = run(&cloud, &plan, &MemoryStore::default()).await;
    assert_eq!(applied.state["EIP"], "eip-2");
    let calls = calls.lock().unwrap();
    assert_eq!((calls.len(), &calls[0], calls[0].token.as_deref()), (2, &calls[1], Some("seed")));
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_what_is_recorded_is_an_error_and_the_rest_of_it_is_kept() {
    let cloud = Scripted::new(|_, _| fine(0, json!({ "Id": "nat-1" })));
    let steps = json!([{
        "id": "nat/create", "call": { "service": "vpc", "action": "Create" },
        "record": { "NAT": "/Id", "Table": "/Tables/0" },
    }]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert_eq!(applied.failed[0].message, "the response has nothing at `/Tables/0`, which the step has to record");
    assert_eq!(applied.state["NAT"], "nat-1");
}

#[tokio::test(start_paused = true)]
async fn a_graceful_end_lets_calls_in_flight_end_and_records_them() {
    let (stopper, signal) = stop();
    let cloud = Scripted::new(move |call, _| {
        if call.action == "A" {
            stopper.stop(Stop::Gracefully);
        }
        fine(100, json!({ "Id": call.action }))
    });
    let steps = json!([
        { "id": "A", "call": { "service": "vpc", "action": "A" }, "record": { "A": "/Id" }, "until": {
            "call": { "service": "vpc", "action": "Describe" }, "success": [{ "gone": true }],
            "interval": 5, "limit": 60 } },
        { "id": "B", "call": { "service": "vpc", "action": "B" }, "after": ["A"] },
        { "id": "C", "call": { "service": "vpc", "action": "C" }, "mutex": "m" },
    ]);
    let (applied, _) = run_with(&cloud, &plan(steps), &MemoryStore::default(), signal, options()).await;
    assert_eq!(applied.state["A"], "A");
    assert_eq!(applied.left, ["A", "B", "C"]);
    assert_eq!(cloud.story(), ["+A", "-A"]);
}

#[tokio::test(start_paused = true)]
async fn an_end_at_once_waits_for_nothing() {
    let (stopper, signal) = stop();
    let cloud = Scripted::new(|_, _| fine(60_000, json!({})));
    let began = Instant::now();
    let stopping = async {
        sleep(Duration::from_secs(1)).await;
        stopper.stop(Stop::AtOnce);
        sleep(Duration::from_hours(1)).await;
    };
    let plan = plan(json!([step("A")]));
    let store = MemoryStore::default();
    let (applied, _) = tokio::select! {
        () = stopping => unreachable!(),
        ended = run_with(&cloud, &plan, &store, signal, options()) => ended,
    };
    assert_eq!((applied.left.as_slice(), began.elapsed()), (&["A".to_owned()][..], Duration::from_secs(1)));
}

#[tokio::test(start_paused = true)]
async fn a_run_out_of_time_starts_nothing_more() {
    let cloud = Scripted::new(|_, _| fine(700, json!({})));
    let steps: Value = (0..5)
        .map(|n| {
            let after: Vec<_> = (n > 0).then(|| format!("S{}", n - 1)).into_iter().collect();
            json!({ "id": format!("S{n}"), "call": { "service": "vpc", "action": format!("S{n}") }, "after": after })
        })
        .collect();
    let options = Options { deadline: Some(Instant::now() + Duration::from_secs(1)), ..options() };
    let (applied, _) = run_with(&cloud, &plan(steps), &MemoryStore::default(), StopSignal::never(), options).await;
    assert_eq!((applied.done.as_slice(), applied.left.len()), (&["S0".to_owned()][..], 4));
    assert_eq!(cloud.count("S2"), 0);
}
