use serde_json::{Value, json};

use super::documents;
use crate::policy::{ADDRESSING, Function, JUDGING, MUTATING, PLANNING, RENDERING};

/// The members that a reader knows, as the answer to a request with an unknown one lists them.
fn known(function: &str, request: &Value) -> Vec<String> {
    let provider = if ["join", "merge"].contains(&function) { "gardener" } else { "alicloud" };
    let answer = crate::call(provider, function, &request.to_string());
    let names = answer.split_once("known are ").and_then(|(_, rest)| rest.split_once('"'));
    let (names, _) = names.unwrap_or_else(|| panic!("{function}: {answer}"));
    let mut names: Vec<String> = names.split(", ").map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// The members of a schema.
fn members(schema: &Value) -> Vec<String> {
    let mut names: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    names
}

/// The members of a part of a request.
fn members_of(request: &str, part: &str) -> Vec<String> {
    members(&documents()[request]["$defs"][part])
}

fn requests<P>(functions: &[Function<P>]) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    functions.iter().filter_map(|function| Some((function.name, members(&function.request?().to_value()))))
}

#[test]
fn the_reader_of_a_request_knows_the_members_of_its_schema() {
    let all = requests(JUDGING)
        .chain(requests(ADDRESSING))
        .chain(requests(PLANNING))
        .chain(requests(MUTATING))
        .chain(requests(RENDERING));
    let mut count = 0;
    for (function, members) in all {
        let mut known = known(function, &json!({ "unknown": 1 }));
        // What was said of changed objects is between `join` and who asks all policies.
        known.retain(|name| function != "join" || (name != "trials" && name != "worlds"));
        assert_eq!(known, members, "{function}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

#[test]
fn the_reader_of_a_part_knows_the_members_of_its_schema() {
    let unknown = json!({ "unknown": 1 });
    for function in ["PlanRequest", "StatusRequest"] {
        let name = function.trim_end_matches("Request").to_lowercase();
        assert_eq!(known(&name, &json!({ "request": unknown })), members_of(function, "PlanSubject"), "{name}");
    }
    assert_eq!(known("join", &json!({ "opinions": [unknown] })), members_of("JoinRequest", "Opinion"));
    let zones = json!({ "object": { "kind": "Shoot" }, "add": [unknown] });
    assert_eq!(known("zones", &zones), members_of("ZonesRequest", "ZoneRequest"));
    assert_eq!(known("plan", &json!({ "baseline": unknown })), members_of("PlanRequest", "PlanSubject"));
    assert!(documents()["PlanRequest"]["$defs"]["Baseline"].to_string().contains("PlanSubject"));
}
