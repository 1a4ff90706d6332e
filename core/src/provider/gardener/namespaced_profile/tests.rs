//! NamespacedCloudProfiles together with their parent.

use serde_json::{Value, json};

const NOW: &str = "2026-06-01T00:00:00Z";

fn parent() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": { "name": "cloud" },
        "spec": {
            "type": "alicloud",
            "kubernetes": { "versions": [
                { "version": "1.34.3" }, { "version": "1.33.7", "expirationDate": "2026-09-01T00:00:00Z" },
            ] },
            "machineImages": [{
                "name": "gardenlinux", "updateStrategy": "major",
                "versions": [{ "version": "1.2.3", "cri": [{ "name": "containerd" }], "architectures": ["amd64"] }],
            }],
            "machineTypes": [{ "name": "small", "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "amd64" }],
            "regions": [{ "name": "eu" }],
        },
    })
}

/// What is said of a NamespacedCloudProfile with such a specification: rule, field or the beginning of the words,
/// and pointer.
fn said(parent: &Value, spec: &Value, old: Option<&Value>) -> Vec<[String; 3]> {
    let object = |spec: &Value| {
        let mut spec = spec.clone();
        spec["parent"] = json!({ "kind": "CloudProfile", "name": "cloud" });
        let metadata = json!({ "name": "mine", "namespace": "garden-dev" });
        json!({ "kind": "NamespacedCloudProfile", "metadata": metadata, "spec": spec })
    };
    let context = json!({ "cloudProfile": parent, "gardenerVersion": "1.143.1" });
    let mut request = json!({ "object": object(spec), "context": context, "now": NOW });
    if let Some(old) = old {
        request["oldObject"] = object(old);
    }
    let answer: Value = serde_json::from_str(&crate::call("gardener", "validate", &request.to_string())).unwrap();
    let errors = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    errors
        .map(|one| {
            let words = if one["field"] == "" { &one["detail"] } else { &one["field"] };
            let words: String = words.as_str().unwrap().chars().take(180).collect();
            [one["rule"].as_str().unwrap().to_owned(), words, one["pointer"].as_str().unwrap().to_owned()]
        })
        .collect()
}

fn version(members: &Value) -> Value {
    let mut version = json!({ "version": "1.2.4", "cri": [{ "name": "containerd" }], "architectures": ["amd64"] });
    for (key, value) in members.as_object().unwrap() {
        version[key] = value.clone();
    }
    version
}

fn image(name: &str, version: &Value) -> Value {
    json!({ "machineImages": [{ "name": name, "updateStrategy": "major", "versions": [version] }] })
}

#[test]
fn what_is_new_is_judged_in_full_and_what_the_parent_has_is_not_changed() {
    let place = "spec.machineImages[0].versions[0]";
    for (spec, wanted) in [
        (json!({}), vec![]),
        (image("gardenlinux", &version(&json!({}))), vec![]),
        (image("own", &version(&json!({}))), vec![]),
        (image("own", &version(&json!({ "cri": [] }))), vec![("GDN-CPR-048", format!("{place}.cri"))]),
        (
            image("own", &version(&json!({ "classification": "old" }))),
            vec![("GDN-CPR-017", format!("{place}.classification"))],
        ),
        (
            image("gardenlinux", &json!({ "version": "1.2.3", "expirationDate": "2027-01-01T00:00:00Z" })),
            vec![],
        ),
        (
            image("gardenlinux", &json!({ "version": "1.2.3", "cri": [{ "name": "containerd" }] })),
            vec![("ADM-NCP-006", format!("{place}.cri")), ("ADM-NCP-006", format!("{place}.expirationDate"))],
        ),
        (
            json!({ "kubernetes": { "versions": [{ "version": "1.32.1" }] } }),
            vec![
                (
                    "ADM-NCP-003",
                    "invalid kubernetes version specified: '1.32.1' does not exist in parent CloudProfile and thus cannot \
                     be overridden"
                        .to_owned(),
                ),
                ("ADM-NCP-004", "specified version '1.32.1' does not set expiration date".to_owned()),
            ],
        ),
    ] {
        let found = said(&parent(), &spec, None);
        let found: Vec<(&str, String)> = found.iter().map(|[rule, words, _]| (rule.as_str(), words.clone())).collect();
        assert_eq!(found, wanted, "{spec}");
    }
}

