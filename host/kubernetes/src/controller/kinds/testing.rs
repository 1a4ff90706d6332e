//! What plans with a policy whose answers a test gives, against an API server in memory.

use std::sync::Arc;

use serde_json::{Value, json};

use super::planned::Planned;
use crate::api_server::resource::SECRETS;
use crate::controller::runtime::kind::Kind;
use crate::controller::runtime::secrets::Secrets;
use crate::controller::runtime::testing::Server;
use crate::metrics::Metrics;
use trellis_policies::engine::{Engine, Function, PolicyThreads, Versions};
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Wire};
use trellis_testing::engine::FakeEngine;

/// What plans with a policy that answers so to `plan`, and that has `etcdBackup` for every object.
pub fn planned(server: &Server, plan: Value) -> Arc<Planned> {
    let status =
        json!({ "state": { "kind": "S", "data": {} }, "etcdBackup": { "storageEndpoint": "https://here/" } });
    answering(server, plan, status)
}

/// What plans with a policy that answers so to `plan` and to `status`.
pub fn answering(server: &Server, plan: Value, status: Value) -> Arc<Planned> {
    let engine = FakeEngine::new(&["alicloud"], move |_, function, _| match function {
        Function::Plan => plan.to_string(),
        _ => status.to_string(),
    });
    planned_by(server, engine)
}

/// What plans with this policy.
pub fn planned_by(server: &Server, engine: impl Engine + 'static) -> Arc<Planned> {
    let family = Arc::new(Alicloud);
    Arc::new(Planned {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(Arc::new(engine))),
        threads: PolicyThreads::default(),
        family: family.clone(),
        wire: Wire::new(Options::default()),
        endpoint: Endpoint::Cloud,
        allowed_calls: AllowedCalls::of("alicloud"),
        secrets: Secrets::new(server.client(), family),
        configuration: None,
        client: server.client(),
        metrics: Metrics::new(),
    })
}

/// The answer of `plan` where nothing is to be done.
pub fn nothing() -> Value {
    json!({ "plan": { "changes": [], "steps": [] } })
}

/// The answer of `plan` with a deletion of one thing.
pub fn one_deletion() -> Value {
    let change =
        json!({ "id": "objects", "action": "delete", "kind": "objects", "name": "all", "steps": ["delete"] });
    let step = json!({ "id": "delete", "call": { "service": "oss", "action": "DeleteBucket", "parameters": { "bucket": "b" } } });
    json!({ "plan": { "changes": [change], "steps": [step] } })
}

/// A server with the Secret `garden/s`.
pub fn with_secret() -> Server {
    let data = json!({ "accessKeyID": "aWQ=", "accessKeySecret": "c2VjcmV0" });
    Server::default().with(
        &SECRETS,
        json!({ "metadata": { "namespace": "garden", "name": "s", "finalizers": ["other"] }, "data": data }),
    )
}

/// The finalizers of that Secret.
pub fn finalizers(server: &Server) -> Vec<String> {
    let secret = server.object(&SECRETS, "garden", "s").unwrap();
    serde_json::from_value(secret["metadata"]["finalizers"].clone()).unwrap_or_default()
}

/// An object that names that Secret, with the finalizer of its kind.
pub fn object(kind: &Kind, name: &str) -> Value {
    json!({
        "metadata": { "name": name, "uid": format!("uid-{name}"), "generation": 1, "finalizers": [kind.finalizer] },
        "spec": {
            "type": "alicloud", "class": "seed", "region": "r", "bucketName": "b",
            "secretRef": { "namespace": "garden", "name": "s" },
        },
        "status": {},
    })
}

/// The same with a status, as gardenlet asks for something.
pub fn asked(mut object: Value, annotation: &str) -> Value {
    object["metadata"]["annotations"] = json!({ "gardener.cloud/operation": annotation });
    object["status"]["lastOperation"] = json!({ "type": "Reconcile", "state": "Succeeded" });
    object
}

/// The same, once somebody has deleted it.
pub fn deleted(mut object: Value) -> Value {
    object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    object["status"]["lastOperation"] = json!({ "type": "Reconcile", "state": "Succeeded" });
    object
}
