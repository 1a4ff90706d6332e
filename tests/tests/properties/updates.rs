//! An update with a new error is rejected.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::requests::{Asked, assert_policies, errors, of_corpus, of_pairs, of_recordings};

/// What an error says, whichever entry of a list the error is about.
fn claim(finding: &Value) -> (String, String, String) {
    let text = |member: &str| finding[member].as_str().unwrap_or_default();
    let field = text("field").split(['[', ']']).step_by(2).collect();
    (text("rule").to_owned(), field, text("detail").to_owned())
}

fn claims(answer: &Value) -> BTreeSet<(String, String, String)> {
    errors(answer).map(claim).collect()
}

/// Updates with the answers about the old object, and about the new object with and without `ratchet`.
fn updates() -> impl Iterator<Item = (Asked, [Value; 3])> {
    let asked = of_corpus().into_iter().chain(of_recordings()).chain(of_pairs());
    let updates = asked.filter(|asked| asked.function == "validate" && asked.request["oldObject"].is_object());
    updates.filter_map(|asked| {
        let mut request = asked.request.clone();
        request["ratchet"] = false.into();
        let strict = asked.ask(&request);
        request["ratchet"] = true.into();
        let ratcheted = asked.ask(&request);
        request["ratchet"] = false.into();
        request["object"] = request["oldObject"].clone();
        let old = asked.ask(&request);
        let is_judged = [&old, &strict, &ratcheted].iter().all(|answer| answer["error"].is_null());
        is_judged.then_some((asked, [old, strict, ratcheted]))
    })
}

#[test]
fn a_new_error_rejects_an_update_ratcheted_or_not() {
    let (mut new_errors, mut tried) = (0, BTreeSet::new());
    for (asked, [old, strict, ratcheted]) in updates() {
        let old = claims(&old);
        for error in claims(&strict).difference(&old) {
            new_errors += 1;
            tried.insert(asked.provider.clone());
            assert_eq!(strict["verdict"], "reject", "{}: {error:?}", asked.name);
            assert_eq!(ratcheted["verdict"], "reject", "{}: {error:?}", asked.name);
            assert!(claims(&ratcheted).contains(error), "{}: {error:?} is no error with `ratchet`", asked.name);
        }
    }
    assert!(new_errors > 2_000, "only {new_errors} new errors were tried");
    assert_policies(&tried, |rule| rule["severity"] == "error");
}

#[test]
fn a_ratchet_hides_no_finding_and_adds_none() {
    let said = |answer: &Value| -> BTreeSet<String> {
        let findings = answer["findings"].as_array().unwrap();
        findings.iter().map(|finding| format!("{:?} {}", claim(finding), finding["pointer"])).collect()
    };
    let mut softened = 0;
    for (asked, [_, strict, ratcheted]) in updates() {
        assert_eq!(said(&strict), said(&ratcheted), "{}", asked.name);
        softened += errors(&strict).count() - errors(&ratcheted).count();
    }
    assert!(softened > 100, "only {softened} errors became warnings");
}
