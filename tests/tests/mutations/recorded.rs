//! The recorded webhooks.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use trellis_tests::mutations::{mutate, request, with_facts};
use trellis_tests::vectors;

/// The cases, each with its request and the facts that the policy asks for.
pub fn cases() -> Vec<(Value, Value)> {
    let cases = vectors::webhooks("alicloud");
    cases.into_iter().map(|case| (with_facts(&request(&case), None), case)).map(|(a, b)| (b, a)).collect()
}

/// A value without what is empty.
fn full(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), full(value)));
            Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(full).collect()),
        other => other.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// An object for comparison: units and kubelet configurations decoded, and without what is empty.
fn comparable(object: &Value) -> Value {
    let mut object = object.clone();
    if object["kind"] == "OperatingSystemConfig" {
        for unit in object["spec"]["units"].as_array_mut().into_iter().flatten() {
            if unit["name"] == "kubelet.service" && unit["content"].is_string() {
                unit["content"] = options(unit["content"].as_str().unwrap());
            }
        }
        for file in object["spec"]["files"].as_array_mut().into_iter().flatten() {
            if file["path"] == "/var/lib/kubelet/config/kubelet" && file["content"]["inline"].is_object() {
                file["content"]["inline"]["data"] = configuration(&file["content"]["inline"]);
            }
        }
    }
    full(&object)
}

/// The options of a unit by section, without its comments.
fn options(unit: &str) -> Value {
    let mut sections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut section = String::new();
    let joined = unit.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        if let Some(name) = line.strip_prefix('[') {
            name.trim_end_matches(']').clone_into(&mut section);
        } else {
            let words: Vec<&str> = line.split_whitespace().collect();
            sections.entry(section.clone()).or_default().push(words.join(" ").into());
        }
    }
    Value::Object(sections.into_iter().map(|(name, lines)| (name, lines.into())).collect::<Map<_, _>>())
}

/// A kubelet configuration without the zero values of the Go type.
fn configuration(inline: &Value) -> Value {
    without_zeros(&serde_saphyr::from_str(&text(inline)).unwrap())
}

fn text(inline: &Value) -> String {
    let data = inline["data"].as_str().unwrap_or_default();
    match inline["encoding"].as_str() {
        Some("b64") => String::from_utf8(trellis_core::text::base64::decode(data).unwrap()).unwrap(),
        _ => data.to_owned(),
    }
}

fn without_zeros(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let members = members.iter().map(|(key, value)| (key.clone(), without_zeros(value)));
    let is_zero = |value: &Value| is_empty(value) || *value == 0 || value == "0" || value == "0s";
    Value::Object(members.filter(|(_, value)| !is_zero(value)).collect())
}

#[test]
fn objects_are_those_of_the_existing_extension() {
    let (mut changed, mut unchanged, mut refused, mut differences) = (0, 0, 0, Vec::new());
    for (case, request) in cases() {
        let answer = mutate(&request);
        let (id, out) = (&case["id"], &case["out"]);
        let errors = answer["findings"].as_array().unwrap_or_else(|| panic!("{id}: {answer}"));
        if !out["error"].is_null() {
            // The existing extension may have changed half of the object by then; nobody sees that half.
            if errors.is_empty() || !answer["object"].is_null() || !answer["patch"].is_null() {
                differences.push(format!("{id} is not refused: {}", out["error"]));
            }
            refused += 1;
        } else if out["unchanged"] == true {
            if answer["patch"] != Value::Array(Vec::new()) || answer["object"] != request["object"] {
                differences.push(format!("{id} changes: {answer}"));
            }
            unchanged += 1;
        } else {
            let (ours, theirs) = (comparable(&answer["object"]), comparable(&out["object"]));
            if ours != theirs {
                differences.push(format!("{id}\n  ours   {ours}\n  theirs {theirs}\n  {}", answer["findings"]));
            }
            changed += 1;
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!((changed, unchanged, refused), (44, 24, 12));
}

/// What runs on nodes restarts where a byte changes: units without comments are those of the existing extension,
/// byte for byte.
#[test]
fn units_without_comments_are_the_same_bytes() {
    let mut compared = 0;
    for (case, request) in cases() {
        let (ours, theirs) = (mutate(&request)["object"].clone(), case["out"]["object"].clone());
        let is_recorded = case["out"]["error"].is_null() && theirs.is_object();
        for (index, unit) in request["object"]["spec"]["units"].as_array().into_iter().flatten().enumerate() {
            let content = unit["content"].as_str().unwrap_or_default();
            let has_all = content.contains("--cloud-provider=external");
            if is_recorded && unit["name"] == "kubelet.service" && !content.contains('#') && !has_all {
                assert_eq!(ours["spec"]["units"][index], theirs["spec"]["units"][index], "{}", case["id"]);
                compared += 1;
            }
        }
    }
    assert!(compared >= 5, "{compared} units are compared");
}

/// gardenlet writes the configuration as the existing extension writes it: sorted, with zero values.
#[test]
fn configurations_of_gardenlet_become_the_same_bytes() {
    let mut compared = 0;
    for (case, mut request) in cases() {
        let out = &case["out"];
        for (index, file) in out["object"]["spec"]["files"].as_array().into_iter().flatten().enumerate() {
            let inline = &file["content"]["inline"];
            let is_written = out["error"].is_null() && file["path"] == "/var/lib/kubelet/config/kubelet";
            if !is_written || inline["data"].is_null() {
                continue;
            }
            let written = text(inline);
            let is_set =
                |line: &&str| line.starts_with("enableControllerAttachDetach:") || line.starts_with("providerID:");
            let of_gardenlet: String =
                written.lines().filter(|line| !is_set(line)).flat_map(|line| [line, "\n"]).collect();
            assert_eq!(of_gardenlet.lines().count() + 2, written.lines().count());
            request["object"]["spec"]["files"][index]["content"]["inline"] =
                serde_json::json!({ "data": of_gardenlet });
            let answer = mutate(&request);
            let made = &answer["object"]["spec"]["files"][index]["content"]["inline"]["data"];
            assert_eq!(made.as_str(), Some(written.as_str()), "{}", case["id"]);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} configurations are compared");
}

#[test]
fn without_a_cluster_the_policy_asks_for_it_where_it_matters() {
    let mut asked = 0;
    for (case, full) in cases() {
        let mut request = full.clone();
        request.as_object_mut().unwrap().remove("cluster");
        request["facts"] = Vec::<Value>::new().into();
        let answer = mutate(&request);
        let queries: Vec<&str> = answer["undecided"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|undecided| undecided["query"]["id"].as_str())
            .collect();
        let object = &case["in"]["object"];
        let is_deleted = object["metadata"]["deletionTimestamp"].is_string();
        let needs = object["spec"]["purpose"] == "reconcile"
            || object["kind"] == "Deployment" && object["metadata"]["name"] == "machine-controller-manager";
        let wanted = ["kubernetes/get/extensions.gardener.cloud/v1alpha1/Cluster//shoot--dev--ali"];
        let wanted: &[&str] = if needs && !is_deleted { &wanted } else { &[] };
        assert_eq!(queries, wanted, "{}", case["id"]);
        if queries.is_empty() || case["in"]["cluster"].is_null() {
            continue;
        }
        assert!(answer["object"].is_null() && answer["patch"].is_null() && answer["changes"].is_null());
        // The Cluster as a fact is as good as in the request.
        let answered = with_facts(&request, Some(&case["in"]["cluster"]));
        assert_eq!(mutate(&answered), mutate(&full), "{}", case["id"]);
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
}
