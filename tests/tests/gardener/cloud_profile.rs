//! CloudProfiles and NamespacedCloudProfiles, judged by Gardener's own rules.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::cases::{Case, findings, none_differ, words_of};

/// Rules that no recording has, because a default comes before them. The corpus has cases of each.
const UNRECORDED: &[&str] = &["GDN-CPR-047"];

/// Where a merged profile is reported to be wrong.
const MERGED: &str = "error while validating merged NamespacedCloudProfile: [";

/// Recorded profiles that Gardener decoded.
fn cases() -> impl Iterator<Item = &'static Case> {
    Case::all().filter(|case| case.recorded["kind"] != "Shoot" && case.is_judged())
}

/// Whether the API server sets it before it judges a profile. The recordings judged objects without all that.
fn is_of_the_server(case: &Case, finding: &Value) -> bool {
    let metadata = &case.recorded["defaulted"]["metadata"];
    match (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap()) {
        ("metadata.name", "name or generateName is required") => metadata["generateName"].is_string(),
        ("metadata.namespace", "field is immutable" | "") => {
            metadata["namespace"].as_str().is_none_or(str::is_empty)
        }
        ("metadata.name" | "metadata.uid" | "metadata.creationTimestamp", "field is immutable") => {
            metadata["creationTimestamp"].is_null()
        }
        ("metadata.generation", "must not be decremented")
        | ("metadata.resourceVersion", "must be specified for an update") => true,
        _ => false,
    }
}

/// Type, field and detail of recorded findings, each once.
fn recorded(case: &Case, findings: &Value) -> Vec<String> {
    let list = findings.as_array().into_iter().flatten();
    let mut words = words_of(list.filter(|finding| !is_of_the_server(case, finding)));
    words.dedup();
    words
}

/// The errors of an answer by the rules of an object, and those of the plug-in that knows its parent.
fn judged(answer: &Value) -> (Vec<Value>, Vec<Value>) {
    let is_error = |one: &Value| one["severity"] == "error" && one["assumed"] != true && one["rule"] != "DEC-2";
    findings(answer)
        .into_iter()
        .filter(is_error)
        .partition(|one| one["rule"].as_str().unwrap().starts_with("GDN-"))
}

/// Whether the plug-in said it of a NamespacedCloudProfile: it repeats rules of the object, by the capabilities of
/// the parent.
fn is_of_plugin(case: &Case, finding: &Value) -> bool {
    let said = case.recorded["admissionError"].as_str().unwrap_or_default();
    let (field, detail) = (finding["field"].as_str().unwrap(), finding["detail"].as_str().unwrap());
    !field.is_empty() && said.contains(&format!("{field}: ")) && said.contains(detail)
}

/// What the plug-in says, in parts: field errors, or the errors of the merged profile. Structs of Go are left out.
fn parts(said: &str) -> Vec<String> {
    let (text, between) = match said.strip_prefix(MERGED) {
        Some(merged) => (merged.strip_suffix(']').unwrap(), " status."),
        None if said.starts_with('[') => (&said[1..said.len() - 1], ", spec."),
        None => (said, ", spec."),
    };
    let mut parts: Vec<String> = text
        .split(between)
        .map(|part| match (part.find("value: {"), part.rfind("}: ")) {
            (Some(from), Some(to)) => format!("{}{}", &part[..from], &part[to..]),
            _ => part.split("with machineType: ").next().unwrap().to_owned(),
        })
        .map(|part| part.trim_start_matches("spec.").trim_start_matches("status.").to_owned())
        .collect();
    parts.sort();
    parts.dedup();
    parts
}

