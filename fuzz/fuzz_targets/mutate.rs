//! Any request: `mutate` answers with JSON, and gives the same answer again; its patch makes its object, and what
//! is changed once is not changed again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use trellis_fuzz::ask;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for provider in trellis_core::providers() {
        ask(provider, "mutate", text);
    }
    let Ok(mut request @ Value::Object(_)) = serde_json::from_str::<Value>(text) else { return };
    let mutate = |request: &Value| -> Value {
        let answer = trellis_core::call("alicloud", "mutate", &request.to_string());
        serde_json::from_str(&answer).expect("an answer to what serde_json wrote is JSON it reads")
    };
    let answer = mutate(&request);
    if answer["patch"].is_null() {
        return;
    }
    let mut patched = request["object"].take();
    let operations = serde_json::from_value::<json_patch::Patch>(answer["patch"].clone()).expect("a patch");
    json_patch::patch(&mut patched, &operations).expect("the patch fits the object");
    assert_eq!(patched, answer["object"]);
    request["object"] = patched;
    assert_eq!(mutate(&request)["patch"], Value::Array(Vec::new()));
});
