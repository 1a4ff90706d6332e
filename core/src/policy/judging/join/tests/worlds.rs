//! What follows from a finding, and what is assumed.

use std::slice;

use serde_json::{Value, json};

use super::{ask, finding, rules, validation};

/// A finding that assumes a change of the object.
fn assuming(rule: &str, severity: &str, pointer: &str, change: &Value) -> Value {
    let mut finding = finding(rule, severity, pointer);
    finding["assume"] = json!([change]);
    finding
}

/// What Gardener's policy says of the object, and of it in worlds in which these findings assume their changes.
fn in_worlds(findings: &[Value], worlds: &[(&[&Value], &[Value])], trials: &[(&[&Value], &[Value])]) -> Value {
    let opinions = |findings: &[Value]| json!([{ "source": "gardener", "validate": validation(findings) }]);
    let all = |worlds: &[(&[&Value], &[Value])]| -> Vec<Value> {
        let of = |(causes, findings): &(&[&Value], &[Value])| {
            let cause = |cause: &&Value| json!({ "rule": cause["rule"], "pointer": cause["pointer"] });
            json!({ "assumes": causes.iter().map(cause).collect::<Vec<_>>(), "opinions": opinions(findings) })
        };
        worlds.iter().map(of).collect()
    };
    ask(&json!({ "opinions": opinions(findings), "worlds": all(worlds), "trials": all(trials) }))
}

/// Each finding with the rule that it follows from, and whether it is assumed.
fn explained(answer: &Value) -> Vec<(&str, &str, bool)> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let of = |finding: &'_ Value| finding["assumed"] == true;
    findings
        .iter()
        .map(|one| (one["rule"].as_str().unwrap(), one["causedBy"]["rule"].as_str().unwrap_or_default(), of(one)))
        .collect()
}

