//! Checks against an API server in memory: what is read, and what is written.

mod period;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use http_body_util::BodyExt as _;
use hyper::{Method, Request as HttpRequest, Response};
use kube::client::Body;
use tower::service_fn;

use super::shoots::tests::{ShootServer, secret};
use super::*;
use crate::controller::runtime::extension::OPERATION;
use crate::controller::runtime::granted::Workload;
use crate::controller::runtime::kind::{CONTROL_PLANE, Kind, WORKER};
use trellis_policies::engine::{Native, PolicyThreads, Versions};

/// An API server with objects by their paths.
#[derive(Clone, Default)]
pub struct Server(Arc<Mutex<Inside>>);

#[derive(Default)]
struct Inside {
    objects: BTreeMap<String, Value>,
    /// Answers of paths that fail.
    fails: BTreeMap<String, u16>,
    /// What somebody else makes of the conditions just before the next write.
    meanwhile: Vec<Value>,
    reads: Vec<String>,
    writes: Vec<Value>,
}

impl Server {
    pub fn with(objects: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let server = Self::default();
        for (place, object) in objects {
            let path = format!("{place}/{}", object["metadata"]["name"].as_str().unwrap());
            server.lock().objects.insert(path, object);
        }
        server
    }

    pub fn client(&self) -> Client {
        let server = self.clone();
        let service = service_fn(move |request: HttpRequest<Body>| {
            let server = server.clone();
            async move {
                let (head, body) = request.into_parts();
                let patch = serde_json::from_slice(&body.collect().await.unwrap().to_bytes()).unwrap_or_default();
                let query = head.uri.query().unwrap_or_default().to_owned();
                let (code, answer) = server.lock().answer(&head.method, head.uri.path(), &query, &patch);
                let answer = serde_json::to_vec(&answer).unwrap();
                let answer = Response::builder().status(code).body(Body::from(answer)).unwrap();
                Ok::<_, std::convert::Infallible>(answer)
            }
        });
        Client::new(service, "default")
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap()
    }
}

impl Inside {
    fn answer(&mut self, method: &Method, path: &str, query: &str, body: &Value) -> (u16, Value) {
        let refused =
            |code: u16| (code, json!({ "kind": "Status", "status": "Failure", "code": code, "message": "no" }));
        if let Some(code) = self.fails.get(path) {
            return refused(*code);
        }
        if method == Method::GET {
            if !path.contains("extensions.gardener.cloud") {
                assert!(query.contains("resourceVersion=0"), "{path} {query}");
            }
            self.reads.push(path.rsplit_once('/').unwrap().1.to_owned());
            if path.ends_with("machinedeployments") {
                let items = self.objects.iter().filter(|(key, _)| key.starts_with(path));
                return (200, json!({ "items": items.map(|(_, object)| object).collect::<Vec<_>>() }));
            }
            return self.objects.get(path).map_or_else(|| refused(404), |object| (200, object.clone()));
        }
        let object = self.objects.get_mut(path.strip_suffix("/status").unwrap()).unwrap();
        if let Some(conditions) = self.meanwhile.pop() {
            object["status"]["conditions"] = conditions;
            object["metadata"]["resourceVersion"] = json!("another");
        }
        if body["metadata"]["resourceVersion"] != object["metadata"]["resourceVersion"] {
            return refused(409);
        }
        assert_eq!((&body["metadata"]["uid"], body["status"].as_object().unwrap().len()), (&json!("u"), 1));
        object["status"]["conditions"] = body["status"]["conditions"].clone();
        self.writes.push(body["status"]["conditions"].clone());
        object["metadata"]["resourceVersion"] = json!(format!("{}", self.writes.len() + 1));
        (200, object.clone())
    }
}

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/s/deployments";
const MACHINES: &str = "/apis/machine.sapcloud.io/v1alpha1/namespaces/s/machinedeployments";
const RESOURCES: &str = "/apis/resources.gardener.cloud/v1alpha1/namespaces/s/managedresources";
const SECRETS: &str = "/api/v1/namespaces/s/secrets";

fn path(kind: &Kind) -> String {
    format!("/apis/extensions.gardener.cloud/v1alpha1/namespaces/s/{}/a", kind.plural)
}

