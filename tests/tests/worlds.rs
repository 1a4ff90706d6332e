//! Networks that the existing extension built are left as they are, and ours are like them.

#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::io::Read as _;

use serde_json::{Value, json};
use trellis_tests::cloud::Cloud;
use trellis_tests::session::Session;

const ZONES: &[&str] = &["eu-central-1a", "eu-central-1b", "eu-central-1c"];

fn recording() -> Value {
    let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/alicloud-worlds.json.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn request(operation: &str, config: &Value, state: &Value) -> Value {
    json!({
        "operation": operation,
        "infrastructure": {
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "Infrastructure",
            "metadata": { "name": "ali", "namespace": "shoot--dev--ali", "uid": "1" },
            "spec": { "type": "alicloud", "region": "eu-central-1", "providerConfig": config },
            "status": { "state": state, "lastOperation": { "type": "Reconcile" } },
        },
        "cluster": {
            "shoot": {
                "apiVersion": "core.gardener.cloud/v1beta1",
                "kind": "Shoot",
                "metadata": { "name": "ali", "namespace": "garden-dev" },
                "spec": { "region": "eu-central-1", "networking": { "pods": "100.96.0.0/11" } },
            },
        },
    })
}

#[test]
fn a_network_that_the_existing_extension_built_is_left_as_it_is() {
    for scenario in recording()["scenarios"].as_array().unwrap() {
        for phase in scenario["phases"].as_array().unwrap().iter().filter(|phase| phase["operation"] != "delete") {
            let mut session = Session {
                request: request("reconcile", &scenario["providerConfig"], &phase["state"]),
                state: Value::Null,
                cloud: Cloud::new(&phase["resources"], ZONES),
            };
            let answer = session.plan();
            let plan = &answer["plan"];
            assert!(plan.is_object(), "{}: {answer:#}", scenario["name"]);
            assert_eq!(plan["changes"], json!([]), "{}, {}", scenario["name"], phase["phase"]);
            assert_eq!(plan["steps"], json!([]), "{}, {}", scenario["name"], phase["phase"]);
            assert_eq!(plan.get("notes"), None, "{}, {}", scenario["name"], phase["phase"]);
        }
    }
}
