//! Reconciles against an API server in memory, with a policy that always renders the same.

mod unchanged;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::*;
use crate::api_server::object::ObjectApi;
use crate::api_server::resource::{DEPLOYMENTS, MANAGED_RESOURCES, SECRETS};
use crate::certificates::recorded::RecordedKeys;
use crate::controller::runtime::asking::Asked;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::testing::{Server, policy_answering};
use crate::controller::webhooks::shoots::rendered;
use crate::metrics::Metrics;
use trellis_policies::engine::{Engine, PolicyThreads, Versions};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::guard::Guard;

const NAMESPACE: &str = "n";

/// Renders a ManagedResource, an authority, two Secrets for tokens, and something that an earlier release has left
/// behind. It asks for the credentials and for kube-apiserver first.
#[derive(Default)]
struct Renderer {
    calls: AtomicUsize,
}

impl Renderer {
    fn render(&self, request: &str) -> Value {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let request: Value = serde_json::from_str(request).unwrap();
        if request["facts"].as_array().is_none_or(Vec::is_empty) {
            let asks = [("v1", "Secret", "cloudprovider"), ("apps/v1", "Deployment", "kube-apiserver")];
            let undecided = asks.map(|(version, kind, name)| {
                let object = json!({ "apiVersion": version, "kind": kind, "namespace": NAMESPACE, "name": name });
                let call = json!({ "service": "kubernetes", "action": "get", "parameters": object });
                json!({ "rule": "R", "why": "nobody has looked", "query": { "id": name, "call": call, "paging": "none" } })
            });
            return json!({ "findings": [], "undecided": undecided });
        }
        let manager = json!({ "manager-identity": "provider-alicloud-controlplane", "name": "ca-provider" });
        let purpose = json!({ "resources.gardener.cloud/purpose": "token-requestor" });
        let token = |name: &str| json!({ "name": name, "type": "Opaque", "labels": purpose });
        let secret = json!({
            "name": "extension-controlplane-seed-1", "dataKey": "chart", "labels": {}, "type": "Opaque", "immutable": true,
        });
        let delivered = json!({
            "name": SEED, "spec": { "class": "seed", "secretRefs": [{ "name": "extension-controlplane-seed-1" }] },
            "secret": secret, "objects": [],
        });
        json!({
            "findings": [], "undecided": [], "managedResources": [delivered],
            "secrets": [
                { "name": "ca-provider-*", "type": "Opaque", "labels": manager, "dataKeys": ["ca.crt", "ca.key"] },
                token("shoot-access-a"), token("shoot-access-b"),
            ],
            "delete": [{ "apiVersion": "apps/v1", "kind": "Deployment", "namespace": NAMESPACE, "name": "left" }],
        })
    }
}

type Webhooks = watch::Receiver<Arc<ManagedResource>>;

/// A ControlPlane and what is around it.
struct Landscape {
    server: Server,
    policy: Arc<Renderer>,
    control_planes: ControlPlanes,
    object: Value,
    shoot: Value,
}

impl Landscape {
    fn new(server: Server, webhooks: Option<Webhooks>) -> Self {
        let credentials = json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "cloudprovider", "namespace": NAMESPACE },
        });
        let api_server = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "kube-apiserver", "namespace": NAMESPACE },
        });
        let server = server.with(&SECRETS, credentials).with(&DEPLOYMENTS, api_server);
        let policy = Arc::new(Renderer::default());
        let asking = Asking {
            provider: "alicloud".to_owned(),
            policies: Arc::new(Versions::new(engine(&policy))),
            threads: PolicyThreads::default(),
            configuration: None,
            images: None,
            asked: Asked::default(),
            metrics: Metrics::new(),
        };
        let control_planes = ControlPlanes {
            keys: RecordedKeys::shared(),
            ..ControlPlanes::new(Arc::new(asking), server.client(), webhooks)
        };
        let object = json!({
            "kind": "ControlPlane", "metadata": { "name": "c", "namespace": NAMESPACE, "uid": "u", "generation": 1 },
            "spec": { "secretRef": { "name": "cloudprovider", "namespace": NAMESPACE } },
        });
        Self { server, policy, control_planes, object, shoot: json!({ "status": {} }) }
    }

    /// Acts once. Returns how it ended, and the requests.
    async fn act(&self, operation: Operation) -> (Ended, Vec<String>) {
        let extension: Extension = serde_json::from_value(self.object.clone()).unwrap();
        let cluster = json!({ "metadata": { "name": NAMESPACE }, "spec": { "shoot": self.shoot } });
        // A Cluster keeps parts of the text that it was read from.
        let cluster: Cluster = serde_json::from_str(&cluster.to_string()).unwrap();
        let permit = Permit::unlimited();
        let api =
            ObjectApi::new(self.server.client(), CONTROL_PLANE.objects(), &extension.metadata, permit.clone());
        let task = Task {
            operation,
            is_forced: false,
            object: &self.object,
            cluster: Some(&cluster),
            last: None,
            api: &api,
            guard: Guard::Open,
            permit: &permit,
            deadline: Instant::now() + Duration::from_mins(1),
            events: &Events::none(),
            waits: None,
        };
        self.server.requests();
        (self.control_planes.act(task).await, self.server.requests())
    }

    /// Reconciles, which must succeed. Returns the requests.
    async fn reconcile(&self) -> Vec<String> {
        let (ended, requests) = self.act(Operation::Reconcile).await;
        assert_eq!(ended, Ended::Done(Map::new()));
        requests
    }

    fn calls(&self) -> usize {
        self.policy.calls.load(Ordering::Relaxed)
    }
}

