//! The program in place of the existing ones: called by their names, with the command lines of their charts.

use kube::api::DeleteParams;
use serde_json::Value;

use crate::access;
use crate::admission::stage::{NAMESPACE, Stage as Garden};
use crate::process::{Trellis, free};
use crate::seed::{Seed, resource};
use crate::stage::Stage;
use crate::support::charts::{
    ADMISSION, AdmissionValues, DEFAULTS, PROVIDER, ProviderValues, admission, configuration, provider,
};
use crate::wait::{LIMIT, until};

/// Starts the extension with what its chart renders.
async fn start(stage: &Stage, values: ProviderValues) -> Trellis {
    let folder = tempfile::tempdir().unwrap();
    let values = ProviderValues { ports: [0, free().port(), 0], ..values };
    let mut line = provider(&stage.namespace, values);
    line.push(configuration(folder.path()));
    let kubeconfig = stage.kubeconfig().to_str().unwrap();
    Trellis::start_called(
        PROVIDER,
        &line,
        &[("LEADER_ELECTION_NAMESPACE", &stage.namespace), ("KUBECONFIG", kubeconfig)],
    )
    .await
}

/// Waits until the process is ready in each way in which a kubelet can ask.
async fn is_ready(trellis: &Trellis) {
    for path in ["/readyz", "/readyz/informer-sync", "/readyz/webhook-server", "/healthz", "/healthz/ping"] {
        until("the process is ready", LIMIT, async || (trellis.health(path).await.0 == 200).then_some(())).await;
    }
    assert_eq!(trellis.health("/readyz/other").await.0, 404);
}

pub async fn found(of: &Seed, kind: &str, name: &str) -> Option<Value> {
    let registrations = of.global(&resource("admissionregistration.k8s.io", "v1", kind));
    registrations.get_opt(name).await.unwrap().map(|found| serde_json::to_value(found).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_deployment_of_the_existing_extension_starts_the_program() {
    const NAME: &str = "gardener-extension-provider-alicloud";
    let stage = Stage::new(1).await;
    let trellis = start(&stage, DEFAULTS).await;
    is_ready(&trellis).await;
    let kind = "MutatingWebhookConfiguration";
    let registered = until("the webhooks are registered", LIMIT, async || found(&stage.seed, kind, NAME).await);
    let registered = registered.await;
    let service = &registered["webhooks"][0]["clientConfig"]["service"];
    assert_eq!((&service["name"], &service["port"]), (&NAME.into(), &443.into()), "{registered}");
    let leases = stage.seed.namespaced(&stage.namespace, &resource("coordination.k8s.io", "v1", "Lease"));
    for lease in ["provider-alicloud-leader-election", "gardener-extension-heartbeat"] {
        until("there is the Lease", LIMIT, async || leases.get_opt(lease).await.unwrap()).await;
    }
    trellis.end().await;
    // Nobody answers at the Service, and other tests have this seed next.
    let all = stage.seed.global(&resource("admissionregistration.k8s.io", "v1", kind));
    all.delete(NAME, &DeleteParams::default()).await.unwrap();
    stage.nothing_was_forbidden();
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn its_deployment_in_a_garden_starts_the_program_without_webhooks() {
    let stage = Stage::with_access(access::GARDEN).await;
    let trellis = start(&stage, ProviderValues { is_runtime: true, ..DEFAULTS }).await;
    is_ready(&trellis).await;
    let name = "gardener-extension-provider-alicloud";
    assert_eq!(found(&stage.seed, "MutatingWebhookConfiguration", name).await, None);
    trellis.end().await;
    stage.nothing_was_forbidden();
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_deployment_of_the_existing_admission_starts_the_program() {
    let garden = Garden::new().await;
    let values = AdmissionValues { is_virtual: true, owner: Some(NAMESPACE), kubeconfig: None, has_metrics: true };
    let mut line = admission(NAMESPACE, values);
    // The port of the chart may be taken on this machine. The folder is one into which the existing program writes.
    line.push(format!("--webhook-config-server-port={}", free().port()));
    line.push("--webhook-config-cert-dir=/tmp/admission-alicloud-cert".to_owned());
    let kubeconfig = garden.kubeconfig();
    let variables = [
        ("LEADER_ELECTION_NAMESPACE", NAMESPACE),
        ("SOURCE_CLUSTER", "enabled"),
        ("SOURCE_KUBECONFIG", kubeconfig),
        ("GARDEN_KUBECONFIG", kubeconfig),
    ];
    let trellis = Trellis::start_called(ADMISSION, &line, &variables).await;
    is_ready(&trellis).await;
    until("the webhooks are registered", LIMIT, async || {
        Some(garden.trusted().await).filter(|all| !all.is_empty())
    })
    .await;
    let registered =
        found(&garden.garden, "ValidatingWebhookConfiguration", "gardener-extension-admission-alicloud");
    let registered = registered.await.unwrap();
    let url = registered["webhooks"][0]["clientConfig"]["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("https://gardener-extension-admission-alicloud.{NAMESPACE}/")), "{url}");
    trellis.end().await;
}
