//! Equal probes of several steps are one call.

use serde_json::{Value, json};
use trellis_runner::plan::event::Event;

use crate::cloud::{MemoryStore, Reply, Scripted, fine, lost, plan, refused, run, text};

/// A step that makes something of a zone and waits until it is listed as available.
fn zone(zone: &str, mutex: Option<&str>) -> Value {
    json!({
        "id": format!("zones/{zone}/create"),
        "call": { "service": "vpc", "action": "Create", "parameters": { "Zone": zone }, "token": "" },
        "mutex": mutex,
        "record": { format!("Zones/{zone}"): "/Id" },
        "until": {
            "call": { "service": "vpc", "action": "Describe", "parameters": { "VpcId": "vpc-1" } },
            "item": { "list": "/Items/Item", "key": "Id", "value": { "ref": format!("Zones/{zone}") } },
            "success": [{ "at": "/Status", "among": ["Available"] }],
            "failure": [{ "at": "/Status", "among": ["Failed"] }],
            "record": { format!("Zones/{zone}/Address"): "/Address" },
            "interval": 5, "limit": 60,
        },
    })
}

fn zones(names: &[&str], mutex: Option<&str>) -> Value {
    names.iter().map(|name| zone(name, mutex)).collect()
}

/// All zones with one status.
fn listed(names: &[&str], status: &str) -> Value {
    let item =
        |name: &&str| json!({ "Id": format!("id-{name}"), "Status": status, "Address": format!("at-{name}") });
    json!({ "Items": { "Item": names.iter().map(item).collect::<Vec<_>>() } })
}

#[tokio::test(start_paused = true)]
async fn three_zones_cost_one_probe_whatever_order_their_calls_are_answered_in() {
    for latencies in [[100, 100, 100], [10, 700, 300], [900, 20, 20]] {
        let cloud = Scripted::new(move |call, count| match call.action.as_str() {
            "Create" => fine(latencies[count - 1], json!({ "Id": format!("id-{}", text(call, "Zone")) })),
            _ => fine(50, listed(&["a", "b", "c"], "Available")),
        });
        let (applied, _) = run(&cloud, &plan(zones(&["a", "b", "c"], None)), &MemoryStore::default()).await;
        assert!(applied.is_complete());
        assert_eq!(cloud.count("Describe"), 1, "{latencies:?}");
        assert_eq!(applied.state["Zones/b/Address"], "at-b");
    }
}

