//! Reviews through the HTTPS server, as an API server sends them.

use std::io::Read as _;
use std::net::Ipv4Addr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;
use crate::api_server::resource::{CLUSTERS, PODS};
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::testing::Server as ApiServer;
use crate::metrics::Metrics;
use crate::webhook::testing::{Authority, Client as HttpsClient, review};
use trellis_policies::engine::{Engine, Native, PolicyThreads, Versions};
use trellis_runner::limits::stop::stop;
use trellis_testing::engine::FakeEngine;

fn mutating(engine: Arc<dyn Engine>, api: &ApiServer, configuration: &Value) -> Mutating {
    Mutating {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(engine)),
        threads: PolicyThreads::default(),
        configuration: configuration.is_object().then(|| to_raw_value(configuration).unwrap().into()),
        images: None,
        client: api.client(),
        metrics: Metrics::new(),
    }
}

/// Serves the webhooks of the provider on loopback.
async fn served_by(mutating: Mutating) -> HttpsClient {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (authority, certificates) = (Authority::new(), Certificates::none());
    let (certificate, key) = authority.issue();
    certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap();
    let webhooks: Vec<&'static SeedWebhook> = Granted::of("alicloud").webhooks.iter().collect();
    let metrics = mutating.metrics.clone();
    let webhooks = served(&webhooks, &Arc::new(mutating));
    let server = Server { webhooks, certificates, limits: Limits::default(), drain: Duration::ZERO, metrics };
    let ready = Readiness::default().condition(Check::Webhooks, "webhooks");
    let (stopper, signal) = stop();
    tokio::spawn(async move {
        // The server goes on for as long as its stopper lives.
        let _stopper = stopper;
        serve(listener, server, ready, signal).await
    });
    authority.client(address)
}