fn workload(name: &str, available: &str) -> Value {
    json!({
        "metadata": { "name": name, "namespace": "s", "generation": 1 },
        "status": {
            "observedGeneration": 1,
            "conditions": [{ "type": "Available", "status": available, "reason": "Why", "message": "no pods" }],
        },
    })
}

fn object(conditions: &Value) -> Value {
    json!({
        "metadata": { "name": "a", "namespace": "s", "uid": "u", "resourceVersion": "1", "generation": 1 },
        "spec": { "type": "alicloud" },
        "status": { "conditions": conditions, "lastOperation": { "type": "Reconcile", "state": "Succeeded" } },
    })
}

fn control_plane() -> Vec<(&'static str, Value)> {
    ["csi-plugin-controller", "csi-snapshot-controller", "cloud-controller-manager"]
        .map(|name| (DEPLOYMENTS, workload(name, "True")))
        .to_vec()
}

fn checks(server: &Server, period: u64) -> HealthChecks {
    let client = server.client();
    let asking = Asking {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(Arc::new(Native))),
        threads: PolicyThreads::default(),
        configuration: None,
        images: None,
        asked: crate::controller::runtime::asking::Asked::default(),
        metrics: crate::metrics::Metrics::new(),
    };
    let config = HealthCheckConfig { period: Duration::from_secs(period), timeout: None };
    HealthChecks::new(Arc::new(asking), client, config)
}

fn cluster(hibernates: bool) -> Cluster {
    let shoot = json!({ "spec": { "hibernation": { "enabled": hibernates } } });
    let cluster = json!({ "metadata": { "name": "s" }, "spec": { "shoot": shoot } });
    serde_json::from_str(&cluster.to_string()).unwrap()
}

/// Checks an object as the server has it.
async fn check(checks: &HealthChecks, server: &Server, kind: &'static Kind, cluster: Option<&Cluster>) -> Outcome {
    check_for(checks, server, kind, cluster, &KindChecks::of("alicloud", kind).unwrap()).await
}

async fn check_for(
    checks: &HealthChecks,
    server: &Server,
    kind: &'static Kind,
    cluster: Option<&Cluster>,
    kind_checks: &KindChecks,
) -> Outcome {
    let object = server.lock().objects[&path(kind)].clone();
    let object: Extension = serde_json::from_value(object).unwrap();
    let permit = Permit::unlimited();
    let api = ObjectApi::new(server.client(), kind.objects(), &object.metadata, permit.clone());
    checks.check(CheckedObject { object: &object, cluster, api: &api, permit: &permit, kind_checks }).await
}

fn put(server: &Server, kind: &Kind, object: Value) {
    server.lock().objects.insert(path(kind), object);
}

/// What the last write says, in short.
fn last(server: &Server) -> Vec<String> {
    let inside = server.lock();
    let conditions = inside.writes.last().unwrap().as_array().unwrap();
    let short = |condition: &Value| {
        let codes = condition.get("codes").map(|codes| format!(" {codes}")).unwrap_or_default();
        let text = |key: &str| condition[key].as_str().unwrap_or_default();
        format!("{} {} {}: {}{codes}", text("type"), text("status"), text("reason"), text("message"))
    };
    conditions.iter().map(short).collect()
}

const EVERY: Outcome = Outcome::Checked(Duration::from_secs(30));

#[tokio::test]
async fn a_healthy_control_plane_is_reported_once() {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    let (checks, cluster) = (checks(&server, 30), cluster(false));
    for _ in 0..3 {
        assert_eq!(check(&checks, &server, &CONTROL_PLANE, Some(&cluster)).await, EVERY);
    }
    assert_eq!(last(&server), ["ControlPlaneHealthy True HealthCheckSuccessful: All health checks successful"]);
    let inside = server.lock();
    assert_eq!((inside.writes.len(), inside.reads.len()), (1, 9));
}

#[tokio::test]
async fn what_is_missing_and_what_is_unhealthy_is_named() {
    let mut all = control_plane();
    all[0].1 = workload("csi-plugin-controller", "False");
    all.remove(2);
    let server = Server::with(all);
    put(&server, &CONTROL_PLANE, object(&json!([])));
    check(&checks(&server, 30), &server, &CONTROL_PLANE, Some(&cluster(false))).await;
    assert_eq!(
        last(&server),
        [
            "ControlPlaneHealthy False HealthCheckUnsuccessful: 1) deployment \"csi-plugin-controller\" in namespace \"s\" is unhealthy: \
          condition \"Available\" has invalid status False (expected True) due to Why: no pods. 2) deployment \
          \"cloud-controller-manager\" in namespace \"s\" not found."
        ]
    );
}

