mod worlds;

use serde_json::{Value, json};

fn ask(request: &Value) -> Value {
    serde_json::from_str(&crate::call("gardener", "join", &request.to_string())).unwrap()
}

fn finding(rule: &str, severity: &str, pointer: &str) -> Value {
    json!({ "rule": rule, "severity": severity, "pointer": pointer, "detail": rule })
}

/// An answer of `validate` with these findings.
fn validation(findings: &[Value]) -> Value {
    let is_rejected = findings.iter().any(|finding| finding["severity"] == "error");
    let verdict = if is_rejected { "reject" } else { "accept" };
    json!({ "verdict": verdict, "findings": findings, "undecided": [], "scope": { "checked": [], "notChecked": [] } })
}

/// What Gardener's policy and a provider's say, whose rule P-1 repeats G-1.
fn both(gardener: &Value, provider: &Value) -> Value {
    ask(&json!({ "opinions": [
        { "source": "gardener", "validate": gardener },
        { "source": "cloud", "validate": provider, "doubles": { "P-1": ["G-1"] } },
    ] }))
}

fn rules(answer: &Value) -> Vec<&str> {
    answer["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_finding_that_a_provider_repeats_at_the_same_place_and_no_milder_is_left_out() {
    for (gardener, provider, expected) in [
        (finding("G-1", "error", "/a"), finding("P-1", "error", "/a"), vec!["P-1"]),
        (finding("G-1", "warning", "/a"), finding("P-1", "warning", "/a"), vec!["P-1"]),
        (finding("G-1", "warning", "/a"), finding("P-1", "error", "/a"), vec!["P-1"]),
        (finding("G-1", "error", "/a"), finding("P-1", "warning", "/a"), vec!["G-1", "P-1"]),
        (finding("G-1", "error", "/a"), finding("P-1", "error", "/b"), vec!["G-1", "P-1"]),
        (finding("G-2", "error", "/a"), finding("P-1", "error", "/a"), vec!["G-2", "P-1"]),
        (finding("G-1", "error", "/a"), finding("P-2", "error", "/a"), vec!["G-1", "P-2"]),
    ] {
        let answer =
            both(&validation(std::slice::from_ref(&gardener)), &validation(std::slice::from_ref(&provider)));
        assert_eq!(rules(&answer), expected, "{gardener} {provider}");
    }
}

#[test]
fn findings_keep_all_their_members_and_name_their_policy() {
    let finding = json!({
        "rule": "P-2", "severity": "warning", "pointer": "/a", "badValue": 1.50, "detail": "", "assumed": true,
        "causedBy": { "rule": "P-1", "pointer": "/b" },
    });
    let mut expected = finding.clone();
    expected["source"] = "cloud".into();
    assert_eq!(both(&validation(&[]), &validation(&[finding]))["findings"], json!([expected]));
}

#[test]
fn the_verdict_is_the_worst_of_all_opinions() {
    let said = |verdict: &str| json!({ "verdict": verdict, "findings": [], "undecided": [], "scope": { "checked": [], "notChecked": [] } });
    for (gardener, provider, expected) in [
        ("accept", "accept", "accept"),
        ("accept", "undecided", "undecided"),
        ("undecided", "accept", "undecided"),
        ("undecided", "reject", "reject"),
        ("reject", "accept", "reject"),
    ] {
        assert_eq!(both(&said(gardener), &said(provider))["verdict"], expected, "{gardener} {provider}");
    }
}

#[test]
fn a_default_that_is_not_decided_leaves_the_verdict_open() {
    let open = json!({ "rule": "G-9", "why": "no profile" });
    let answer = ask(&json!({ "opinions": [{
        "source": "gardener",
        "default": { "object": {}, "patch": [], "changes": [{ "rule": "G-8", "pointer": "/a", "reason": "" }], "undecided": [open] },
        "validate": validation(&[]),
    }] }));
    assert_eq!(answer["verdict"], "undecided");
    assert_eq!(answer["undecided"], json!([{ "rule": "G-9", "why": "no profile", "source": "gardener" }]));
    assert_eq!(answer["changes"], json!([{ "rule": "G-8", "pointer": "/a", "reason": "", "source": "gardener" }]));
}

#[test]
fn a_question_is_asked_once_and_not_where_gardener_asks_it_too() {
    let asking = |questions: &[(&str, &str)]| {
        let open: Vec<Value> = questions.iter().map(|(rule, why)| json!({ "rule": rule, "why": why })).collect();
        json!({ "verdict": "undecided", "findings": [], "undecided": open, "scope": { "checked": [], "notChecked": [] } })
    };
    let answer = both(
        &asking(&[("G-1", "a"), ("G-2", "b"), ("G-2", "b"), ("G-2", "c")]),
        &asking(&[("P-1", "a"), ("P-1", "a")]),
    );
    let rules = answer["undecided"].as_array().unwrap().iter();
    let rules: Vec<&str> = rules.map(|open| open["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["G-1", "G-2", "G-2"]);
}

#[test]
fn the_scope_covers_all_and_gardener_is_unchecked_only_where_nobody_asked_it() {
    let with = |checked: &str, parts: Value, not_checked: Value| {
        let mut answer = validation(&[]);
        answer["scope"] = json!({ "checked": [checked], "parts": parts, "notChecked": not_checked });
        answer
    };
    let gardener = with("gardener v1", json!(["structure"]), json!(["DNS", "seed"]));
    let provider = with("cloud v2", json!([]), json!(["gardener", "a part", "seed"]));
    assert_eq!(
        both(&gardener, &provider)["scope"],
        json!({ "checked": ["gardener v1", "cloud v2"], "parts": ["structure"], "notChecked": ["a part", "seed", "DNS"] })
    );
    let alone = ask(&json!({ "opinions": [{ "source": "cloud", "validate": provider }], "missing": ["others"] }));
    assert_eq!(alone["scope"]["notChecked"], json!(["others", "gardener", "a part", "seed"]));
}

#[test]
fn a_policy_that_refuses_to_set_defaults_rejects_the_object() {
    let refusal = json!({ "error": { "code": "Denied", "message": "no zone", "pointer": "/spec" } });
    let answer =
        ask(&json!({ "opinions": [{ "source": "cloud", "default": refusal, "validate": validation(&[]) }] }));
    assert_eq!(answer["verdict"], "reject");
    let finding = &answer["findings"][0];
    assert_eq!(
        (&finding["type"], &finding["pointer"], &finding["detail"]),
        (&json!("Denied"), &json!("/spec"), &json!("no zone"))
    );
    assert_eq!(finding["rule"], Value::Null);
}

#[test]
fn a_policy_that_cannot_judge_leaves_no_verdict_unless_another_reports_why() {
    let unreadable = json!({ "error": { "code": "Malformed", "message": "a text", "pointer": "/spec" } });
    let reported = both(&validation(&[finding("G-3", "error", "/spec")]), &unreadable);
    assert_eq!(reported["verdict"], "reject");
    assert_eq!(reported["scope"]["notChecked"], json!(["cloud's rules, which need an object that can be read"]));
    for elsewhere in [finding("G-3", "error", "/kind"), finding("G-3", "warning", "/spec")] {
        let answer = both(&validation(&[elsewhere]), &unreadable);
        assert_eq!(answer["failure"], unreadable["error"]);
        assert_eq!((&answer["verdict"], &answer["scope"]), (&Value::Null, &Value::Null));
        assert_eq!(answer["findings"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn what_a_policy_left_out_is_left_out_of_the_joint_answer() {
    let mut truncated = validation(&[]);
    truncated["truncated"] = json!(["warning", "error"]);
    assert_eq!(both(&truncated, &truncated)["truncated"], json!(["error", "warning"]));
    assert_eq!(both(&validation(&[]), &validation(&[]))["truncated"], Value::Null);
}

#[test]
fn a_malformed_request_says_what_is_wrong() {
    for (request, expected) in [
        (json!({}), "`opinions` must be a list"),
        (json!({ "opinions": [{}] }), "`source` of an opinion"),
        (json!({ "opinions": [{ "source": "a", "answer": {} }] }), "an opinion has an unknown member `answer`"),
        (json!({ "opinion": [] }), "the request has an unknown member `opinion`"),
        (json!({ "opinions": ["a"] }), "an opinion must be an object"),
    ] {
        let answer = ask(&request);
        assert!(answer["error"]["message"].as_str().unwrap().contains(expected), "{answer}");
    }
}

#[test]
fn a_provider_joins_nothing() {
    for provider in crate::providers() {
        let answer = crate::call(provider, "join", r#"{"opinions":[{"source":"gardener"}]}"#);
        assert!(answer.contains("UnknownFunction"), "{answer}");
        assert!(!crate::call(provider, "info", "{}").contains("\"join\""), "{provider}");
    }
}
