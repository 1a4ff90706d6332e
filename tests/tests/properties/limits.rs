//! Where a limit leaves something out of an answer, the answer says so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::requests::{Asked, CORPUS, assert_every_policy, entries, errors, read};

/// Numbers of copies: two from which the growth of an answer shows, and one that goes beyond the limits.
const COPIES: [usize; 3] = [10, 20, 1_100];

/// Pointers to the lists of objects in a value.
fn lists(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            if list.iter().any(Value::is_object) {
                found.push(pointer.to_owned());
            }
            for (index, entry) in list.iter().enumerate() {
                lists(entry, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                lists(member, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

/// The answer about an object with so many copies of the last entry of one of its lists.
fn with_copies(asked: &Asked, object: &Value, list: &str, copies: usize) -> Value {
    let mut object = object.clone();
    let entries = object.pointer_mut(list).and_then(Value::as_array_mut).unwrap();
    let model = entries.last().cloned().unwrap();
    entries.extend(std::iter::repeat_n(model, copies));
    // An error that is no longer among the first is not ratcheted.
    read(&asked.ask(&asked.request.with("ratchet", &false).with("object", &object)))
}

/// The number of findings of each rule.
fn rules(answer: &Value) -> BTreeMap<String, usize> {
    let mut rules = BTreeMap::new();
    for finding in entries(&answer["findings"]) {
        *rules.entry(finding["rule"].to_string()).or_default() += 1;
    }
    rules
}

fn warnings(answer: &Value) -> usize {
    entries(&answer["findings"]).count() - errors(answer).count()
}

fn is_truncated(answer: &Value, severity: &str) -> bool {
    entries(&answer["truncated"]).any(|of| of == severity)
}

#[test]
fn an_answer_that_a_limit_cuts_says_so() {
    let (mut cut, mut tried) = (0, BTreeSet::new());
    // One request a list and set of rules of which the copies make more findings: others would say the same again.
    let mut seen = BTreeSet::new();
    for asked in CORPUS.iter().filter(|asked| asked.function == "validate") {
        let object = asked.request.member("object");
        let mut found = Vec::new();
        lists(&object, "", &mut found);
        for list in found {
            let [few, more] = [COPIES[0], COPIES[1]].map(|copies| with_copies(asked, &object, &list, copies));
            let (of_few, of_more) = (rules(&few), rules(&more));
            let growing: Vec<String> = of_more
                .into_iter()
                .filter(|(rule, count)| of_few.get(rule) != Some(count))
                .map(|(rule, _)| rule)
                .collect();
            if growing.is_empty() || !seen.insert((asked.provider.clone(), list.clone(), growing)) {
                continue;
            }
            let many = with_copies(asked, &object, &list, COPIES[2]);
            if !many["error"].is_null() {
                continue;
            }
            for (severity, count) in
                [("error", (|answer| errors(answer).count()) as fn(&Value) -> usize), ("warning", warnings)]
            {
                let growth = (count(&more) - count(&few)) / (COPIES[1] - COPIES[0]);
                let wanted = count(&more) + growth * (COPIES[2] - COPIES[1]);
                let is_cut = count(&many) < wanted;
                assert!(
                    is_truncated(&many, severity) || !is_cut,
                    "{}{list}: {} of {wanted} findings of severity {severity}",
                    asked.name,
                    count(&many)
                );
                if is_cut {
                    cut += 1;
                    tried.insert(asked.provider.clone());
                }
            }
        }
    }
    assert!(cut > 20, "only {cut} answers were cut");
    assert_every_policy(&tried);
}
