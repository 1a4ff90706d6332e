//! The answers of Alibaba Cloud's policy against recorded answers of the existing extension. What may differ is
//! listed in `docs/differences.md`, and here only what that page lists is forgiven.

#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use trellis_tests::vectors::{self, Case};

const PROVIDER: &str = "alicloud";

/// Objects that name another provider, which the existing extension judges all the same: it has a label that a garden
/// does not give them.
const OF_ANOTHER_PROVIDER: [&str; 3] = ["s7-8165", "s7-9397", "s7-15211"];

fn is_judged(case: &Case) -> bool {
    !case.crashed("panic") && !OF_ANOTHER_PROVIDER.contains(&case.id())
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

/// Sets inside details come in any order.
fn sorted_set(detail: &str) -> String {
    match detail.strip_prefix("supported values") {
        Some(set) => {
            let mut words: Vec<&str> =
                set.split([' ', ',', '[', ']', ':']).filter(|word| !word.is_empty()).collect();
            words.sort_unstable();
            format!("supported values {}", words.join(" "))
        }
        None => detail.to_owned(),
    }
}

fn errors(findings: &Value) -> BTreeSet<(String, String, String)> {
    let findings = findings.as_array().into_iter().flatten();
    findings
        .filter(|finding| finding["severity"] != "warning")
        .map(|finding| {
            (
                text(finding, "type").to_owned(),
                text(finding, "field").to_owned(),
                sorted_set(text(finding, "detail")),
            )
        })
        .collect()
}

fn report(failures: &[String], cases: usize) {
    let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {cases} cases differ:\n{shown}", failures.len());
}

#[test]
fn verdicts_are_those_of_the_existing_extension() {
    let cases = vectors::read(PROVIDER);
    let differ = |case: &Case| {
        let answer = case.answer(PROVIDER, "validate");
        let verdict = if case.field("allowed") == &json!(true) { "accept" } else { "reject" };
        (answer["verdict"] != verdict).then(|| {
            format!(
                "{} {}: {} instead of {verdict}: {}",
                case.id(),
                case.kind(),
                answer,
                text(&json!({"m": case.field("message")}), "m")
            )
        })
    };
    let judged: Vec<_> = cases.iter().filter(|case| is_judged(case)).collect();
    assert!(judged.len() > 1_600);
    report(&judged.iter().filter_map(|case| differ(case)).collect::<Vec<_>>(), judged.len());
}

#[test]
fn only_the_listed_objects_are_of_another_provider() {
    let cases = vectors::read(PROVIDER);
    let refused =
        cases.iter().filter(|case| case.answer(PROVIDER, "validate")["error"]["code"] == "OtherProvider");
    assert_eq!(refused.map(Case::id).collect::<BTreeSet<_>>(), BTreeSet::from(OF_ANOTHER_PROVIDER));
}

#[test]
fn findings_are_those_of_the_existing_extension() {
    let cases = vectors::read(PROVIDER);
    let complete: Vec<_> = cases.iter().filter(|case| case.field("complete") == &json!(true)).collect();
    assert!(complete.len() > 400);
    let failures: Vec<_> = complete
        .iter()
        .filter_map(|case| {
            let (ours, theirs) =
                (errors(&case.answer(PROVIDER, "validate")["findings"]), errors(case.field("findings")));
            (ours != theirs).then(|| {
                let (more, less): (Vec<_>, Vec<_>) =
                    (ours.difference(&theirs).collect(), theirs.difference(&ours).collect());
                format!("{} {}: more {more:?}, less {less:?}", case.id(), case.kind())
            })
        })
        .collect();
    report(&failures, complete.len());
}

/// The webhook stops at the first stage with errors, so what it says must be among what we say.
#[test]
fn messages_of_incomplete_cases_are_among_the_findings() {
    let cases = vectors::read(PROVIDER);
    let refused: Vec<_> = cases
        .iter()
        .filter(|case| case.field("complete") != &json!(true) && case.field("allowed") == &json!(false))
        .filter(|case| is_judged(case))
        .collect();
    let mut compared = 0;
    let failures: Vec<_> = refused
        .iter()
        .filter_map(|case| {
            let message = case.field("message").as_str().unwrap_or_default();
            // Decoders word their errors in their own way; that they refuse is the verdict's test.
            if [
                "cannot unmarshal",
                "strict decoding error",
                "is missing in",
                "no kind",
                "is not of type",
                "decode",
            ]
            .iter()
            .any(|word| message.contains(word))
            {
                return None;
            }
            compared += 1;
            let answer = case.answer(PROVIDER, "validate");
            let said = answer["findings"].as_array().into_iter().flatten().any(|finding| {
                let (field, detail) = (text(finding, "field"), text(finding, "detail"));
                message.contains(field)
                    && (message.contains(detail) || sorted_set(detail).starts_with("supported values"))
            });
            (!said).then(|| format!("{} {}: {message}\n  {answer}", case.id(), case.kind()))
        })
        .collect();
    assert!(compared > 400, "only {compared} messages were compared");
    report(&failures, refused.len());
}

/// Drops what the existing extension writes and nobody reads: empty values.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: Map<_, _> = members
                .iter()
                // The existing extension drops fields that the core API does not know; we keep what a person wrote.
                .filter(|(key, _)| *key != "unknownField")
                .map(|(key, value)| (key.clone(), without_empty(value)))
                .filter(|(_, value)| match value {
                    Value::Null => false,
                    Value::String(text) => !text.is_empty(),
                    Value::Array(items) => !items.is_empty(),
                    Value::Object(members) => !members.is_empty(),
                    Value::Number(number) => number.as_f64() != Some(0.0),
                    Value::Bool(_) => true,
                })
                .collect();
            Value::Object(members)
        }
        Value::Array(items) => Value::Array(items.iter().map(without_empty).collect()),
        other => other.clone(),
    }
}

