//! Where a limit leaves something out of an answer, the answer says so.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::requests::{Asked, assert_every_provider, entries, errors, of_corpus};

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

/// The request with so many copies of the last entry of a list in its object.
fn with_copies(asked: &Asked, list: &str, copies: usize) -> Value {
    let mut request = asked.request.clone();
    // An error that is no longer among the first is not ratcheted.
    request["ratchet"] = false.into();
    let list = request["object"].pointer_mut(list).and_then(Value::as_array_mut).unwrap();
    let last = list.last().cloned().unwrap();
    list.extend(std::iter::repeat_n(last, copies));
    request
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
    // One request a list and set of rules that complain: more of the same would only take longer.
    let mut seen = BTreeSet::new();
    for asked in of_corpus().into_iter().filter(|asked| asked.function == "validate") {
        let mut found = Vec::new();
        lists(&asked.request["object"], "", &mut found);
        for list in found {
            let few = asked.ask(&with_copies(&asked, &list, COPIES[0]));
            let rules: BTreeSet<String> = errors(&few).map(|error| error["rule"].to_string()).collect();
            let key = (asked.provider.clone(), list.clone(), rules);
            if few["error"].is_object() || !seen.insert(key) {
                continue;
            }
            let [more, many] = [COPIES[1], COPIES[2]].map(|copies| asked.ask(&with_copies(&asked, &list, copies)));
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
                cut += usize::from(is_cut);
                tried.insert(asked.provider.clone());
            }
        }
    }
    assert!(cut > 20, "only {cut} answers were cut");
    assert_every_provider(&tried);
}
