//! Many runs among throttling and faults, whose process is killed again and again.

use serde_json::json;

use crate::cloud::Site;
use trellis_testing::points::chosen;

/// A cloud that throttles, fails, breaks connections and takes its time.
fn troubled(networks: usize) -> Site {
    let site = Site::new(networks, &json!({}));
    for (every, fault) in [
        (7, json!({ "kind": "throttle", "by": "user", "retryAfter": 0 })),
        (11, json!({ "kind": "error", "code": "ServiceUnavailable", "status": 503 })),
        (13, json!({ "kind": "reset", "when": "before" })),
        (17, json!({ "kind": "reset", "when": "after" })),
        (19, json!({ "kind": "slow", "milliseconds": 200 })),
        (101, json!({ "kind": "throttle", "by": "api", "retryAfter": 1 })),
    ] {
        site.order(json!({ "action": "*", "occurrence": { "every": every }, "fault": fault }));
    }
    site
}

/// What one network has.
fn one() -> std::collections::BTreeMap<String, u64> {
    let site = Site::new(1, &json!({}));
    site.start(1, "reconcile", |_| {}).done();
    site.inventory()
}

/// The runs on all networks are killed after each of these numbers of calls, and go on; all is there in the end,
/// once. Then all goes.
fn survives(networks: usize, kills: &[u64]) {
    let wanted = Site::times(&one(), networks);
    let site = troubled(networks);
    for calls in kills {
        let before = site.cloud().last_record();
        let mut fleet = site.start(networks, "reconcile", |_| {});
        site.wait_for_calls(before + calls, &mut fleet);
        fleet.0.kill().unwrap();
        fleet.0.wait().unwrap();
    }
    site.settle(networks, "reconcile");
    assert_eq!(site.inventory(), wanted);
    // Nothing is left to do. Not all runs look at once, so that a slow machine answers each call in time.
    site.cloud().delete_faults(None);
    let idle = site.start(networks, "reconcile", |config| config.at_once = 20).done();
    let steps: u64 = idle.iter().filter_map(|line| line["metrics"]["stepsDone"].as_u64()).sum();
    assert_eq!(steps, 0);
    site.start(networks, "delete", |config| config.at_once = 20).done();
    assert_eq!(site.inventory(), std::collections::BTreeMap::new());
}

/// Numbers of calls from a generator, so that a failure can be repeated. A run looks with eight calls before it
/// changes anything; together, the kills come before the changes of all runs are made.
fn moments(seed: u64, networks: u64, count: u64) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| networks * 8 + random.u64(0..networks * 24 / count)).collect()
}

#[test]
fn some_runs_that_are_killed_make_each_network_once() {
    survives(12, &moments(7, 12, 3));
}

#[test]
#[ignore = "200 runs and a quarter of ten kills: make verify"]
fn two_hundred_runs_that_are_killed_make_each_network_once() {
    survives(200, &chosen("200 runs", moments(11, 200, 10), |_| Vec::new()));
}

#[test]
fn no_run_starves_while_the_pace_of_an_action_holds_all_back() {
    let networks = 20;
    let site = Site::new(networks, &json!({}));
    let lines = site.start(networks, "reconcile", |config| config.rate = 10).done();
    let runs: Vec<_> =
        lines.iter().filter(|line| line.get("run").is_some()).map(|line| &line["metrics"]).collect();
    assert_eq!(runs.len(), networks);
    assert!(runs.iter().any(|metrics| metrics["answers"]["waits"] != 0), "nothing is held back: {runs:?}");
    for metrics in runs {
        let answers = metrics["answers"]["requests"].as_object().unwrap().values();
        let by_code = answers.flat_map(|codes| codes.as_object().unwrap());
        let failed: u64 =
            by_code.filter(|(code, _)| !code.is_empty()).filter_map(|(_, count)| count.as_u64()).sum();
        // A call whose time is over before its turn is not sent, and is made again.
        assert!(metrics["retries"].as_u64() <= Some(failed), "a call was late for its turn: {metrics}");
    }
}
