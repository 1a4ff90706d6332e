//! The answers of the policy `gardener` against recorded answers of Gardener itself.

#![expect(clippy::unwrap_used, reason = "a broken recording must fail the tests")]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use trellis_tests::vectors::of_gardener;

/// The new object as it was written, which may have a key twice.
fn new_of(line: &str) -> &str {
    let start = line.find("\"new\":").unwrap() + "\"new\":".len();
    let mut stream =
        serde_json::Deserializer::from_str(&line[start..]).into_iter::<&serde_json::value::RawValue>();
    stream.next().unwrap().unwrap().get()
}

fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    values.into_iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

#[test]
fn unknown_and_duplicate_fields_and_wrong_types_are_those_that_gardener_finds() {
    let (mut decoded, mut strict, mut failures) = (0, 0, Vec::new());
    for (case, line) in of_gardener() {
        let id = case["id"].as_str().unwrap();
        let mut context = case["context"].clone();
        context["gardenerVersion"] = json!("1.143.1");
        let request = format!("{{\"object\":{},\"context\":{context}}}", new_of(&line));
        let answer: Value = serde_json::from_str(&trellis_core::call("gardener", "validate", &request)).unwrap();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let by_rule = |is: &dyn Fn(&str) -> bool| {
            texts(
                findings
                    .iter()
                    .filter(|finding| is(finding["rule"].as_str().unwrap()))
                    .map(|finding| &finding["detail"]),
            )
        };
        let types = by_rule(&|rule| rule.starts_with("DEC-") && rule != "DEC-2");
        let fields = by_rule(&|rule| rule == "DEC-2");
        let error = case["decodeError"].as_str().filter(|error| !error.starts_with("old: "));
        decoded += usize::from(error.is_some());
        // Who asks the policy says by `kind` what the object is; an object that says nothing is refused.
        let is_refused = answer["error"]["code"] == "UnsupportedKind";
        if is_refused && case["new"]["kind"].as_str().is_none_or(str::is_empty) && error.is_none() {
            continue;
        }
        let names_another_kind =
            error.is_some_and(|error| error.contains("does not match the expected API version"));
        if !names_another_kind && error.is_some() != (is_refused || !types.is_empty()) {
            failures.push(format!("{id}: {error:?} {types:?} {answer:.200}"));
        }
        let wanted = texts(case["strictErrors"].as_array().into_iter().flatten());
        strict += usize::from(!wanted.is_empty());
        if error.is_none() && case["decodeError"].is_null() && wanted != fields {
            failures.push(format!("{id}: {wanted:?} {fields:?}"));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures[..failures.len().min(30)].join("\n"));
    assert!(decoded >= 40 && strict >= 20, "{decoded} {strict}");
}

/// The RFC 7386 patch applied to a value.
fn merged(value: &Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut object = value.as_object().cloned().unwrap_or_default();
    for (key, change) in changes {
        if change.is_null() {
            object.remove(key);
        } else {
            let merged = merged(object.get(key).unwrap_or(&Value::Null), change);
            object.insert(key.clone(), merged);
        }
    }
    Value::Object(object)
}

/// Rules of the same plug-in that need other objects, or that are not judged yet.
fn is_of_others(finding: &Value) -> bool {
    let (field, detail) = (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap());
    field.starts_with("spec.networking")
        || field.starts_with("status.")
        || field.starts_with("spec.seedSelector")
        || field.starts_with("spec.dns")
        || field.contains("admissionPlugins")
        || detail.starts_with("must not use apiVersion")
        || detail.contains("Binding: ")
        || detail.contains("is not supported by the seed")
}

fn findings_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut all: Vec<String> = values
        .into_iter()
        .map(|finding| {
            format!("{} {} {}", text(&finding["type"]), text(&finding["field"]), text(&finding["detail"]))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn what_a_shoot_asks_of_its_profile_is_judged_as_gardener_judges_it() {
    let world: Value = serde_json::from_str(include_str!("../vectors/gardener-core-objects.json")).unwrap();
    let is_profile = |object: &&Value| object["kind"].as_str().is_some_and(|kind| kind.ends_with("CloudProfile"));
    let world: Vec<&Value> = world["objects"].as_array().unwrap().iter().filter(is_profile).collect();
    let (mut compared, mut wrong, mut failures) = (0, 0, Vec::new());
    for (case, _) in of_gardener() {
        let skipped = case["kind"] != "Shoot"
            || !case["decodeError"].is_null()
            || !case["mutateError"].is_null()
            || case["defaulted"].is_null()
            || case["context"]["subresource"].is_string()
            || ["panic", "mutatePanic", "admissionPanic"].iter().any(|stage| !case[*stage].is_null());
        let recorded: Vec<&Value> = case["admissionFindings"].as_array().into_iter().flatten().collect();
        // A refusal before the list.
        let has_kind = case["new"]["kind"] == "Shoot";
        if skipped || !has_kind || recorded.is_empty() && !case["admissionError"].is_null() {
            continue;
        }
        let object = merged(&case["defaulted"], case.get("mutated").unwrap_or(&json!({})));
        let mut context = case["context"].clone();
        context["gardenerVersion"] = json!("1.143.1");
        if context["cloudProfile"]["metadata"]["name"] != object["spec"]["cloudProfile"]["name"] {
            context["objects"] = json!(world);
        }
        if context["now"].is_null() {
            context["now"] = json!("2026-06-01T00:00:00Z");
        }
        let mut request = json!({ "object": object, "context": context });
        if !case["old"].is_null() {
            // Whether nothing changed is decided with the old object's defaults, which are not recorded.
            if ["spec", "metadata"].iter().all(|part| case["old"][*part] == case["new"][*part]) {
                continue;
            }
            request["oldObject"] = case["old"].clone();
        }
        let answer: Value =
            serde_json::from_str(&trellis_core::call("gardener", "validate", &request.to_string())).unwrap();
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let own = findings.iter().filter(|finding| finding["rule"].as_str().unwrap().starts_with("ADM-"));
        let (own, wanted) = (findings_of(own), findings_of(recorded.into_iter().filter(|one| !is_of_others(one))));
        compared += 1;
        wrong += usize::from(!wanted.is_empty());
        if own != wanted {
            failures.push(format!(
                "{} {}\n  wanted {wanted:?}\n  own    {own:?}",
                case["id"],
                !case["old"].is_null()
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {compared} differ:\n{}",
        failures.len(),
        failures[..failures.len().min(25)].join("\n")
    );
    assert!(compared >= 1_500 && wrong >= 150, "{compared} {wrong}");
}
