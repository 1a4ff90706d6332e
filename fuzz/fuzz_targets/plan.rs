//! Any request and any cloud: `plan`, `status` and `classify` answer with JSON, and give the same answer again.
//!
//! The first line is a request. What follows is what the cloud answers: responses by their actions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// How often a plan asks before nobody answers any more.
const ROUNDS: usize = 8;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (request, cloud) = text.split_once('\n').unwrap_or((text, ""));
    let cloud: Value = serde_json::from_str(cloud).unwrap_or_default();
    for provider in trellis_core::providers() {
        for function in ["classify", "status"] {
            call(provider, function, request);
        }
        plan(provider, request, &cloud);
    }
});

/// Plans, with what the cloud answers to the queries.
fn plan(provider: &str, request: &str, cloud: &Value) {
    let answer = call(provider, "plan", request);
    let Ok(Value::Object(mut request)) = serde_json::from_str(request) else { return };
    let mut queries = queries(&answer);
    for _ in 0..ROUNDS {
        let fact = |query: &Value| {
            let response = query["call"]["action"].as_str().and_then(|action| cloud.get(action)).cloned();
            json!({ "query": query["id"], "answer": { "response": response.unwrap_or_else(|| json!({})) } })
        };
        let facts = request.entry("facts").or_insert_with(|| json!([])).as_array_mut();
        match facts.filter(|_| !queries.is_empty()) {
            Some(facts) => facts.extend(queries.iter().map(fact)),
            None => return,
        }
        queries = self::queries(&call(provider, "plan", &Value::Object(request.clone()).to_string()));
    }
}

/// What a plan asks for.
fn queries(answer: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    answer["queries"].as_array().cloned().unwrap_or_default()
}

/// The answer to a call.
fn call(provider: &str, function: &str, request: &str) -> String {
    let answer = trellis_core::call(provider, function, request);
    assert_eq!(trellis_core::call(provider, function, request), answer);
    // Without reading values: a person's number may be beyond every machine type.
    let _: IgnoredAny = serde_json::from_str(&answer).expect("an answer is JSON");
    answer
}
