use serde_json::json;

use super::*;

fn extension(annotation: Option<&str>, deleted: bool, last: Value) -> Extension {
    let mut object =
        json!({ "metadata": { "name": "a", "managedFields": [] }, "spec": { "type": "p" }, "status": {} });
    if let Some(annotation) = annotation {
        object["metadata"]["annotations"] = json!({ OPERATION: annotation });
    }
    if deleted {
        object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    }
    if !last.is_null() {
        object["status"]["lastOperation"] = last;
    }
    serde_json::from_value(object).unwrap()
}

#[test]
fn the_first_reason_that_matches_shows_the_operation() {
    let last = |operation: &str, state: &str| json!({ "type": operation, "state": state });
    for (annotation, deleted, last, operation) in [
        (None, false, Value::Null, Operation::Create),
        (None, false, last("Create", "Error"), Operation::Create),
        (Some("reconcile"), false, last("Create", "Processing"), Operation::Create),
        (Some("reconcile"), false, last("Create", "Succeeded"), Operation::Reconcile),
        (Some("reconcile"), false, last("Reconcile", "Error"), Operation::Reconcile),
        (Some("reconcile"), false, last("Migrate", "Error"), Operation::Migrate),
        (Some("reconcile"), false, last("Restore", "Processing"), Operation::Restore),
        (Some("restore"), false, last("Migrate", "Succeeded"), Operation::Restore),
        (Some("restore"), true, Value::Null, Operation::Delete),
        (Some("migrate"), true, last("Reconcile", "Succeeded"), Operation::Migrate),
        (None, true, last("Migrate", "Error"), Operation::Delete),
        (Some("other"), false, last("Delete", "Error"), Operation::Reconcile),
    ] {
        let object = extension(annotation, deleted, last.clone());
        assert_eq!(object.operation(), operation, "{annotation:?} {deleted} {last}");
    }
}

#[test]
fn an_object_with_garbage_is_read_and_its_garbage_counts_as_absent() {
    let garbage = json!({
        "metadata": { "name": "a" },
        "spec": { "type": 7, "class": ["x"], "providerConfig": "text" },
        "status": { "lastOperation": "text", "state": 1, "providerStatus": [] },
    });
    let object: Extension = serde_json::from_value(garbage).unwrap();
    assert_eq!((object.provider.as_str(), object.class.as_str(), object.last.clone()), ("", "shoot", None));
    let object: Extension =
        serde_json::from_value(json!({ "metadata": {}, "spec": null, "status": "no" })).unwrap();
    assert_eq!((object.name(), object.namespace()), ("", ""));
}

#[test]
fn only_a_change_of_the_status_makes_another_status() {
    let one = extension(None, true, json!({ "type": "Delete", "state": "Error" }));
    assert!(one.has_status_of(&extension(Some("x"), true, json!({ "type": "Delete", "state": "Error" }))));
    assert!(!one.has_status_of(&extension(None, true, json!({ "type": "Delete", "state": "Processing" }))));
}
