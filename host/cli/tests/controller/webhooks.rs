//! The API servers of a seed and of a Shoot send reviews to the program.

use std::io::Read as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::read::GzDecoder;
use kube::api::{DeleteParams, GetParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::process::{Trellis, free};
use crate::seed::{Seed, extension, resource};
use crate::service::Service;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};
use crate::whole::Whole;

const NAME: &str = "gardener-extension-provider-alicloud";

/// Starts the program with webhooks at an address on loopback, which API servers reach by a URL.
async fn start(stage: &Stage, at: SocketAddr, url: SocketAddr, arguments: &[&str]) -> Trellis {
    let url = format!("--webhook-config-url={url}");
    let port = format!("--webhook-config-server-port={}", at.port());
    let namespace = format!("--webhook-config-namespace={}", stage.namespace);
    let own = ["--webhook-config-mode=url", &url, "--webhook-config-server-host=127.0.0.1", &port, &namespace];
    stage.trellis(&[&own, arguments].concat()).await
}

/// Starts the program with webhooks that API servers reach as they are.
async fn with_webhooks(stage: &Stage, controllers: &str) -> Trellis {
    let at = free();
    start(stage, at, at, &[controllers, "--shutdown-delay-seconds=0"]).await
}

/// Starts a process behind a Service that answers reviews for so many seconds at its end, and waits until it is
/// ready.
async fn add(service: &Service, stage: &Stage, url: SocketAddr, delay: u8) -> Trellis {
    let (at, delay) = (free(), format!("--shutdown-delay-seconds={delay}"));
    let trellis = start(stage, at, url, &["--controllers=heartbeat", &delay]).await;
    service.add(at, trellis.health_address()).await;
    trellis
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
    let reported = "admission webhook \"cloudprovider.alicloud.extensions.gardener.cloud\" denied the request: \
                could not mutate cloudprovider secret as \"accessKeySecret\" field is missing";
    assert!(refused.contains(reported), "{refused}");

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

/// The recorded webhooks of the existing extension whose objects the landscape knows, and that are created.
fn recorded() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/alicloud-webhooks.ndjson.gz");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let all = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_known = |case: &Value| {
        ["controlplane", "cloudprovider"].iter().any(|kind| case["kind"] == *kind)
            && case["in"]["object"]["metadata"].get("deletionTimestamp").is_none()
    };
    all.filter(is_known).collect()
}

/// The object of a case, with what the API server sends to webhooks and demands of objects.
fn complete(case: &Value, namespace: &str) -> Value {
    let mut object = case["in"]["object"].clone();
    object["metadata"]["namespace"] = json!(namespace);
    if case["kind"] == "controlplane" {
        let label = "provider.extensions.gardener.cloud/mutated-by-controlplane-webhook";
        object["metadata"]["labels"][label] = json!("true");
    }
    for file in object.pointer_mut("/spec/files").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::Object(inline)) = file.pointer_mut("/content/inline") {
            inline.entry("encoding").or_insert_with(|| json!(""));
        }
    }
    object
}

/// What the policy answers for an object.
fn direct(case: &Value, object: &Value) -> Value {
    let mut request = json!({ "webhook": case["kind"], "object": object });
    if case["in"]["cluster"].is_object() {
        request["cluster"] = case["in"]["cluster"]["spec"].clone();
        request["cluster"]["metadata"] = case["in"]["cluster"]["metadata"].clone();
    }
    serde_json::from_str(&trellis_core::call("alicloud", "mutate", &request.to_string())).unwrap()
}

/// Whether a value is there, with whatever the API server adds to it.
fn is_within(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| is_within(wanted, found)))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| is_within(wanted, found))
        }
        _ => wanted == found,
    }
}

/// Makes the Cluster of a namespace that of a case, or takes it away, and waits until the API server shows it from
/// its cache.
async fn cluster(stage: &Stage, namespace: &str, case: &Value) {
    let api = stage.seed.global(&extension("Cluster"));
    let _ = api.delete(namespace, &DeleteParams::default()).await;
    let wanted = &case["in"]["cluster"]["spec"];
    if wanted.is_object() {
        let cluster = json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Cluster",
            "metadata": { "name": namespace }, "spec": wanted,
        });
        stage.seed.create(&cluster).await;
    }
    until("the Cluster is that of the case", LIMIT, async || {
        let found = api.get_with(namespace, &GetParams::any()).await.ok();
        let found = found.map_or(Value::Null, |found| found.data["spec"]["shoot"].clone());
        (found == wanted["shoot"]).then_some(())
    })
    .await;
}

