//! The API servers of a seed and of a Shoot send reviews to the program.

use std::net::{Ipv4Addr, TcpListener};

use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::process::Trellis;
use crate::seed::{Seed, resource};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};
use crate::whole::Whole;

const NAME: &str = "gardener-extension-provider-alicloud";

/// Starts the program with webhooks on loopback.
async fn with_webhooks(stage: &Stage, controllers: &str) -> Trellis {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let url = format!("--webhook-config-url=127.0.0.1:{port}");
    let port = format!("--webhook-config-server-port={port}");
    let namespace = format!("--webhook-config-namespace={}", stage.namespace);
    let arguments = [
        controllers,
        "--webhook-config-mode=url",
        &url,
        "--webhook-config-server-host=127.0.0.1",
        &port,
        &namespace,
        "--shutdown-delay-seconds=0",
    ];
    stage.trellis(&arguments).await
}

fn kube_controller_manager(namespace: &str) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {
            "name": "kube-controller-manager", "namespace": namespace,
            "labels": { "provider.extensions.gardener.cloud/mutated-by-controlplane-webhook": "true" },
        },
        "spec": {
            "selector": { "matchLabels": { "a": "b" } },
            "template": {
                "metadata": { "labels": { "a": "b" } },
                "spec": { "containers": [{ "name": "kube-controller-manager", "image": "x", "command": ["x"] }] },
            },
        },
    })
}

fn ingress_controller() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {
            "name": "addons-nginx-ingress-controller", "namespace": "kube-system",
            "labels": { "app": "nginx-ingress", "component": "controller", "release": "addons" },
        },
        "spec": { "type": "LoadBalancer", "ports": [{ "port": 443 }] },
    })
}

/// What an API server would store of a new object.
async fn stored(of: &Seed, object: &Value) -> Result<Value, kube::Error> {
    let types = |key: &str| object[key].as_str().unwrap();
    let (group, version) = types("apiVersion").split_once('/').unwrap_or(("", types("apiVersion")));
    let api =
        of.namespaced(object["metadata"]["namespace"].as_str().unwrap(), &resource(group, version, types("kind")));
    let dry_run = PostParams { dry_run: true, ..PostParams::default() };
    let stored = api.create(&dry_run, &serde_json::from_value(object.clone()).unwrap()).await?;
    Ok(serde_json::to_value(stored).unwrap())
}

fn containers(object: &Value) -> &[Value] {
    object["spec"]["template"]["spec"]["containers"].as_array().unwrap()
}

async fn label(of: &Seed, namespace: &str, labels: Value) {
    let patch = Patch::Merge(json!({ "metadata": { "labels": labels } }));
    of.global(&resource("", "v1", "Namespace")).patch(namespace, &PatchParams::default(), &patch).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn api_servers_of_the_seed_and_of_a_shoot_have_objects_changed_before_they_store_them() {
    let stage = Stage::new(1).await;
    let trellis = with_webhooks(&stage, "--controllers=infrastructure,controlplane,heartbeat").await;
    let registrations =
        stage.seed.global(&resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"));
    let registered = until("the webhooks are registered", LIMIT, async || {
        let found = registrations.get_opt(NAME).await.unwrap();
        found.map(|found| serde_json::to_value(found).unwrap())
    })
    .await;
    assert_eq!(registered["webhooks"].as_array().map(Vec::len), Some(3), "{registered}");
    assert_eq!(registered["metadata"]["ownerReferences"][0]["name"], stage.namespace);

    let (gardenlet, shoot) = (stage.gardenlet(), Shoot::new("hooks"));
    gardenlet.namespace(&shoot).await;
    let deployment = kube_controller_manager(&shoot.namespace);
    until("a Deployment is changed", LIMIT, async || {
        let stored = stored(&stage.seed, &deployment).await.unwrap();
        (containers(&stored)[0]["command"] == json!(["x", "--cloud-provider=external"])).then_some(())
    })
    .await;
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "stringData": { "accessKeyID": "i" },
        "metadata": {
            "name": "cloudprovider", "namespace": shoot.namespace, "labels": { "gardener.cloud/purpose": "cloudprovider" },
        },
    });
    let refused = stored(&stage.seed, &secret).await.unwrap_err().to_string();
    let told = "admission webhook \"cloudprovider.alicloud.extensions.gardener.cloud\" denied the request: \
                could not mutate cloudprovider secret as \"accessKeySecret\" field is missing";
    assert!(refused.contains(told), "{refused}");

    let mut whole = Whole::prepare(&stage, shoot).await;
    let namespace = whole.shoot.namespace.clone();
    let of_namespace = |group: &str, version: &str, kind: &str| {
        stage.seed.namespaced(&namespace, &resource(group, version, kind))
    };
    let secret = of_namespace("", "v1", "Secret").get("cloudprovider").await.unwrap();
    assert!(secret.data["data"]["credentialsFile"].is_string(), "{:?}", secret.metadata);
    let manager = of_namespace("apps", "v1", "Deployment").get("machine-controller-manager").await.unwrap();
    let manager = serde_json::to_value(manager).unwrap();
    let names: Vec<&str> = containers(&manager).iter().filter_map(|of| of["name"].as_str()).collect();
    assert_eq!(names, ["machine-controller-manager", "machine-controller-manager-provider-alicloud"]);

    gardenlet.redeploy(&whole.shoot).await;
    whole.infrastructure = gardenlet.wait(&whole.shoot).await;
    gardenlet.redeploy(&whole.control_plane()).await;
    gardenlet.wait(&whole.control_plane()).await;
    let of_shoot = Seed::connect(&stage.landscape.of_shoot).await;
    label(&of_shoot, "kube-system", json!({ "gardener.cloud/purpose": "kube-system" })).await;
    until("a Service of the Shoot is changed", LIMIT, async || {
        let stored = stored(&of_shoot, &ingress_controller()).await.unwrap();
        (stored["spec"]["externalTrafficPolicy"] == "Local").then_some(())
    })
    .await;

    gardenlet.destroy(&whole.control_plane()).await;
    gardenlet.wait_cleanup(&whole.control_plane()).await;
    let in_shoot =
        of_shoot.global(&resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"));
    assert!(in_shoot.get_opt(&format!("{NAME}-shoot")).await.unwrap().is_none(), "it goes with the ControlPlane");
    stage.remove(&whole.shoot).await;
    stage.nothing_was_forbidden();
    registrations.delete(NAME, &DeleteParams::default()).await.unwrap();
    trellis.end().await;
    stage.close().await;
}
