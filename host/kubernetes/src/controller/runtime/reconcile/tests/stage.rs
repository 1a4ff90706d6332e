//! An object of any kind at an API server in memory, and an actuator that ends as a test says.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::api_server::objects::{Objects, namespace};
use crate::api_server::resource::{NAMESPACES, SECRETS};
use crate::controller::runtime::actuator::{Actuator, Ended, Prepared, Retry, Task};
use crate::controller::runtime::extension::OPERATION;
use crate::controller::runtime::kind::{BASTION, DNS_RECORD, INFRASTRUCTURE, Kind};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::testing::Server;

/// An actuator that looks at a Secret of the name of each of its steps, so that its steps stand among the requests
/// of the server, and ends as a test says.
pub struct StepActuator {
    pub kind: &'static Kind,
    pub prepared: Result<Prepared, Retry>,
    pub ended: Ended,
    pub released: Result<(), Retry>,
    objects: Objects,
}

impl StepActuator {
    async fn step(&self, step: &str, task: Task<'_>) {
        let last = task.last.map_or("first", |last| &last.operation);
        let step = format!("{step}-{}-after-{last}", task.operation.name()).to_lowercase();
        assert_eq!(self.objects.get(&SECRETS, "steps", &step).await, Ok(None));
    }
}

impl Actuator for StepActuator {
    fn kind(&self) -> &'static Kind {
        self.kind
    }

    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended> {
        self.step("act", task).map(|()| self.ended.clone()).boxed()
    }

    fn prepare<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<Prepared, Retry>> {
        self.step("prepare", task).map(|()| self.prepared.clone()).boxed()
    }

    fn released<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Result<(), Retry>> {
        self.step("released", task).map(|()| self.released.clone()).boxed()
    }
}

/// An object of a kind at its API server.
pub struct Stage {
    pub server: Server,
    pub actuator: StepActuator,
    pub namespace: String,
    pub shoot: Option<Value>,
}

impl Stage {
    pub fn new(kind: &'static Kind, object: Value) -> Self {
        let namespace = namespace(&object).to_owned();
        Self::at(Server::default().with(&kind.objects(), object), kind, namespace)
    }

    pub fn at(server: Server, kind: &'static Kind, namespace: String) -> Self {
        let objects = server.objects();
        let (prepared, ended, released) = (Ok(Prepared::Go), Ended::Done(Map::new()), Ok(()));
        Self {
            server,
            actuator: StepActuator { kind, prepared, ended, released, objects },
            namespace,
            shoot: None,
        }
    }

    /// Reconciles once. Returns the outcome, and the requests without what they have in common.
    pub async fn reconcile(&self) -> (Outcome, Vec<String>) {
        self.server.requests();
        let outcome = self.server.reconcile_with(&self.actuator, &self.namespace, "a", self.shoot.as_ref()).await;
        let plural = self.actuator.kind.plural;
        let short =
            |request: String| request.replace("GET secrets/", "").replace(&format!("PATCH {plural}/a"), "write");
        (outcome, self.server.requests().into_iter().map(short).collect())
    }

    pub fn object(&self) -> Value {
        self.server.object(&self.actuator.kind.objects(), &self.namespace, "a").unwrap()
    }

    /// The last operation in short, and whether there is an error.
    pub fn status(&self) -> String {
        let object = self.object();
        let last = &object["status"]["lastOperation"];
        let error = if object["status"].get("lastError").is_some() { " with an error" } else { "" };
        let text = |key: &str| last[key].as_str().unwrap_or_default();
        format!("{} {}: {}{error}", text("type"), text("state"), text("description"))
    }

    pub fn finalizers(&self) -> Vec<String> {
        serde_json::from_value(self.object()["metadata"]["finalizers"].clone()).unwrap_or_default()
    }
}

/// An object of a kind, with the finalizer of another one too.
pub fn object(kind: &Kind, annotation: Option<&str>, last: Option<(&str, &str)>) -> Value {
    let mut object = json!({
        "metadata": { "name": "a", "generation": 4, "finalizers": ["other", kind.finalizer] },
        "spec": { "type": "alicloud" }, "status": {},
    });
    if [&BASTION, &DNS_RECORD, &INFRASTRUCTURE].iter().any(|of| of.name == kind.name) {
        object["metadata"]["namespace"] = json!("n");
    }
    if let Some(annotation) = annotation {
        object["metadata"]["annotations"] = json!({ OPERATION: annotation });
    }
    if let Some((operation, state)) = last {
        object["status"]["lastOperation"] = json!({ "type": operation, "state": state });
    }
    object
}

pub fn deleted(mut object: Value) -> Value {
    object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    object
}

pub const DONE: Option<(&str, &str)> = Some(("Reconcile", "Succeeded"));

/// The namespace of the objects in namespaces.
pub fn with_namespace(server: Server, role: &str) -> Server {
    server.with(&NAMESPACES, json!({ "metadata": { "name": "n", "labels": { "gardener.cloud/role": role } } }))
}
