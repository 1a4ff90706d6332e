//! What a policy may read, against an API server in memory and a policy whose queries a test chooses.

use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tokio::time::{Duration, Instant};

use super::*;
use crate::api_server::object::ObjectApi;
use crate::api_server::resource::MANAGED_RESOURCES;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::{CONTROL_PLANE, Operation};
use crate::controller::runtime::testing::{Server, policy_answering};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::guard::Guard;

/// A policy that asks for objects, and answers with the facts that it got.
#[derive(Default)]
struct Policy {
    asks: Vec<Value>,
    /// Whether it asks for what it knows already.
    is_deaf: bool,
    requests: Mutex<Vec<Value>>,
}

impl Policy {
    fn answer(&self, request: &str) -> Value {
        let request: Value = serde_json::from_str(request).unwrap();
        let known = |query: &Value| {
            let facts = request["facts"].as_array().unwrap();
            facts.iter().any(|fact| fact["query"] == query["id"])
        };
        let open = self.asks.iter().filter(|query| self.is_deaf || !known(query));
        let undecided: Vec<Value> =
            open.map(|query| json!({ "rule": "R", "why": "nobody has looked", "query": query })).collect();
        self.requests.lock().unwrap().push(request.clone());
        json!({ "findings": [], "undecided": undecided, "managedResources": [] })
    }
}

fn query(kind: &str, namespace: &str, name: &str, in_shoot: bool) -> Value {
    let api_version = if kind == "Secret" { "v1" } else { "apps/v1" };
    let mut parameters = json!({ "apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name });
    if in_shoot {
        parameters["cluster"] = json!("shoot");
    }
    let call = json!({ "service": "kubernetes", "action": "get", "parameters": parameters });
    json!({ "id": format!("{kind}/{namespace}/{name}/{in_shoot}"), "call": call, "paging": "none" })
}

fn secret(name: &str, key: &str, value: &str) -> Value {
    json!({
        "kind": "Secret", "apiVersion": "v1", "metadata": { "name": name, "namespace": "n" },
        "data": { key: STANDARD.encode(value) },
    })
}

/// A namespace with credentials, another Secret, and a ManagedResource for the Shoot with a DaemonSet.
fn server() -> Server {
    let delivered = json!({ "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": { "name": "d", "namespace": "kube-system" } });
    let resource = json!({
        "metadata": { "name": "extension-controlplane-shoot", "namespace": "n" },
        "spec": { "secretRefs": [{ "name": "manifests" }] },
    });
    Server::default()
        .with(&SECRETS, secret("cloudprovider", "key", "value"))
        .with(&SECRETS, secret("other", "key", "value"))
        .with(&SECRETS, secret("manifests", "chart", &format!("---\n{delivered}\n")))
        .with(&MANAGED_RESOURCES, resource)
}

/// Asks twice for a control plane. Returns the facts of the last request of each time, or why there is no answer.
async fn asked(server: &Server, policy: Policy) -> (Result<(), String>, Vec<Value>) {
    let object = json!({
        "kind": "ControlPlane", "metadata": { "name": "c", "namespace": "n" },
        "spec": { "secretRef": { "name": "cloudprovider", "namespace": "n" } },
    });
    let extension: Extension = serde_json::from_value(object.clone()).unwrap();
    let cluster: Cluster =
        serde_json::from_str(r#"{ "metadata": { "name": "n" }, "spec": { "shoot": {} } }"#).unwrap();
    let permit = Permit::unlimited();
    let api = ObjectApi::new(server.client(), CONTROL_PLANE.objects(), &extension.metadata, permit.clone());
    let policy = Arc::new(policy);
    let asked = Arc::clone(&policy);
    let asking = Asking {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(Arc::new(policy_answering(move |request| asked.answer(request))))),
        threads: PolicyThreads::default(),
        configuration: None,
        images: None,
        asked: Asked::default(),
        metrics: crate::metrics::Metrics::new(),
    };
    let task = Task {
        operation: Operation::Reconcile,
        is_forced: false,
        object: &object,
        cluster: Some(&cluster),
        last: None,
        api: &api,
        guard: Guard::Open,
        permit: &permit,
        deadline: Instant::now() + Duration::from_mins(1),
        events: &Events::none(),
        waits: None,
    };
    let objects = server.objects();
    let mut ended = Ok(());
    for _ in 0..2 {
        let answer = asking.about(task, &objects).control_plane(&Names::new()).await;
        ended = answer.map(drop).map_err(|failure| failure.message);
    }
    let requests = policy.requests.lock().unwrap().clone();
    (ended, requests)
}

fn facts(request: &Value) -> BTreeMap<String, bool> {
    let facts = request["facts"].as_array().unwrap().iter();
    facts
        .map(|fact| (fact["query"].as_str().unwrap().to_owned(), fact["answer"].get("response").is_some()))
        .collect()
}

#[tokio::test]
async fn a_policy_reads_what_the_object_names_and_what_was_delivered_and_is_asked_once_when_it_asks_the_same() {
    let asks = vec![
        query("Secret", "n", "cloudprovider", false),
        query("Secret", "n", "other", false),
        query("DaemonSet", "kube-system", "d", true),
        query("DaemonSet", "kube-system", "e", true),
        query("Deployment", "n", "kube-apiserver", false),
    ];
    let (ended, requests) = asked(&server(), Policy { asks, ..Policy::default() }).await;
    assert_eq!(ended, Ok(()));
    assert_eq!(requests.len(), 3, "twice the first time, and once the second time");
    let expected = [
        ("DaemonSet/kube-system/d/true", true),
        ("DaemonSet/kube-system/e/true", false),
        ("Deployment/n/kube-apiserver/false", false),
        ("Secret/n/cloudprovider/false", true),
        ("Secret/n/other/false", false),
    ];
    let expected: BTreeMap<String, bool> = expected.map(|(id, found)| (id.to_owned(), found)).into();
    assert_eq!((facts(&requests[1]), facts(&requests[2])), (expected.clone(), expected));
}

#[tokio::test]
async fn a_policy_that_asks_for_what_it_may_not_read_or_never_listens_has_no_answer() {
    let elsewhere = Policy { asks: vec![query("Deployment", "m", "a", false)], ..Policy::default() };
    let (ended, _) = asked(&server(), elsewhere).await;
    assert!(ended.unwrap_err().contains("it is in another namespace"));
    let more = Policy { asks: vec![query("DaemonSet", "n", "a", false)], ..Policy::default() };
    let (ended, _) = asked(&server(), more).await;
    assert_eq!(
        ended.unwrap_err(),
        "the policy may read no DaemonSet of `apps/v1` in a seed",
        "nobody granted that"
    );
    let mut cloud = query("Deployment", "n", "a", false);
    cloud["call"]["service"] = json!("vpc");
    let (ended, _) = asked(&server(), Policy { asks: vec![cloud], ..Policy::default() }).await;
    assert_eq!(ended.unwrap_err(), "the policy asks `vpc` for what it renders");
    let deaf = Policy { asks: vec![query("Deployment", "n", "a", false)], is_deaf: true, ..Policy::default() };
    let (ended, _) = asked(&server(), deaf).await;
    assert_eq!(ended.unwrap_err(), "the policy repeats the query `Deployment/n/a/false`, which has its answer");
}
