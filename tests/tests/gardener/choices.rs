//! What a finding offers: the certain fix, and the nearest values.

use serde_json::{Value, json};

fn profile() -> Value {
    let versions = |names: &[&str]| -> Value { names.iter().map(|name| json!({ "version": name })).collect() };
    let named = |names: &[&str]| -> Value { names.iter().map(|name| json!({ "name": name })).collect() };
    let mut kubernetes = versions(&["1.33.2", "1.33.5", "1.34.1"]);
    kubernetes[2]["classification"] = json!("preview");
    let mut zones = named(&["eu-1a", "eu-1b", "eu-1c", "eu-1d"]);
    zones[3]["unavailableMachineTypes"] = json!(["m6.large"]);
    json!({
        "kind": "CloudProfile",
        "metadata": { "name": "local" },
        "spec": {
            "type": "local",
            "kubernetes": { "versions": kubernetes },
            "machineImages": [
                { "name": "linux", "versions": versions(&["1592.2.0", "1877.3.0", "1877.10.0", "2000.0.0"]) },
                { "name": "other", "versions": versions(&["1877.4.0"]) },
            ],
            "machineTypes": named(&["m6.large", "m6.xlarge", "m7.large", "c6.2xlarge"]),
            "volumeTypes": named(&["standard", "premium"]),
            "regions": [{ "name": "europe", "zones": zones }, { "name": "asia", "zones": [] }],
        },
    })
}

fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "a", "namespace": "garden-a" },
        "spec": {
            "cloudProfile": { "name": "local" },
            "region": "europe",
            "purpose": "testing",
            "kubernetes": { "version": "1.33.5" },
            "provider": { "type": "local", "workers": [{
                "name": "w",
                "machine": { "type": "m6.large", "image": { "name": "linux", "version": "1877.3.0" }, "architecture": "amd64" },
                "volume": { "type": "standard", "size": "50Gi" },
                "kubernetes": { "version": "1.33.5" },
                "zones": ["eu-1a", "eu-1b"],
                "minimum": 1,
                "maximum": 1,
            }] },
        },
    })
}

const WORKER: &str = "/spec/provider/workers/0";

