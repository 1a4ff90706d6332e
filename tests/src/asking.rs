//! Asks the policy of Alibaba Cloud as a host does: until it asks nothing more.

use serde_json::{Value, json};

/// Asks a function until it asks nothing more; `live` are objects that the clusters hold. The answers, with their
/// requests.
///
/// # Panics
///
/// Where an answer is no JSON.
#[expect(clippy::expect_used, reason = "an answer that is no JSON must fail the test")]
pub fn asked(function: &str, request: &Value, live: &dyn Fn(&Value) -> Option<Value>) -> Vec<(String, Value)> {
    let mut request = request.clone();
    let (mut facts, mut asked) = (Vec::new(), Vec::new());
    loop {
        request["facts"] = facts.clone().into();
        let text = request.to_string();
        let answer: Value =
            serde_json::from_str(&trellis_core::call("alicloud", function, &text)).expect("an answer is JSON");
        let known = facts.len();
        for undecided in answer["undecided"].as_array().into_iter().flatten() {
            let query = &undecided["query"];
            if query.is_object() {
                let answer = match live(&query["call"]["parameters"]) {
                    Some(object) => json!({ "response": object }),
                    None => json!({ "error": { "code": "NotFound", "message": "not found", "httpStatus": 404 } }),
                };
                facts.push(json!({ "query": query["id"], "answer": answer }));
            }
        }
        asked.push((text, answer));
        if facts.len() == known {
            return asked;
        }
    }
}
