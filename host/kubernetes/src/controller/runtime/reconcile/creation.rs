//! The condition that says whether an object has been made at least once (reference: gardener-contract 2.8).

use serde_json::{Map, Value, json};

use crate::api_server::member::text;
use crate::controller::runtime::status;

/// The type of the condition.
const CREATED: &str = "Created";

/// Members of the status after the object was made; none where the condition says so already.
pub(super) fn made(object: &Value) -> Map<String, Value> {
    let message = "Record was created successfully in infrastructure at least once";
    if status_of(&conditions(object)) == Some("True") {
        return Map::new();
    }
    written(object, "True", "Success", message)
}

/// Members of the status after an attempt to make the object failed: whatever the condition says, it stays.
pub(super) fn failed(object: &Value) -> Map<String, Value> {
    if status_of(&conditions(object)).is_some() {
        return Map::new();
    }
    written(object, "False", "Error", "Error on initial record creation in infrastructure")
}

/// Whether the object was never made.
pub(super) fn was_never_made(conditions: &[Value]) -> bool {
    status_of(conditions) == Some("False")
}

/// All conditions, because a merge patch replaces a list as a whole.
fn written(object: &Value, status: &str, reason: &str, message: &str) -> Map<String, Value> {
    let mut conditions = conditions(object);
    conditions.retain(|condition| text(condition, "/type") != CREATED);
    let now = status::now();
    conditions.push(json!({
        "type": CREATED,
        "status": status,
        "lastTransitionTime": now,
        "lastUpdateTime": now,
        "reason": reason,
        "message": message,
    }));
    Map::from_iter([("conditions".to_owned(), Value::Array(conditions))])
}

fn conditions(object: &Value) -> Vec<Value> {
    object.pointer("/status/conditions").and_then(Value::as_array).cloned().unwrap_or_default()
}

fn status_of(conditions: &[Value]) -> Option<&str> {
    conditions.iter().find(|condition| text(condition, "/type") == CREATED).map(|found| text(found, "/status"))
}
