//! A policy whose answers a test chooses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use trellis_policies::engine::{Engine, Function};
use trellis_testing::engine::FakeEngine;

/// What `workers` answers, once it has read the credentials. Clones are the same policy.
#[derive(Clone, Default)]
pub(super) struct Policy {
    pub answer: Arc<Mutex<Value>>,
    answers: Arc<AtomicUsize>,
}

/// What is secret in user data.
pub(super) const CANARY: &str = "Y2FuYXJ5";

impl Policy {
    /// Wants machine deployments, each with its class, its smallest and its largest number of machines.
    pub fn want(&self, deployments: &[(&str, &str, i64, i64)]) {
        let mut objects = Vec::new();
        let mut wanted = Vec::new();
        for (name, class, minimum, maximum) in deployments {
            let metadata = json!({
                "name": class, "namespace": "shoot--a--b", "labels": { "gardener.cloud/purpose": "machineclass" },
            });
            objects.push(json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": { "userData": CANARY } }));
            objects.push(json!({
                "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass", "metadata": metadata, "provider": "Alicloud",
                "providerSpec": { "keyPairName": null, "tags": { "a": "1" } },
                "secretRef": { "name": class, "namespace": "shoot--a--b" },
            }));
            wanted.push(json!({
                "name": name, "poolName": name, "className": class, "secretName": class, "minimum": minimum, "maximum": maximum,
                "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 1, "maxUnavailable": 0 } },
                "labels": { "a": "b" }, "machineConfiguration": {}, "clusterAutoscalerAnnotations": { "x": "" },
            }));
        }
        *self.answer.lock().unwrap() = json!({
            "machineDeployments": wanted, "objects": objects, "providerStatus": { "machineImages": [] }, "findings": [],
            "undecided": [],
        });
    }

    /// How often it has answered.
    pub fn answers(&self) -> usize {
        self.answers.load(Ordering::Relaxed)
    }

    /// The engine that answers with this policy.
    pub fn engine(&self) -> Arc<dyn Engine> {
        let policy = self.clone();
        Arc::new(FakeEngine::new(&["alicloud"], move |_, function, request| {
            match function {
            Function::Workers if request.contains(r#""query":"credentials""#) => {
                policy.answers.fetch_add(1, Ordering::Relaxed);
                policy.answer.lock().unwrap().to_string()
            }
            Function::Workers => json!({ "findings": [], "undecided": [{ "rule": "R", "why": "", "query": {
                "id": "credentials", "paging": "none", "call": { "service": "kubernetes", "action": "get", "parameters": {
                    "apiVersion": "v1", "kind": "Secret", "namespace": "shoot--a--b", "name": "cloudprovider",
                } },
            } }] })
            .to_string(),
            _ if request.contains("out of stock") => {
                r#"{"outcome":"fail","codes":["ERR_INFRA_RESOURCES_DEPLETED"],"message":""}"#.to_owned()
            }
            _ => r#"{"outcome":"fail","codes":[],"message":""}"#.to_owned(),
        }
        }))
    }
}