#[test]
fn an_error_of_both_together_leads_to_what_made_it() {
    let mut broken = parent();
    broken["spec"]["kubernetes"]["versions"][0]["classification"] = json!("old");
    let machine = json!({ "machineTypes": [{ "name": "big", "cpu": "-1", "gpu": "0", "memory": "8Gi" }] });
    for (parent, spec, wanted, pointer) in [
        (
            parent(),
            image("gardenlinux", &version(&json!({ "cri": [] }))),
            "machineImages[0].versions[1].cri: Required value: must provide at least one supported",
            "/spec/machineImages/0/versions/0/cri",
        ),
        (
            parent(),
            machine,
            "machineTypes[1].cpu: Invalid value: \"-1\": must be greater than or equal to 0]",
            "/spec/machineTypes/0/cpu",
        ),
        (
            parent(),
            image("gardenlinux", &version(&json!({ "classification": "old" }))),
            "machineImages[0].versions[1].classification: Unsupported value: \"old\": supported values: \"dep",
            "/spec/machineImages/0/versions/0/classification",
        ),
        (
            broken,
            json!({}),
            "kubernetes.versions[0].classification: Unsupported value: \"old\": supported values: \"deprecated",
            "/spec",
        ),
    ] {
        let found = said(&parent, &spec, None);
        let merged = found.iter().find(|[rule, ..]| rule == "ADM-NCP-009").unwrap_or_else(|| panic!("{found:?}"));
        let words =
            format!("error while validating merged NamespacedCloudProfile: [status.cloudProfileSpec.{wanted}");
        assert!(words.starts_with(&merged[1]) || merged[1].starts_with(&words), "{merged:?}");
        assert_eq!(merged[2], pointer);
    }
}

#[test]
fn an_update_that_changes_nothing_is_left_alone() {
    let spec = image("gardenlinux", &version(&json!({ "cri": [] })));
    assert_eq!(said(&parent(), &spec, Some(&spec)), Vec::<[String; 3]>::new());
    let mut changed = spec.clone();
    changed["limits"] = json!({ "maxNodesTotal": 5 });
    assert_eq!(said(&parent(), &changed, Some(&spec)).len(), 1);
}

#[test]
fn capabilities_are_those_of_the_parent() {
    let mut capable = parent();
    capable["spec"]["machineCapabilities"] = json!([{ "name": "architecture", "values": ["amd64", "arm64"] }]);
    capable["spec"]["machineImages"][0]["versions"][0]["capabilityFlavors"] =
        json!([{ "architecture": ["amd64"] }]);
    capable["spec"]["machineTypes"][0]["capabilities"] = json!({ "architecture": ["amd64"] });
    let flavors = json!([{ "architecture": ["amd64"] }, { "architecture": ["arm64"], "disk": ["nvme"] }]);
    for (parent, members, wanted) in [
        (&capable, json!({ "architectures": ["amd64", "arm64"] }), vec![]),
        (&capable, json!({ "architectures": [] }), vec!["spec.machineImages[0].versions[0].capabilityFlavors"]),
        (
            &capable,
            json!({ "architectures": [], "capabilityFlavors": flavors }),
            vec!["spec.machineImages[0].versions[0].capabilityFlavors[1]"],
        ),
        (&parent(), json!({ "architectures": [], "capabilityFlavors": flavors }), vec![]),
    ] {
        let found = said(parent, &image("gardenlinux", &version(&members)), None);
        let fields: Vec<&str> = found.iter().map(|[_, field, _]| field.as_str()).collect();
        assert_eq!(fields, wanted, "{members}");
    }
}
