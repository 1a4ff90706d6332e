//! What a ControlPlane delivers, and the Secrets next to it.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::api::ApiResource;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{all, merge, one, quiet, text};
use crate::seed::resource;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

fn managed_resources() -> ApiResource {
    resource("resources.gardener.cloud", "v1alpha1", "ManagedResource")
}

fn secrets() -> ApiResource {
    resource("", "v1", "Secret")
}

/// Hexadecimal digits of SHA-256.
fn digest(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// Creates network and control plane of a Shoot. Returns the status of its Infrastructure.
async fn created(stage: &Stage, shoot: &Shoot) -> Value {
    stage.ready(shoot).await;
    let status = stage.seed.infrastructure(shoot).await["status"].clone();
    again(stage, shoot, &status).await;
    status
}

/// Asks for a reconcile with the Shoot as it is, and waits for it.
async fn again(stage: &Stage, shoot: &Shoot, infrastructure: &Value) {
    let control_plane = shoot.part("ControlPlane", infrastructure);
    stage.gardenlet().cluster(shoot).await;
    stage.gardenlet().redeploy(&control_plane).await;
    stage.gardenlet().wait(&control_plane).await;
}

async fn removed(stage: &Stage, shoot: &Shoot, infrastructure: &Value) {
    let control_plane = shoot.part("ControlPlane", infrastructure);
    stage.gardenlet().destroy(&control_plane).await;
    stage.gardenlet().wait_cleanup(&control_plane).await;
    stage.remove(shoot).await;
}

/// The Deployment of a component in what is delivered to the seed.
async fn delivered(stage: &Stage, shoot: &Shoot, component: &str) -> Value {
    let resource = one(&stage.seed, shoot, &managed_resources(), "extension-controlplane-seed").await;
    let secret = one(&stage.seed, shoot, &secrets(), text(&resource, "/spec/secretRefs/0/name")).await;
    let data = STANDARD.decode(text(&secret, "/data/seed-controlplane")).unwrap();
    let manifests = String::from_utf8(data).unwrap();
    let objects = manifests.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is = |object: &Value| object["kind"] == "Deployment" && object["metadata"]["name"] == component;
    objects.into_iter().find(is).unwrap()
}

pub async fn what_is_delivered_has_the_names_and_references_of_gardener(stage: &Stage) {
    let shoot = Shoot::new("delivered");
    let infrastructure = created(stage, &shoot).await;
    let resources = all(&stage.seed, &shoot, &managed_resources(), "").await;
    let found: Vec<(&str, Option<&str>)> = resources
        .iter()
        .map(|object| (text(object, "/metadata/name"), object["spec"]["class"].as_str()))
        .collect();
    let names = [
        ("extension-controlplane-seed", Some("seed")),
        ("extension-controlplane-shoot", None),
        ("extension-controlplane-shoot-crds", None),
        ("extension-controlplane-storageclasses", None),
    ];
    assert_eq!(found, names);
    for object in &resources {
        let name = text(object, "/spec/secretRefs/0/name");
        let secret = one(&stage.seed, &shoot, &secrets(), name).await;
        assert_eq!((&secret["immutable"], &secret["type"]), (&json!(true), &json!("Opaque")));
        assert_eq!(secret["metadata"]["labels"]["resources.gardener.cloud/garbage-collectable-reference"], "true");
        let data =
            secret["data"].as_object().unwrap().values().map(|value| STANDARD.decode(value.as_str().unwrap()));
        let sums: String = data.map(|value| digest(&value.unwrap())).collect();
        assert_eq!(name, format!("{}-{}", text(object, "/metadata/name"), &digest(sums.as_bytes())[..8]));
        let key = format!("reference.resources.gardener.cloud/secret-{}", &digest(name.as_bytes())[..8]);
        assert_eq!(object["metadata"]["annotations"][key], name);
    }
    let versions = |all: &[Value]| -> Vec<(String, i64)> {
        let of = |object: &Value| {
            (text(object, "/metadata/uid").to_owned(), object["metadata"]["generation"].as_i64().unwrap())
        };
        all.iter().map(of).collect()
    };
    let before = versions(&resources);
    again(stage, &shoot, &infrastructure).await;
    assert_eq!(versions(&all(&stage.seed, &shoot, &managed_resources(), "").await), before, "nothing changed");
    removed(stage, &shoot, &infrastructure).await;
}

pub async fn a_control_plane_sleeps_once_its_api_server_does(stage: &Stage) {
    let shoot = Shoot::new("sleeper");
    let infrastructure = created(stage, &shoot).await;
    let deployment = |replicas: u8| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "kube-apiserver", "namespace": shoot.namespace },
            "spec": {
                "replicas": replicas, "selector": { "matchLabels": { "a": "b" } },
                "template": { "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{ "name": "a", "image": "a" }] } },
            },
        })
    };
    stage.seed.apply(&deployment(1)).await;
    let asleep = shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true }));
    again(stage, &asleep, &infrastructure).await;
    assert_eq!(delivered(stage, &shoot, "cloud-controller-manager").await["spec"]["replicas"], 1);
    stage.seed.apply(&deployment(0)).await;
    let sleeps = async || {
        (delivered(stage, &shoot, "cloud-controller-manager").await["spec"]["replicas"] == 0).then_some(())
    };
    until("the control plane sleeps, and nobody asked again", LIMIT, sleeps).await;
    stage.gardenlet().wait(&asleep.part("ControlPlane", &infrastructure)).await;
    again(stage, &shoot, &infrastructure).await;
    assert_eq!(delivered(stage, &shoot, "cloud-controller-manager").await["spec"]["replicas"], 1);
    removed(stage, &shoot, &infrastructure).await;
}