/// Sends a Deployment of a Shoot's namespace to the API server while something goes on: it is changed each time.
async fn under_load(stage: &Stage, shoot: &Shoot, during: impl Future<Output = ()>) {
    stage.gardenlet().namespace(shoot).await;
    let deployment = kube_controller_manager(&shoot.namespace);
    let is_changed =
        |stored: &Value| containers(stored)[0]["command"] == json!(["x", "--cloud-provider=external"]);
    until("a Deployment is changed", LIMIT, async || {
        is_changed(&stored(&stage.seed, &deployment).await.unwrap()).then_some(())
    })
    .await;
    let enough = Arc::new(AtomicBool::new(false));
    let load: Vec<_> = (0..4)
        .map(|_| {
            let (seed, deployment, enough) = (stage.seed.clone(), deployment.clone(), Arc::clone(&enough));
            tokio::spawn(async move {
                let mut reviews = 0;
                while !enough.load(Ordering::Relaxed) {
                    assert!(is_changed(&stored(&seed, &deployment).await.unwrap()));
                    reviews += 1;
                }
                reviews
            })
        })
        .collect();
    during.await;
    enough.store(true, Ordering::Relaxed);
    let mut reviews = 0;
    for load in load {
        reviews += load.await.unwrap();
    }
    assert!(reviews > 100, "{reviews}");
    stage.gardenlet().delete_namespace(shoot).await;
    let registrations =
        stage.seed.global(&resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"));
    registrations.delete(NAME, &DeleteParams::default()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_rolling_restart_under_load_loses_no_review() {
    let stage = Stage::new(1).await;
    let (service, url) = Service::start().await;
    let mut running = add(&service, &stage, url, 3).await;
    under_load(&stage, &Shoot::new("rolling"), async {
        for _ in 0..3 {
            let next = add(&service, &stage, url, 3).await;
            std::mem::replace(&mut running, next).end().await;
        }
    })
    .await;
    running.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_process_that_loses_its_lease_answers_reviews_until_others_do() {
    let stage = Stage::new(1).await;
    let (service, url) = Service::start().await;
    let mut first = add(&service, &stage, url, 8).await;
    let lease = stage.seed.namespaced(&stage.namespace, &resource("coordination.k8s.io", "v1", "Lease"));
    let mut second = None;
    under_load(&stage, &Shoot::new("taken"), async {
        second = Some(add(&service, &stage, url, 3).await);
        let taken = Patch::Merge(json!({ "spec": { "holderIdentity": "somebody" } }));
        lease.patch("provider-alicloud-leader-election", &PatchParams::default(), &taken).await.unwrap();
        let unready = async || Some(first.health("/readyz").await).filter(|reported| reported.0 == 503);
        let reported = until("the process is not ready", LIMIT, unready).await;
        assert_eq!(reported.1, "not ready: stopping, webhooks\n");
        assert_eq!(first.health("/healthz").await.0, 200);
        assert_eq!(first.exit().await.code(), Some(1), "{:#?}", first.log());
    })
    .await;
    second.unwrap().end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn recorded_objects_are_stored_as_the_policy_changes_them() {
    let stage = Stage::new(1).await;
    let trellis = with_webhooks(&stage, "--controllers=heartbeat").await;
    let (gardenlet, shoot) = (stage.gardenlet(), Shoot::new("recorded"));
    gardenlet.namespace(&shoot).await;
    let namespace = shoot.namespace.as_str();
    until("a Deployment is changed", LIMIT, async || {
        let stored = stored(&stage.seed, &kube_controller_manager(namespace)).await.unwrap();
        (containers(&stored)[0]["command"] == json!(["x", "--cloud-provider=external"])).then_some(())
    })
    .await;
    let (mut changed, mut unchanged, mut refused) = (0, 0, 0);
    let mut last = json!("none");
    for case in recorded() {
        let id = &case["id"];
        if case["in"]["cluster"] != last {
            cluster(&stage, namespace, &case).await;
            last = case["in"]["cluster"].clone();
        }
        let object = complete(&case, namespace);
        let stored = stored(&stage.seed, &object).await;
        if case["out"]["error"].is_string() {
            let reported = stored.unwrap_err().to_string();
            assert!(
                reported.contains("alicloud.extensions.gardener.cloud\" denied the request: "),
                "{id} {reported}"
            );
            refused += 1;
            continue;
        }
        let stored = stored.unwrap_or_else(|error| panic!("{id} {error}"));
        let answer = direct(&case, &object);
        let patch = answer["patch"].as_array().unwrap();
        for operation in patch {
            let (pointer, value) = (operation["path"].as_str().unwrap(), &operation["value"]);
            let found = stored.pointer(pointer).unwrap_or_else(|| panic!("{id} {pointer}"));
            assert!(is_within(value, found), "{id} {pointer} {value} {found}");
        }
        if patch.is_empty() {
            assert!(is_within(&object["spec"], &stored["spec"]), "{id}");
            assert_eq!(object["data"], stored["data"], "{id}");
            unchanged += 1;
        } else {
            changed += 1;
        }
    }
    assert_eq!((changed, unchanged, refused), (37, 18, 12));
    let _ = stage.seed.global(&extension("Cluster")).delete(namespace, &DeleteParams::default()).await;
    gardenlet.delete_namespace(&shoot).await;
    let registrations =
        stage.seed.global(&resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"));
    registrations.delete(NAME, &DeleteParams::default()).await.unwrap();
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}