#[test]
fn what_is_gone_with_a_change_follows_from_it_and_what_is_new_is_assumed() {
    let rename = |from: &str, to: &str| json!({ "op": "move", "from": from, "path": to });
    let cause = assuming("G-1", "error", "/a/nmae", &rename("/a/nmae", "/a/name"));
    let (missing, other) = (finding("G-2", "error", "/a/name"), finding("G-3", "error", "/b"));
    let new = finding("G-4", "error", "/a/name/x");
    let said = [cause.clone(), missing.clone(), other.clone()];
    let answer = in_worlds(&said, &[(&[&cause], &[other.clone(), new.clone()])], &[]);
    let expected = [("G-1", "", false), ("G-2", "G-1", false), ("G-3", "", false), ("G-4", "", true)];
    assert_eq!(explained(&answer), expected);
    // A warning stands for what may be right.
    let warning = assuming("G-1", "warning", "/a/nmae", &rename("/a/nmae", "/a/name"));
    let said = [warning.clone(), missing];
    let answer = in_worlds(&said, &[(&[&warning], &[new])], &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-2", "G-1", false)]);
}

#[test]
fn what_a_key_with_another_name_holds_is_reported_at_its_place_in_the_text() {
    let rename = |from: &str, to: &str| json!({ "op": "move", "from": from, "path": to });
    let set = |path: &str| json!([{ "op": "replace", "path": path, "value": "1" }]);
    let outer = assuming("G-1", "error", "/sepc", &rename("/sepc", "/spec"));
    let inner = assuming("G-1", "error", "/spec/nmae", &rename("/spec/nmae", "/spec/name"));
    let mut wrong = finding("G-2", "error", "/spec/name/x");
    wrong["fix"] = set("/spec/name/x");
    let neighbour = finding("G-3", "error", "/specs/name");
    let inner_of_text = finding("G-1", "error", "/sepc/nmae");
    let answer = in_worlds(
        slice::from_ref(&outer),
        &[(&[&outer], &[inner]), (&[&outer, &inner_of_text], &[wrong, neighbour])],
        &[],
    );
    let places: Vec<&Value> = answer["findings"].as_array().unwrap().iter().map(|one| &one["pointer"]).collect();
    assert_eq!(places, ["/sepc", "/sepc/nmae", "/sepc/nmae/x", "/specs/name"]);
    assert_eq!(answer["findings"][1]["assume"], json!([rename("/sepc/nmae", "/sepc/name")]));
    assert_eq!(answer["findings"][2]["fix"], set("/sepc/nmae/x"));
}

#[test]
fn what_is_gone_only_until_more_can_be_read_follows_from_nothing() {
    let set = |path: &str| json!({ "op": "replace", "path": path, "value": 1 });
    let (one, two) = (assuming("G-1", "error", "/a", &set("/a")), assuming("G-2", "error", "/a/b", &set("/a/b")));
    let other = finding("G-3", "error", "/c");
    let worlds: [(&[&Value], &[Value]); 2] =
        [(&[&one], slice::from_ref(&two)), (&[&one, &two], slice::from_ref(&other))];
    let answer = in_worlds(&[one.clone(), other.clone()], &worlds, &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-3", "", false), ("G-2", "", true)]);
}

#[test]
fn of_several_causes_the_one_counts_whose_change_alone_ends_a_finding_else_the_nearest() {
    let set = |path: &str| json!({ "op": "replace", "path": path, "value": 1 });
    let (one, two) = (assuming("G-1", "error", "/a", &set("/a")), assuming("G-2", "error", "/b/c", &set("/b/c")));
    let (far, near) = (finding("G-3", "error", "/b/c/d"), finding("G-4", "error", "/b/e"));
    let said = [one.clone(), two.clone(), far.clone(), near.clone()];
    let trials: [(&[&Value], &[Value]); 2] =
        [(&[&one], &[two.clone(), near.clone()]), (&[&two], &[one.clone(), far, near])];
    let answer = in_worlds(&said, &[(&[&one, &two], &[])], &trials);
    let expected = [("G-1", "", false), ("G-2", "", false), ("G-3", "G-1", false), ("G-4", "G-2", false)];
    assert_eq!(explained(&answer), expected);
}

#[test]
fn nobody_reports_as_missing_what_is_there_in_a_wrong_form() {
    let nothing = json!({ "op": "replace", "path": "/a", "value": null });
    let cause = assuming("G-1", "error", "/a", &nothing);
    let (missing, below) = (finding("G-2", "error", "/a"), finding("G-3", "error", "/a/b"));
    let neighbour = finding("G-4", "error", "/ab");
    let answer = in_worlds(std::slice::from_ref(&cause), &[(&[&cause], &[missing, below, neighbour])], &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-4", "", true)]);
}

#[test]
fn nobody_reports_an_object_as_incomplete_because_of_a_value_in_a_wrong_form() {
    let nothing = json!({ "op": "replace", "path": "/a/end", "value": null });
    let cause = assuming("G-1", "error", "/a/end", &nothing);
    let missing = |rule: &str, pointer: &str| {
        let mut missing = finding(rule, "error", pointer);
        missing["type"] = "FieldValueRequired".into();
        missing
    };
    let after = [
        finding("G-2", "error", "/a"),
        missing("G-3", "/a/start"),
        finding("G-4", "error", "/a/start"),
        missing("G-5", "/b/start"),
    ];
    let answer = in_worlds(std::slice::from_ref(&cause), &[(&[&cause], &after)], &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-4", "", true), ("G-5", "", true)]);
}

#[test]
fn a_name_of_which_several_may_be_meant_explains_and_adds_nothing() {
    let mut cause = assuming("G-1", "error", "/zone", &json!({ "op": "replace", "path": "/zone", "value": "a" }));
    cause["type"] = "FieldValueNotSupported".into();
    let (again, new) = (finding("G-2", "error", "/pools"), finding("G-3", "error", "/pools/0"));
    let answer = in_worlds(&[cause.clone(), again], &[(&[&cause], &[new])], &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-2", "G-1", false)]);
}

#[test]
fn errors_about_one_value_are_one_error_and_so_are_ranges_outside_of_one_other() {
    let about = |rule: &str, pointer: &str, detail: &str| json!({ "rule": rule, "severity": "error", "pointer": pointer, "detail": detail, "badValue": "x" });
    let mut knows = about("G-2", "/a", "second");
    knows["fix"] = json!([]);
    let outside = "must be a subset of \"nodes\"";
    let said = [
        about("G-1", "/a", "first"),
        knows,
        about("G-3", "/r/0", outside),
        about("G-3", "/r/1", outside),
        about("G-4", "/b", "other"),
        about("G-4", "/c", "other"),
    ];
    let expected = [
        ("G-1", "G-2", false),
        ("G-2", "", false),
        ("G-3", "", false),
        ("G-3", "G-3", false),
        ("G-4", "", false),
        ("G-4", "", false),
    ];
    assert_eq!(explained(&in_worlds(&said, &[], &[])), expected);
}

#[test]
fn where_the_nodes_are_outside_of_the_network_ranges_in_one_of_both_are_no_mistakes_of_their_own() {
    let about = |rule: &str, pointer: &str, detail: &str| json!({ "rule": rule, "severity": "error", "pointer": pointer, "detail": detail, "badValue": "x" });
    let (of_nodes, of_network) =
        ("must be a subset of \"networking.nodes\" (n)", "must be a subset of \"vpc\" (v)");
    let nodes = about("G-1", "/spec/networking/nodes", of_network);
    let (in_network, in_nodes) = (about("G-2", "/r/0", of_nodes), about("G-3", "/r/1", of_network));
    let in_none = [about("G-2", "/r/2", of_nodes), about("G-3", "/r/2", of_network)];
    for (ranges, causes) in [
        // The nodes moved.
        (vec![in_network.clone()], vec!["G-1"]),
        // The network moved.
        (vec![in_nodes.clone()], vec!["G-1"]),
        // The nodes moved, and a range left the network.
        (vec![in_network, in_nodes], vec!["G-1", ""]),
        // A range that is in none of both moved itself, and is one error.
        (in_none.to_vec(), vec!["", "G-2"]),
    ] {
        let answer = in_worlds(&[vec![nodes.clone()], ranges].concat(), &[], &[]);
        let found: Vec<&str> = explained(&answer).iter().map(|(_, cause, _)| *cause).collect();
        assert_eq!(found, [vec![""], causes].concat());
    }
}

#[test]
fn of_many_errors_about_one_mistake_all_follow_from_one_that_follows_from_none() {
    let about = |rule: &str, pointer: &str, detail: &str| json!({ "rule": rule, "severity": "error", "pointer": pointer, "detail": detail, "badValue": "x" });
    let knowing = |rule: &str, pointer: &str, detail: &str| {
        let mut error = about(rule, pointer, detail);
        error["assume"] = json!([]);
        error
    };
    let outside = "must be a subset of \"nodes\"";
    for (said, expected) in [
        // The second one follows from the first, and is no cause of the third.
        (
            vec![about("G-1", "/a", "1"), about("G-2", "/a", "2"), about("G-3", "/a", "3")],
            vec![("G-1", "", false), ("G-2", "G-1", false), ("G-3", "G-1", false)],
        ),
        // A range that stands behind the others, and knows the right one.
        (
            vec![about("G-1", "/r/0", outside), about("G-1", "/r/1", outside), knowing("G-1", "/r/2", outside)],
            vec![("G-1", "G-1", false), ("G-1", "G-1", false), ("G-1", "", false)],
        ),
        // Of several that know a right value, the first.
        (
            vec![about("G-1", "/a", "1"), knowing("G-2", "/a", "2"), knowing("G-3", "/a", "3")],
            vec![("G-1", "G-2", false), ("G-2", "", false), ("G-3", "G-2", false)],
        ),
        // The same words of another rule are another mistake, and so is another value.
        (
            vec![about("G-1", "/r/0", outside), about("G-2", "/r/1", outside), about("G-1", "/b", "1")],
            vec![("G-1", "", false), ("G-2", "", false), ("G-1", "", false)],
        ),
        // What has no rule is nobody's cause.
        (
            vec![about("", "/a", "1"), about("G-2", "/a", "2"), about("G-3", "/a", "3")],
            vec![("", "", false), ("G-2", "", false), ("G-3", "G-2", false)],
        ),
    ] {
        assert_eq!(explained(&in_worlds(&said, &[], &[])), expected, "{said:?}");
    }
}

#[test]
fn a_refusal_to_set_defaults_is_left_out_where_an_error_at_its_place_says_the_same() {
    let refusal = |pointer: &str| json!({ "error": { "code": "Denied", "message": "no", "pointer": pointer, "rule": "P-9", "remedy": "R" } });
    for (pointer, expected) in [("/a", vec!["P-1"]), ("/b", vec!["P-9", "P-1"])] {
        let answer = ask(&json!({ "opinions": [{
            "source": "cloud", "default": refusal(pointer), "validate": validation(&[finding("P-1", "error", "/a")]),
        }] }));
        assert_eq!(rules(&answer), expected, "{answer}");
    }
}

#[test]
fn what_follows_from_a_finding_that_follows_itself_from_another_one_follows_from_the_latter() {
    let following = |rule: &str, cause: &str| {
        let mut finding = finding(rule, "error", &format!("/{rule}"));
        finding["causedBy"] = json!({ "rule": cause, "pointer": format!("/{cause}") });
        finding
    };
    let said = [
        finding("G-1", "error", "/G-1"),
        following("G-2", "G-1"),
        following("G-3", "G-2"),
        following("G-4", "G-3"),
    ];
    let expected = [("G-1", "", false), ("G-2", "G-1", false), ("G-3", "G-1", false), ("G-4", "G-1", false)];
    assert_eq!(explained(&in_worlds(&said, &[], &[])), expected);
}

#[test]
fn what_is_gone_in_a_later_world_follows_from_what_that_world_assumes_besides() {
    let set = |path: &str| json!({ "op": "replace", "path": path, "value": 1 });
    let (one, two) = (assuming("G-1", "error", "/a/b", &set("/a/b")), assuming("G-2", "error", "/c", &set("/c")));
    let behind = finding("G-3", "error", "/a/b/d");
    let said = [one.clone(), two.clone()];
    let worlds: [(&[&Value], &[Value]); 2] = [(&[&one], &[two.clone(), behind]), (&[&one, &two], &[])];
    let answer = in_worlds(&said, &worlds, &[]);
    assert_eq!(explained(&answer), [("G-1", "", false), ("G-2", "", false), ("G-3", "G-2", true)]);
}
