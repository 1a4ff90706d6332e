//! The status of an Infrastructure is the one that the existing extension wrote.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::fs::File;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// Worlds that the existing extension built, with its state and status.
fn worlds() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/alicloud-worlds.json.gz");
    serde_json::from_reader(GzDecoder::new(File::open(path).unwrap())).unwrap()
}

fn status(request: &Value) -> Value {
    serde_json::from_str(&trellis_core::call("alicloud", "status", &request.to_string())).unwrap()
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
    let worlds = worlds();
    let mut phases = 0;
    for scenario in worlds["scenarios"].as_array().unwrap() {
        for phase in scenario["phases"].as_array().unwrap() {
            for given in [false, true] {
                let what = format!("{} {}", scenario["name"], phase["phase"]);
                let answer = status(&request(&worlds, scenario, phase, given));
                assert_eq!(answer["state"], phase["state"], "{what}");
                if phase["operation"] == "delete" {
                    // What goes keeps the status of before.
                    assert_eq!(
                        (&answer["providerStatus"], &answer["egressCIDRs"]),
                        (&Value::Null, &Value::Null),
                        "{what}"
                    );
                    continue;
                }
                let (mut found, mut expected) =
                    (answer["providerStatus"].clone(), phase["providerStatus"].clone());
                for status in [&mut found, &mut expected] {
                    status["vpc"]["vswitches"] = ordered(status["vpc"]["vswitches"].take());
                }
                assert_eq!(found, expected, "{what}");
                assert_eq!(
                    ordered(answer["egressCIDRs"].clone()),
                    ordered(phase["egressCIDRs"].clone()),
                    "{what}"
                );
                phases += 1;
            }
        }
    }
    assert!(phases >= 2 * scenario_count(&worlds), "every scenario has a phase with a status");
}

fn scenario_count(worlds: &Value) -> usize {
    worlds["scenarios"].as_array().unwrap().len()
}
