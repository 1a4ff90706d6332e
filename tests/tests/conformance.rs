//! The answers of the policies against recorded answers of the existing extensions. What may differ is listed in
//! `docs/differences.md`, and here only what that page lists is allowed for.

#![expect(clippy::panic, reason = "a broken recording must fail the tests")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use trellis_tests::vectors::{Admission, Case, admissions};

/// The recordings, read once.
static ADMISSIONS: LazyLock<Vec<Admission>> = LazyLock::new(admissions);

/// What the policies answer to `validate`: most of the tests look at it.
static VALIDATED: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let mut answers = BTreeMap::new();
    for admission in ADMISSIONS.iter() {
        for case in &admission.cases {
            let before = answers.insert(path(admission, case), admission.answer(case, "validate"));
            assert!(before.is_none(), "{} is recorded twice", path(admission, case));
        }
    }
    answers
});

fn path(admission: &Admission, case: &Case) -> String {
    format!("{}/{}", admission.provider, case.id())
}

fn validated(admission: &Admission, case: &Case) -> &'static Value {
    &VALIDATED[&path(admission, case)]
}

/// Words of messages of Go's decoders. What Trellis says instead is its own; that it refuses is the verdict's
/// test.
const OF_DECODERS: [&str; 7] = [
    "cannot unmarshal",
    "strict decoding error",
    "is missing in",
    "no kind",
    "is not of type",
    "decode",
    "time: invalid duration",
];

/// Beginnings of refusals of Go's decoders.
const REFUSED_BY_DECODERS: [&str; 4] = ["json: ", "no kind ", "converting (", "couldn't get version/kind"];

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

/// A detail without what comparisons leave out.
fn compared_detail(detail: &str, admission: &Admission) -> String {
    let beginning = admission.allowance.decoded.iter().find(|beginning| detail.starts_with(beginning.as_str()));
    beginning.map_or_else(|| sorted_set(detail), Clone::clone)
}

fn errors(findings: &Value, admission: &Admission) -> BTreeSet<(String, String, String)> {
    let findings = findings.as_array().into_iter().flatten();
    findings
        .filter(|finding| finding["severity"] != "warning")
        .map(|finding| {
            (
                text(finding, "type").to_owned(),
                text(finding, "field").to_owned(),
                compared_detail(text(finding, "detail"), admission),
            )
        })
        .collect()
}

fn is_judged(admission: &Admission, case: &Case) -> bool {
    !case.crashed("panic") && !is_of_another_provider(admission, case)
}

fn is_of_another_provider(admission: &Admission, case: &Case) -> bool {
    admission.allowance.of_another_provider.iter().any(|id| id == case.id())
}

/// Compares the chosen cases of each recording, of which there must be as many as the recording's file says.
fn compare(
    comparison: &str,
    choose: impl Fn(&Admission, &Case) -> bool,
    differ: impl Fn(&Admission, &Case) -> Option<String>,
) {
    for admission in ADMISSIONS.iter() {
        let chosen: Vec<&Case> = admission.cases.iter().filter(|case| choose(admission, case)).collect();
        let provider = &admission.provider;
        let least = admission.allowance.at_least.get(comparison).copied();
        let least = least.unwrap_or_else(|| panic!("{provider}: `atLeast` lacks `{comparison}`"));
        assert!(chosen.len() >= least, "{provider}: {} cases of {least} for `{comparison}`", chosen.len());
        let failures: Vec<String> = chosen.iter().filter_map(|case| differ(admission, case)).collect();
        let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(failures.is_empty(), "{provider}: {} of {} cases differ:\n{shown}", failures.len(), chosen.len());
    }
}

#[test]
fn verdicts_are_those_of_the_existing_extension() {
    compare("verdicts", is_judged, |admission, case| {
        let answer = validated(admission, case);
        let verdict = if case.field("allowed") == &json!(true) { "accept" } else { "reject" };
        let message = case.field("message");
        (answer["verdict"] != verdict)
            .then(|| format!("{} {}: {answer} instead of {verdict}: {message}", case.id(), case.kind()))
    });
}

#[test]
fn only_the_listed_objects_are_of_another_provider() {
    for admission in ADMISSIONS.iter() {
        let is_refused = |case: &&Case| validated(admission, case)["error"]["code"] == "OtherProvider";
        let refused: BTreeSet<&str> = admission.cases.iter().filter(is_refused).map(Case::id).collect();
        let listed: BTreeSet<&str> = admission.allowance.of_another_provider.iter().map(String::as_str).collect();
        assert_eq!(refused, listed, "{}", admission.provider);
    }
}

