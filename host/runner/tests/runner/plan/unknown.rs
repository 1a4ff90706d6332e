//! Calls that create without a token, where nobody knows whether they had their effect.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use trellis_runner::document::{Plan, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::plan::runner::Runner;
use trellis_runner::plan::token::Tokens;

use crate::cloud::{MemoryStore, Reply, Scripted, classify, fine, lost, options, plan, refused, run, run_with};

/// Creates a network, in a state. What the cloud calls by its name is the network.
fn creation(state: &[(&str, &str)]) -> Plan {
    let former = state.iter().find(|(key, _)| *key == "Pending/net").map_or("none", |(_, id)| *id);
    let step = json!({
        "id": "net/create", "call": { "service": "net", "action": "Create" },
        "remember": { "Pending/net": former }, "record": { "Net": "/network/id" },
        "lookAgain": {
            "call": { "service": "net", "action": "List" },
            "item": { "list": "/networks", "key": "name", "value": "mine" },
            "success": [{ "present": "/id" }], "record": { "Net": "/id" }, "interval": 2, "limit": 10,
        },
        "until": {
            "call": { "service": "net", "action": "Get", "parameters": { "id": { "ref": "Net" } } },
            "success": [{ "at": "/status", "among": ["ACTIVE"] }], "interval": 2, "limit": 60,
        },
        "conclude": { "Pending/net": null },
    });
    let state = state.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Plan { state, ..plan(Value::Array(vec![step])) }
}

fn created(id: &str) -> Reply {
    fine(0, json!({ "network": { "id": id } }))
}

fn listed(entries: &[(&str, &str)]) -> Reply {
    let entries: Vec<_> = entries.iter().map(|(id, name)| json!({ "id": id, "name": name })).collect();
    fine(0, json!({ "networks": entries }))
}

fn active() -> Reply {
    fine(0, json!({ "status": "ACTIVE" }))
}

/// What `Create` is answered the first time, what `List` shows from which call on, and what comes of a run: how
/// often the two are called, and the id that is recorded.
async fn outcome(first: Reply, shown_from: usize, state: &[(&str, &str)]) -> (usize, usize, Option<String>) {
    let first = Mutex::new(Some(first));
    let cloud = Scripted::new(move |call, count| match call.action.as_str() {
        "Create" => first.lock().unwrap().take().unwrap_or_else(|| created("net-2")),
        "List" if count >= shown_from => listed(&[("net-0", "other"), ("net-1", "mine")]),
        "List" => listed(&[("net-0", "other")]),
        _ => active(),
    });
    let (applied, _) = run(&cloud, &creation(state), &MemoryStore::default()).await;
    assert!(!applied.state.contains_key("Pending/net") || !applied.is_complete());
    let id = applied.is_complete().then(|| applied.state["Net"].clone());
    (cloud.count("Create"), cloud.count("List"), id)
}

