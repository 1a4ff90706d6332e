//! Any request: `render` answers with JSON, and gives the same answer again. What it asks for then gets an answer
//! too: objects by their kinds, from the line behind the request.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use trellis_fuzz::ask;

/// How often a request asks before nobody answers any more.
const ROUNDS: usize = 4;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (request, held) = text.split_once('\n').unwrap_or((text, ""));
    for provider in trellis_core::providers() {
        ask(provider, "render", request);
    }
    let held: Value = serde_json::from_str(held).unwrap_or_default();
    let Ok(mut request @ Value::Object(_)) = serde_json::from_str(request) else { return };
    for _ in 0..ROUNDS {
        let answer = trellis_core::call("alicloud", "render", &request.to_string());
        let answer: Value =
            serde_json::from_str(&answer).expect("an answer to what serde_json wrote is JSON it reads");
        let undecided = answer["undecided"].as_array().into_iter().flatten();
        let queries: Vec<&Value> = undecided.map(|one| &one["query"]).filter(|query| query.is_object()).collect();
        let Some(facts) =
            request.as_object_mut().map(|members| members.entry("facts").or_insert_with(|| json!([])))
        else {
            return;
        };
        let Some(facts) = facts.as_array_mut().filter(|_| !queries.is_empty()) else { return };
        for query in queries {
            let kind = query["call"]["parameters"]["kind"].as_str().unwrap_or_default();
            let answer = match held.get(kind) {
                Some(object) => json!({ "response": object }),
                None => json!({ "error": { "code": "NotFound", "message": "not found", "httpStatus": 404 } }),
            };
            facts.push(json!({ "query": query["id"], "answer": answer }));
        }
        ask("alicloud", "render", &request.to_string());
    }
});