#[test]
fn what_is_allowed_for_is_what_the_differences_list() {
    let differences = include_str!("../../docs/differences.md");
    let quoted: BTreeSet<&str> = differences.split('`').skip(1).step_by(2).collect();
    let cases: BTreeSet<&str> =
        ADMISSIONS.iter().flat_map(|admission| admission.cases.iter().map(Case::id)).collect();
    let allowed = ADMISSIONS.iter().flat_map(|admission| &admission.allowance.of_another_provider);
    let allowed: BTreeSet<&str> = allowed.map(String::as_str).collect();
    assert_eq!(allowed, quoted.intersection(&cases).copied().collect(), "recorded cases that differ");
    let typed = ADMISSIONS.iter().filter_map(|admission| admission.allowance.typed.as_ref());
    for rule in typed.map(|typed| &typed.rule) {
        let is_listed = differences.lines().any(|line| line.starts_with(&format!("| {rule}")));
        assert!(is_listed, "docs/differences.md does not list {rule}");
    }
}

#[test]
fn findings_are_those_of_the_existing_extension() {
    let is_complete =
        |admission: &Admission, case: &Case| case.field("complete") == &json!(true) && is_judged(admission, case);
    compare("findings", is_complete, |admission, case| {
        let ours = errors(&validated(admission, case)["findings"], admission);
        let theirs = errors(case.field("findings"), admission);
        let [more, less] = [ours.difference(&theirs), theirs.difference(&ours)].map(Iterator::collect::<Vec<_>>);
        (ours != theirs).then(|| format!("{} {}: more {more:?}, less {less:?}", case.id(), case.kind()))
    });
}

/// The webhook stops at the first stage with errors, so what it says must be among what we say.
#[test]
fn messages_of_incomplete_cases_are_among_the_findings() {
    let is_compared = |admission: &Admission, case: &Case| {
        let message = case.field("message").as_str().unwrap_or_default();
        case.field("complete") != &json!(true)
            && case.field("allowed") == &json!(false)
            && is_judged(admission, case)
            && !OF_DECODERS.iter().any(|word| message.contains(word))
    };
    compare("messages", is_compared, |admission, case| {
        let message = case.field("message").as_str().unwrap_or_default();
        let answer = validated(admission, case);
        let said = answer["findings"].as_array().into_iter().flatten().any(|finding| {
            let (field, detail) = (text(finding, "field"), text(finding, "detail"));
            message.contains(field)
                && (message.contains(detail) || sorted_set(detail).starts_with("supported values"))
        });
        (!said).then(|| format!("{} {}: {message}\n  {answer}", case.id(), case.kind()))
    });
}

/// Drops what the existing extension writes and nobody reads: empty values.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: Map<_, _> = members
                .iter()
                // The existing extension drops fields that the core API does not know; we keep what a person
                // wrote.
                .filter(|(key, _)| !["unknownField", "provisionedThroughput"].contains(&key.as_str()))
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
        Value::Array(items) => {
            let is_empty = |value: &Value| *value == json!("") || *value == json!({});
            let item = |value: Value| if is_empty(&value) { Value::Null } else { value };
            Value::Array(items.iter().map(without_empty).map(item).collect())
        }
        other => other.clone(),
    }
}

/// A member of each image version of a profile, by image and version, whose order the existing extensions leave to
/// chance.
fn images(spec: &Value, member: &str) -> Value {
    let mut images = Map::new();
    for image in spec["machineImages"].as_array().into_iter().flatten() {
        for version in image["versions"].as_array().into_iter().flatten() {
            let name = format!("{} {}", text(image, "name"), text(version, "version"));
            let value = if version[member].is_string() { version[member].clone() } else { list(&version[member]) };
            if let Value::Array(versions) = images.entry(name).or_insert_with(|| json!([])) {
                versions.push(value);
            }
        }
    }
    images.into()
}

/// A list; an empty one where there is none.
fn list(value: &Value) -> Value {
    value.as_array().cloned().unwrap_or_default().into()
}

/// Puts the flavors of each image version in order.
fn sort_flavors(compared: &mut Value) {
    let images = compared["images"].as_object_mut().into_iter().flatten();
    for flavors in images.filter_map(|(_, entries)| entries.as_array_mut()).flatten() {
        if let Value::Array(flavors) = flavors {
            flavors.sort_by_key(ToString::to_string);
        }
    }
}