#[tokio::test]
async fn what_cannot_be_read_is_unknown() {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    server.lock().fails.insert(format!("{DEPLOYMENTS}/csi-snapshot-controller"), 403);
    check(&checks(&server, 30), &server, &CONTROL_PLANE, Some(&cluster(false))).await;
    let reported = last(&server);
    assert!(
        reported[0].starts_with(
            "ControlPlaneHealthy Unknown ConditionCheckError: failed to execute 1 health check: failed to retrieve deployment \
             \"csi-snapshot-controller\" in namespace \"s\": "
        ),
        "{reported:?}"
    );
}

#[tokio::test]
async fn an_api_server_that_is_not_well_is_asked_again_within_the_period() {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    server.lock().fails.insert(format!("{DEPLOYMENTS}/csi-snapshot-controller"), 503);
    check(&checks(&server, 1), &server, &CONTROL_PLANE, Some(&cluster(false))).await;
    let reported = last(&server);
    assert!(reported[0].contains("in namespace \"s\": ") && reported[0].contains(" Unknown "), "{reported:?}");
}

#[tokio::test]
async fn a_shoot_that_hibernates_is_healthy_and_nothing_is_read_until_its_cluster_changes() {
    for kind in [&CONTROL_PLANE, &WORKER] {
        let server = Server::default();
        put(&server, kind, object(&json!([{ "type": "ControlPlaneHealthy", "status": "False" }])));
        let (checks, cluster) = (checks(&server, 30), cluster(true));
        let outcome = check(&checks, &server, kind, Some(&cluster)).await;
        assert_eq!(outcome, Outcome::Idle("its Shoot hibernates"));
        let condition = if kind.name == "Worker" { "EveryNodeReady" } else { "ControlPlaneHealthy" };
        assert_eq!(last(&server), [format!("{condition} True HealthCheckSuccessful: Shoot is hibernated")]);
        assert_eq!(server.lock().reads.len(), 0);
    }
}

#[tokio::test]
async fn what_is_deleted_or_leaves_for_another_seed_is_left_alone() {
    let mut deleted = object(&json!([]));
    deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let mut asked = object(&json!([]));
    asked["metadata"]["annotations"] = json!({ OPERATION: "migrate" });
    let mut migrating = object(&json!([]));
    migrating["status"]["lastOperation"] = json!({ "type": "Migrate", "state": "Processing" });
    for left in [deleted, asked, migrating] {
        let server = Server::with(control_plane());
        put(&server, &CONTROL_PLANE, left);
        let outcome = check(&checks(&server, 30), &server, &CONTROL_PLANE, Some(&cluster(true))).await;
        assert!(matches!(outcome, Outcome::Idle(_)), "{outcome:?}");
        let inside = server.lock();
        assert_eq!((inside.reads.len(), inside.writes.len()), (0, 0));
    }
}

#[tokio::test]
async fn without_a_cluster_nothing_is_said() {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    let outcome = check(&checks(&server, 30), &server, &CONTROL_PLANE, None).await;
    assert_eq!(outcome, Outcome::Unwritten("there is no Cluster `s`".to_owned()));
    assert_eq!(server.lock().writes.len(), 0);
}

#[tokio::test]
async fn a_write_keeps_what_somebody_else_wrote_meanwhile() {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    server.lock().meanwhile.push(json!([{ "type": "Other", "status": "True" }]));
    let outcome = check(&checks(&server, 30), &server, &CONTROL_PLANE, Some(&cluster(false))).await;
    assert_eq!((outcome, server.lock().writes.len()), (EVERY, 1));
    assert_eq!(last(&server)[0], "Other True : ");
    assert!(last(&server)[1].starts_with("ControlPlaneHealthy True"));
}

