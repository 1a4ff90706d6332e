//! Any request: `workers` and `rollout` answer with JSON, and give the same answers again. User data that
//! `workers` asks for is there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use trellis_fuzz::ask;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for provider in trellis_core::providers() {
        ask(provider, "workers", text);
        ask(provider, "rollout", text);
    }
    let Ok(mut request @ Value::Object(_)) = serde_json::from_str(text) else { return };
    let answer = trellis_core::call("alicloud", "workers", &request.to_string());
    let answer: Value =
        serde_json::from_str(&answer).expect("an answer to what serde_json wrote is JSON it reads");
    let asked = answer["undecided"].as_array().into_iter().flatten().map(|one| &one["query"]);
    let secret = json!({ "data": { "userData": "eA==", "cloud_config": "eA==" } });
    let facts: Vec<Value> = asked
        .filter(|query| query.is_object())
        .map(|query| json!({ "query": query["id"], "answer": { "response": secret } }))
        .collect();
    if !facts.is_empty() {
        request["facts"] = facts.into();
        ask("alicloud", "workers", &request.to_string());
    }
});
