//! What is before what, and what is kept when.

use std::sync::Mutex;

use proptest::prelude::*;
use serde_json::{Value, json};
use trellis_runner::document::State;
use trellis_runner::limits::stop::StopSignal;
use trellis_runner::plan::event::Event;
use trellis_runner::plan::options::Options;

use crate::cloud::{MemoryStore, Reply, Scripted, fine, options, plan, refused, run, run_with, text};

fn step(id: &str, after: &[&str]) -> Value {
    json!({ "id": id, "call": { "service": "vpc", "action": id }, "after": after })
}

#[tokio::test(start_paused = true)]
async fn steps_go_side_by_side_unless_one_is_after_another() {
    let cloud = Scripted::new(|_, _| fine(100, json!({})));
    let steps = json!([step("A", &[]), step("B", &[]), step("C", &["A", "B"]), step("D", &["A"])]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.story(), ["+A", "+B", "-A", "-B", "+D", "+C", "-D", "-C"]);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_than_allowed_are_made_at_a_time() {
    let cloud = Scripted::new(|_, _| fine(100, json!({})));
    let steps: Value = (0..20).map(|n| step(&format!("S{n}"), &[])).collect();
    let options = Options { concurrency: 3, ..options() };
    let store = MemoryStore::default();
    run_with(&cloud, &plan(steps), &store, StopSignal::never(), options).await;
    let (mut open, mut most) = (0_i32, 0_i32);
    for line in cloud.story() {
        open += if line.starts_with('+') { 1 } else { -1 };
        most = most.max(open);
    }
    assert_eq!(most, 3);
}

#[tokio::test(start_paused = true)]
async fn the_state_is_kept_at_every_effect_before_anything_builds_on_it() {
    let store = std::sync::Arc::new(MemoryStore::default());
    let seen = std::sync::Arc::new(Mutex::new(Vec::new()));
    let cloud = {
        let (store, seen) = (store.clone(), seen.clone());
        Scripted::new(move |call, _| {
            seen.lock().unwrap().push((call.action.clone(), store.saved.lock().unwrap().last().cloned()));
            match call.action.as_str() {
                "Create" => fine(10, json!({ "Id": "vpc-1" })),
                "Tag" => fine(10, json!({ "For": text(call, "Id") })),
                _ => fine(10, json!({ "Status": "Available", "Extra": 7 })),
            }
        })
    };
    let steps = json!([
        {
            "id": "vpc/create",
            "call": { "service": "vpc", "action": "Create" },
            "remember": { "Pending/vpc": "none" },
            "record": { "VPC": "/Id" },
            "until": {
                "call": { "service": "vpc", "action": "Describe", "parameters": { "Id": { "ref": "VPC" } } },
                "success": [{ "at": "/Status", "among": ["Available"] }],
                "record": { "VPC/Extra": "/Extra" },
                "interval": 5, "limit": 60,
            },
            "conclude": { "Pending/vpc": null },
        },
        { "id": "vpc/tag", "call": { "service": "vpc", "action": "Tag", "parameters": { "Id": { "ref": "VPC" } } },
          "after": ["vpc/create"] },
    ]);
    let mut plan = plan(steps);
    plan.state.insert("Old".to_owned(), "1".to_owned());
    run(&cloud, &plan, &store).await;
    let state = |pairs: &[(&str, &str)]| -> State {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    };
    let pending = state(&[("Old", "1"), ("Pending/vpc", "none")]);
    let recorded = state(&[("Old", "1"), ("Pending/vpc", "none"), ("VPC", "vpc-1")]);
    let done = state(&[("Old", "1"), ("VPC", "vpc-1"), ("VPC/Extra", "7")]);
    let expected = [("Create", &pending), ("Describe", &recorded), ("Tag", &done)];
    let expected = expected.map(|(action, state)| (action.to_owned(), Some(state.clone())));
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(*store.saved.lock().unwrap(), [state(&[("Old", "1")]), pending, recorded, done]);
}

#[tokio::test(start_paused = true)]
async fn a_missing_key_is_an_error_that_names_step_and_key() {
    let cloud = Scripted::new(|_, _| fine(0, json!({})));
    let steps = json!([{ "id": "nat/create", "call": { "service": "vpc", "action": "A", "parameters": { "V": { "ref": "VPC" } } } }]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert_eq!(applied.failed[0].message, "step `nat/create` cannot be carried out: the state has no `VPC`");
    assert_eq!(cloud.count("A"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_failure_blocks_only_what_is_after_it() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "A" => Reply(10, Err(refused("Forbidden", 403))),
        _ => fine(500, json!({})),
    });
    let steps =
        json!([step("A", &[]), step("B", &[]), step("C", &["A"]), step("D", &["C", "B"]), step("E", &["B"])]);
    let (applied, events) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert_eq!(applied.done, ["B", "E"]);
    let failed = &applied.failed[0];
    assert_eq!((failed.step.as_str(), failed.message.as_str()), ("A", "advice on Forbidden"));
    assert!(failed.cause.as_ref().unwrap().contains("REQUEST"));
    let skipped: Vec<_> = applied.skipped.iter().map(|one| (one.step.as_str(), one.because.as_str())).collect();
    assert_eq!(skipped, [("C", "A"), ("D", "A")]);
    assert!(events.iter().any(|event| matches!(event, Event::StepSkipped { step, .. } if step == "D")));
    assert!(!applied.is_complete() && applied.left.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_state_that_cannot_be_kept_ends_the_run_and_what_is_answered_is_reported() {
    let cloud = Scripted::new(|call, _| fine(100, json!({ "Id": format!("id-{}", call.action) })));
    let recording = |id: &str, after: &[&str]| json!({ "id": id, "call": { "service": "vpc", "action": id }, "after": after, "record": { id: "/Id" } });
    let steps = json!([recording("A", &[]), recording("B", &[]), recording("C", &["A"])]);
    let store = MemoryStore { room: Some(0), ..MemoryStore::default() };
    let (applied, _) = run(&cloud, &plan(steps), &store).await;
    assert_eq!(applied.unkept.unwrap().to_string(), "the state cannot be kept: no space left");
    assert_eq!(cloud.count("C"), 0);
    assert_eq!(applied.state.len(), 2, "ids are not lost as long as somebody can see them");
}

/// Steps with earlier ones before them, mutexes, and whether they wait.
fn graphs() -> impl Strategy<Value = Vec<(Vec<prop::sample::Index>, Option<u8>, bool, u8)>> {
    let step = (
        prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        prop::option::of(0..3_u8),
        any::<bool>(),
        any::<u8>(),
    );
    prop::collection::vec(step, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_graph_is_carried_out_in_order_and_mutexes_hold(graph in graphs(), latency in 1..7_u64) {
        let mut steps = Vec::new();
        for (place, (before, mutex, waits, _)) in graph.iter().enumerate() {
            let mut after: Vec<String> =
                before.iter().filter(|_| place > 0).map(|index| format!("S{}", index.index(place))).collect();
            after.sort();
            after.dedup();
            let until = waits.then(|| json!({
                "call": { "service": "vpc", "action": "Probe" },
                "success": [{ "present": "/Done" }], "interval": 1, "limit": 60,
            }));
            steps.push(json!({
                "id": format!("S{place}"), "call": { "service": "vpc", "action": format!("S{place}") },
                "after": after, "mutex": mutex.map(|mutex| format!("m{mutex}")), "until": until,
            }));
        }
        let plan = plan(Value::Array(steps));
        let latencies: Vec<_> = graph.iter().map(|(.., latency)| u64::from(*latency)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (story, applied, done) = runtime.block_on(async {
            let cloud = Scripted::new(move |call, count| match call.action.strip_prefix('S') {
                Some(place) => fine(latencies[place.parse::<usize>().unwrap()] * latency, json!({})),
                None if count % 2 == 0 => fine(latency, json!({ "Done": true })),
                None => fine(latency, json!({})),
            });
            let (applied, events) = run(&cloud, &plan, &MemoryStore::default()).await;
            let done: Vec<String> = events.into_iter().filter_map(|event| match event {
                Event::StepStarted { step, .. } => Some(format!("+{step}")),
                Event::StepDone { step } => Some(format!("-{step}")),
                _ => None,
            }).collect();
            (cloud.story(), applied, done)
        });
        prop_assert!(applied.is_complete());
        prop_assert_eq!(applied.done.len(), plan.steps.len());
        for step in &plan.steps {
            let started = done.iter().position(|line| *line == format!("+{}", step.id)).unwrap();
            for before in &step.after {
                let ended = done.iter().position(|line| *line == format!("-{before}")).unwrap();
                prop_assert!(ended < started, "{} before {}", before, step.id);
            }
            if let Some(mutex) = &step.mutex {
                let held = story.iter().skip_while(|line| **line != format!("+{}", step.id)).skip(1);
                let held: Vec<_> = held.take_while(|line| **line != format!("-{}", step.id)).collect();
                let same = |line: &&String| plan.steps.iter().any(|other| {
                    other.mutex.as_ref() == Some(mutex) && line[1..] == other.id
                });
                prop_assert!(!held.iter().any(same), "{} under {}", step.id, mutex);
            }
        }
    }
}
