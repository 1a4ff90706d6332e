//! A policy that makes things by their names, and a cloud that lists what was made.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use trellis_policies::engine::{Asker, Function, PolicyThreads};
use trellis_runner::call::CallFailure;
use trellis_testing::engine::FakeEngine;

use crate::cloud::{self, Scripted, fine, refused, text};

/// Answers `plan` by itself, the rest in one way for all.
#[derive(Clone)]
pub struct Policy(pub Arc<dyn Fn(&Value) -> Value + Send + Sync>);

impl Policy {
    pub fn asker(&self) -> Asker {
        let plan = Arc::clone(&self.0);
        let engine = FakeEngine::new(&["toy"], move |_, function, request| {
            let request: Value = serde_json::from_str(request).unwrap();
            let answer = match function {
                Function::Plan => plan(&request),
                Function::Status => {
                    json!({ "providerStatus": { "of": request["state"] }, "state": request["state"] })
                }
                Function::Classify => {
                    let failure = CallFailure {
                        code: request["error"]["code"].as_str().unwrap().to_owned(),
                        ..refused("", u16::try_from(request["error"]["httpStatus"].as_u64().unwrap()).unwrap())
                    };
                    serde_json::to_value(cloud::classify(&failure)).unwrap()
                }
                other => panic!("nobody asks for {}", other.name()),
            };
            answer.to_string()
        });
        Asker::new(Arc::new(engine), "toy", PolicyThreads::default())
    }
}

pub fn query(id: &str) -> Value {
    json!({ "id": id, "call": { "service": "vpc", "action": "List" }, "paging": "none" })
}

/// Makes the things of the request that are not listed, and records all.
pub fn things(request: &Value) -> Value {
    let Some(fact) = request["facts"].get(0) else { return json!({ "queries": [query("things")] }) };
    if let Some(error) = fact["answer"].get("error") {
        return json!({ "findings": [{
            "rule": null, "severity": "error", "type": "Denied", "field": "", "pointer": "",
            "detail": error["code"], "remedy": "Fix it.",
        }], "codes": ["ERR_INFRA_UNAUTHORIZED"] });
    }
    let listed = |name: &str| {
        let entries = fact["answer"]["response"]["Items"].as_array().unwrap();
        entries.iter().find(|entry| entry["Name"] == name).map(|entry| entry["Id"].clone())
    };
    let (mut state, mut changes, mut steps) =
        (request["state"].as_object().cloned().unwrap_or_default(), vec![], vec![]);
    for name in request["request"]["things"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()) {
        let mut change = json!({ "id": name, "action": "create", "kind": "thing", "name": name, "steps": [] });
        match listed(name) {
            Some(id) if state.get(name) == Some(&id) => continue,
            Some(id) => {
                change["action"] = json!("adopt");
                state.insert(name.to_owned(), id);
            }
            None => {
                change["steps"] = json!([format!("{name}/create")]);
                steps.push(json!({
                    "id": format!("{name}/create"),
                    "call": { "service": "vpc", "action": "Create", "parameters": { "Name": name } },
                    "record": { name: "/Id" },
                }));
            }
        }
        changes.push(change);
    }
    json!({ "plan": { "state": state, "changes": changes, "steps": steps } })
}

/// Lists what was made.
pub fn shop() -> Scripted {
    let made = Mutex::new(BTreeSet::new());
    Scripted::new(move |call, _| {
        let mut made = made.lock().unwrap();
        if call.action == "Create" {
            let name = text(call, "Name").to_owned();
            let response = json!({ "Id": format!("id-{name}") });
            made.insert(name);
            return fine(10, response);
        }
        let items: Vec<_> = made.iter().map(|name| json!({ "Name": name, "Id": format!("id-{name}") })).collect();
        fine(10, json!({ "Items": items }))
    })
}
