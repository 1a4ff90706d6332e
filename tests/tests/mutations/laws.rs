//! What holds of every answer.

use serde_json::{Value, json};
use trellis_tests::mutations::mutate;

/// Checks an answer: its patch makes its object, one reason stands for each operation, a second time nothing
/// changes, and what the patch does not name stays.
pub fn check(request: &Value, name: &str) {
    let answer = mutate(request);
    assert_eq!(mutate(request), answer, "{name}");
    let Some(patch) = answer["patch"].as_array() else {
        assert!(answer["object"].is_null() && answer["changes"].is_null(), "{name}: {answer}");
        let said = ["findings", "undecided"].iter().any(|list| !answer[list].as_array().is_none_or(Vec::is_empty));
        assert!(said || answer["error"].is_object(), "{name}: {answer}");
        return;
    };
    let mut patched = request["object"].clone();
    let operations: json_patch::Patch = serde_json::from_value(answer["patch"].clone()).unwrap();
    json_patch::patch(&mut patched, &operations).unwrap_or_else(|error| panic!("{name}: {error}: {answer}"));
    assert_eq!(patched, answer["object"], "{name}");

    let changes = answer["changes"].as_array().unwrap();
    assert_eq!(changes.len(), patch.len(), "{name}");
    for (change, operation) in changes.iter().zip(patch) {
        assert_eq!(change["pointer"], operation["path"], "{name}");
        assert!(change["reason"].as_str().is_some_and(|reason| reason.len() > 20), "{name}: {change}");
    }
    // An operation touches what it changes, and no two the same place.
    for operation in patch {
        let place = operation["path"].as_str().unwrap();
        let before = request["object"].pointer(place);
        assert_ne!(before, Some(&operation["value"]), "{name}: {operation}");
        let is_there = before.is_some();
        assert_eq!(operation["op"], if is_there { "replace" } else { "add" }, "{name}: {operation}");
        let same = patch.iter().filter(|other| other["path"] == place).count();
        assert_eq!(same, 1, "{name}: {place}");
    }
    let mut again = request.clone();
    again["object"] = answer["object"].clone();
    let second = mutate(&again);
    assert_eq!((&second["patch"], &second["object"]), (&json!([]), &answer["object"]), "{name}");
}

#[test]
fn recorded_objects() {
    for (case, request) in super::recorded::cases() {
        check(&request, case["id"].as_str().unwrap());
    }
}

/// Members that no version of any type has are neither lost nor in the patch.
#[test]
fn unknown_members_survive() {
    for (case, mut request) in super::recorded::cases() {
        let unknown = json!({ "z": [1, null, { "a~/b": "" }] });
        request["object"]["unknown"] = unknown.clone();
        request["object"]["metadata"]["unknown"] = unknown.clone();
        if let Some(spec) = request["object"].get_mut("spec") {
            spec["unknown"] = unknown.clone();
        }
        let answer = mutate(&request);
        if answer["object"].is_object() {
            assert_eq!(answer["object"]["unknown"], unknown, "{}", case["id"]);
            assert_eq!(answer["object"]["metadata"]["unknown"], unknown, "{}", case["id"]);
            assert!(!answer["patch"].to_string().contains("unknown"), "{}: {}", case["id"], answer["patch"]);
        }
        check(&request, case["id"].as_str().unwrap());
    }
}

/// The sheet knows no change that depends on the version (`alicloud-policy` 4.1).
#[test]
fn objects_change_alike_for_each_version_of_kubernetes() {
    let mut compared = 0;
    for (case, mut request) in super::recorded::cases() {
        let shoot = &request["cluster"]["shoot"];
        if shoot["spec"]["kubernetes"]["version"].as_str().is_none_or(|version| !version.starts_with("1.")) {
            continue;
        }
        let recorded = mutate(&request);
        for version in ["1.30.0", "1.31.14", "1.32.0", "1.33.7", "1.34.0", "1.35.2"] {
            request["cluster"]["shoot"]["spec"]["kubernetes"]["version"] = version.into();
            assert_eq!(mutate(&request), recorded, "{} with {version}", case["id"]);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The extension has no flags for these (`alicloud-policy` 4.2, ALI-CPW-008).
#[test]
fn other_components_of_the_control_plane_stay_as_they_are() {
    let names =
        ["kube-apiserver", "kube-scheduler", "cluster-autoscaler", "vpn-seed-server", "gardener-resource-manager"];
    for (kind, name) in
        names.map(|name| ("Deployment", name)).into_iter().chain([("StatefulSet", "vpn-seed-server")])
    {
        let container =
            json!({ "name": name, "command": ["/run", "--cloud-provider=alicloud", "--cloud-config=/c"] });
        let object = json!({
            "apiVersion": "apps/v1", "kind": kind, "metadata": { "name": name, "namespace": "shoot--dev--s" },
            "spec": { "template": { "spec": { "containers": [container] } } },
        });
        let answer = mutate(&json!({ "webhook": "controlplane", "object": object }));
        assert_eq!((&answer["object"], &answer["patch"]), (&object, &json!([])), "{kind} {name}");
        assert_eq!((&answer["findings"], &answer["undecided"]), (&json!([]), &json!([])), "{kind} {name}");
    }
}
