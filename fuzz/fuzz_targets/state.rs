//! Any bytes as a recorded state: `status` answers with JSON, and what it could read is read again as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// The answer of `status` for what an Infrastructure holds as its state.
fn status(state: Value) -> Value {
    let zones = json!([{ "name": "a" }, { "name": "b" }, { "name": "a" }]);
    let request = json!({ "request": { "operation": "reconcile", "infrastructure": {
        "spec": { "providerConfig": { "networks": { "zones": zones } } },
        "status": { "state": state },
    } } });
    let answer = trellis_core::call("alicloud", "status", &request.to_string());
    serde_json::from_str(&answer).expect("an answer is JSON")
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let document = serde_json::from_str(text).unwrap_or(Value::Null);
    let entries = json!({
        "kind": "FlowState", "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1", "data": &document,
    });
    let plain = json!({ "data": text, "encoding": "none" });
    let base64 = json!({ "data": text, "encoding": "base64" });
    for state in [document, entries, plain, base64] {
        let answer = status(state);
        if answer.get("error").is_none() {
            assert_eq!(status(answer["state"].clone()), answer);
        }
    }
});