#[test]
fn a_wrong_value_comes_with_the_nearest_ones() {
    for (rule, pointer, wrong, choices, fixed) in [
        ("ADM-K8S-001", "/spec/kubernetes/version", "9.99", ["1.33.5", "1.33.2"].as_slice(), None),
        ("ADM-K8S-001", "/spec/kubernetes/version", "v1.33.2", &["1.33.2", "1.33.5"], Some("1.33.2")),
        ("ADM-K8S-002", "/kubernetes/version", "1.33.3", &["1.33.2", "1.33.5"], None),
        ("ADM-REG-001", "/spec/region", "mars-1", &["asia", "europe"], None),
        ("ADM-REG-001", "/spec/region", "eurpoe", &["europe", "asia"], Some("europe")),
        ("GDN-WRK-051", "/machine/architecture", "arm46", &["arm64", "amd64"], None),
        ("ADM-MACH-010", "/machine/type", "ecs.doesnotexist", &["c6.2xlarge", "m6.large", "m6.xlarge"], None),
        ("ADM-MACH-010", "/machine/type", "m6.lrge", &["m6.large", "m6.xlarge", "m7.large"], Some("m6.large")),
        ("ADM-MACH-010", "/machine/type", "m7.xlarge", &["m6.xlarge", "m7.large", "m6.large"], None),
        ("ADM-MACH-020", "/machine/image/version", "1877.4.0", &["1877.3.0", "1877.10.0", "2000.0.0"], None),
        ("ADM-MACH-020", "/machine/image/name", "linus", &["linux", "other"], Some("linux")),
        (
            "GDN-SPEC-009",
            "/spec/purpose",
            "prodution",
            &["production", "evaluation", "testing"],
            Some("production"),
        ),
        ("ADM-VOL-001", "/volume/type", "premum", &["premium", "standard"], Some("premium")),
        ("ADM-ZONE-002", "/zones/1", "eu-2b", &["eu-1b", "eu-1c", "eu-1d"], None),
    ] {
        let mut object = shoot();
        let pointer = if pointer.starts_with("/spec") { pointer.to_owned() } else { format!("{WORKER}{pointer}") };
        *object.pointer_mut(&pointer).unwrap() = json!(wrong);
        let finding = found(&object, rule);
        let offered: Vec<&str> =
            finding["choices"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(offered, choices, "{rule} {wrong}");
        let fix = fixed.map_or(Value::Null, |value| json!([{ "op": "replace", "path": pointer, "value": value }]));
        assert_eq!(finding["fix"], fix, "{rule} {wrong}");
    }
}

#[test]
fn what_a_zone_lacks_is_not_offered() {
    let mut object = shoot();
    object["spec"]["provider"]["workers"][0]["zones"] = json!(["eu-1d"]);
    let finding = found(&object, "ADM-MACH-011");
    assert_eq!(finding["choices"], json!(["m6.xlarge", "m7.large", "c6.2xlarge"]));
    assert_eq!(finding["fix"], Value::Null);
}

#[test]
fn a_misspelt_key_comes_with_its_right_name_where_that_is_certain() {
    let spec = json!({ "spec": {
        "regoin": "europe",
        "purpse": "testing",
        "schedulrName": "a",
        "kubernetes": { "verison": "1.33.5" },
        "provider": { "type": "local", "wokers": [], "type2": "x" },
        "networking": { "nodse": "10.0.0.0/16", "typ~e": "a" },
    } });
    let mut object = shoot();
    object["spec"]["kubernetes"]["version"] = json!("1.33.2");
    for (key, value) in spec["spec"].as_object().unwrap() {
        match (object["spec"][key].as_object_mut(), value.as_object()) {
            (Some(members), Some(more)) => members.extend(more.clone()),
            _ => object["spec"][key] = value.clone(),
        }
    }
    for (pointer, name) in [
        // The right key is there already.
        ("/spec/regoin", None),
        ("/spec/kubernetes/verison", None),
        ("/spec/provider/wokers", None),
        ("/spec/provider/type2", None),
        ("/spec/purpse", None),
        ("/spec/schedulrName", Some("/spec/schedulerName")),
        ("/spec/networking/nodse", Some("/spec/networking/nodes")),
        ("/spec/networking/typ~0e", Some("/spec/networking/type")),
    ] {
        let answer = ask(&object);
        let findings = answer["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["pointer"] == pointer).unwrap();
        let fix = name.map_or(Value::Null, |name| json!([{ "op": "move", "from": pointer, "path": name }]));
        assert_eq!(
            (&finding["rule"], &finding["atKey"], &finding["fix"]),
            (&json!("DEC-2"), &json!(true), &fix),
            "{pointer}"
        );
    }
}

#[test]
fn a_right_name_that_has_only_a_default_is_free() {
    let kubernetes = json!({ "version": "1.33.5" });
    for (change, pointer, fixed) in [
        (json!({ "purpse": "testing" }), "/spec/purpse", true),
        (json!({ "purpse": "testing", "purpose": "production" }), "/spec/purpse", false),
        (json!({ "kubernets": kubernetes, "kubernetes": null }), "/spec/kubernets", true),
        (json!({ "kubernets": kubernetes }), "/spec/kubernets", false),
    ] {
        let mut object = shoot();
        let spec = object["spec"].as_object_mut().unwrap();
        spec.remove("purpose");
        spec.extend(change.as_object().unwrap().clone());
        spec.retain(|_, value| !value.is_null());
        let defaulted = asked("default", &object)["object"].clone();
        assert!(defaulted["spec"]["purpose"].is_string() && defaulted["spec"]["kubernetes"].is_object());
        let answer = asked("validate", &defaulted);
        let findings = answer["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["pointer"] == pointer).unwrap();
        assert_eq!(finding["fix"][0]["op"] == "move", fixed, "{change}: {finding}");
        let asks = finding["remedy"].as_str().unwrap().starts_with("Did you mean");
        assert_eq!(asks, fixed, "{finding}");
    }
}

#[test]
fn a_key_that_is_there_twice_has_no_fix() {
    let request = r#"{"object":{"kind":"Shoot","spec":{"regoin":"a","regoin":"b"}}}"#;
    let answer: Value = serde_json::from_str(&trellis_core::call("gardener", "validate", request)).unwrap();
    let unknown = answer["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "DEC-2");
    assert!(unknown.inspect(|finding| assert!(finding["fix"].is_null(), "{finding}")).count() >= 2);
}

fn ask(object: &Value) -> Value {
    asked("validate", object)
}

fn asked(function: &str, object: &Value) -> Value {
    let context = json!({ "cloudProfile": profile(), "gardenerVersion": "1.143.1" });
    let request = json!({ "object": object, "context": context, "now": "2026-06-01T00:00:00Z" });
    serde_json::from_str(&trellis_core::call("gardener", function, &request.to_string())).unwrap()
}

/// The finding of a rule.
fn found(object: &Value, rule: &str) -> Value {
    let answer = ask(object);
    let findings = answer["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["rule"] == rule);
    assert!(found.is_some(), "{rule}: {answer}");
    found.unwrap().clone()
}