/// What defaulting may touch.
fn compared(object: &Value, strip_type: bool) -> Value {
    let mut provider = object["spec"]["provider"].clone();
    if let (true, Some(config)) = (strip_type, provider["controlPlaneConfig"].as_object_mut()) {
        config.remove("apiVersion");
        config.remove("kind");
    }
    without_empty(&json!({
        "annotations": object["metadata"]["annotations"],
        "provider": provider,
        "networking": object["spec"]["networking"],
    }))
}

#[test]
fn defaults_are_those_of_the_existing_extension() {
    let cases = vectors::read(PROVIDER);
    let mutated: Vec<_> = cases.iter().filter(|case| !case.field("mutated").is_null()).collect();
    assert!(mutated.len() > 300);
    let failures: Vec<_> = mutated
        .iter()
        .filter_map(|case| {
            let answer = case.answer(PROVIDER, "default");
            let config = &case.field("new")["spec"]["provider"]["controlPlaneConfig"];
            let untyped = text(config, "apiVersion").is_empty() || text(config, "kind").is_empty();
            let written = &answer["object"]["spec"]["provider"]["controlPlaneConfig"];
            let recorded = &case.field("mutated")["spec"]["provider"]["controlPlaneConfig"];
            if untyped && recorded != config {
                assert_eq!(text(written, "apiVersion"), "alicloud.provider.extensions.gardener.cloud/v1alpha1");
                assert_eq!(text(written, "kind"), "ControlPlaneConfig");
            }
            let (ours, theirs) = (compared(&answer["object"], untyped), compared(case.field("mutated"), untyped));
            (ours != theirs).then(|| format!("{}: {ours}\n instead of {theirs}\n {}", case.id(), answer["error"]))
        })
        .collect();
    report(&failures, mutated.len());
}

#[test]
fn defaulting_is_refused_where_the_existing_extension_refuses() {
    let cases = vectors::read(PROVIDER);
    let refused: Vec<_> = cases.iter().filter(|case| !case.field("mutateError").is_null()).collect();
    assert!(refused.len() > 100);
    let failures: Vec<_> = refused
        .iter()
        .filter_map(|case| {
            let answer = case.answer(PROVIDER, "default");
            let message = case.field("mutateError").as_str().unwrap_or_default();
            let ours = text(&answer["error"], "message");
            let about = |text: &str| text.split(": ").next().unwrap_or_default().to_owned();
            let same = answer["error"]["code"] == "Denied" && about(ours) == about(message);
            (!same).then(|| format!("{}: {answer} instead of {message}", case.id()))
        })
        .collect();
    report(&failures, refused.len());
}

#[test]
fn objects_that_crash_the_existing_extension_get_an_answer() {
    for case in vectors::read(PROVIDER) {
        for (field, function) in [("panic", "validate"), ("mutatePanic", "default")] {
            if case.crashed(field) {
                let answer = case.answer(PROVIDER, function);
                assert!(answer["error"].is_null(), "{}: {answer}", case.id());
            }
        }
    }
}
