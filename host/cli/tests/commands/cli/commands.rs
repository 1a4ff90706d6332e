//! The commands that list rules, schemas and completions, and the one that answers lines.

use serde_json::Value;
use trellis_cli::Status;

use super::json;
use super::toy::{trellis, trellis_bytes};

#[test]
fn rules_are_listed_and_explained() {
    insta::assert_snapshot!("rules", trellis(&["rules"], "").stdout);
    let only = trellis(&["rules", "--provider", "umbra"], "").stdout;
    assert!(only.contains("UMB-INF-001") && !only.contains("ACM"), "{only}");
    insta::assert_snapshot!("rules_show", trellis(&["rules", "show", "acm-old-001"], "").stdout);
    let unknown = trellis(&["rules", "show", "ACM-XXX-001"], "");
    assert_eq!(unknown.status, Status::Failed);
    assert!(unknown.stderr.contains("`trellis rules` lists all rules"), "{}", unknown.stderr);
}

#[test]
fn schemas_are_listed_and_printed() {
    assert!(trellis(&["schema"], "").stdout.contains("acme\n  InfrastructureConfig\n"));
    assert_eq!(json(&trellis(&["schema", "ValidateRequest"], ""))["type"], "object");
    let several = trellis(&["schema", "InfrastructureConfig"], "");
    assert_eq!(several.status, Status::Failed);
    assert!(several.stderr.contains("`acme`, `umbra`"), "{}", several.stderr);
    let one = trellis(&["schema", "InfrastructureConfig", "--provider", "umbra"], "");
    assert_eq!(json(&one)["title"], "umbra");
    assert_eq!(trellis(&["schema", "Nothing"], "").status, Status::Failed);
}

#[test]
fn completion_scripts_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let outcome = trellis(&["completion", shell], "");
        assert_eq!(outcome.status, Status::Success);
        assert!(outcome.stdout.contains("trellis"));
    }
}

#[test]
fn eval_answers_line_by_line_in_order() {
    let shoot = r#"{"object":{"kind":"Shoot"}}"#;
    let profile = r#"{"object":{"kind":"CloudProfile","spec":{"regions":[]}}}"#;
    let long = "x".repeat(17 << 20);
    let mut input = format!("{shoot}\n{profile}\nnonsense\n\n{long}\n").into_bytes();
    input.extend(b"{\"object\":{\"kind\":\"Shoot\",\"x\":\"\xFF\"}}\n");
    // Cut within a letter.
    input.extend(format!("x{}\n{profile}", "é".repeat(9 << 20)).as_bytes());
    let outcome = trellis_bytes(&["eval", "validate", "--provider", "acme"], &input, false);
    assert_eq!(outcome.status, Status::Success);
    let answers: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0]["verdict"], "reject");
    assert_eq!(answers[1]["verdict"], "accept");
    for answer in &answers[2..7] {
        assert_eq!(answer["error"]["code"], "Malformed");
    }
    let is_about_bytes = |answer: &Value| answer["error"]["message"].as_str().unwrap().contains("is not UTF-8");
    assert!(answers[5]["error"]["message"].as_str().unwrap().ends_with("byte 32 of the line is not UTF-8"));
    assert!(!is_about_bytes(&answers[6]), "{}", answers[6]);
    assert_eq!(answers[7]["verdict"], "accept");
    assert_eq!(trellis(&["eval", "validate", "--provider", "none"], "").status, Status::Failed);
    assert_eq!(trellis(&["eval", "nothing", "--provider", "acme"], "").status, Status::Failed);
}
