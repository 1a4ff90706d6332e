//! CloudProfiles that break a rule, and those that do not.

use serde_json::{Value, json};

const NOW: &str = "2026-06-01T00:00:00Z";

/// A CloudProfile that breaks no rule.
fn profile() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": { "name": "cloud" },
        "spec": {
            "type": "alicloud",
            "kubernetes": { "versions": [
                { "version": "1.34.3", "classification": "supported" },
                { "version": "1.33.7", "classification": "supported" },
                { "version": "1.33.5", "expirationDate": "2026-05-01T00:00:00Z" },
            ] },
            "machineImages": [{
                "name": "gardenlinux", "updateStrategy": "major",
                "versions": [{
                    "version": "1.2.3", "classification": "supported",
                    "cri": [{ "name": "containerd" }], "architectures": ["amd64"],
                }],
            }],
            "machineTypes": [{ "name": "small", "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "amd64" }],
            "regions": [{ "name": "eu" }],
        },
    })
}

/// What is said of the profile with other values at some pointers: the beginning of rule and field, or what is
/// undecided.
fn said(context: &Value, now: Option<&str>, old: Option<&Value>, edits: &[(&str, Value)]) -> Vec<String> {
    let mut object = profile();
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match object.pointer_mut(parent).unwrap() {
            Value::Array(items) if key == "-" => items.push(value.clone()),
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            other => other[key] = value.clone(),
        }
    }
    let mut request = json!({ "object": object, "context": context });
    if let Some(now) = now {
        request["now"] = json!(now);
    }
    if let Some(old) = old {
        request["oldObject"] = old.clone();
    }
    let answer: Value = serde_json::from_str(&crate::call("gardener", "validate", &request.to_string())).unwrap();
    let errors = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let undecided = answer["undecided"].as_array().unwrap().iter();
    errors
        .map(|one| format!("{} {}", text(one, "rule"), text(one, "pointer")))
        .chain(undecided.map(|one| format!("{} undecided", text(one, "rule"))))
        .collect()
}

#[test]
fn versions_of_a_minor_version_are_supported_one_after_the_other() {
    const SECOND: &str = "GDN-CPR-024 /spec/kubernetes/versions/1";
    const FOURTH: &str = "GDN-CPR-024 /spec/kubernetes/versions/3";
    let stages = |start: &str, next: Option<&str>| {
        let mut stages = vec![
            json!({ "classification": "preview", "startTime": "2020-01-01T00:00:00Z" }),
            json!({ "classification": "supported", "startTime": start }),
        ];
        stages.extend(next.map(|next| json!({ "classification": "deprecated", "startTime": next })));
        json!({ "version": "1.33.8", "lifecycle": stages })
    };
    let older = |start: &str, next: Option<&str>| {
        let mut version = stages(start, next);
        version["version"] = json!("1.33.7");
        version
    };
    let (earlier, later) = ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    for (version, other, wanted) in [
        (None, json!({ "version": "1.33.8", "classification": "supported" }), vec![SECOND, FOURTH]),
        (None, json!({ "version": "1.33.8" }), vec![]),
        (None, json!({ "version": "1.33.8", "classification": "deprecated" }), vec![]),
        (None, json!({ "version": "1.35.8", "classification": "supported" }), vec![]),
        (None, stages(later, None), vec![SECOND]),
        (Some(older(earlier, None)), stages(later, None), vec![SECOND]),
        (Some(older(earlier, Some(later))), stages(later, None), vec![]),
        (Some(older(earlier, Some(later))), stages("2026-12-01T00:00:00Z", None), vec![SECOND]),
        (Some(older(earlier, Some(later))), stages(earlier, Some(later)), vec![]),
    ] {
        let gates =
            json!({ "gardenerVersion": "1.148.0", "featureGates": { "VersionClassificationLifecycle": true } });
        let mut edits = vec![("/spec/kubernetes/versions/-", other.clone())];
        edits.extend(version.map(|version| ("/spec/kubernetes/versions/1", version)));
        assert_eq!(said(&gates, Some(NOW), None, &edits), wanted, "{other}");
    }
}

#[test]
fn a_lifecycle_alone_is_tested_before_gardener_1_149() {
    let stages = json!([{ "classification": "supported" }]);
    for (version, wanted) in [("1.148.9", vec!["GDN-CPR-024 /spec/kubernetes/versions/3"]), ("1.149.0", vec![])] {
        let context =
            json!({ "gardenerVersion": version, "featureGates": { "VersionClassificationLifecycle": true } });
        let edits = [
            ("/spec/kubernetes/versions/1", json!({ "version": "1.33.7", "lifecycle": stages })),
            ("/spec/kubernetes/versions/-", json!({ "version": "1.33.8", "lifecycle": stages })),
        ];
        let mut found = said(&context, Some(NOW), None, &edits);
        found.retain(|one| !one.ends_with("/1"));
        assert_eq!(found, wanted, "{version}");
    }
}

