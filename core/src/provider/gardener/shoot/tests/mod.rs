//! Which rules refuse which parts of a Shoot.

mod addons;
mod extensions;
mod hibernation;
mod maintenance;
mod type_labels;

use serde_json::{Value, json};

/// A Shoot with workers.
fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": {
            "cloudProfile": { "kind": "CloudProfile", "name": "aws" },
            "region": "eu-1",
            "purpose": "evaluation",
            "credentialsBindingName": "demo",
            "kubernetes": { "version": "1.33.2" },
            "networking": { "type": "calico" },
            "provider": {
                "type": "aws",
                "workers": [{ "name": "a", "machine": { "type": "m" }, "minimum": 1, "maximum": 1 }],
            },
        },
    })
}

/// What makes a Shoot one without workers.
fn workerless() -> Value {
    json!({ "spec": { "provider": { "workers": null }, "networking": null, "credentialsBindingName": null } })
}

/// The Shoot with further parts, which are RFC 7386 patches.
fn with(parts: &[&Value]) -> Value {
    let mut shoot = shoot();
    for part in parts {
        json_patch::merge(&mut shoot, part);
    }
    shoot
}

/// What the policy says of a Shoot, on an update together with the old one.
pub(super) fn judged(shoot: &Value, old: Option<&Value>, context: &Value) -> Value {
    let mut request = json!({ "object": shoot, "context": context });
    if let Some(old) = old {
        json_patch::merge(&mut request, &json!({ "oldObject": old }));
    }
    serde_json::from_str(&crate::call("gardener", "validate", &request.to_string())).unwrap()
}

/// The rules of a section that refuse a Shoot, each with the field: the ids of the section begin so.
fn refusals(section: &[&str], shoot: &Value, old: Option<&Value>, context: &Value) -> Vec<String> {
    let answer = judged(shoot, old, context);
    let findings = answer.get("findings").and_then(Value::as_array).unwrap();
    let text = |finding: &Value, key: &str| finding.get(key).and_then(Value::as_str).unwrap().to_owned();
    findings
        .iter()
        .map(|finding| (text(finding, "rule"), text(finding, "field")))
        .filter(|(rule, _)| section.iter().any(|beginning| rule.starts_with(beginning)))
        .map(|(rule, field)| format!("{rule} {field}"))
        .collect()
}
