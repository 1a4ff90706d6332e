//! Faults that a client sees at its connection, and clients that go while a call is under way.

#![expect(clippy::indexing_slicing, reason = "the requests are our own")]

use std::io::{ErrorKind, Read as _};
use std::time::Duration;

use serde_json::{Value, json};
use trellis_simulator::server::Limits;

use crate::served::Served;
use crate::support::{rpc, until};

const CREATE: &[(&str, &str)] = &[("RegionId", "cn-shanghai")];

fn order(served: &Served, fault: &Value) {
    let order = json!({ "action": "vpc:CreateVpc", "times": 1, "fault": fault });
    served.own("POST", "faults", &order.to_string());
}

/// How the last call of the action ended, and whether it had an effect.
fn ending(served: &Served) -> Option<(String, bool)> {
    let calls = served.own("GET", "calls?action=vpc:CreateVpc", "");
    let last = calls["calls"].as_array()?.last()?;
    Some((last["outcome"].as_str()?.to_owned(), last["effect"].as_bool()?))
}

#[test]
fn a_reset_is_seen_as_one() {
    let served = Served::new();
    for (when, effects) in [("before", 0), ("after", 1)] {
        order(&served, &json!({ "kind": "reset", "when": when }));
        let mut client = served.client();
        client.send(&rpc("CreateVpc", CREATE));
        let error = client.0.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{when}");
        assert_eq!(
            (ending(&served), served.vpcs()),
            (Some(("reset".to_owned(), effects == 1)), effects),
            "{when}"
        );
    }
}

#[test]
fn a_call_that_is_never_answered_ends_with_its_client() {
    // There are two connections: were the first one kept, nobody would be answered next to the second one.
    let served = Served::with(Limits { connections: 2, ..Limits::default() });
    for (when, effects) in [("before", 0), ("after", 1)] {
        order(&served, &json!({ "kind": "timeout", "when": when }));
        let hits =
            || served.own("GET", "faults", "")["faults"].as_array().unwrap().last().unwrap()["hits"].clone();
        let mut client = served.client();
        client.send(&rpc("CreateVpc", CREATE));
        until("the call has come", || hits() == 1);
        client.0.get_ref().set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let error = client.0.read(&mut [0]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{when}: {error}");
        drop(client);
        assert_eq!(
            (ending(&served), served.vpcs()),
            (Some(("timedOut".to_owned(), effects == 1)), effects),
            "{when}"
        );
    }
}

#[test]
fn nothing_is_held_or_left_unanswered_for_ever() {
    let served = Served::with(Limits { silence: Duration::from_millis(200), ..Limits::default() });
    for kind in ["hold", "timeout"] {
        for (when, effects) in [("before", 0), ("after", 1)] {
            served.own("POST", "reset", "");
            order(&served, &json!({ "kind": kind, "when": when }));
            let mut client = served.client();
            client.send(&rpc("CreateVpc", CREATE));
            let error = client.0.read(&mut [0]).unwrap_err();
            assert_eq!((error.kind(), served.vpcs()), (ErrorKind::ConnectionReset, effects), "{kind} {when}");
        }
    }
}

#[test]
fn a_client_that_goes_while_its_call_is_held_takes_it_along() {
    let served = Served::new();
    for (when, effects) in [("before", 0), ("after", 1)] {
        order(&served, &json!({ "kind": "hold", "when": when }));
        let held =
            || served.own("GET", "faults", "")["faults"].as_array().unwrap().last().unwrap()["held"].clone();
        let mut client = served.client();
        client.send(&rpc("CreateVpc", CREATE));
        until("the call is held", || held().as_array().is_some_and(|held| held.len() == 1));
        drop(client);
        until("nothing is held", || held() == json!([]));
        assert_eq!((ending(&served), served.vpcs()), (Some(("gone".to_owned(), effects == 1)), effects), "{when}");
    }
}

#[test]
fn a_call_that_is_released_is_answered() {
    let served = Served::new();
    for when in ["before", "after"] {
        order(&served, &json!({ "kind": "hold", "when": when }));
        let mut client = served.client();
        client.send(&rpc("CreateVpc", CREATE));
        until("the call is released", || served.own("POST", "faults/release", "") == json!({ "released": 1 }));
        assert_eq!(client.answer().status, 200, "{when}");
        assert_eq!(client.ask(&rpc("DescribeVpcs", CREATE)).status, 200, "{when}");
    }
    assert_eq!(served.vpcs(), 2);
}

#[test]
fn calls_that_are_held_keep_the_server_from_nothing() {
    let served = Served::new();
    order(&served, &json!({ "kind": "hold", "when": "before" }));
    let mut client = served.client();
    client.send(&rpc("CreateVpc", CREATE));
    until("the call is held", || served.own("GET", "faults/1", "")["hits"] == 1);
    assert!(served.is_well());
    drop(served);
    assert_eq!(client.end().unwrap(), b"", "there is no answer");
}
