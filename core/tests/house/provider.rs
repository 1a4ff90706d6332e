//! "Adding a provider": the folder `toy`, and one line in a list of providers.

use serde_json::{Value, json};
use trellis_core::answer;
use trellis_core::policy::{JUDGING, MUTATING, PLANNING, Part, Policies, RENDERING};

use crate::toy;

static POLICIES: Policies = Policies(&[toy::ENTRY]);

pub fn ask(function: &str, request: &Value) -> Value {
    let toy = POLICIES.get("toy").unwrap();
    let parts: Vec<&dyn Part> =
        vec![toy.judging, toy.planning.unwrap(), toy.rendering.unwrap(), toy.mutating.unwrap()];
    serde_json::from_str(&answer("toy", parts, function, &request.to_string())).unwrap()
}

pub fn config(kind: &str) -> Value {
    json!({ "apiVersion": toy::API_VERSION, "kind": kind })
}

/// A Shoot with this network and one worker pool.
pub fn shoot(infrastructure: &Value, pool: &Value) -> Value {
    let mut network = config("InfrastructureConfig");
    network.as_object_mut().unwrap().extend(infrastructure.as_object().unwrap().clone());
    let provider = json!({ "type": "toy", "infrastructureConfig": network, "workers": [pool] });
    json!({ "kind": "Shoot", "spec": { "provider": provider } })
}

pub fn pool() -> Value {
    json!({ "name": "pool", "zones": ["a"], "maximum": 2, "minimum": 1, "volume": { "size": "20Gi" } })
}

fn broken(object: &Value, old: Option<&Value>) -> Vec<String> {
    let answer = ask("validate", &json!({ "object": object, "oldObject": old }));
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_list_knows_the_provider_and_what_it_answers() {
    assert_eq!(POLICIES.providers().collect::<Vec<_>>(), ["toy"]);
    assert!(POLICIES.get("other").is_none());
    let info = ask("info", &json!({}));
    let mut answered: Vec<_> = JUDGING.iter().map(|function| function.name).collect();
    answered.retain(|name| !["join", "merge"].contains(name));
    answered.extend(PLANNING.iter().map(|function| function.name));
    answered.push("info");
    answered.extend(RENDERING.iter().map(|function| function.name));
    answered.extend(MUTATING.iter().map(|function| function.name));
    answered.sort_unstable();
    assert_eq!(info["functions"], json!(answered));
    assert_eq!(ask("rules", &json!({}))["rules"].as_array().map(Vec::len), Some(12));
    assert_eq!(info["webhooks"], json!(["controlplane"]));
}

#[test]
fn a_function_that_the_provider_lacks_is_an_error_with_those_that_there_are() {
    for function in ["zones", "colour"] {
        let error = &ask(function, &json!({}))["error"];
        assert_eq!(error["code"], "UnknownFunction");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("there is no function `{function}` here; there are ")), "{message}");
        assert!(message.contains("validate") && !message.contains("zones,"), "{message}");
    }
}

#[test]
fn the_lists_know_what_the_provider_does() {
    let lists = [
        POLICIES.classified().collect::<Vec<_>>(),
        POLICIES.planned().collect(),
        POLICIES.rendered().collect(),
        POLICIES.mutated().collect(),
    ];
    assert_eq!(lists, [["toy"]; 4]);
    let call = json!({ "service": "toys", "action": "Make" });
    let answer = ask("classify", &json!({ "call": call, "error": { "code": "Busy", "message": "later" } }));
    assert_eq!(answer, json!({ "outcome": "retry", "codes": [], "message": "later" }));
}

#[test]
fn every_rule_accepts_and_rejects() {
    let network = json!({ "cidr": "10.0.0.0/16" });
    assert_eq!(broken(&shoot(&network, &pool()), None), [""; 0]);
    let with = |member: &str, value: Value| {
        let mut pool = pool();
        pool[member] = value;
        shoot(&network, &pool)
    };
    for (object, rule) in [
        (shoot(&json!({}), &pool()), "TOY-003"),
        (shoot(&json!({ "cidr": "ten" }), &pool()), "TOY-004"),
        (shoot(&json!({ "cidr": "10.0.0.1/16" }), &pool()), "TOY-005"),
        (with("zones", json!([])), "TOY-006"),
        (with("minimum", json!(3)), "TOY-007"),
        (with("volume", Value::Null), "TOY-008"),
        (shoot(&json!({ "cidr": "10.0.0.0/16", "colour": "red" }), &pool()), "TOY-002"),
    ] {
        assert_eq!(broken(&object, None), [rule], "{object}");
    }
    let none = json!({ "kind": "Shoot", "spec": { "provider": { "type": "toy", "workers": [pool()] } } });
    assert_eq!(broken(&none, None), ["TOY-001"]);
    let old = shoot(&json!({ "cidr": "10.1.0.0/16" }), &pool());
    assert_eq!(broken(&shoot(&network, &pool()), Some(&old)), ["TOY-009"]);
}

#[test]
fn a_default_is_set_with_its_reason() {
    let mut bare = pool();
    bare.as_object_mut().unwrap().remove("volume");
    let answer = ask("default", &json!({ "object": shoot(&json!({ "cidr": "10.0.0.0/16" }), &bare) }));
    assert_eq!(answer["changes"][0]["rule"], "TOY-010");
    assert_eq!(broken(&answer["object"], None), [""; 0]);
}

#[test]
fn another_providers_object_is_refused_without_a_line_of_the_provider() {
    let mut object = shoot(&json!({ "cidr": "10.0.0.0/16" }), &pool());
    object["spec"]["provider"]["type"] = json!("other");
    assert_eq!(ask("validate", &json!({ "object": object }))["error"]["code"], "OtherProvider");
}
