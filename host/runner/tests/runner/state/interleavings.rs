//! Saves, faults and others who write conditions, in any order and at any time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use tokio::time::sleep;
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::plan::ledger::StateStore;

use super::object_store::{start, state, written};
use crate::api_server::{ApiServer, Fault};

/// What happens.
#[derive(Clone, Debug)]
enum Act {
    /// Somebody saves one of a few states, and waits no longer than so many milliseconds.
    Save(u8, u64),
    /// The next patch has a fault.
    OnPatch(Fault),
    /// The next read has a fault.
    OnRead(Fault),
    /// Somebody writes a condition.
    Condition,
    /// Somebody reads the state.
    Load,
    /// So many milliseconds pass.
    Pass(u64),
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::None),
        Just(Fault::Conflict),
        Just(Fault::TooMany(None)),
        (0..90_u64).prop_map(|seconds| Fault::TooMany(Some(seconds))),
        Just(Fault::Unavailable),
        Just(Fault::Refused),
        Just(Fault::Forgotten),
        Just(Fault::AnswerLost),
        (0..90_000_u64).prop_map(Fault::Late),
        (0..9_000_u64).prop_map(Fault::Slow),
        Just(Fault::Overtaken),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0..4_u8, 0..99_000_u64).prop_map(|(value, millis)| Act::Save(value, millis)),
        4 => fault().prop_map(Act::OnPatch),
        1 => fault().prop_map(Act::OnRead),
        1 => Just(Act::Condition),
        1 => Just(Act::Load),
        3 => (0..20_000_u64).prop_map(Act::Pass),
    ]
}

/// Whether all of `few` are in `many`, in this order.
fn is_subsequence(few: &[String], many: &[String]) -> bool {
    let mut rest = many.iter();
    few.iter().all(|one| rest.any(|other| one == other))
}

async fn play(acts: Vec<Act>) {
    let server = ApiServer::with(None);
    let store = Arc::new(start(&server, LeaseSignal::unlimited()));
    store.load().await.unwrap();
    let saved: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut callers = tokio::task::JoinSet::new();
    for act in acts {
        match act {
            Act::Save(value, millis) => {
                let (store, server, saved) = (Arc::clone(&store), server.clone(), Arc::clone(&saved));
                let value = value.to_string();
                callers.spawn(async move {
                    let place = {
                        let mut saved = saved.lock().unwrap();
                        saved.push(value.clone());
                        saved.len() - 1
                    };
                    let waited = tokio::time::timeout(Duration::from_millis(millis), async {
                        store.save(&state(&value)).await
                    });
                    if let Ok(Ok(())) = waited.await {
                        let there = server.state()["data"]["VPC"].as_str().unwrap().to_owned();
                        let newer = &saved.lock().unwrap()[place..];
                        assert!(newer.contains(&there), "{there} is older than what was saved: {newer:?}");
                    }
                });
                // The caller hands its state over before anything else happens.
                tokio::task::yield_now().await;
            }
            Act::OnPatch(fault) => server.on_patches([fault]),
            Act::OnRead(fault) => server.on_reads([fault]),
            Act::Condition => server.write_condition(),
            Act::Load => {
                let store = Arc::clone(&store);
                callers.spawn(async move {
                    let read = store.load().await;
                    assert!(!matches!(read, Err(error) if error.to_string().contains("somebody else")));
                });
            }
            Act::Pass(millis) => sleep(Duration::from_millis(millis)).await,
        }
    }
    server.clear_faults();
    while let Some(done) = callers.join_next().await {
        done.unwrap();
    }
    saved.lock().unwrap().push("last".to_owned());
    store.save(&state("last")).await.unwrap();
    server.settle().await;
    let (written, saved) = (written(&server), saved.lock().unwrap().clone());
    assert_eq!(written.last().map(String::as_str), Some("last"));
    assert!(is_subsequence(&written, &saved), "{written:?} of {saved:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_last_state_is_there_in_the_end_and_states_are_written_in_order(
        acts in prop::collection::vec(act(), 0..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(play(acts));
    }
}
