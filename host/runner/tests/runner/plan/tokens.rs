//! Tokens that the cloud takes for used up.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use trellis_runner::document::{Plan, State};
use trellis_runner::limits::stop::{Stop, StopSignal, stop};
use trellis_runner::plan::event::Event;
use trellis_runner::plan::runner::Applied;

use crate::cloud::{MemoryStore, Reply, Scripted, fine, lost, options, plan, refused, run, run_with};

/// A step that creates with a token, in a state.
fn creation(state: &State) -> Plan {
    let step = json!({
        "id": "vpc/create", "call": { "service": "vpc", "action": "Create", "token": "me/vpc/none" },
        "remember": { "Pending/vpc": "none" }, "record": { "VPC": "/Id" },
    });
    Plan { state: state.clone(), ..plan(Value::Array(vec![step])) }
}

/// The tokens of all calls, and what was saved when each was sent.
type Sent = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// A cloud that takes the first tokens for used up.
fn cloud(store: &Arc<MemoryStore>, refusals: usize) -> (Scripted, Sent) {
    let (sent, store) = (Sent::default(), Arc::clone(store));
    let kept = Arc::clone(&sent);
    let cloud = Scripted::new(move |call, count| {
        let saved = store.saved.lock().unwrap().last().and_then(|state| state.get("Token/vpc/create").cloned());
        kept.lock().unwrap().push((call.token.clone().unwrap(), saved));
        if count <= refusals { Reply(0, Err(refused("Spent", 400))) } else { fine(0, json!({ "Id": "vpc-1" })) }
    });
    (cloud, sent)
}

async fn ran(state: &State, refusals: usize) -> (Applied, Vec<(String, Option<String>)>) {
    let store = Arc::new(MemoryStore::default());
    let (cloud, sent) = cloud(&store, refusals);
    let (applied, _) = run(&cloud, &creation(state), &store).await;
    let sent = sent.lock().unwrap().clone();
    (applied, sent)
}

fn sent(pairs: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    pairs.iter().map(|(token, saved)| ((*token).to_owned(), saved.map(str::to_owned))).collect()
}

#[tokio::test(start_paused = true)]
async fn the_number_of_another_token_is_saved_before_the_call_is_sent_with_it() {
    let (applied, tokens) = ran(&State::new(), 2).await;
    assert!(applied.is_complete(), "{:?}", applied.failed);
    let expected = [("me/vpc/none", None), ("me/vpc/none#1", Some("1")), ("me/vpc/none#2", Some("2"))];
    assert_eq!(tokens, sent(&expected));
    assert_eq!((applied.state["VPC"].as_str(), applied.state["Token/vpc/create"].as_str()), ("vpc-1", "2"));
}

#[tokio::test(start_paused = true)]
async fn a_run_without_such_an_answer_sends_the_token_of_the_plan_and_records_no_number() {
    let (applied, tokens) = ran(&State::new(), 0).await;
    assert_eq!(tokens, sent(&[("me/vpc/none", None)]));
    assert_eq!(applied.state.keys().collect::<Vec<_>>(), ["Pending/vpc", "VPC"]);
}

#[tokio::test(start_paused = true)]
async fn the_salt_of_the_state_is_in_every_token() {
    let store = Arc::new(MemoryStore { salt: Some("salt"), ..MemoryStore::default() });
    let (cloud, tokens) = cloud(&store, 1);
    let (applied, _) = run(&cloud, &creation(&State::new()), &store).await;
    assert!(applied.is_complete(), "{:?}", applied.failed);
    assert_eq!(*tokens.lock().unwrap(), sent(&[("salt/me/vpc/none", None), ("salt/me/vpc/none#1", Some("1"))]));
}

#[tokio::test(start_paused = true)]
async fn after_three_other_tokens_the_step_fails_with_the_text_of_the_cloud() {
    let (applied, tokens) = ran(&State::new(), 9).await;
    assert_eq!(tokens.len(), 4);
    let failed = &applied.failed[0];
    let reported = "the cloud takes this token and the 3 before it for used up: vpc Action: Spent: the words of Spent (HTTP status 400, \
                request id REQUEST)";
    assert_eq!(
        (failed.message.as_str(), failed.codes.as_slice()),
        (reported, &["ERR_INFRA_DEPENDENCIES".to_owned()][..])
    );
    assert!(failed.cause.as_ref().unwrap().contains("the words of Spent"));
    // Another run has three more.
    let (applied, tokens) = ran(&applied.state, 3).await;
    assert!(applied.is_complete(), "{:?}", applied.failed);
    let tokens: Vec<_> = tokens.into_iter().map(|(token, _)| token).collect();
    assert_eq!(tokens, ["me/vpc/none#3", "me/vpc/none#4", "me/vpc/none#5", "me/vpc/none#6"]);
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_the_recorded_token_is_sent_and_no_older_one() {
    let store = Arc::new(MemoryStore::default());
    let (stopper, signal) = stop();
    let cloud = Scripted::new(move |_, count| {
        if count == 1 {
            return Reply(0, Err(refused("Spent", 400)));
        }
        stopper.stop(Stop::AtOnce);
        fine(60_000, json!({ "Id": "vpc-1" }))
    });
    let (applied, _) = run_with(&cloud, &creation(&State::new()), &store, signal, options()).await;
    assert_eq!(applied.left, ["vpc/create"]);
    let kept = store.saved.lock().unwrap().last().cloned().unwrap();
    let (applied, tokens) = ran(&kept, 0).await;
    assert!(applied.is_complete());
    assert_eq!(tokens, sent(&[("me/vpc/none#1", Some("1"))]));
}

#[tokio::test(start_paused = true)]
async fn a_number_that_cannot_be_saved_is_not_sent() {
    let store = Arc::new(MemoryStore { room: Some(1), ..MemoryStore::default() });
    let (cloud, sent) = cloud(&store, 9);
    let (applied, _) = run(&cloud, &creation(&State::new()), &store).await;
    assert!(applied.unkept.is_some());
    assert_eq!(sent.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_token_gets_none_and_fails() {
    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("Spent", 400))));
    let steps = json!([{ "id": "vpc/tag", "call": { "service": "vpc", "action": "Tag" } }]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert_eq!((cloud.count("Tag"), applied.failed[0].message.as_str()), (1, "advice on Spent"));
}

#[tokio::test(start_paused = true)]
async fn what_a_call_needs_first_is_a_part_of_its_error() {
    let cloud = Scripted::new(|_, _| Reply(0, Err(refused("Fail", 400))));
    let call = json!({ "service": "vpc", "action": "Delete" });
    for (remedy, message) in [(json!(null), "advice on Fail"), (json!("Empty it."), "advice on Fail. Empty it.")] {
        let steps = json!([{ "id": "vpc/delete", "call": call, "remedy": remedy }]);
        let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
        assert_eq!(applied.failed[0].message, message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_asked_for_with_the_token_that_was_sent_last() {
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&tokens);
    let cloud = Scripted::new(move |call, count| {
        kept.lock().unwrap().push(call.token.clone().unwrap());
        match count {
            1 => Reply(0, Err(refused("Spent", 400))),
            2 => Reply(0, Err(lost("Timeout"))),
            _ => fine(0, json!({ "Id": "vpc-1" })),
        }
    });
    let signal = StopSignal::never();
    let (applied, events) =
        run_with(&cloud, &creation(&State::new()), &MemoryStore::default(), signal, options()).await;
    assert!(applied.is_complete());
    assert_eq!(*tokens.lock().unwrap(), ["me/vpc/none", "me/vpc/none#1", "me/vpc/none#1"]);
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Retrying { .. })).count(), 2);
}