#[tokio::test(start_paused = true)]
async fn zones_that_take_turns_cost_one_probe_too() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => fine(300, json!({ "Id": format!("id-{}", text(call, "Zone")) })),
        _ => fine(50, listed(&["a", "b", "c"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a", "b", "c"], Some("vpc"))), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!((cloud.count("Create"), cloud.count("Describe")), (3, 1));
    assert_eq!(cloud.times("Create"), [0, 300, 600]);
}

#[tokio::test(start_paused = true)]
async fn a_probe_is_held_back_for_two_seconds_at_most() {
    let cloud = Scripted::new(|call, count| match call.action.as_str() {
        "Create" => fine([100, 9_000][count - 1], json!({ "Id": format!("id-{}", text(call, "Zone")) })),
        _ => fine(0, listed(&["a", "b"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a", "b"], None)), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.times("Describe"), [2_100, 9_000]);
}

#[tokio::test(start_paused = true)]
async fn a_sibling_that_is_retried_holds_nothing_back() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Create", 2) => Reply(100, Err(refused("Busy", 400))),
        ("Create", _) => fine(100, json!({ "Id": format!("id-{}", text(call, "Zone")) })),
        _ => fine(0, listed(&["a", "b", "c"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a", "b", "c"], Some("vpc"))), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    // `b` fails at 200 ms and is retried at 700 ms; `a` does not wait for it, nor for `c` behind it.
    assert_eq!(cloud.times("Create"), [0, 100, 700, 800]);
    assert_eq!(cloud.times("Describe"), [200, 900]);
}

#[tokio::test(start_paused = true)]
async fn probes_begin_at_once_and_are_late_by_a_tenth_or_the_interval_at_most() {
    let cloud = Scripted::new(|call, count| match call.action.as_str() {
        "Create" => fine(0, json!({ "Id": "id-a" })),
        _ => fine(0, listed(&["a"], if count < 60 { "Pending" } else { "Available" })),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert!(applied.failed.iter().all(|failure| failure.message.contains("not done within 60 s")));
    let times = cloud.times("Describe");
    assert_eq!(times[..3], [0, 250, 500]);
    for pair in times.windows(2) {
        let late = pair[1] - pair[0];
        // Timers count whole milliseconds.
        assert!(late <= (pair[0] / 10).clamp(250, 5_000) + 1, "{late} ms after {} ms", pair[0]);
        assert!(late >= (pair[0] / 10).clamp(250, 5_000), "{late} ms after {} ms", pair[0]);
    }
    assert!(times.iter().any(|time| *time > 55_000), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn probes_that_fail_become_rarer_twofold() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Create", _) => fine(0, json!({ "Id": "id-a" })),
        (_, 1..=6) => Reply(0, Err(refused("Busy", 400))),
        _ => fine(0, listed(&["a"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.times("Describe"), [0, 250, 750, 1_750, 3_750, 7_750, 12_750]);
}

#[tokio::test(start_paused = true)]
async fn waiting_ends_at_its_limit_and_shows_how_things_were() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => fine(0, json!({ "Id": "id-a" })),
        _ => fine(0, listed(&["a"], "Pending")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert_eq!(applied.failed[0].message, "not done within 60 s: at last, its Status is `Pending`");
    assert_eq!(cloud.log.lock().unwrap().last().unwrap().0, 57_855);
}

#[tokio::test(start_paused = true)]
async fn what_never_comes_is_not_asked_for_with_the_same_token_again() {
    for (listed, forgotten) in [(listed(&[], ""), true), (listed(&["a"], "Pending"), false)] {
        let cloud = Scripted::new(move |call, _| match call.action.as_str() {
            "Create" => fine(0, json!({ "Id": "id-a" })),
            _ => fine(0, listed.clone()),
        });
        let mut steps = zones(&["a"], None);
        steps[0]["remember"] = json!({ "Pending/a": "none" });
        steps[0]["conclude"] = json!({ "Pending/a": null });
        let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
        assert_eq!(applied.failed.len(), 1);
        assert_eq!(applied.state.contains_key("Pending/a"), !forgotten, "{}", applied.failed[0].message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_was_sent_before_a_call_was_answered_shows_nothing_about_it() {
    // The first probe is on its way for 3 s while the second zone's call is retried and answered.
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Create", 1) => fine(0, json!({ "Id": "id-a" })),
        ("Create", 2) => Reply(0, Err(refused("Busy", 400))),
        ("Create", _) => fine(0, json!({ "Id": "id-b" })),
        _ => fine(3_000, listed(&["a", "b"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a", "b"], None)), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(cloud.times("Describe"), [0, 3_000]);
}

#[tokio::test(start_paused = true)]
async fn what_will_not_come_fails_the_step_that_waits_for_it_alone() {
    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => fine(0, json!({ "Id": format!("id-{}", text(call, "Zone")) })),
        _ => fine(
            0,
            json!({ "Items": { "Item": [
            { "Id": "id-a", "Status": "Failed" },
            { "Id": "id-b", "Status": "Available", "Address": "at-b" },
        ] } }),
        ),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a", "b"], None)), &MemoryStore::default()).await;
    assert_eq!(applied.done, ["zones/b/create"]);
    assert_eq!(applied.failed[0].message, "the effect of the call will not come: its Status is `Failed`");
}

#[tokio::test(start_paused = true)]
async fn probes_that_fail_are_made_again_unless_that_is_in_vain() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Create", _) => fine(0, json!({ "Id": "id-a" })),
        (_, 1) => Reply(0, Err(lost("ConnectionFailed"))),
        (_, 2) => Reply(0, Err(refused("Throttling.User", 400))),
        _ => fine(0, listed(&["a"], "Available")),
    });
    let (applied, events) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Retrying { .. })).count(), 2);

    let cloud = Scripted::new(|call, _| match call.action.as_str() {
        "Create" => fine(0, json!({ "Id": "id-a" })),
        _ => Reply(0, Err(refused("Forbidden.RAM", 403))),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert_eq!(applied.failed[0].message, "advice on Forbidden.RAM");
    assert_eq!(applied.failed[0].codes, ["ERR_CONFIGURATION_PROBLEM"]);
}

#[tokio::test(start_paused = true)]
async fn a_probe_of_what_the_cloud_does_not_know_shows_that_it_is_gone() {
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Delete", _) => fine(0, json!({})),
        (_, 1) => fine(0, json!({ "Items": { "Item": [{ "Id": "x" }] } })),
        _ => Reply(0, Err(refused("GoneVpc", 404))),
    });
    let steps = json!([{
        "id": "vpc/delete",
        "call": { "service": "vpc", "action": "Delete" },
        "until": {
            "call": { "service": "vpc", "action": "Describe" },
            "item": { "list": "/Items/Item", "key": "Id", "value": "x" },
            "success": [{ "gone": true }], "interval": 5, "limit": 60,
        },
        "conclude": { "VPC": "<deleted>" },
    }]);
    let (applied, _) = run(&cloud, &plan(steps), &MemoryStore::default()).await;
    assert!(applied.is_complete());
    assert_eq!((cloud.count("Describe"), applied.state["VPC"].as_str()), (2, "<deleted>"));
}

#[tokio::test(start_paused = true)]
async fn what_was_there_and_goes_away_is_not_waited_for() {
    // Another run had begun to delete it: it is shown for two seconds, and is gone then.
    let cloud = Scripted::new(|call, count| match call.action.as_str() {
        "Create" => fine(10, json!({ "Id": "id-a" })),
        _ if count < 8 => fine(10, listed(&["a"], "Pending")),
        _ => fine(10, listed(&[], "")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert!(applied.failed[0].is_outdated, "{:?}", applied.failed);
    assert!(applied.failed[0].message.contains("is gone"), "{:?}", applied.failed);
    let last = cloud.times("Describe").last().copied().unwrap();
    assert!((7_000..12_000).contains(&last), "{last}");
}

#[tokio::test(start_paused = true)]
async fn what_a_late_read_does_not_show_is_still_waited_for() {
    // A read that is behind the others says for a while that it is not there.
    let cloud = Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("Create", _) => fine(10, json!({ "Id": "id-a" })),
        (_, 2..=6) => fine(10, listed(&[], "")),
        (_, 1..=20) => fine(10, listed(&["a"], "Pending")),
        _ => fine(10, listed(&["a"], "Available")),
    });
    let (applied, _) = run(&cloud, &plan(zones(&["a"], None)), &MemoryStore::default()).await;
    assert!(applied.is_complete(), "{:?}", applied.failed);
}