fn engine(policy: &Arc<Renderer>) -> Arc<dyn Engine> {
    let renderer = Arc::clone(policy);
    Arc::new(policy_answering(move |request| renderer.render(request)))
}

fn left() -> Value {
    json!({ "metadata": { "name": "left", "namespace": NAMESPACE } })
}

#[tokio::test]
async fn a_control_plane_as_wanted_is_read_with_six_requests_and_one_call_of_the_policy() {
    let landscape = Landscape::new(Server::default().with(&DEPLOYMENTS, left()), None);
    let requests = landscape.reconcile().await;
    assert!(landscape.server.object(&DEPLOYMENTS, NAMESPACE, "left").is_none());
    assert!(requests.contains(&"POST secrets/shoot-access-b".to_owned()), "{requests:?}");
    assert_eq!(landscape.calls(), 3, "without credentials, without the names of certificates, with both");
    let reads = [
        "LIST managedresources",
        "GET secrets/extension-controlplane-seed-1",
        "GET secrets/cloudprovider",
        "GET deployments/kube-apiserver",
        "LIST secrets",
        "LIST secrets",
    ];
    assert_eq!(landscape.reconcile().await, reads);
    assert_eq!(landscape.calls(), 4);
}

#[tokio::test]
async fn a_new_control_plane_gets_a_finalizer_and_a_status() {
    let landscape = Landscape::new(Server::default(), None);
    let mut object = landscape.object.clone();
    object["metadata"]["annotations"] = json!({ "gardener.cloud/operation": "reconcile" });
    object["spec"]["type"] = json!("alicloud");
    let server = landscape.server.clone().with(&CONTROL_PLANE.objects(), object.clone());
    let outcome = server.reconcile(&landscape.control_planes, NAMESPACE, "c", &landscape.shoot).await;
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    let written = server.object(&CONTROL_PLANE.objects(), NAMESPACE, "c").unwrap();
    assert_eq!(written["metadata"]["finalizers"], json!([CONTROL_PLANE.finalizer]));
    assert_eq!(written["metadata"]["annotations"], json!({}));
    assert_eq!(written["status"]["lastOperation"]["description"], "Successfully reconciled ControlPlane");
    assert_eq!(written["spec"], object["spec"]);
}

#[tokio::test]
async fn a_secret_for_a_token_that_lost_its_labels_gets_them_again_and_keeps_its_token() {
    let landscape = Landscape::new(Server::default(), None);
    landscape.reconcile().await;
    let bare =
        json!({ "metadata": { "name": "shoot-access-a", "namespace": NAMESPACE }, "data": { "token": "dA==" } });
    let server = landscape.server.clone().with(&SECRETS, bare);
    landscape.reconcile().await;
    let secret = server.object(&SECRETS, NAMESPACE, "shoot-access-a").unwrap();
    assert_eq!(secret["metadata"]["labels"]["resources.gardener.cloud/purpose"], "token-requestor");
    assert_eq!(secret["data"], json!({ "token": "dA==" }));
}

#[tokio::test]
async fn nothing_is_delivered_before_the_shoot_has_its_webhooks() {
    let (_published, webhooks) = published();
    let landscape = Landscape::new(Server::default(), Some(webhooks));
    for _ in 0..2 {
        let (ended, requests) = landscape.act(Operation::Reconcile).await;
        let Ended::Waiting(wait) = ended else { panic!("{ended:?}") };
        assert!(wait.text.contains(SHOOT_WEBHOOKS), "{}", wait.text);
        assert!(!requests.iter().any(|request| request.contains(SEED)), "{requests:?}");
    }
    landscape.apply_webhooks();
    landscape.reconcile().await;
    assert!(landscape.server.object(&MANAGED_RESOURCES, NAMESPACE, SEED).is_some());
}

type Publisher = watch::Sender<Arc<ManagedResource>>;

/// Webhooks for the Shoot.
fn published() -> (Publisher, Webhooks) {
    watch::channel(rendered(&[json!({ "kind": "MutatingWebhookConfiguration" })]).unwrap())
}

impl Landscape {
    /// Plays the gardener-resource-manager.
    fn apply_webhooks(&self) {
        let mut live = self.server.object(&MANAGED_RESOURCES, NAMESPACE, SHOOT_WEBHOOKS).unwrap();
        let conditions =
            [("ResourcesApplied", "True"), ("ResourcesHealthy", "True"), ("ResourcesProgressing", "False")];
        live["status"]["conditions"] =
            conditions.map(|(kind, status)| json!({ "type": kind, "status": status })).into_iter().collect();
        drop(self.server.clone().with(&MANAGED_RESOURCES, live));
    }
}
