//! A control plane of the existing extension is taken over, and given back: recorded control planes of that
//! extension, and certificates that Gardener's own code makes.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use kube::api::ListParams;
use serde_json::{Value, json};

use crate::seed::{extension, resource, succeeded};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// How many recorded control planes are taken over.
const MOST: usize = 4;

/// Recorded control planes that are awake, of an extension without a configuration of its own.
fn recorded() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/alicloud-controlplane.ndjson.gz");
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_plain = |case: &Value| {
        let shoot = &case["in"]["cluster"]["spec"]["shoot"];
        case["out"]["objects"].is_object()
            && case["in"].get("csi").is_none()
            && case["in"].get("legacy").is_none()
            && shoot["spec"]["hibernation"]["enabled"] != true
            && shoot["status"]["lastOperation"]["state"] != "Failed"
    };
    all.filter(is_plain).take(MOST).collect()
}

/// The pod templates among objects, by kind and name.
pub fn pod_templates(objects: &[Value]) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> = objects
        .iter()
        .filter(|object| object.pointer("/spec/template/spec/containers").is_some())
        .map(|object| {
            let name = format!("{} {}", object["kind"], object["metadata"]["name"]);
            (name, object["spec"]["template"].clone())
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Delivers what the existing extension did.
async fn deliver(stage: &Stage, namespace: &str, out: &Value) {
    for managed in out["managedResources"].as_array().unwrap() {
        let name = managed["name"].as_str().unwrap();
        let secret = format!("{name}-0a1b2c3d");
        let objects = out["objects"][name].as_array().unwrap();
        let mut manifest = String::new();
        for object in objects {
            let text = serde_saphyr::to_string(object).unwrap();
            write!(manifest, "---\n# Source: chart\n{text}\n").unwrap();
        }
        stage
            .seed
            .create(&json!({
                "apiVersion": "v1", "kind": "Secret", "metadata": { "name": secret, "namespace": namespace },
                "immutable": true, "data": { "chart": STANDARD.encode(manifest) },
            }))
            .await;
        let mut spec = managed["spec"].clone();
        spec["secretRefs"] = json!([{ "name": secret }]);
        stage
            .seed
            .create(&json!({
                "apiVersion": "resources.gardener.cloud/v1alpha1", "kind": "ManagedResource",
                "metadata": { "name": name, "namespace": namespace }, "spec": spec,
            }))
            .await;
    }
}

/// What the ControlPlane of a namespace delivers now.
pub async fn delivered(stage: &Stage, namespace: &str) -> Vec<Value> {
    let kind = resource("resources.gardener.cloud", "v1alpha1", "ManagedResource");
    let secrets = stage.seed.namespaced(namespace, &resource("", "v1", "Secret"));
    let mut objects = Vec::new();
    for managed in stage.seed.namespaced(namespace, &kind).list(&ListParams::default()).await.unwrap() {
        if !managed.metadata.name.as_deref().unwrap().starts_with("extension-controlplane-") {
            continue;
        }
        let name = managed.data["spec"]["secretRefs"][0]["name"].as_str().unwrap().to_owned();
        assert!(!name.ends_with("-0a1b2c3d"), "{name} is still the one of the existing extension");
        let secret = secrets.get(&name).await.unwrap();
        for (_, text) in secret.data["data"].as_object().unwrap() {
            let text = String::from_utf8(STANDARD.decode(text.as_str().unwrap()).unwrap()).unwrap();
            objects.extend(text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()));
        }
    }
    objects
}

/// The certificates that a manager keeps: names and versions.
async fn certificates(stage: &Stage, namespace: &str) -> Vec<(String, String)> {
    let secrets = stage.seed.namespaced(namespace, &resource("", "v1", "Secret"));
    let of =
        ListParams::default().labels("managed-by=secrets-manager,manager-identity=provider-alicloud-controlplane");
    let all = secrets.list(&of).await.unwrap();
    all.items.into_iter().map(|secret| (secret.metadata.name.unwrap(), secret.metadata.uid.unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_control_plane_is_taken_over_and_given_back_without_a_new_certificate_or_pod() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&["--controllers=controlplane,heartbeat"]).await;
    let cases = recorded();
    assert_eq!(cases.len(), MOST);
    for case in cases {
        let (given, out) = (&case["in"], &case["out"]);
        let object = &given["controlPlane"];
        let namespace = object["metadata"]["namespace"].as_str().unwrap();
        let shoot = Shoot {
            name: object["metadata"]["name"].as_str().unwrap().to_owned(),
            namespace: namespace.to_owned(),
            document: given["cluster"]["spec"]["shoot"].clone(),
        };
        stage.gardenlet().namespace(&shoot).await;
        stage.seed.create(&given["cluster"]).await;
        stage.gardenlet().cloudprovider(&shoot, given["cloudprovider"].clone()).await;
        let names = stage.gardenlet().secrets_manager(&shoot).await;
        let before = certificates(&stage, namespace).await;
        deliver(&stage, namespace, out).await;

        let mut asked = object.clone();
        asked["metadata"]["annotations"]["gardener.cloud/operation"] = json!("reconcile");
        stage.seed.create(&asked).await;
        let api = stage.seed.namespaced(namespace, &extension("ControlPlane"));
        let done = async || {
            let found = serde_json::to_value(api.get(&shoot.name).await.unwrap()).unwrap();
            assert_eq!(found["status"].get("lastError"), None, "{}: {found}", case["id"]);
            succeeded(&found).then_some(())
        };
        until("the control plane is taken over", LIMIT, done).await;
        let old: Vec<Value> =
            out["objects"].as_object().unwrap().values().flat_map(|all| all.as_array().unwrap().clone()).collect();
        let new = delivered(&stage, namespace).await;
        let (old, new) = (pod_templates(&old), pod_templates(&new));
        assert_eq!(old.len(), 4);
        assert_eq!(new, old, "{}: pods would start anew", case["id"]);
        assert_eq!(certificates(&stage, namespace).await, before, "{}", case["id"]);

        // Gardener's own code goes on with what Trellis has kept.
        assert_eq!(stage.gardenlet().secrets_manager(&shoot).await, names);
        assert_eq!(certificates(&stage, namespace).await, before);
        let control_plane = shoot.part("ControlPlane", &Value::Null);
        stage.gardenlet().destroy(&control_plane).await;
        stage.gardenlet().wait_cleanup(&control_plane).await;
        assert_eq!(certificates(&stage, namespace).await, []);
        stage.gardenlet().delete_namespace(&shoot).await;
    }
    trellis.end().await;
    stage.nothing_was_forbidden();
    stage.close().await;
}
