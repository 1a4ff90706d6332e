//! Calls go wrong, and the host comes to the same end.

use serde_json::{Value, json};
use trellis_simulator::service::SERVICES;

use crate::infrastructure::side_by_side::{SOME, side_by_side};
use crate::infrastructure::site::{Site, reported};
use crate::infrastructure::stage::{Ground, Network, OPERATIONS, Operation, Stage, chosen_actions};
use trellis_testing::points::chosen;

/// What passes, whatever the action is.
fn passing() -> Vec<Value> {
    vec![
        json!({ "kind": "throttle", "by": "user", "retryAfter": 0 }),
        json!({ "kind": "throttle", "by": "api", "retryAfter": 1 }),
        json!({ "kind": "error", "code": "ServiceUnavailable", "status": 503 }),
        json!({ "kind": "error", "code": "InternalError", "status": 500 }),
        json!({ "kind": "error", "code": "SystemBusy", "status": 400 }),
        json!({ "kind": "reset", "when": "before" }),
        json!({ "kind": "reset", "when": "after" }),
        json!({ "kind": "slow", "milliseconds": 400 }),
    ]
}

/// What an action says of other operations that go on, and of what is not ready.
fn conflicts(action: &str) -> Vec<Value> {
    let (service, name) = action.split_once(':').unwrap();
    let service = SERVICES.iter().find(|known| known.code == service).unwrap();
    let errors = service.action(name).unwrap().errors;
    let is_early = |code: &str| code.starts_with("Incorrect") && code.contains("Status");
    let is_conflict = |code: &str| code.starts_with("TaskConflict") || is_early(code);
    let removes = ["Delete", "Release"].iter().any(|verb| name.starts_with(verb));
    let passes = |code: &&str| is_conflict(code) || removes && code.starts_with("DependencyViolation");
    errors
        .iter()
        .map(|error| error.code)
        .filter(passes)
        .map(|code| json!({ "kind": "error", "code": code }))
        .collect()
}

/// Which calls are hit: the first, every other one, the first three.
fn frequencies() -> [Value; 3] {
    [json!({ "occurrence": { "nth": 1 } }), json!({ "occurrence": { "every": 2 } }), json!({ "times": 3 })]
}

/// An order of a fault.
fn order(action: &str, frequency: &Value, fault: &Value) -> Value {
    let mut order = json!({ "action": action, "fault": fault });
    order.as_object_mut().unwrap().extend(frequency.as_object().unwrap().clone());
    order
}

/// Carries the operation out among faults that pass: it ends well, and calls no more than it has to.
fn overcome(stage: &Stage, orders: &[Value]) {
    let what = format!("{orders:?}");
    stage.reset();
    for fault in orders {
        stage.order(fault.clone());
    }
    let before = stage.site.cloud().last_record();
    stage.succeed(&what);
    let calls = stage.site.calls(before);
    stage.site.cloud().delete_faults(None);
    let hits = calls.iter().filter(|call| call.fault.is_some()).count();
    assert!(hits > 0, "{what}: nothing was hit");
    // Each is made again, and where it is not known whether it had its effect that is looked up.
    let most = stage.calls.len() + 2 * hits + 8;
    assert!(calls.len() <= most, "{what}: {} calls, of at most {most}: {:?}", calls.len(), stage.called(before));
    stage.assert_wanted(&what);
}

/// The first call of every action goes wrong, all in one run.
fn overcomes_everywhere(network: Network, operation: Operation, frequency: &Value, faults: &[Value]) {
    let stage = Stage::new(Site::new(), network, operation);
    for fault in faults {
        let orders: Vec<_> = stage.actions().iter().map(|action| order(action, frequency, fault)).collect();
        overcome(&stage, &orders);
    }
}

#[test]
fn a_create_overcomes_what_passes() {
    let faults = [passing()[0].clone(), passing()[6].clone()];
    overcomes_everywhere(Network::Full, Operation::Create, &frequencies()[0], &faults);
}

#[test]
fn an_update_overcomes_what_passes() {
    overcomes_everywhere(Network::Full, Operation::Update, &frequencies()[0], &[passing()[6].clone()]);
}

#[test]
fn a_delete_overcomes_what_passes() {
    let faults = [passing()[5].clone(), passing()[6].clone()];
    overcomes_everywhere(Network::Full, Operation::Delete, &frequencies()[0], &faults);
}

#[test]
fn conflicts_are_waited_out() {
    for operation in [Operation::Create, Operation::Delete] {
        let stage = Stage::new(Site::new(), Network::Plain, operation);
        let one = |action: &String| {
            let fault = conflicts(action).into_iter().next()?;
            Some(order(action, &frequencies()[0], &fault))
        };
        let orders: Vec<_> = stage.actions().iter().filter_map(one).collect();
        overcome(&stage, &orders);
    }
}

#[test]
fn a_token_that_failed_is_replaced_and_one_in_work_is_waited_for() {
    let stage = Stage::new(Site::new(), Network::Plain, Operation::Create);
    let creates =
        |action: &&String| ["Create", "Allocate"].iter().any(|verb| action.contains(&format!(":{verb}")));
    for fault in [
        json!({ "kind": "error", "code": "InternalError", "usesToken": true }),
        json!({ "kind": "error", "code": "IdempotentProcessing" }),
    ] {
        let actions = stage.actions();
        let orders: Vec<_> =
            actions.iter().filter(creates).map(|action| order(action, &frequencies()[0], &fault)).collect();
        assert!(orders.len() > 4, "{orders:?}");
        overcome(&stage, &orders);
    }
}

