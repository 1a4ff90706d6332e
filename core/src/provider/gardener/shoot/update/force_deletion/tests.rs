use serde_json::{Value, json};

use crate::provider::gardener::shoot::tests::judged;

fn shoot(forced: &str, is_deleted: bool, status: &Value) -> Value {
    let mut shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {
            "name": "demo",
            "namespace": "garden-dev",
            "resourceVersion": "1",
            "generation": 2,
            "annotations": { "confirmation.gardener.cloud/force-deletion": forced },
        },
    });
    if is_deleted {
        shoot["metadata"]["deletionTimestamp"] = "2026-05-31T00:00:00Z".into();
    }
    if !status.is_null() {
        shoot["status"] = status.clone();
    }
    shoot
}

fn ids(answer: &Value, list: &str) -> Vec<String> {
    let all = answer[list].as_array().unwrap_or_else(|| panic!("{answer}"));
    all.iter().filter_map(|entry| entry["rule"].as_str()).map(str::to_owned).collect()
}

fn ask(new: &Value, old: &Value, context: &Value) -> Value {
    judged(new, Some(old), context)
}

#[test]
fn force_needs_a_deletion_that_failed_and_stays() {
    let failed = json!({ "lastErrors": [{ "codes": ["ERR_OTHER", "ERR_INFRA_DEPENDENCIES"] }] });
    for (before, after, is_deleted, status, wanted) in [
        ("", "true", true, &failed, &[][..]),
        ("true", "1", false, &json!({}), &[]),
        ("", "yes", false, &json!({}), &[]),
        ("", "true", false, &failed, &["GDN-FD-001"]),
        ("", "true", true, &json!({}), &["GDN-FD-004"]),
        ("t", "", true, &failed, &["GDN-FD-003"]),
    ] {
        let (old, new) = (shoot(before, is_deleted, status), shoot(after, is_deleted, status));
        let mut found = ids(&ask(&new, &old, &json!({})), "findings");
        found.retain(|rule| rule.starts_with("GDN-FD"));
        assert_eq!(found, wanted, "{before} {after} {is_deleted} {status}");
    }
}

#[test]
fn nobody_knows_the_errors_of_a_manifest() {
    let (old, new) = (shoot("", true, &Value::Null), shoot("true", true, &Value::Null));
    let answer = ask(&new, &old, &json!({ "request": true }));
    assert!(ids(&answer, "undecided").contains(&"GDN-FD-004".to_owned()), "{answer}");
    assert!(!ids(&answer, "findings").contains(&"GDN-FD-004".to_owned()), "{answer}");
}

#[test]
fn what_the_api_server_counts_does_not_fall() {
    let old = shoot("", false, &Value::Null);
    for (member, value, wanted) in [
        ("resourceVersion", json!("1"), None),
        ("resourceVersion", json!(""), Some("GDN-UPD-002")),
        ("generation", json!(3), None),
        ("generation", json!(1), Some("GDN-UPD-003")),
    ] {
        let mut new = old.clone();
        new["metadata"][member] = value.clone();
        for context in [json!({}), json!({ "request": true })] {
            let mut found = ids(&ask(&new, &old, &context), "findings");
            found.retain(|rule| matches!(rule.as_str(), "GDN-UPD-002" | "GDN-UPD-003"));
            let wanted: Vec<&str> = wanted.into_iter().filter(|_| context == json!({})).collect();
            assert_eq!(found, wanted, "{member} {value} {context}");
        }
    }
}