#[test]
fn a_profile_and_its_changes_are_judged_as_gardener_judges_them() {
    let (mut compared, mut wrong, mut failures) = (0, 0, Vec::new());
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for case in cases() {
        let old = case.is_update().then_some(&case.recorded["old"]);
        let defaulted = &case.recorded["defaulted"];
        let answer = case.ask("validate", &defaulted.to_string(), old);
        let (mut own, _) = judged(&answer);
        seen.extend(own.iter().map(|one| one["rule"].as_str().unwrap().to_owned()));
        let wanted = recorded(case, &case.recorded["findings"]);
        own.retain(|one| wanted.contains(&words_of([one])[0]) || !is_of_plugin(case, one));
        // What the API server drops before the plug-in sees the object is judged below.
        let is_whole = case.recorded["kind"] == "CloudProfile" || case.recorded["requestSame"] == true;
        own.retain(|one| is_whole || wanted.contains(&words_of([one])[0]));
        compared += 1;
        wrong += usize::from(!wanted.is_empty());
        let own = words_of(&own);
        let missing: Vec<_> = wanted.iter().filter(|words| !own.contains(words)).collect();
        let further: Vec<_> = own.iter().filter(|words| !wanted.contains(words)).collect();
        if !missing.is_empty() || !further.is_empty() && case.recorded["admissionError"].is_null() {
            failures.push(format!("{}\n  missing {missing:?}\n  further {further:?}", case.id()));
        }
    }
    none_differ(&failures, compared);
    let all: Value = serde_json::from_str(&trellis_core::call("gardener", "rules", "{}")).unwrap();
    let rejecting = all["rules"].as_array().unwrap().iter().filter(|rule| rule["informative"] != true);
    let ids = rejecting.map(|rule| rule["id"].as_str().unwrap());
    let is_of_profiles = |id: &&str| id.starts_with("GDN-CPR-") || id.starts_with("GDN-NCP-");
    let unseen: Vec<&str> = ids.filter(is_of_profiles).filter(|id| !seen.contains(*id)).collect();
    assert_eq!(unseen, UNRECORDED, "rules that no recording has");
    assert!(compared >= 800 && wrong >= 400, "{compared} {wrong}");
}

#[test]
fn a_request_about_a_profile_is_judged_as_gardener_judges_it() {
    let (mut compared, mut refused, mut failures) = (0, 0, Vec::new());
    for case in cases() {
        let old = case.is_update().then_some(&case.recorded["old"]);
        let object = case.ask("default", case.new_as_written(), old)["object"].clone();
        let answer = case.ask("validate", &object.to_string(), old);
        let (own, of_plugin) = judged(&answer);
        let list = if case.recorded["requestSame"] == true { "findings" } else { "requestFindings" };
        let wanted = recorded(case, &case.recorded[list]);
        let words = words_of(&own);
        let missing: Vec<_> = wanted.iter().filter(|words_| !words.contains(words_)).collect();
        let is_said = |one: &&Value| wanted.contains(&words_of([*one])[0]) || is_of_plugin(case, one);
        let is_further = |one: &&Value| !is_said(one) && !is_of_the_server(case, one);
        let further: Vec<&Value> = own.iter().filter(is_further).collect();
        let said = case.recorded["admissionError"].as_str().unwrap_or_default();
        // The plug-in's first stage that fails ends the request; ours do not hide each other.
        let denied = of_plugin.iter().find(|one| one["type"] == "Denied");
        let is_right = match denied {
            Some(denied) => parts(denied["detail"].as_str().unwrap()) == parts(said),
            None if said.is_empty() => of_plugin.is_empty(),
            None => parts(said).iter().all(|part| {
                own.iter().chain(&of_plugin).any(|one| {
                    let field = one["field"].as_str().unwrap().trim_start_matches("spec.").to_owned();
                    part.starts_with(&format!("{field}: ")) && part.ends_with(one["detail"].as_str().unwrap())
                })
            }),
        };
        compared += 1;
        refused += usize::from(!said.is_empty());
        if !missing.is_empty() || !is_right || denied.is_none() && !further.is_empty() {
            let further = words_of(further);
            let of_plugin = words_of(&of_plugin);
            failures.push(format!(
                "{}\n  missing {missing:?}\n  further {further:?}\n  said {said}\n  own {of_plugin:?}",
                case.id()
            ));
        }
    }
    none_differ(&failures, compared);
    assert!(compared >= 800 && refused >= 380, "{compared} {refused}");
}
