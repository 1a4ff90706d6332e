//! What answers offer to change does what it says: a fix fixes what forbids a plan, and a default's patch makes
//! the object that is answered, which defaulting then leaves as it is.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]

use json_patch::Patch;
use serde_json::Value;
use trellis_tests::corpus::{Case, cases};

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn patched(object: &Value, operations: &Value) -> Value {
    let patch: Patch = serde_json::from_value(operations.clone()).unwrap();
    let mut object = object.clone();
    json_patch::patch(&mut object, &patch).unwrap();
    object
}

fn call(case: &Case, function: &str, request: &Value) -> Value {
    parse(&trellis_core::call(&case.provider, function, &request.to_string())).unwrap()
}

/// A plan's findings are about the Infrastructure. Without the mistake there are other questions, or a plan.
#[test]
fn a_fix_removes_what_forbids_a_plan() {
    let mut fixes = 0;
    for case in cases().iter().filter(|case| case.function == "plan") {
        let (Some(mut request), Some(answer)) = (parse(&case.request), parse(&case.expected())) else { continue };
        let Some(object) = request.pointer("/request/infrastructure").cloned() else { continue };
        let findings = answer["findings"].as_array().into_iter().flatten();
        for finding in findings.filter(|finding| !finding["fix"].is_null()) {
            fixes += 1;
            request["request"]["infrastructure"] = patched(&object, &finding["fix"]);
            let again = call(case, "plan", &request);
            assert!(again["error"].is_null() && again["findings"].is_null(), "{}: {again}", case.path());
        }
    }
    assert!(fixes > 1, "only {fixes} fixes were tried");
}

/// Defaults within a configuration that another default makes. The existing extension sets them when it sees the
/// Shoot again.
const LATER: [&str; 1] = ["AWS-DEF-002"];

/// What the existing extension adds whenever it sees the profile: the mappings of the profile, to those of its
/// parent in the status. Gardener rewrites the status before.
const ADDED_AGAIN: [&str; 2] = ["AZ-DEF-032", "GCP-DEF-033"];

#[test]
fn a_patch_makes_the_defaulted_object_and_defaulting_it_changes_nothing_more() {
    let mut patches = 0;
    for case in cases().iter().filter(|case| case.function == "default") {
        let (Some(mut request), Some(answer)) = (parse(&case.request), parse(&case.expected())) else { continue };
        if answer["object"].is_null() {
            continue;
        }
        patches += 1;
        assert_eq!(patched(&request["object"], &answer["patch"]), answer["object"], "{}", case.path());
        assert_eq!(
            answer["patch"].as_array().unwrap().len(),
            answer["changes"].as_array().unwrap().len(),
            "{}: every change has its reason",
            case.path()
        );
        request["object"] = answer["object"].clone();
        let mut again = call(case, "default", &request);
        let mut changes = again["changes"].as_array().into_iter().flatten().peekable();
        if changes.peek().is_some() && changes.all(|change| LATER.iter().any(|rule| change["rule"] == *rule)) {
            request["object"] = again["object"].clone();
            again = call(case, "default", &request);
        }
        let is_added = |change: &Value| ADDED_AGAIN.iter().any(|rule| change["rule"] == *rule);
        if again["changes"].as_array().is_some_and(|changes| !changes.is_empty() && changes.iter().all(is_added)) {
            continue;
        }
        assert_eq!(again["patch"].as_array().map(Vec::len), Some(0), "{}: {again}", case.path());
    }
    assert!(patches > 80, "only {patches} patches were tried");
}
