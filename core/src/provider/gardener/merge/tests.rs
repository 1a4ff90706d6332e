use serde_json::{Value, json};

/// A stored Shoot, and the manifest of which it was made.
fn stored() -> Value {
    let written = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": "one", "namespace": "garden-dev", "labels": { "team": "a", "gone": "soon" } },
        "spec": {
            "region": "r",
            "provider": { "type": "local", "workers": [
                { "name": "a", "minimum": 1, "maximum": 2, "zones": ["z1"] },
                { "name": "dropped", "minimum": 1, "maximum": 2 },
            ] },
        },
    });
    let mut stored = written.clone();
    stored["metadata"]["uid"] = "u-1".into();
    stored["metadata"]["annotations"] =
        json!({ "kubectl.kubernetes.io/last-applied-configuration": written.to_string(), "other": "stays" });
    stored["spec"]["purpose"] = "evaluation".into();
    stored["spec"]["tolerations"] = json!([{ "key": "k", "value": "v" }]);
    stored["spec"]["provider"]["workers"] = json!([
        { "name": "of-controller", "minimum": 9 },
        { "name": "dropped", "minimum": 1, "maximum": 2 },
        { "name": "a", "minimum": 1, "maximum": 2, "zones": ["z1"], "cri": { "name": "containerd" } },
    ]);
    stored["status"] = json!({ "hibernated": false });
    stored
}

/// What the policy answers; what its patch makes of the manifest is the object.
fn merged(live: &Value, manifest: &Value) -> Value {
    let answer = crate::call("gardener", "merge", &json!({ "live": live, "manifest": manifest }).to_string());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let mut patched = manifest.clone();
    json_patch::patch(
        &mut patched,
        &serde_json::from_value::<json_patch::Patch>(answer["patch"].clone()).unwrap(),
    )
    .unwrap();
    assert_eq!(patched, answer["object"]);
    answer["object"].clone()
}

fn manifest() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": "one", "namespace": "garden-dev", "labels": { "team": "b" } },
        "spec": { "provider": { "workers": [
            { "name": "new", "minimum": 1 },
            { "name": "a", "maximum": 5, "zones": ["z1", "z2"] },
        ] } },
    })
}

#[test]
fn with_what_was_applied_last_a_part_that_the_manifest_leaves_out_goes() {
    let object = merged(&stored(), &manifest());
    assert_eq!(object["metadata"]["labels"], json!({ "team": "b" }));
    assert_eq!(object["metadata"]["uid"], "u-1");
    assert_eq!(object["metadata"]["annotations"]["other"], "stays");
    assert_eq!(object["spec"].get("region"), None, "the manifest before had it");
    assert_eq!(object["spec"]["provider"].get("type"), None);
    assert_eq!(object["spec"]["purpose"], "evaluation", "nobody applied it");
    assert_eq!(object["status"], json!({ "hibernated": false }));
    assert_eq!(
        object["spec"]["provider"]["workers"],
        json!([
            { "name": "new", "minimum": 1 },
            { "name": "a", "maximum": 5, "zones": ["z1", "z2"], "cri": { "name": "containerd" } },
            { "name": "of-controller", "minimum": 9 },
        ])
    );
}

#[test]
fn without_it_all_that_the_manifest_does_not_name_stays() {
    let mut live = stored();
    live["metadata"]["annotations"] = json!({});
    let object = merged(&live, &manifest());
    assert_eq!(object["metadata"]["labels"], json!({ "team": "b", "gone": "soon" }));
    assert_eq!(object["spec"]["region"], "r");
    let workers = object["spec"]["provider"]["workers"].as_array().unwrap();
    let names: Vec<_> = workers.iter().map(|worker| worker["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["new", "a", "of-controller", "dropped"]);
    assert_eq!(workers[1]["minimum"], 1);
}

#[test]
fn of_an_old_manifest_all_that_the_new_one_leaves_out_goes() {
    let mut live = stored();
    live["metadata"] = json!({ "name": "one", "namespace": "garden-dev" });
    let object = merged(&live, &manifest());
    assert_eq!(object["spec"].get("region"), None);
    assert_eq!(object["spec"]["provider"]["workers"].as_array().unwrap().len(), 2);
}

#[test]
fn a_stored_object_that_is_its_own_manifest_stays_as_it_is() {
    assert_eq!(merged(&stored(), &stored()), stored());
}

#[test]
fn null_takes_a_value_away_and_lists_without_keys_are_replaced() {
    let mut manifest = manifest();
    manifest["spec"]["purpose"] = Value::Null;
    manifest["spec"]["tolerations"] = json!([{ "key": "k", "value": "w" }, { "key": "l" }]);
    let object = merged(&stored(), &manifest);
    assert_eq!(object["spec"].get("purpose"), None);
    assert_eq!(object["spec"]["tolerations"], json!([{ "key": "k", "value": "w" }, { "key": "l" }]));
    assert_eq!(object["spec"]["provider"]["workers"][1]["zones"], json!(["z1", "z2"]));
}

#[test]
fn what_was_applied_last_and_is_no_json_is_an_error_that_names_the_annotation() {
    let mut live = stored();
    live["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] = "{".into();
    let answer = crate::call("gardener", "merge", &json!({ "live": live, "manifest": manifest() }).to_string());
    assert!(answer.contains("last-applied-configuration is not JSON"), "{answer}");
}

#[test]
fn objects_of_two_kinds_are_not_merged() {
    let answer = crate::call(
        "gardener",
        "merge",
        &json!({ "live": { "kind": "Shoot" }, "manifest": { "kind": "CloudProfile" } }).to_string(),
    );
    assert!(answer.contains("the old object is a `Shoot`"), "{answer}");
}
