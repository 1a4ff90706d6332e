//! What answers say to a person in addition to the recorded words: remedies, fixes, causes.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod ranges;
mod regions;
mod remedies;
mod secrets;
mod workers;

use serde_json::{Value, json};

/// The findings about an object.
fn findings(provider: &str, object: &Value, context: &Value) -> Vec<Value> {
    let request = json!({ "object": object, "context": context }).to_string();
    let answer: Value = serde_json::from_str(&trellis_core::call(provider, "validate", &request)).unwrap();
    answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

/// The findings of a rule.
fn of_rule<'f>(findings: &'f [Value], rule: &str) -> Vec<&'f Value> {
    findings.iter().filter(|finding| finding["rule"] == rule).collect()
}

/// An object with other values at some places.
fn with(object: &Value, changes: &[(&str, Value)]) -> Value {
    let mut object = object.clone();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        object.pointer_mut(parent).unwrap()[key] = value.clone();
    }
    object
}

/// A Shoot on AWS with a pool.
fn aws_shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": {
            "cloudProfile": { "kind": "CloudProfile", "name": "aws" },
            "region": "eu-west-1",
            "credentialsBindingName": "demo",
            "kubernetes": { "version": "1.33.2" },
            "networking": { "type": "calico", "nodes": "10.250.0.0/16" },
            "provider": {
                "type": "aws",
                "infrastructureConfig": {
                    "apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "InfrastructureConfig",
                    "networks": {
                        "vpc": { "cidr": "10.250.0.0/16" },
                        "zones": [{
                            "name": "eu-west-1a", "workers": "10.250.0.0/19", "public": "10.250.32.0/20",
                            "internal": "10.250.48.0/20",
                        }],
                    },
                },
                "workers": [{
                    "name": "pool",
                    "machine": { "type": "m5.large", "image": { "name": "gardenlinux", "version": "1592.1.0" } },
                    "minimum": 1,
                    "maximum": 3,
                    "volume": { "type": "gp3", "size": "50Gi" },
                    "zones": ["eu-west-1a"],
                }],
            },
        },
    })
}