pub async fn a_migration_keeps_the_objects_in_the_shoot(stage: &Stage) {
    let shoot = Shoot::new("keeper");
    let infrastructure = created(stage, &shoot).await;
    // Somebody holds what goes, so that the test sees it go.
    let names = [
        "extension-controlplane-shoot",
        "extension-controlplane-shoot-crds",
        "extension-controlplane-storageclasses",
    ];
    for name in names {
        let object = one(&stage.seed, &shoot, &managed_resources(), name).await;
        let mut finalizers = object["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
        finalizers.push(json!("test.example.org/held"));
        merge(
            &stage.seed,
            &shoot,
            &managed_resources(),
            name,
            json!({ "metadata": { "finalizers": finalizers } }),
        )
        .await;
    }
    let control_plane = shoot.part("ControlPlane", &infrastructure);
    stage.gardenlet().migrate(&control_plane).await;
    for name in [
        "extension-controlplane-shoot-crds",
        "extension-controlplane-storageclasses",
        "extension-controlplane-shoot",
    ] {
        let going = async || {
            let object = one(&stage.seed, &shoot, &managed_resources(), name).await;
            object["metadata"]["deletionTimestamp"].is_string().then_some(object)
        };
        let object = until("it goes", LIMIT, going).await;
        assert_eq!(object["spec"]["keepObjects"], true, "{object}");
        merge(&stage.seed, &shoot, &managed_resources(), name, json!({ "metadata": { "finalizers": null } }))
            .await;
    }
    stage.gardenlet().wait_migrate(&control_plane).await;
    let persistent = all(&stage.seed, &shoot, &secrets(), "persist=true").await;
    assert_eq!(persistent.len(), 1, "the authority stays for the other seed: {persistent:#?}");
    stage.gardenlet().destroy(&control_plane).await;
    stage.gardenlet().wait_cleanup(&control_plane).await;
    stage.remove(&shoot).await;
}

pub async fn access_secrets_keep_their_tokens(stage: &Stage) {
    let shoot = Shoot::new("access");
    let infrastructure = created(stage, &shoot).await;
    let selector = "resources.gardener.cloud/purpose=token-requestor,resources.gardener.cloud/class=shoot";
    let found = all(&stage.seed, &shoot, &secrets(), selector).await;
    let accounts: Vec<&str> = found
        .iter()
        .map(|secret| text(secret, "/metadata/annotations/serviceaccount.resources.gardener.cloud~1name"))
        .collect();
    let components = [
        "cloud-controller-manager",
        "csi-attacher",
        "csi-controller-ali-plugin",
        "csi-provisioner",
        "csi-resizer",
        "csi-snapshot-controller",
        "csi-snapshotter",
    ];
    assert_eq!(accounts, components);
    let name = "shoot-access-csi-attacher";
    let token = async || {
        let secret = one(&stage.seed, &shoot, &secrets(), name).await;
        secret["data"]["token"].as_str().map(str::to_owned)
    };
    let before = until("a token", LIMIT, token).await;
    merge(
        &stage.seed,
        &shoot,
        &secrets(),
        name,
        json!({ "metadata": { "labels": { "resources.gardener.cloud/class": null } } }),
    )
    .await;
    again(stage, &shoot, &infrastructure).await;
    let after = one(&stage.seed, &shoot, &secrets(), name).await;
    assert_eq!(after["metadata"]["labels"]["resources.gardener.cloud/class"], "shoot");
    assert_eq!(after["data"]["token"], before.as_str());
    removed(stage, &shoot, &infrastructure).await;
    let left = all(&stage.seed, &shoot, &secrets(), selector).await;
    assert_eq!(left.len(), 0);
}

pub async fn an_authority_is_rotated_in_its_phases(stage: &Stage) {
    let shoot = Shoot::new("rotated");
    let infrastructure = created(stage, &shoot).await;
    let managed = "managed-by=secrets-manager,manager-identity=provider-alicloud-controlplane";
    let names = async |config: &str| -> Vec<String> {
        let found = all(&stage.seed, &shoot, &secrets(), &format!("{managed},name={config}")).await;
        found.iter().map(|secret| text(secret, "/metadata/name").to_owned()).collect()
    };
    let certificates = async || {
        let found = all(
            &stage.seed,
            &shoot,
            &secrets(),
            &format!("{managed},bundle-for=ca-provider-alicloud-controlplane"),
        )
        .await;
        let [bundle] = found.as_slice() else { panic!("{found:#?}") };
        let text = String::from_utf8(STANDARD.decode(text(bundle, "/data/bundle.crt")).unwrap()).unwrap();
        text.matches("BEGIN CERTIFICATE").count()
    };
    let (authority, server) = ("ca-provider-alicloud-controlplane", "cloud-controller-manager-server");
    let (first, certificate) = (names(authority).await, names(server).await);
    assert_eq!((first.len(), certificate.len(), certificates().await), (1, 1, 1));

    let rotate = |phase: &'static str, time: &'static str| {
        shoot.clone().with(|shoot| {
            let rotation = json!({ "phase": phase, "lastInitiationTime": time });
            shoot["status"]["credentials"] = json!({ "rotation": { "certificateAuthorities": rotation } });
        })
    };
    let time = "2026-11-25T12:00:00Z";
    again(stage, &rotate("Preparing", time), &infrastructure).await;
    let both = names(authority).await;
    assert!(both.len() == 2 && both.contains(&first[0]), "{both:?}");
    assert_eq!(certificates().await, 2);
    assert_eq!(names(server).await, certificate, "clients that know the old authority alone can go on");
    again(stage, &rotate("Prepared", time), &infrastructure).await;
    assert_eq!(names(authority).await, both);

    again(stage, &rotate("Completing", time), &infrastructure).await;
    let last = names(authority).await;
    assert!(last.len() == 1 && last != first, "{last:?}");
    assert_eq!(certificates().await, 1);
    let signed = names(server).await;
    assert!(signed.len() == 1 && signed != certificate, "{signed:?}");
    again(stage, &rotate("Completed", time), &infrastructure).await;
    assert_eq!((names(authority).await, names(server).await), (last, signed));
    quiet().await;
    removed(stage, &shoot, &infrastructure).await;
}
