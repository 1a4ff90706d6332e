//! Shoots without workers.

use serde_json::{Value, json};

use crate::{aws_shoot, findings, with};

/// The errors about a Shoot without workers.
fn forbidden(shoot: &Value) -> Vec<Value> {
    let detail = "this field should not be set for workerless Shoot clusters";
    findings("gardener", shoot, &json!({})).into_iter().filter(|finding| finding["detail"] == detail).collect()
}

#[test]
fn what_is_forbidden_without_workers_follows_from_the_first_error() {
    let shoot = aws_shoot();
    for (provider, is_forgotten) in [
        (json!({ "type": "aws", "infrastructureConfig": {} }), true),
        (json!({ "type": "aws", "infrastructureConfig": {}, "workers": [] }), true),
        (json!({ "type": "aws", "workersSettings": {} }), true),
        (
            json!({ "type": "aws", "controlPlaneConfig": {}, "wrokers": shoot["spec"]["provider"]["workers"] }),
            false,
        ),
    ] {
        let all = forbidden(&with(&shoot, &[("/spec/provider", provider.clone())]));
        let [first, rest @ ..] = all.as_slice() else { panic!("{provider}") };
        assert!(!rest.is_empty(), "{provider}");
        assert!(first["causedBy"].is_null(), "{first}");
        let remedy = first["remedy"].as_str().unwrap();
        assert_eq!(remedy.starts_with("Add a worker pool to `spec.provider.workers`."), is_forgotten, "{remedy}");
        let cause = json!({ "rule": first["rule"], "pointer": first["pointer"] });
        for finding in rest {
            assert_eq!(finding["causedBy"] == cause, is_forgotten, "{finding}");
        }
    }
}

#[test]
fn a_shoot_that_is_to_have_no_workers_keeps_each_error_by_itself() {
    let mut shoot = with(&aws_shoot(), &[("/spec/provider", json!({ "type": "aws" }))]);
    shoot["spec"].as_object_mut().unwrap().remove("credentialsBindingName");
    let all = forbidden(&shoot);
    assert!(all.len() > 1, "{all:?}");
    assert!(all.iter().all(|finding| finding["causedBy"].is_null()), "{all:?}");
}