/// Drops fields of volumes that the core API does not know, as the existing extensions do; we keep what a person
/// wrote.
fn drop_unknown_of_volumes(object: &mut Value) {
    let pools = object.pointer_mut("/spec/provider/workers").and_then(Value::as_array_mut);
    for pool in pools.into_iter().flatten().filter_map(Value::as_object_mut) {
        for (_, volumes) in pool.iter_mut().filter(|(key, _)| ["volume", "dataVolumes"].contains(&key.as_str())) {
            let volumes =
                if let Value::Array(volumes) = volumes { volumes } else { std::slice::from_mut(volumes) };
            for volume in volumes.iter_mut().filter_map(Value::as_object_mut) {
                volume.retain(|key, _| ["name", "type", "size", "encrypted"].contains(&key.as_str()));
            }
        }
    }
}

/// What defaulting may touch, without the type of the configuration at a pointer.
fn compared(object: &Value, untyped: Option<&str>) -> Value {
    let mut object = object.clone();
    if let Some(Value::Object(config)) = untyped.and_then(|pointer| object.pointer_mut(pointer)) {
        config.remove("apiVersion");
        config.remove("kind");
    }
    drop_unknown_of_volumes(&mut object);
    without_empty(&json!({
        "annotations": object["metadata"]["annotations"],
        "provider": object["spec"]["provider"],
        "networking": object["spec"]["networking"],
        "forceTCPToUpstreamDNS": object["spec"]["systemComponents"]["nodeLocalDNS"]["forceTCPToUpstreamDNS"],
        "images": images(&object["spec"], "capabilityFlavors"),
        "mappings": [
            images(&object["status"]["cloudProfileSpec"]["providerConfig"], "regions"),
            images(&object["status"]["cloudProfileSpec"]["providerConfig"], "capabilityFlavors"),
            images(&object["status"]["cloudProfileSpec"]["providerConfig"], "image"),
            images(&object["status"]["cloudProfileSpec"]["providerConfig"], "urn"),
            images(&object["status"]["cloudProfileSpec"]["providerConfig"], "architecture"),
        ],
    }))
}

#[test]
fn defaults_are_those_of_the_existing_extension() {
    let is_defaulted = |admission: &Admission, case: &Case| {
        !case.field("mutated").is_null() && !is_of_another_provider(admission, case)
    };
    compare("defaults", is_defaulted, |admission, case| {
        let answer = admission.answer(case, "default");
        let at = |object: &Value, pointer: &str| object.pointer(pointer).cloned().unwrap_or_default();
        let untyped = admission.allowance.typed.as_ref().filter(|typed| {
            let config = at(case.field("new"), &typed.pointer);
            let untyped = text(&config, "apiVersion").is_empty() || text(&config, "kind").is_empty();
            if untyped && at(case.field("mutated"), &typed.pointer) != config {
                let written = at(&answer["object"], &typed.pointer);
                assert_eq!(text(&written, "apiVersion"), typed.api_version, "{}", case.id());
                assert_eq!(text(&written, "kind"), typed.kind, "{}", case.id());
            }
            untyped
        });
        let untyped = untyped.map(|typed| typed.pointer.as_str());
        let (mut ours, mut theirs) =
            (compared(&answer["object"], untyped), compared(case.field("mutated"), untyped));
        if admission.allowance.unordered_flavors {
            sort_flavors(&mut ours);
            sort_flavors(&mut theirs);
        }
        let error = &answer["error"];
        (ours != theirs).then(|| format!("{}: {ours}\n instead of {theirs}\n {error}", case.id()))
    });
}

#[test]
fn defaulting_is_refused_where_the_existing_extension_refuses() {
    let is_refused = |_: &Admission, case: &Case| !case.field("mutateError").is_null();
    compare("refusals", is_refused, |admission, case| {
        let answer = admission.answer(case, "default");
        let message = case.field("mutateError").as_str().unwrap_or_default();
        let about = |text: &str| text.split(": ").next().unwrap_or_default().to_owned();
        let error = &answer["error"];
        let is_of_decoder = REFUSED_BY_DECODERS.iter().any(|beginning| message.starts_with(beginning));
        let same = error["code"] == "Denied" && (is_of_decoder || about(text(error, "message")) == about(message));
        (!same).then(|| format!("{}: {answer} instead of {message}", case.id()))
    });
}

#[test]
fn objects_that_crash_the_existing_extension_get_an_answer() {
    for admission in ADMISSIONS.iter() {
        for (field, function) in [("panic", "validate"), ("mutatePanic", "default")] {
            for case in admission.cases.iter().filter(|case| case.crashed(field)) {
                let answer = admission.answer(case, function);
                let is_refused = function == "default" && answer["error"]["code"] == "Denied";
                let is_answered = answer["error"].is_null() || is_refused;
                assert!(is_answered, "{} {}: {answer}", admission.provider, case.id());
            }
        }
    }
}