/// The recorded webhooks of the existing extension.
fn recorded() -> Vec<Value> {
    let path = format!("{}/../../tests/vectors/alicloud-webhooks.ndjson.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn configuration(of: &Value) -> Value {
    let of = &of["in"]["config"];
    if of.is_null() {
        return Value::Null;
    }
    json!({
        "etcd": { "storage": of["etcdStorage"] },
        "service": { "backendLoadBalancerSpec": of["backendLoadBalancerSpec"] },
    })
}

/// What the policy itself answers.
fn direct(case: &Value, object: &Value) -> Value {
    let mut request = json!({ "webhook": case["kind"], "object": object });
    if case["in"]["old"].is_object() {
        request["oldObject"] = case["in"]["old"].clone();
    }
    if case["in"]["cluster"].is_object() {
        request["cluster"] = case["in"]["cluster"]["spec"].clone();
        request["cluster"]["metadata"] = case["in"]["cluster"]["metadata"].clone();
    }
    if configuration(case).is_object() {
        request["configuration"] = configuration(case);
    }
    serde_json::from_str(&trellis_core::call("alicloud", "mutate", &request.to_string())).unwrap()
}

async fn stage(case: &Value) -> HttpsClient {
    let namespace = case["in"]["object"]["metadata"]["namespace"].as_str().unwrap();
    let mut api = ApiServer::default();
    if case["in"]["cluster"].is_object() {
        let mut cluster = case["in"]["cluster"].clone();
        cluster["metadata"]["name"] = json!(namespace);
        api = api.with(&CLUSTERS, cluster);
    }
    served_by(mutating(Arc::new(Native), &api, &configuration(case))).await
}

/// The patch of a response.
fn patch(response: &Value) -> Value {
    assert_eq!(response["allowed"], true, "{response}");
    response["patch"].as_str().map_or_else(
        || json!([]),
        |patch| {
            assert_eq!(response["patchType"], "JSONPatch");
            serde_json::from_slice(&STANDARD.decode(patch).unwrap()).unwrap()
        },
    )
}

// That the policy answers as the existing extension does, tests/tests/mutations shows.
#[tokio::test]
async fn recorded_objects_come_back_as_the_policy_changes_them_and_then_stay_as_they_are() {
    let (mut changed, mut unchanged, mut refused) = (0, 0, 0);
    for case in recorded() {
        let (id, object, old) = (&case["id"], &case["in"]["object"], &case["in"]["old"]);
        let client = stage(&case).await;
        let path = format!("/{}", case["kind"].as_str().unwrap());
        let operation = if old.is_object() { "UPDATE" } else { "CREATE" };
        let response = client.review(&path, &review(operation, object, old)).await;
        if let Some(error) = case["out"]["error"].as_str() {
            assert_eq!((&response["allowed"], &response["status"]["code"]), (&json!(false), &json!(403)), "{id}");
            let reported = response["status"]["message"].as_str().unwrap();
            // The words of Go's decoders are not ours.
            let known =
                ["could not mutate cloudprovider", "could not get cluster for namespace 'shoot--dev--ali'"];
            for words in known.into_iter().filter(|words| error.starts_with(words)) {
                assert!(reported.contains(words), "{id} {reported}");
            }
            assert!(response.get("patch").is_none() && !reported.is_empty(), "{id}");
            refused += 1;
            continue;
        }
        let (made, expected) = (patch(&response), direct(&case, object));
        assert_eq!(made, expected["patch"], "{id}");
        let annotation = &response["auditAnnotations"]["rules"];
        assert_eq!(annotation.is_string(), made != json!([]), "{id} {annotation}");
        if case["out"]["unchanged"] == true {
            assert_eq!(made, json!([]), "{id}");
            unchanged += 1;
            continue;
        }
        let again = client.review(&path, &review(operation, &expected["object"], old)).await;
        assert_eq!(again.get("patch"), None, "{id}: a second time changes nothing");
        changed += 1;
    }
    assert_eq!((changed, unchanged, refused), (44, 24, 12));
}

#[tokio::test]
async fn a_mutation_of_an_object_that_is_sent_again_is_the_same() {
    let is_changed = |case: &Value| {
        case["in"]["object"]["kind"] == "OperatingSystemConfig" && case["out"]["object"].is_object()
    };
    let case = recorded().into_iter().find(is_changed).unwrap();
    let client = stage(&case).await;
    let sent = review("CREATE", &case["in"]["object"], &Value::Null);
    let first = client.review("/controlplane", &sent).await;
    assert_eq!(client.review("/controlplane", &sent).await, first);
    assert!(first["patch"].is_string());
}

#[tokio::test]
async fn objects_that_no_webhook_sees_are_refused_with_the_words_of_gardener() {
    let client = served_by(mutating(Arc::new(Native), &ApiServer::default(), &Value::Null)).await;
    for (path, object, message) in [
        (
            "/controlplane",
            json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a", "namespace": "n" } }),
            "unexpected request kind /v1, Kind=Pod",
        ),
        (
            "/cloudprovider",
            json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "a", "namespace": "n" } }),
            "unexpected request kind apps/v1, Kind=Deployment",
        ),
    ] {
        let response = client.review(path, &review("CREATE", &object, &Value::Null)).await;
        assert_eq!(response["status"]["code"], 400);
        assert_eq!(response["status"]["message"], message);
    }
    assert_eq!(client.post("/network", "{}").await.status, 404);
}

#[tokio::test]
async fn an_object_that_somebody_deletes_stays_as_it_is() {
    let client = served_by(mutating(Arc::new(Native), &ApiServer::default(), &Value::Null)).await;
    let mut deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": "kube-controller-manager", "namespace": "n" },
        "spec": { "template": { "spec": { "containers": [{ "name": "kube-controller-manager", "command": ["x"] }] } } },
    });
    let sent = review("UPDATE", &deployment, &deployment);
    assert!(client.review("/controlplane", &sent).await["patch"].is_string());
    deployment["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let sent = review("UPDATE", &deployment, &deployment);
    assert_eq!(patch(&client.review("/controlplane", &sent).await), json!([]));
}

/// A policy that asks for the Cluster of an object before it answers, and then names the Cluster in its patch.
fn curious(asks: Value) -> Arc<dyn Engine> {
    Arc::new(FakeEngine::new(&["alicloud"], move |_, _, request| {
        let request: Value = serde_json::from_str(request).unwrap();
        let answer = match request["facts"].as_array().unwrap().first() {
            None => {
                let query = json!({
                    "id": "q", "paging": "none",
                    "call": { "service": "kubernetes", "action": "get", "parameters": asks },
                });
                json!({ "findings": [], "undecided": [{ "rule": "R", "why": "w", "query": query }] })
            }
            Some(fact) => {
                let value =
                    json!([fact["answer"]["response"]["metadata"]["name"], fact["answer"]["error"]["code"]]);
                let patch = json!([{ "op": "add", "path": "/x", "value": value }]);
                json!({ "patch": patch, "changes": [], "findings": [], "undecided": [] })
            }
        };
        answer.to_string()
    }))
}

