//! Plans that end the run, and plans that do a part of a known whole.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_runner::document::State;
use trellis_runner::limits::stop::StopSignal;
use trellis_runner::plan::event::{Calls, Ending};

use super::shop::{Policy, query, shop, things};
use super::{both, run};
use crate::cloud::{Reply, Scripted, fine, refused};

/// Empties what is listed, page after page, and records how far it is.
fn pages(request: &Value) -> Value {
    let Some(fact) = request["facts"].get(0) else { return json!({ "queries": [query("page")] }) };
    let Some(first) = fact["answer"]["response"]["Items"].get(0) else {
        return json!({ "plan": { "state": {}, "changes": [], "steps": [] } });
    };
    let step = json!({
        "id": "bucket/empty",
        "call": { "service": "vpc", "action": "Delete", "parameters": { "Page": first } },
        "conclude": { "Marker": first },
    });
    let change =
        json!({ "id": "bucket", "action": "delete", "kind": "bucket", "name": "b", "steps": ["bucket/empty"] });
    json!({ "plan": {
        "state": request["state"].as_object().cloned().unwrap_or_default(),
        "changes": [change], "steps": [step], "afterwards": "more",
    } })
}

/// A bucket with so many pages; the call that deletes the page of that number fails.
fn bucket(pages: usize, failing: Option<usize>) -> Scripted {
    let left = Mutex::new((0..pages).map(|page| page.to_string()).collect::<Vec<_>>());
    Scripted::new(move |call, count| {
        let mut left = left.lock().unwrap();
        if call.action != "Delete" {
            return fine(10, json!({ "Items": *left }));
        }
        if Some(count) == failing {
            return Reply(10, Err(refused("Forbidden", 403)));
        }
        left.remove(0);
        fine(10, json!({}))
    })
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_says_what_there_is_ends_the_run_without_another_look() {
    let policy = Policy(Arc::new(|request| {
        let mut answer = things(request);
        if answer.get("plan").is_some() {
            answer["plan"]["afterwards"] = json!("done");
        }
        answer
    }));
    let first = run(&policy, &shop(), None, None, StopSignal::never()).await;
    let report = first.report();
    assert_eq!((&report.ending, report.plans, report.state.as_ref()), (&Ending::Done, 1, Some(&both())));
    assert_eq!(report.calls, Calls { observe: 1, steps: 2, closing: 0 });
    let forbidden = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => Reply(0, Err(refused("Forbidden", 403))),
        _ => fine(0, json!({ "Items": [] })),
    });
    let failed = run(&policy, &forbidden, None, None, StopSignal::never()).await;
    assert_eq!((&failed.report().ending, failed.report().failed.len()), (&Ending::Failed, 2));
}

#[tokio::test(start_paused = true)]
async fn a_whole_goes_in_as_many_parts_as_it_takes_without_a_pause() {
    let (policy, cloud, began) = (Policy(Arc::new(pages)), bucket(12, None), Instant::now());
    let ended = run(&policy, &cloud, None, None, StopSignal::never()).await;
    let report = ended.report();
    assert_eq!((&report.ending, report.plans, cloud.count("Delete")), (&Ending::Done, 12, 12));
    assert_eq!(report.calls, Calls { observe: 1, steps: 12, closing: 12 });
    assert_eq!((report.state.as_ref(), began.elapsed().as_millis()), (Some(&State::new()), 250));
}

#[tokio::test(start_paused = true)]
async fn the_same_part_twice_ends_the_run_by_name() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Delete" => fine(0, json!({})),
        _ => fine(0, json!({ "Items": ["0"] })),
    });
    let ended = run(&Policy(Arc::new(pages)), &cloud, None, None, StopSignal::never()).await;
    let report = ended.report();
    assert_eq!(report.ending, Ending::Unsettled { resources: vec!["bucket".to_owned()] });
    // The first part has recorded how far it was, so that the second one is not the same.
    assert_eq!((report.plans, cloud.count("Delete")), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_run_goes_on_with_the_part_at_which_another_one_ended() {
    let policy = Policy(Arc::new(pages));
    for failing in 1..=12 {
        let cloud = bucket(12, Some(failing));
        let first = run(&policy, &cloud, None, None, StopSignal::never()).await;
        assert_eq!((&first.report().ending, first.report().steps), (&Ending::Failed, failing - 1));
        let second = run(&policy, &cloud, first.saved.last().cloned(), None, StopSignal::never()).await;
        assert_eq!((&second.report().ending, second.report().steps), (&Ending::Done, 13 - failing));
    }
}