/// How many actions are lost in one run: each of them is waited for, one after the other where one needs the
/// other.
const LOST: usize = 6;

#[test]
#[ignore = "waits for answers that never come, a quarter of them: make verify"]
fn lost_answers_are_overcome() {
    let mut points = Vec::new();
    for operation in OPERATIONS {
        let ground = Ground { network: Network::Full, operation };
        for actions in ground.actions().chunks(LOST) {
            points.extend(["before", "after"].map(|when| (ground, (when, actions.to_vec()))));
        }
    }
    let points = chosen("lost answers", points, |(ground, (when, actions))| {
        [&[format!("{ground:?}"), (*when).to_owned()], actions.as_slice()].concat()
    });
    side_by_side(points.len(), points, Ground::stage, |stage, (when, actions)| {
        let fault = json!({ "kind": "timeout", "when": when });
        let orders: Vec<_> = actions.iter().map(|action| order(action, &frequencies()[0], &fault)).collect();
        overcome(stage, &orders);
    });
}

#[test]
#[ignore = "a quarter of the faults of all actions: make verify"]
fn every_fault_of_every_action_is_overcome() {
    let mut points = Vec::new();
    for ground in Ground::all() {
        for action in ground.actions() {
            let faults = if ground.network == Network::Full { passing() } else { Vec::new() };
            let faults = faults.into_iter().chain(conflicts(&action));
            points.extend(faults.map(|fault| (ground, order(&action, &frequencies()[0], &fault))));
        }
    }
    let points = chosen("every fault of every action", points, |(ground, order)| {
        vec![format!("{ground:?}"), order["action"].to_string(), order["fault"].to_string()]
    });
    side_by_side(SOME, points, Ground::stage, |stage, order| overcome(stage, &[order]));
}

#[test]
#[ignore = "a quarter of the faults, again and again: make verify"]
fn faults_that_come_again_are_overcome() {
    let mut points = Vec::new();
    for operation in OPERATIONS {
        let ground = Ground { network: Network::Full, operation };
        for fault in passing() {
            points.extend(frequencies().map(|frequency| (ground, (fault.clone(), frequency))));
        }
    }
    let points = chosen("faults that come again", points, |(ground, (fault, frequency))| {
        vec![format!("{ground:?}"), fault.to_string(), frequency.to_string()]
    });
    side_by_side(SOME, points, Ground::stage, |stage, (fault, frequency)| {
        let orders: Vec<_> = stage.actions().iter().map(|action| order(action, &frequency, &fault)).collect();
        overcome(stage, &orders);
    });
}

/// An action fails for good: the command says so and ends, and a later one finishes what it began.
fn gives_up_and_goes_on(stage: &Stage, action: &str) {
    stage.reset();
    let fault = json!({ "kind": "error", "code": "OperationDenied.Ever", "status": 400, "message": "No, never." });
    stage.order(json!({ "action": action, "fault": fault }));
    let before = stage.site.cloud().last_record();
    let output = stage.run();
    let calls = stage.site.calls(before);
    let text = reported(&output);
    if output.status.code() != Some(0) {
        assert_eq!(output.status.code(), Some(1), "{action}: {text}");
        assert!(text.contains("No, never."), "{action}: {text}");
    }
    assert!(calls.len() <= stage.calls.len() + 4, "{action}: {} calls", calls.len());
    let failed = calls.iter().filter(|call| call.fault.is_some()).count();
    let made = stage.calls.iter().filter(|call| *call == action).count();
    assert!((1..=made + 1).contains(&failed), "{action} failed {failed} times, and is called {made} times");
    stage.site.cloud().delete_faults(None);
    stage.succeed(action);
    stage.assert_wanted(action);
}

#[test]
fn what_fails_for_good_is_reported_and_finished_later() {
    let stage = Stage::new(Site::new(), Network::Plain, Operation::Create);
    for action in ["vpc:CreateNatGateway", "ecs:AuthorizeSecurityGroup", "vpc:DescribeVSwitches"] {
        gives_up_and_goes_on(&stage, action);
    }
}

#[test]
#[ignore = "each action, of some operation: make verify"]
fn whatever_fails_for_good_is_reported_and_finished_later() {
    let points = chosen_actions("whatever fails for good");
    side_by_side(SOME, points, Ground::stage, |stage, action| gives_up_and_goes_on(stage, &action));
}

#[test]
#[ignore = "waits until the host gives up: make verify"]
fn throttling_without_end_is_reported_after_few_calls() {
    let stage = Stage::new(Site::new(), Network::Plain, Operation::Create);
    stage.reset();
    stage.order(order("*", &json!({}), &passing()[0]));
    let before = stage.site.cloud().last_record();
    let output = stage.run();
    let text = reported(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("ERR_INFRA_RATE_LIMITS_EXCEEDED"), "{text}");
    // For a minute, each of four queries is asked with growing pauses.
    let calls = stage.site.calls(before).len();
    assert!(calls <= 4 * 12, "{calls} calls");
    stage.site.cloud().delete_faults(None);
    stage.succeed("later");
    stage.assert_wanted("later");
}
