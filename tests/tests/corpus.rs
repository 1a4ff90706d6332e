//! Every case of the corpus is answered as expected, and every rule has cases.
//!
//! `UPDATE_CORPUS=1 cargo test -p trellis-tests --test corpus` writes the answers anew; read the difference.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use trellis_tests::corpus::{Case, cases};

/// Whether the answers are written anew. Meanwhile no other test reads them.
fn updates() -> bool {
    std::env::var_os("UPDATE_CORPUS").is_some()
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rules(provider: &str) -> Vec<Value> {
    parse(&trellis_core::call(provider, "rules", "{}"))["rules"].as_array().unwrap().clone()
}

fn strings(value: &Value) -> BTreeSet<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn every_case_is_answered_as_expected() {
    let mut different = Vec::new();
    for case in cases() {
        let answer = trellis_core::call(&case.provider, &case.function, &case.request);
        if updates() {
            case.bless(&answer);
        } else if answer != case.expected() {
            different.push(format!("{}:\n  expected {}\n  found    {answer}", case.path(), case.expected()));
        }
    }
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
}

/// Ids of the rules that said something in an answer, or that conflicts in it name.
fn fired(answer: &Value) -> BTreeSet<&str> {
    let ids = |list: &'static str| {
        answer[list]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|entry| entry["rule"].as_str())
            .collect::<Vec<_>>()
    };
    let spaces = answer["spaces"].as_array().into_iter().flatten();
    let conflicts = spaces.flat_map(|space| space["conflicts"].as_array().into_iter().flatten());
    let named = conflicts.filter_map(|conflict| conflict["rule"].as_str());
    ids("findings").into_iter().chain(ids("changes")).chain(named).collect()
}

#[test]
fn cases_keep_what_they_promise() {
    if updates() {
        return;
    }
    for case in cases() {
        let answer = parse(&case.expected());
        let fired = fired(&answer);
        for id in &case.fires {
            assert!(fired.contains(id.as_str()), "{}: {id} does not fire", case.path());
        }
        for id in &case.holds {
            assert!(!fired.contains(id.as_str()), "{}: {id} does not hold", case.path());
            assert!(answer["error"].is_null(), "{}: nothing holds where there is no answer", case.path());
        }
    }
}

#[test]
fn every_rule_has_a_case_that_accepts_and_one_that_rejects() {
    let mut lacking = Vec::new();
    for provider in trellis_core::providers() {
        let mut judged: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        let cases: Vec<Case> = cases().into_iter().filter(|case| case.provider == provider).collect();
        for case in &cases {
            for (index, ids) in [&case.fires, &case.holds].into_iter().enumerate() {
                for id in ids {
                    judged.entry(id).or_default()[index] += 1;
                }
            }
        }
        for rule in rules(provider).iter().filter(|rule| rule["informative"].is_null()) {
            let id = rule["id"].as_str().unwrap();
            let [fires, holds] = judged.remove(id).unwrap_or_default();
            if fires == 0 || holds == 0 {
                lacking.push(format!("{id}: fires in {fires} cases, holds in {holds}"));
            }
        }
        let informative: BTreeSet<_> =
            rules(provider).iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect();
        for id in judged.keys() {
            assert!(informative.contains(*id), "a case names {id}, which is no rule of {provider}");
        }
    }
    assert!(lacking.is_empty(), "{} rules lack cases:\n{}", lacking.len(), lacking.join("\n"));
}

/// A case that says that a rule holds must be one that the rule looks at.
#[test]
fn rules_hold_in_cases_of_their_kind_and_operation() {
    for provider in trellis_core::providers() {
        let rules = rules(provider);
        for case in cases().iter().filter(|case| case.provider == provider && !case.holds.is_empty()) {
            let request = parse(&case.request);
            let kind = match case.function.as_str() {
                "plan" => "Infrastructure",
                _ => request["object"]["kind"].as_str().unwrap_or_default(),
            };
            let last_operation = &request["request"]["infrastructure"]["status"]["lastOperation"]["type"];
            let update =
                !request["oldObject"].is_null() || last_operation.as_str().is_some_and(|last| last != "Create");
            for id in &case.holds {
                let rule = rules.iter().find(|rule| rule["id"] == id.as_str()).unwrap();
                assert!(strings(&rule["kinds"]).contains(kind), "{}: {id} does not judge a {kind}", case.path());
                let fits = match rule["operation"].as_str() {
                    Some("create") => !update,
                    Some("update") => update,
                    _ => true,
                };
                assert!(fits, "{}: {id} does not run on this operation", case.path());
                let effect = if case.function == "default" { "default" } else { "validate" };
                assert_eq!(rule["effect"], effect, "{}: {id} is no rule of {}", case.path(), case.function);
            }
        }
    }
}

#[test]
fn every_rule_of_the_fact_sheet_is_described_once() {
    let described: Vec<String> =
        rules("alicloud").iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect();
    let unique: BTreeSet<&String> = described.iter().collect();
    assert_eq!(unique.len(), described.len(), "an id is described twice");
    for id in include_str!("../sheet-alicloud.txt").lines() {
        assert!(unique.contains(&id.to_owned()), "{id} is not described");
    }
}
