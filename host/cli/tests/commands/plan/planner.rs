//! A policy whose plans are given, and the command line run on it.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use trellis_cli::Opened;
use trellis_policies::engine::{Engine, Function};
use trellis_testing::engine::FakeEngine;

use crate::outcome::{Outcome, outcome};

/// The provider `acme`, whose every plan is the one given; `umbra` plans nothing.
#[derive(Clone)]
pub(crate) struct Planner {
    answer: Value,
    /// What was asked.
    pub(crate) requests: Arc<Mutex<Vec<Value>>>,
}

impl Planner {
    pub(crate) fn new(answer: Value) -> Self {
        Self { answer, requests: Arc::default() }
    }

    /// Runs `trellis` with this policy.
    pub(crate) fn trellis(&self, arguments: &[&str], stdin: &str) -> Outcome {
        outcome(|| Opened::new(self.engine()), arguments, stdin.as_bytes(), false)
    }

    fn engine(&self) -> impl Engine + use<> {
        let Self { answer, requests } = self.clone();
        FakeEngine::new(&["acme", "umbra"], move |provider, function, request| {
            let request: Value = serde_json::from_str(request).unwrap();
            match function {
                Function::Info if provider == "acme" => json!({
                    "provider": provider, "version": "0.1.0", "parity": "v1",
                    "functions": ["classify", "default", "info", "plan", "rules", "status", "validate"],
                    "reads": {
                        "plan": {
                            "Infrastructure": ["/cloudProfile/spec/providerConfig"],
                            "Shoot": ["/cloudProfile/spec/providerConfig"],
                        },
                    },
                    "calls": ["vpc:CreateVpc", "sts:GetCallerIdentity"],
                    "plans": [
                        { "kind": "Infrastructure", "types": ["acme"] },
                        { "kind": "BackupBucket", "types": ["acme"] },
                        { "kind": "DNSRecord", "types": ["acme-dns"] },
                    ],
                }),
                Function::Info => json!({ "provider": provider, "version": "0.1.0", "parity": "v1" }),
                Function::Rules => {
                    json!({ "rules": [rule("ACM-DEF-001", "default"), rule("ACM-NET-001", "validate")] })
                }
                Function::Default => {
                    let mut object = request["object"].clone();
                    object["spec"]["mode"] = "defaulted".into();
                    let patch = json!([{ "op": "add", "path": "/spec/mode", "value": "defaulted" }]);
                    let change =
                        json!({ "rule": "ACM-DEF-001", "pointer": "/spec/mode", "reason": "there is a mode" });
                    json!({ "object": object, "patch": patch, "changes": [change], "undecided": [] })
                }
                Function::Validate if request["object"]["spec"]["region"] == "nowhere" => {
                    let finding = finding("ACM-NET-001", "spec.region", "/spec/region", "there is no such region");
                    json!({ "verdict": "reject", "findings": [finding], "undecided": [] })
                }
                Function::Validate => json!({ "verdict": "accept", "findings": [], "undecided": [] }),
                Function::Plan => {
                    requests.lock().unwrap().push(request);
                    answer.clone()
                }
                other => panic!("nobody asks for {}", other.name()),
            }
            .to_string()
        })
    }

    /// The requests for plans.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }
}

fn rule(id: &str, effect: &str) -> Value {
    let severity = if effect == "validate" { json!("error") } else { Value::Null };
    json!({
        "id": id, "kinds": ["Shoot"], "operation": "both", "effect": effect, "severity": severity,
    })
}

/// An error.
pub(crate) fn finding(rule: &str, field: &str, pointer: &str, detail: &str) -> Value {
    json!({
        "rule": rule, "severity": "error", "type": "FieldValueInvalid", "field": field, "pointer": pointer,
        "badValue": "x", "detail": detail, "remedy": "Fix it.",
    })
}
