//! The status of an Infrastructure is the one that the existing extension wrote.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use serde_json::{Value, json};
use trellis_tests::vectors;

fn status(worlds: &Value, request: &Value) -> Value {
    let provider = worlds["provider"].as_str().unwrap();
    serde_json::from_str(&trellis_core::call(provider, "status", &request.to_string())).unwrap()
}

/// The request for a phase, with the state where `state` says.
fn request(worlds: &Value, scenario: &Value, phase: &Value, given: bool) -> Value {
    let operation = if phase["operation"] == "delete" { "delete" } else { "reconcile" };
    let mut request = json!({
        "request": {
            "operation": operation,
            "infrastructure": {
                "metadata": { "namespace": worlds["namespace"] },
                "spec": { "region": worlds["region"], "providerConfig": scenario["providerConfig"] },
            },
            "cluster": {
                "cloudProfile": { "spec": { "providerConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "CloudProfileConfig",
                    "machineImages": [{ "name": "gardenlinux", "versions": [
                        { "version": "1592.1.0", "regions": [{ "name": worlds["region"], "id": "m-1" }] },
                    ] }],
                } } },
                "shoot": { "spec": { "provider": { "workers": [
                    { "name": "w", "machine": { "type": "t", "image": { "name": "gardenlinux", "version": "1592.1.0" } } },
                ] } } },
            },
        },
    });
    if given {
        request["state"] = phase["state"]["data"].clone();
    } else {
        request["request"]["infrastructure"]["status"] = json!({ "state": phase["state"] });
    }
    request
}

/// Lists that the existing extension writes in any order.
fn ordered(mut list: Value) -> Value {
    if let Some(list) = list.as_array_mut() {
        list.sort_by_key(Value::to_string);
    }
    list
}

#[test]
fn each_phase_of_the_existing_extension_has_its_status_and_state() {
    for worlds in vectors::worlds() {
        let scenarios = worlds["scenarios"].as_array().unwrap();
        let phases: usize = scenarios.iter().map(|scenario| compare(&worlds, scenario)).sum();
        assert!(phases >= 2 * scenarios.len(), "every scenario has a phase with a status");
    }
}

/// Compares the phases of a scenario; returns how many have a status.
fn compare(worlds: &Value, scenario: &Value) -> usize {
    let mut phases = 0;
    for phase in scenario["phases"].as_array().unwrap() {
        for given in [false, true] {
            let what = format!("{} {}", scenario["name"], phase["phase"]);
            let answer = status(worlds, &request(worlds, scenario, phase, given));
            assert_eq!(answer["state"], phase["state"], "{what}");
            if phase["operation"] == "delete" {
                // What goes keeps the status of before.
                let reported = (&answer["providerStatus"], &answer["egressCIDRs"]);
                assert_eq!(reported, (&Value::Null, &Value::Null), "{what}");
                continue;
            }
            let (mut found, mut expected) = (answer["providerStatus"].clone(), phase["providerStatus"].clone());
            for status in [&mut found, &mut expected] {
                status["vpc"]["vswitches"] = ordered(status["vpc"]["vswitches"].take());
            }
            assert_eq!(found, expected, "{what}");
            let [found, expected] = [&answer, phase].map(|status| ordered(status["egressCIDRs"].clone()));
            assert_eq!(found, expected, "{what}");
            phases += 1;
        }
    }
    phases
}