#[tokio::test]
async fn a_machine_that_failed_has_the_codes_of_the_policy() {
    let shoot = ShootServer::healthy().await;
    let mut failing = workload("m", "True");
    let machine = json!({ "name": "m-1", "lastOperation": { "description": "instance type is out of stock" } });
    failing["status"]["failedMachines"] = json!([machine]);
    let token = json!({ "token": "CANARY" });
    let server =
        Server::with([(MACHINES, failing), (SECRETS, secret("gardener-internal", "1", &shoot.address, &token))]);
    put(&server, &WORKER, object(&json!([{ "type": "ControlPlaneHealthy", "status": "True" }])));
    let (checks, cluster) = (checks(&server, 30), cluster(false));
    assert_eq!(check(&checks, &server, &WORKER, Some(&cluster)).await, EVERY);
    assert_eq!(
        last(&server),
        ["EveryNodeReady False HealthCheckUnsuccessful: machine \"m-1\" failed: instance type is out of stock. \
          [\"ERR_INFRA_RESOURCES_DEPLETED\"]"]
    );
    server.lock().objects.insert(format!("{MACHINES}/m"), workload("m", "True"));
    check(&checks, &server, &WORKER, Some(&cluster)).await;
    assert_eq!(last(&server), ["EveryNodeReady True HealthCheckSuccessful: All health checks successful"]);
}

#[tokio::test]
async fn machines_of_a_shoot_that_nobody_reaches_are_unknown() {
    let token = json!({ "token": "CANARY" });
    let server = Server::with([(MACHINES, workload("m", "True"))]);
    put(&server, &WORKER, object(&json!([])));
    let (checks, cluster) = (checks(&server, 30), cluster(false));
    check(&checks, &server, &WORKER, Some(&cluster)).await;
    assert_eq!(
        last(&server),
        [
            "EveryNodeReady Unknown ConditionCheckError: failed to execute 1 health check: failed to create shoot client: secret \
          \"gardener\" in namespace \"s\" not found."
        ]
    );
    let nowhere = secret("gardener", "1", "http://127.0.0.1:1", &token);
    server.lock().objects.insert(format!("{SECRETS}/gardener"), nowhere);
    check(&checks, &server, &WORKER, Some(&cluster)).await;
    let reported = last(&server);
    assert!(
        reported[0]
            .contains("failed to execute 1 health check: unable to check nodes. Failed to list shoot nodes: "),
        "{reported:?}"
    );
    server.lock().fails.insert(MACHINES.to_owned(), 403);
    check(&checks, &server, &WORKER, Some(&cluster)).await;
    let reported = last(&server);
    assert!(
        reported[0].contains("unable to check nodes. Failed to list machine deployments in namespace \"s\": "),
        "{reported:?}"
    );
}

#[tokio::test]
async fn each_kind_of_check_has_its_words() {
    let workloads = [Workload::StatefulSet, Workload::DaemonSet].map(|kind| Check::Workload(kind, "x"));
    let resources = ["x", "y"].map(Check::ManagedResource);
    let all = KindChecks { conditions: vec![("One", workloads.into()), ("Two", resources.into())], removed: &[] };
    let applied = json!({ "type": "ResourcesApplied", "status": "False", "message": "Error during apply of object a is invalid: b" });
    let y = json!({
        "metadata": { "namespace": "s", "name": "y", "generation": 1 },
        "status": { "observedGeneration": 1, "conditions": [applied] },
    });
    let mut set = workload("x", "True");
    set["spec"] = json!({ "replicas": 2 });
    let server = Server::with([(RESOURCES, y), ("/apis/apps/v1/namespaces/s/statefulsets", set)]);
    put(&server, &CONTROL_PLANE, object(&json!([])));
    check_for(&checks(&server, 30), &server, &CONTROL_PLANE, Some(&cluster(false)), &all).await;
    assert_eq!(
        last(&server),
        [
            "One False HealthCheckUnsuccessful: 1) statefulSet \"x\" in namespace \"s\" is unhealthy: not enough ready replicas (0/2). 2) \
             DaemonSet \"x\" in namespace \"s\" not found.",
            "Two False HealthCheckUnsuccessful: 1) Managed Resource \"x\" in namespace \"s\" not found. 2) managed resource \"y\" in \
             namespace \"s\" is unhealthy: condition ResourcesApplied of managed resource s/y is False: Error during apply of object a \
             is invalid: b. [\"ERR_CONFIGURATION_PROBLEM\"]",
        ]
    );
}