#[tokio::test(start_paused = true)]
async fn what_an_unanswered_call_created_is_recorded_and_the_call_is_not_sent_again() {
    let id = |id: &str| Some(id.to_owned());
    let failed = |code| Reply(0, Err(lost(code)));
    assert_eq!(outcome(failed("Timeout"), 1, &[]).await, (1, 1, id("net-1")));
    assert_eq!(outcome(failed("ConnectionFailed"), 1, &[]).await, (1, 1, id("net-1")));
    // The cloud shows it late.
    assert_eq!(outcome(failed("Timeout"), 3, &[]).await, (1, 3, id("net-1")));
    // A refusal after an unknown outcome, too, may mean that it is there.
    assert_eq!(outcome(failed("Strange"), 1, &[]).await, (1, 1, id("net-1")));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_created_nothing_is_sent_again_after_a_look() {
    let (creations, looks, id) = outcome(Reply(0, Err(lost("Timeout"))), usize::MAX, &[]).await;
    assert_eq!((creations, id.as_deref()), (2, Some("net-2")));
    assert!(looks > 1, "the cloud has time to show it");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_outcome_is_known_is_followed_by_no_look() {
    assert_eq!(outcome(created("net-2"), 1, &[]).await, (1, 0, Some("net-2".to_owned())));
    assert_eq!(outcome(Reply(0, Err(refused("Busy", 409))), 1, &[]).await, (2, 0, Some("net-2".to_owned())));
    assert_eq!(outcome(Reply(0, Err(refused("Forbidden", 403))), 1, &[]).await, (1, 0, None));
}

#[tokio::test(start_paused = true)]
async fn after_a_call_that_was_refused_what_somebody_else_creates_is_not_ours() {
    let pending = |state: &'static [(&str, &str)]| async move {
        let cloud = Scripted::new(move |call, _| match call.action.as_str() {
            "Create" => Reply(0, Err(refused("Forbidden", 403))),
            _ => listed(&[]),
        });
        let (applied, _) = run(&cloud, &creation(state), &MemoryStore::default()).await;
        assert_eq!(applied.failed.len(), 1, "{:?}", applied.failed);
        applied.state.contains_key("Pending/net")
    };
    assert!(!pending(&[]).await);
    // An earlier call may have had its effect all the same.
    assert!(pending(&[("Pending/net", "none")]).await);
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_process_had_begun_is_looked_for_before_the_first_call() {
    let pending = [("Pending/net", "none")];
    assert_eq!(outcome(created("net-2"), 1, &pending).await, (0, 1, Some("net-1".to_owned())));
    let (creations, _, id) = outcome(created("net-2"), usize::MAX, &pending).await;
    assert_eq!((creations, id.as_deref()), (1, Some("net-2")));
}

#[tokio::test(start_paused = true)]
async fn what_was_there_before_is_not_taken_for_what_the_call_created() {
    // The cloud still shows the network that was deleted.
    let (creations, _, id) = outcome(created("net-2"), 1, &[("Pending/net", "net-1")]).await;
    assert_eq!((creations, id.as_deref()), (1, Some("net-2")));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_as_long_as_the_outcome_is_unknown() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => Reply(0, Err(lost("Timeout"))),
        _ => Reply(0, Err(refused("Busy", 503))),
    });
    let (applied, _) = run(&cloud, &creation(&[]), &MemoryStore::default()).await;
    assert_eq!(cloud.count("Create"), 1);
    let failed = &applied.failed[0].message;
    assert!(failed.contains("nobody knows whether") && failed.contains("the words of Busy"), "{failed}");
    assert!(applied.state.contains_key("Pending/net"), "the next run looks first");
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_refused_fails_the_step() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => Reply(0, Err(lost("Timeout"))),
        _ => Reply(0, Err(refused("Forbidden", 403))),
    });
    let (applied, _) = run(&cloud, &creation(&[]), &MemoryStore::default()).await;
    assert_eq!((cloud.count("Create"), applied.failed[0].message.as_str()), (1, "advice on Forbidden"));
}

/// A cloud that makes a network for each call, shows it a while later, and loses every other answer.
#[test]
fn a_creation_without_a_token_that_is_cut_off_anywhere_happens_once() {
    for how in [Stop::AtOnce, Stop::Gracefully] {
        for moment in (0..12_000).step_by(97) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
            runtime.unwrap().block_on(async {
                let began = tokio::time::Instant::now();
                let things: Arc<Mutex<Vec<(String, Duration)>>> = Arc::default();
                let cloud = || {
                    let things = Arc::clone(&things);
                    Scripted::new(move |call, count| {
                        let mut things = things.lock().unwrap();
                        let now = began.elapsed();
                        match call.action.as_str() {
                            "Create" => {
                                let id = format!("net-{}", things.len());
                                things.push((id.clone(), now + Duration::from_secs(3)));
                                let answer = json!({ "network": { "id": id } });
                                Reply(100, if count % 2 == 1 { Err(lost("Timeout")) } else { Ok(answer) })
                            }
                            "List" => {
                                let seen = things.iter().filter(|(_, at)| *at <= now);
                                let seen: Vec<_> = seen.map(|(id, _)| (id.as_str(), "mine")).collect();
                                let Reply(_, answer) = listed(&seen);
                                Reply(100, answer)
                            }
                            _ => active(),
                        }
                    })
                };
                let store = MemoryStore { latency: 20, ..MemoryStore::default() };
                let (stopper, signal) = stop();
                let cut = async {
                    sleep(Duration::from_millis(moment)).await;
                    stopper.stop(how);
                    std::future::pending::<()>().await;
                };
                let (first, plan) = (cloud(), creation(&[]));
                tokio::select! {
                    () = cut => {}
                    _ = run_with(&first, &plan, &store, signal, options()) => {}
                }
                // What another process finds.
                let kept: State = store.saved.lock().unwrap().last().cloned().unwrap_or_default();
                if !kept.contains_key("Net") {
                    let pairs: Vec<_> = kept.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
                    let runner = Runner {
                        cloud: &cloud(),
                        classify: &classify,
                        listener: &|_| {},
                        permit: Permit::unlimited(),
                        options: options(),
                        tokens: Tokens::default(),
                    };
                    let applied = runner.apply(&creation(&pairs), kept.clone(), &store).await.unwrap();
                    assert!(applied.is_complete(), "{moment}: {:?}", applied.failed);
                }
                assert_eq!(things.lock().unwrap().len(), 1, "{how:?} {moment}");
            });
        }
    }
}