#[test]
fn gates_are_those_of_the_version() {
    let definitions = json!([{ "name": "architecture", "values": ["amd64"] }]);
    for (context, wanted) in [
        (json!({}), vec![]),
        (json!({ "gardenerVersion": "1.143.1" }), vec!["GDN-CPR-002 /spec/machineCapabilities"]),
        (json!({ "gardenerVersion": "1.146.0" }), vec![]),
        (json!({ "featureGates": { "CloudProfileCapabilities": true } }), vec![]),
        (
            json!({ "gardenerVersion": "1.150.0", "featureGates": { "CloudProfileCapabilities": false } }),
            vec!["GDN-CPR-002 /spec/machineCapabilities"],
        ),
    ] {
        let edits = [("/spec/machineCapabilities", definitions.clone())];
        assert_eq!(said(&context, Some(NOW), None, &edits), wanted, "{context}");
    }
}

#[test]
fn what_depends_on_the_time_is_undecided_without_one() {
    let gates = json!({ "featureGates": { "VersionClassificationLifecycle": true } });
    let starting =
        json!({ "version": "1.33.7", "lifecycle": [{ "classification": "supported", "startTime": NOW }] });
    let edits = [("/spec/kubernetes/versions/1", starting)];
    assert_eq!(said(&gates, None, Some(&profile()), &edits), ["GDN-CPR-061 undecided"]);
    let later = said(&gates, Some("2026-06-02T00:00:00Z"), Some(&profile()), &edits);
    assert_eq!(later, Vec::<String>::new());
    let earlier = said(&gates, Some("2026-05-31T00:00:00Z"), Some(&profile()), &edits);
    assert_eq!(earlier, ["GDN-CPR-061 /spec/kubernetes/versions/1"]);
}

#[test]
fn what_the_api_server_drops_of_what_a_person_sends_is_not_judged() {
    let edits = [
        ("/spec/kubernetes/versions/1", json!({ "version": "x", "expirationDate": "2026-05-01T00:00:00Z" })),
        ("/spec/kubernetes/versions/-", json!({ "version": "y", "classification": "suported" })),
    ];
    let of_all = said(&json!({}), Some(NOW), None, &edits);
    assert!(of_all.contains(&"GDN-CPR-014 /spec/kubernetes/versions/1".to_owned()), "{of_all:?}");
    let mut sent = said(&json!({ "request": true }), Some(NOW), None, &edits);
    sent.sort();
    let wanted = [
        "GDN-CPR-011 /spec/kubernetes/versions",
        "GDN-CPR-014 /spec/kubernetes/versions/3",
        "GDN-CPR-017 /spec/kubernetes/versions/3/classification",
    ];
    assert_eq!(sent, wanted);
    // An old profile keeps its versions.
    let updated = said(&json!({ "request": true }), Some(NOW), Some(&profile()), &edits);
    assert!(updated.contains(&"GDN-CPR-014 /spec/kubernetes/versions/1".to_owned()), "{updated:?}");
}

#[test]
fn a_bastion_gets_a_supported_image_of_its_architecture() {
    let image = |version: Option<&str>| match version {
        Some(version) => json!({ "name": "gardenlinux", "version": version }),
        None => json!({ "name": "gardenlinux" }),
    };
    let arm = json!({ "name": "arm", "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "arm64" });
    for (bastion, wanted) in [
        (json!({}), vec!["GDN-CPR-094 /spec/bastion"]),
        (json!({ "machineType": { "name": "small" } }), vec![]),
        (json!({ "machineType": { "name": "smal" } }), vec!["GDN-CPR-095 /spec/bastion/machineType/name"]),
        (json!({ "machineImage": { "name": "x" } }), vec!["GDN-CPR-096 /spec/bastion/machineImage/name"]),
        (json!({ "machineImage": image(None) }), vec![]),
        (json!({ "machineImage": image(Some("1.2")) }), vec!["GDN-CPR-097 /spec/bastion/machineImage/version"]),
        (json!({ "machineImage": image(Some("1.2.3")), "machineType": { "name": "small" } }), vec![]),
        (
            json!({ "machineImage": image(Some("1.2.3")), "machineType": { "name": "arm" } }),
            vec!["GDN-CPR-098 /spec/bastion/machineImage/version"],
        ),
        (
            json!({ "machineImage": image(None), "machineType": { "name": "arm" } }),
            vec!["GDN-CPR-098 /spec/bastion/machineImage/name"],
        ),
    ] {
        let edits = [("/spec/bastion", bastion.clone()), ("/spec/machineTypes/-", arm.clone())];
        assert_eq!(said(&json!({}), Some(NOW), None, &edits), wanted, "{bastion}");
    }
}
