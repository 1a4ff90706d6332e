//! A policy that wants one network, as an engine whose answers can be bent; and a run with it.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use trellis_policies::engine::{Asker, CallError, Engine, Function, PolicyThreads};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::event::{Event, Listener};
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::{Run, RunError};
use trellis_testing::engine::FakeEngine;

use crate::cloud::{MemoryStore, Scripted, fine, options, refused};

/// The provider of every fake policy.
pub const TOY: &str = "toy";

/// An engine with these answers.
pub fn fake(
    answer: impl Fn(Function, &str) -> Result<Value, CallError> + Send + Sync + 'static,
) -> impl Engine + 'static {
    FakeEngine::new(&[TOY], move |_, function, request| answer(function, request))
}

/// The answers of a policy that looks for its network, and creates one where nothing is recorded.
pub fn network(function: Function, request: &str) -> Value {
    let request: Value = serde_json::from_str(request).unwrap();
    let state = request.get("state").cloned().unwrap_or_else(|| json!({}));
    match function {
        Function::Plan if request.get("facts").is_none() => {
            let call = json!({ "service": "vpc", "action": "DescribeVpcs" });
            json!({ "queries": [{ "id": "vpcs", "call": call, "paging": "none" }] })
        }
        Function::Plan if state.get("VPC").is_some() => json!({ "plan": { "state": state } }),
        Function::Plan => {
            let call = json!({ "service": "vpc", "action": "CreateVpc" });
            json!({ "plan": { "steps": [{ "id": "vpc", "call": call, "record": { "VPC": "/VpcId" } }] } })
        }
        Function::Classify => json!({ "outcome": "retry", "message": "the cloud asks to wait" }),
        Function::Status => json!({ "state": state }),
        other => panic!("nobody asks for {}", other.name()),
    }
}

/// A cloud that creates the network, once it has throttled the call.
pub fn sky() -> Scripted {
    Scripted::new(|call, count| match (call.action.as_str(), count) {
        ("CreateVpc", 1) => cloud_refuses("Throttling"),
        ("CreateVpc", _) => fine(10, json!({ "VpcId": "vpc-1" })),
        _ => fine(10, json!({})),
    })
}

fn cloud_refuses(code: &str) -> crate::cloud::Reply {
    crate::cloud::Reply(10, Err(refused(code, 400)))
}

/// Runs to the end with an engine.
pub async fn carry_out(engine: Arc<dyn Engine>, listener: &Listener<'_>) -> Result<Report, RunError> {
    let (cloud, store) = (sky(), MemoryStore::default());
    let request = RawValue::from_string(json!({ "operation": "reconcile" }).to_string()).unwrap();
    let run = Run {
        asker: Asker::new(engine, TOY, PolicyThreads::default()),
        request: &request,
        consent: &[],
        store: &store,
        cloud: &cloud,
        permit: Permit::unlimited(),
        guard: trellis_runner::plan::guard::Guard::Open,
        listener,
        options: options(),
        counter: Counter::default(),
    };
    run.carry_out(None, None).await
}

/// A listener that hears nothing.
pub fn deaf(_: Event) {}
