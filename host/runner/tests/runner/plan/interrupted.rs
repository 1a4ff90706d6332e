//! Runs that end at any moment, and go on from what was kept.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use trellis_runner::document::{Plan, State};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::plan::token::Tokens;

use crate::cloud::{MemoryStore, Scripted, fine, options, plan, run_with, text};

/// A cloud in which things are made once for each token and are there a while later, whatever becomes of the
/// answer.
struct World {
    things: Mutex<State>,
}

impl World {
    fn cloud(self: &Arc<Self>) -> Scripted {
        let world = self.clone();
        Scripted::new(move |call, _| {
            let mut things = world.things.lock().unwrap();
            let next = things.len();
            match call.action.as_str() {
                "Create" => {
                    let token = call.token.clone().unwrap();
                    let id = things.entry(token).or_insert_with(|| format!("id-{next}"));
                    fine(100, json!({ "Id": id.clone() }))
                }
                "Use" => fine(100, json!({ "Of": text(call, "Of") })),
                _ => {
                    let items: Vec<_> =
                        things.values().map(|id| json!({ "Id": id, "Status": "Available" })).collect();
                    fine(100, json!({ "Items": { "Item": items } }))
                }
            }
        })
    }
}

/// Makes two things, the second of which needs the first; what is recorded as done already is left out.
fn two_things(state: &State) -> Plan {
    let create = |name: &str, after: &[&str]| {
        json!({
            "id": name, "after": after,
            "call": { "service": "vpc", "action": "Create", "token": format!("token-{name}") },
            "remember": { format!("Pending/{name}"): "none" },
            "record": { name: "/Id" },
            "until": {
                "call": { "service": "vpc", "action": "Describe" },
                "item": { "list": "/Items/Item", "key": "Id", "value": { "ref": name } },
                "success": [{ "at": "/Status", "among": ["Available"] }], "interval": 5, "limit": 60,
            },
            "conclude": { format!("Pending/{name}"): null, format!("Done/{name}"): "true" },
        })
    };
    let open = |name: &str| !state.contains_key(&format!("Done/{name}"));
    let mut steps = Vec::new();
    if open("A") {
        steps.push(create("A", &[]));
    }
    if open("B") {
        steps.push(create("B", if open("A") { &["A"] } else { &[] }));
    }
    Plan { state: state.clone(), ..plan(Value::Array(steps)) }
}

/// Ends a run at every moment at which something can happen, and goes on from what was kept.
#[test]
fn a_run_that_is_cut_off_anywhere_is_gone_on_with_and_nothing_is_made_twice() {
    for how in [Stop::AtOnce, Stop::Gracefully] {
        for moment in (0..900).step_by(7) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
            runtime.unwrap().block_on(async {
                let world = Arc::new(World { things: Mutex::default() });
                let store = MemoryStore { latency: 20, ..MemoryStore::default() };
                let (stopper, signal) = stop();
                let cut = async {
                    sleep(Duration::from_millis(moment)).await;
                    stopper.stop(how);
                    std::future::pending::<()>().await;
                };
                let first = two_things(&State::new());
                let cloud = world.cloud();
                tokio::select! {
                    () = cut => {}
                    _ = run_with(&cloud, &first, &store, signal, options()) => {}
                }
                // What another process finds.
                let kept = store.saved.lock().unwrap().last().cloned().unwrap_or_default();
                let second = two_things(&kept);
                let events = Mutex::new(Vec::new());
                let listener = |event| events.lock().unwrap().push(event);
                let runner = trellis_runner::plan::runner::Runner {
                    cloud: &world.cloud(),
                    classify: &crate::cloud::classify,
                    listener: &listener,
                    permit: Permit::unlimited(),
                    options: options(),
                    tokens: Tokens::default(),
                };
                let applied = runner.apply(&second, kept, &store).await.unwrap();
                assert!(applied.is_complete(), "{moment}: {:?}", applied.failed);
                let state = store.saved.lock().unwrap().last().cloned().unwrap();
                assert_eq!(world.things.lock().unwrap().len(), 2, "{moment}");
                assert_eq!((state["A"].as_str(), state["B"].as_str()), ("id-0", "id-1"), "{moment}");
                assert!(!state.keys().any(|key| key.starts_with("Pending/")), "{moment}");
            });
        }
    }
}
