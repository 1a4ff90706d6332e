//! Reconciles against an API server in memory, with a policy that always renders the same.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::*;
use crate::controller::api::ObjectApi;
use crate::controller::asking::Asked;
use crate::controller::cluster::Cluster;
use crate::controller::events::Events;
use crate::controller::extension::Extension;
use crate::controller::metrics::Metrics;
use crate::controller::reader::ClusterReader;
use crate::controller::resource::{DEPLOYMENTS, MANAGED_RESOURCES, SECRETS};
use crate::controller::testing::{Answers, Server};
use crate::controller::webhooks::shoots::rendered;
use crate::engine::{PolicyThreads, Versions};
use crate::plan::guard::Guard;
use crate::plan::leave::Leave;

const NAMESPACE: &str = "n";

/// Renders a ManagedResource, an authority, two Secrets for tokens, and something that an earlier release has left behind.
#[derive(Default)]
struct Renderer {
    calls: AtomicUsize,
}

impl Renderer {
    fn render(&self) -> Value {
        self.calls.fetch_add(1, Ordering::Relaxed);
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

/// Reconciles so many times. Returns the requests of each time.
async fn reconciled(server: &Server, policy: &Arc<Renderer>, times: usize) -> Vec<Vec<String>> {
    let mut requests = Vec::new();
    for (ended, of) in acted(server, policy, None, times).await {
        assert_eq!(ended, Ended::Done(Map::new()));
        requests.push(of);
    }
    requests
}

type Webhooks = watch::Receiver<Arc<ManagedResource>>;

/// Acts so many times. Returns how each time ended, and its requests.
async fn acted(
    server: &Server,
    policy: &Arc<Renderer>,
    webhooks: Option<Webhooks>,
    times: usize,
) -> Vec<(Ended, Vec<String>)> {
    let renderer = Arc::clone(policy);
    let asking = Asking {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(Arc::new(Answers(move |_: &str| renderer.render())))),
        threads: PolicyThreads::default(),
        configuration: None,
        images: None,
        reader: ClusterReader(server.client()),
        asked: Asked::default(),
        metrics: Metrics::new(),
    };
    let control_planes = ControlPlanes::new(Arc::new(asking), server.client(), webhooks);
    let object =
        json!({ "kind": "ControlPlane", "metadata": { "name": "c", "namespace": NAMESPACE }, "spec": {} });
    let extension: Extension = serde_json::from_value(object.clone()).unwrap();
    let cluster: Cluster =
        serde_json::from_str(r#"{ "metadata": { "name": "n" }, "spec": { "shoot": {} } }"#).unwrap();
    let leave = Leave::unlimited();
    let api = ObjectApi::new(server.client(), &CONTROL_PLANE, &extension, leave.clone());
    let task = Task {
        operation: Operation::Reconcile,
        is_forced: false,
        object: &object,
        cluster: &cluster,
        api: &api,
        guard: Guard::Open,
        leave: &leave,
        deadline: Instant::now() + Duration::from_mins(1),
        events: &Events::none(),
        waits: None,
    };
    let mut all = Vec::new();
    for _ in 0..times {
        all.push((control_planes.act(task).await, server.requests()));
    }
    all
}

fn left() -> Value {
    json!({ "metadata": { "name": "left", "namespace": NAMESPACE } })
}

#[tokio::test]
async fn a_control_plane_as_wanted_is_read_with_four_requests_and_one_call_of_the_policy() {
    let (server, policy) = (Server::default().with(&DEPLOYMENTS, left()), Arc::new(Renderer::default()));
    let requests = reconciled(&server, &policy, 2).await;
    assert!(server.object(&DEPLOYMENTS, NAMESPACE, "left").is_none());
    assert!(requests[0].contains(&"POST secrets/shoot-access-b".to_owned()), "{:?}", requests[0]);
    let reads =
        ["LIST managedresources", "GET secrets/extension-controlplane-seed-1", "LIST secrets", "LIST secrets"];
    assert_eq!(requests[1], reads);
    assert_eq!(policy.calls.load(Ordering::Relaxed), 3, "twice the first time: the names of certificates are new");
}

#[tokio::test]
async fn a_secret_for_a_token_that_lost_its_labels_gets_them_again_and_keeps_its_token() {
    let (server, policy) = (Server::default(), Arc::new(Renderer::default()));
    reconciled(&server, &policy, 1).await;
    let bare =
        json!({ "metadata": { "name": "shoot-access-a", "namespace": NAMESPACE }, "data": { "token": "dA==" } });
    let server = server.with(&SECRETS, bare);
    reconciled(&server, &policy, 1).await;
    let secret = server.object(&SECRETS, NAMESPACE, "shoot-access-a").unwrap();
    assert_eq!(secret["metadata"]["labels"]["resources.gardener.cloud/purpose"], "token-requestor");
    assert_eq!(secret["data"], json!({ "token": "dA==" }));
}

#[tokio::test]
async fn nothing_is_delivered_before_the_shoot_has_its_webhooks() {
    let (server, policy) = (Server::default(), Arc::new(Renderer::default()));
    let webhooks = rendered(&[json!({ "kind": "MutatingWebhookConfiguration" })]).unwrap();
    let (_published, webhooks) = watch::channel(webhooks);
    for (ended, requests) in acted(&server, &policy, Some(webhooks.clone()), 2).await {
        let Ended::Waiting(wait) = ended else { panic!("{ended:?}") };
        assert!(wait.text.contains(SHOOT_WEBHOOKS), "{}", wait.text);
        assert!(!requests.iter().any(|request| request.contains(SEED)), "{requests:?}");
    }
    let mut live = server.object(&MANAGED_RESOURCES, NAMESPACE, SHOOT_WEBHOOKS).unwrap();
    let conditions =
        [("ResourcesApplied", "True"), ("ResourcesHealthy", "True"), ("ResourcesProgressing", "False")];
    live["status"]["conditions"] =
        conditions.map(|(kind, status)| json!({ "type": kind, "status": status })).into_iter().collect();
    let server = server.with(&MANAGED_RESOURCES, live);
    let (ended, _) = acted(&server, &policy, Some(webhooks), 1).await.remove(0);
    assert_eq!(ended, Ended::Done(Map::new()));
    assert!(server.object(&MANAGED_RESOURCES, NAMESPACE, SEED).is_some());
}
