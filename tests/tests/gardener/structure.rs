//! Unknown and duplicate fields, and wrong types.

use serde_json::Value;

use crate::cases::{Case, findings, none_differ, texts};

#[test]
fn unknown_and_duplicate_fields_and_wrong_types_are_those_that_gardener_finds() {
    let (mut compared, mut decoded, mut strict, mut failures) = (0, 0, 0, Vec::new());
    for case in Case::all() {
        let (id, recorded) = (case.id(), &case.recorded);
        let answer = case.ask("validate", case.new_as_written(), None);
        let findings = findings(&answer);
        let by_rule = |is: &dyn Fn(&str) -> bool| {
            let of_rule = findings.iter().filter(|finding| is(finding["rule"].as_str().unwrap()));
            texts(of_rule.map(|finding| &finding["detail"]))
        };
        let types = by_rule(&|rule| rule.starts_with("DEC-") && rule != "DEC-2");
        let fields = by_rule(&|rule| rule == "DEC-2");
        let error = recorded["decodeError"].as_str().filter(|error| !error.starts_with("old: "));
        decoded += usize::from(error.is_some());
        // Who asks the policy says by `kind` what the object is; an object that says nothing is refused.
        let is_refused = answer["error"]["code"] == "UnsupportedKind";
        if is_refused && recorded["new"]["kind"].as_str().is_none_or(str::is_empty) && error.is_none() {
            continue;
        }
        compared += 1;
        let names_another_kind =
            error.is_some_and(|error| error.contains("does not match the expected API version"));
        if !names_another_kind && error.is_some() != (is_refused || !types.is_empty()) {
            failures.push(format!("{id}: {error:?} {types:?} {answer:.200}"));
        }
        let wanted = texts(recorded["strictErrors"].as_array().into_iter().flatten());
        strict += usize::from(!wanted.is_empty());
        if error.is_none() && recorded["decodeError"] == Value::Null && wanted != fields {
            failures.push(format!("{id}: {wanted:?} {fields:?}"));
        }
    }
    none_differ(&failures, compared);
    assert!(decoded >= 40 && strict >= 20, "{decoded} {strict}");
}