fn asks(api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
    let mut all = json!({ "apiVersion": api_version, "kind": kind, "name": name });
    if !namespace.is_empty() {
        all["namespace"] = json!(namespace);
    }
    all
}

fn asks_cluster(name: &str) -> Value {
    asks("extensions.gardener.cloud/v1alpha1", "Cluster", "", name)
}

fn service() -> Value {
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": "a", "namespace": "kube-system" } })
}

fn deployment() -> Value {
    json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "a", "namespace": "shoot--a--b" } })
}

/// A seed in which the API server of a Shoot has an address.
fn seed(of_api_server: &str) -> ApiServer {
    let cluster = |name: &str| json!({ "metadata": { "name": name }, "spec": {} });
    let labels = json!({ "app": "kubernetes", "role": "apiserver" });
    let pod = json!({
        "metadata": { "name": "kube-apiserver-0", "namespace": "shoot--a--b", "labels": labels },
        "status": { "podIP": of_api_server },
    });
    ApiServer::default().with(&CLUSTERS, cluster("shoot--a--b")).with(&CLUSTERS, cluster("other")).with(&PODS, pod)
}

#[tokio::test]
async fn a_policy_gets_the_cluster_of_the_namespace_or_of_the_shoot_that_sends_the_review() {
    for (path, object, asks, found) in [
        ("/controlplane", deployment(), asks_cluster("shoot--a--b"), json!(["shoot--a--b", null])),
        ("/shoot", service(), asks_cluster("kube-system"), json!(["shoot--a--b", null])),
    ] {
        let client = served_by(mutating(curious(asks), &seed("127.0.0.1"), &Value::Null)).await;
        let response = client.review(path, &review("CREATE", &object, &Value::Null)).await;
        assert_eq!(patch(&response)[0]["value"], found, "{path}");
    }
    let asks = asks_cluster("shoot--a--b");
    let client = served_by(mutating(curious(asks), &ApiServer::default(), &Value::Null)).await;
    let response = client.review("/controlplane", &review("CREATE", &deployment(), &Value::Null)).await;
    assert_eq!(patch(&response)[0]["value"], json!([null, "NotFound"]), "what is not there is an answer too");
}

#[tokio::test]
async fn a_policy_gets_nothing_that_is_not_of_its_object() {
    for (path, object, asks, api_server, words) in [
        ("/controlplane", deployment(), asks_cluster("other"), "127.0.0.1", "it is another Cluster"),
        (
            "/controlplane",
            deployment(),
            asks("v1", "Secret", "shoot--a--b", "s"),
            "127.0.0.1",
            "does not name this Secret",
        ),
        (
            "/controlplane",
            deployment(),
            asks("v1", "ConfigMap", "garden", "c"),
            "127.0.0.1",
            "in another namespace",
        ),
        ("/shoot", service(), asks_cluster("other"), "127.0.0.1", "the Cluster of the Shoot alone"),
        (
            "/shoot",
            service(),
            asks("v1", "ConfigMap", "kube-system", "c"),
            "127.0.0.1",
            "the Cluster of the Shoot alone",
        ),
        (
            "/shoot",
            service(),
            asks_cluster("kube-system"),
            "10.0.0.1",
            "no API server of a Shoot has the address 127.0.0.1",
        ),
    ] {
        let client = served_by(mutating(curious(asks), &seed(api_server), &Value::Null)).await;
        let response = client.review(path, &review("CREATE", &object, &Value::Null)).await;
        assert_eq!((&response["allowed"], &response["status"]["code"]), (&json!(false), &json!(500)));
        let reported = response["status"]["message"].as_str().unwrap();
        assert!(reported.contains(words) && reported.ends_with("try again"), "{reported}");
    }
}
