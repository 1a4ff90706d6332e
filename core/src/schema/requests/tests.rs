use serde_json::{Value, json};

use super::{Baseline, Opinion, PlanSubject, ZoneRequest};
use crate::policy::{ADDRESSING, Function, JUDGING, MUTATING, PLANNING, RENDERING};
use crate::schema::request;

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

fn members(schema: &schemars::Schema) -> Vec<String> {
    let mut names: Vec<String> = schema.get("properties").unwrap().as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    names
}

fn requests<P: ?Sized>(functions: &[Function<P>]) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    functions.iter().filter_map(|function| Some((function.name, members(&function.request?()))))
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
    let infrastructure = members(&request::<PlanSubject>());
    assert_eq!(known("plan", &json!({ "request": unknown })), infrastructure);
    assert_eq!(known("status", &json!({ "request": unknown })), infrastructure);
    assert_eq!(known("join", &json!({ "opinions": [unknown] })), members(&request::<Opinion>()));
    let zones = json!({ "object": { "kind": "Shoot" }, "add": [unknown] });
    assert_eq!(known("zones", &zones), members(&request::<ZoneRequest>()));
    let baseline = json!({ "baseline": unknown });
    assert_eq!(known("plan", &baseline), infrastructure);
    assert!(request::<Baseline>().to_value().to_string().contains("PlanSubject"));
}
