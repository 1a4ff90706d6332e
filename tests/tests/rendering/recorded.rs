//! The recorded control planes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::cases::{cases, live, render, rendered_cases, request};

/// Pod annotations that hold digests of texts: each extension takes them of its own.
const DIGESTS: [&str; 2] = ["checksum/secret-cloud-provider-config", "checksum/secret-csi-diskplugin-alicloud"];

/// An object for comparison: without what `docs/differences.md` lists.
fn comparable(object: &Value) -> Value {
    let mut object = object.clone();
    // The existing extension writes them at the document's root, where they mean nothing.
    let members = object.as_object_mut().unwrap();
    members.remove("labels");
    // What the recording adds for people.
    members.remove("decoded");
    if object["kind"] == "ServiceMonitor" {
        object["spec"].as_object_mut().unwrap().remove("honorLabels");
    }
    if let Some(annotations) = object.pointer_mut("/spec/template/metadata/annotations") {
        for digest in DIGESTS {
            if let Some(text) = annotations.get_mut(digest) {
                assert_eq!(text.as_str().unwrap().len(), 64);
                *text = "".into();
            }
        }
    }
    object
}

/// Objects by kind, namespace and name.
fn by_name(objects: &Value) -> BTreeMap<String, Value> {
    let name = |object: &Value| {
        let metadata = &object["metadata"];
        format!("{} {}/{}", object["kind"], metadata["namespace"], metadata["name"])
    };
    objects.as_array().unwrap().iter().map(|object| (name(object), comparable(object))).collect()
}

#[test]
fn control_planes_are_those_of_the_existing_extension() {
    let (mut compared, mut differences) = (0, Vec::new());
    for case in cases() {
        let out = &case["out"];
        if !out["panic"].is_null() || !out["error"].is_null() {
            continue;
        }
        let answer = render(&request(case), &live(case));
        let mut differ = |what: &str, ours: &Value, theirs: &Value| {
            if ours != theirs {
                differences.push(format!("{} {what}\n  ours   {ours}\n  theirs {theirs}", case["id"]));
            }
        };
        let ours: &Vec<Value> = answer["managedResources"].as_array().unwrap_or_else(|| panic!("{answer}"));
        for (ours, theirs) in ours.iter().zip(out["managedResources"].as_array().unwrap()) {
            let name = theirs["name"].as_str().unwrap();
            differ("name", &ours["name"], &theirs["name"]);
            let (mut own, mut other) = (ours["spec"].clone(), theirs["spec"].clone());
            assert_eq!(own["secretRefs"], json!([{ "name": ours["secret"]["name"] }]));
            own["secretRefs"] = Value::Null;
            other["secretRefs"] = Value::Null;
            differ(&format!("{name} spec"), &own, &other);
            for key in ["dataKey", "immutable", "labels", "type"] {
                differ(&format!("{name} secret {key}"), &ours["secret"][key], &theirs["secret"][key]);
            }
            let (secret, start) = (&ours["secret"]["name"], &theirs["secret"]["nameBeforeChecksum"]);
            let (secret, start) = (secret.as_str().unwrap(), start.as_str().unwrap());
            assert!(secret.len() == start.len() + 8 && secret.starts_with(start), "{secret}");
            let (key, referred) = ours["annotations"].as_object().unwrap().iter().next().unwrap();
            assert!(key.starts_with("reference.resources.gardener.cloud/secret-") && referred == secret);
            let (own, other) = (by_name(&ours["objects"]), by_name(&out["objects"][name]));
            let names = |objects: &BTreeMap<String, Value>| objects.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&own), names(&other));
            // Of CustomResourceDefinitions the recording has the names alone.
            for (name, own) in own.iter().filter(|(name, _)| !name.starts_with("\"CustomResourceDefinition\"")) {
                differ(name, own, &other[name]);
                compared += 1;
            }
        }
        differ("requeue", &json!(answer["requeue"] == true), &out["requeue"]);
        let mut secrets = answer["secrets"].as_array().unwrap().clone();
        for secret in &mut secrets {
            secret.as_object_mut().unwrap().remove("certificate");
        }
        differ("secrets", &secrets.into(), &out["secrets"]);
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(compared >= 76 * 47, "{compared} objects are compared");
}

#[test]
fn what_the_existing_extension_refuses_or_crashes_on_is_refused_in_its_words() {
    let mut refused = 0;
    for case in cases() {
        let out = &case["out"];
        let answer = render(&request(case), &live(case));
        let details: Vec<&str> = answer["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|finding| finding["detail"].as_str())
            .collect();
        if let Some(error) = out["error"].as_str() {
            let words =
                error.strip_prefix("could not build cloud controller config file content for controlplane ");
            assert!(
                details
                    .iter()
                    .any(|detail| error.ends_with(detail) || words.is_some_and(|words| words.contains(detail))),
                "{error}\n{details:?}"
            );
        } else if out["panic"].is_null() {
            assert_eq!(details, [""; 0], "{}", case["id"]);
            continue;
        }
        assert!(!details.is_empty() && answer["managedResources"].is_null(), "{answer}");
        refused += 1;
    }
    assert_eq!(refused, 4);
}

/// A switch from the existing extension restarts no pod: what the cluster holds for the same content is kept.
#[test]
fn digests_that_the_cluster_holds_for_the_same_content_are_kept() {
    let mut kept = 0;
    for case in rendered_cases() {
        let objects = case["out"]["objects"].as_object().unwrap();
        let all: Vec<&Value> = objects.values().flat_map(|list| list.as_array().unwrap()).collect();
        let base = live(case);
        let held = |parameters: &Value| {
            let is_it = |object: &&&Value| {
                object["kind"] == parameters["kind"] && object["metadata"]["name"] == parameters["name"]
            };
            base(parameters).or_else(|| all.iter().find(is_it).map(|object| (**object).clone()))
        };
        let answer = render(&request(case), &held);
        assert!(answer["restarts"].is_null(), "{}", answer["restarts"]);
        let resources = answer["managedResources"].as_array().unwrap();
        let ours: Vec<&Value> =
            resources.iter().flat_map(|resource| resource["objects"].as_array().unwrap()).collect();
        for theirs in &all {
            for digest in DIGESTS {
                let Some(annotation) =
                    theirs.pointer("/spec/template/metadata/annotations").and_then(|all| all.get(digest))
                else {
                    continue;
                };
                let same = |object: &&&Value| {
                    object["kind"] == theirs["kind"] && object["metadata"]["name"] == theirs["metadata"]["name"]
                };
                let own = ours.iter().find(same).unwrap();
                assert_eq!(
                    &own["spec"]["template"]["metadata"]["annotations"][digest], annotation,
                    "{}",
                    case["id"]
                );
                kept += 1;
            }
        }
    }
    assert_eq!(kept, 2 * 76);
}
