//! Time from the bytes of a request to the text of its answer.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "the inputs are our own")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};

/// Machine types and image versions of a large landscape.
const MACHINE_TYPES: usize = 200;
const IMAGE_VERSIONS: usize = 60;
/// When objects are judged.
const NOW: &str = "2026-11-21T12:00:00Z";

fn shoot() -> Value {
    serde_json::from_str(include_str!("two-zones.json")).unwrap()
}

fn cloud_profile() -> Value {
    let machine_types: Vec<Value> = (0..MACHINE_TYPES)
        .map(|n| if n == 0 { "ecs.sn2ne.large".to_owned() } else { format!("ecs.g{n}.large") })
        .map(|name| json!({ "name": name, "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "amd64", "usable": true }))
        .collect();
    let version = |n: usize| format!("1592.{n}.0");
    let versions: Vec<Value> = (0..IMAGE_VERSIONS)
        .map(|n| json!({ "version": version(n), "architectures": ["amd64"], "cri": [{ "name": "containerd" }] }))
        .collect();
    let mappings: Vec<Value> = (0..IMAGE_VERSIONS)
        .map(|n| {
            let region = |name: &str| json!({ "name": name, "id": format!("m-{n}-{name}") });
            json!({ "version": version(n), "regions": [region("eu-central-1"), region("cn-shanghai"), region("us-east-1")] })
        })
        .collect();
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": { "name": "alicloud" },
        "spec": {
            "type": "alicloud",
            "kubernetes": { "versions": [{ "version": "1.31.4" }] },
            "regions": [{ "name": "eu-central-1", "zones": [{ "name": "eu-central-1a" }, { "name": "eu-central-1b" }] }],
            "volumeTypes": [{ "name": "cloud_efficiency", "class": "standard", "usable": true }],
            "machineTypes": machine_types,
            "machineImages": [{ "name": "gardenlinux", "versions": versions }],
            "providerConfig": {
                "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                "kind": "CloudProfileConfig",
                "machineImages": [{ "name": "gardenlinux", "versions": mappings }]
            }
        }
    })
}

/// The parts of `context` that a function says to read of it.
fn cut(context: &Value, policy: &str, function: &str, kind: &str) -> Value {
    let info: Value = serde_json::from_str(&trellis_core::call(policy, "info", "")).unwrap();
    let mut kept = json!({});
    for pointer in info["reads"][function][kind].as_array().unwrap() {
        let segments: Vec<&str> = pointer.as_str().unwrap().split('/').skip(1).collect();
        keep(context, &segments, &mut kept);
    }
    kept
}

fn keep(from: &Value, segments: &[&str], into: &mut Value) {
    match (segments, from) {
        ([], _) => *into = from.clone(),
        (["*", rest @ ..], Value::Array(items)) => {
            if !into.is_array() {
                *into = Value::Array(vec![json!({}); items.len()]);
            }
            for (item, kept) in items.iter().zip(into.as_array_mut().unwrap()) {
                keep(item, rest, kept);
            }
        }
        ([key, rest @ ..], Value::Object(members)) if members.contains_key(*key) => {
            if into.get(*key).is_none() {
                into[*key] = json!({});
            }
            keep(&members[*key], rest, &mut into[*key]);
        }
        _ => {}
    }
}

/// A Shoot with so many pools in three zones.
fn pools(count: usize, machine: &str) -> Value {
    let pool = |index: usize| {
        json!({
            "name": format!("pool-{index}"), "minimum": 3, "maximum": 9, "maxSurge": 1, "maxUnavailable": 0,
            "machine": { "type": machine, "image": { "name": "gardenlinux", "version": "1592.9.0" } },
            "cri": { "name": "containerd" }, "volume": { "type": "cloud_essd", "size": "50Gi" },
            "zones": ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
        })
    };
    let mut shoot = shoot();
    shoot["spec"]["provider"]["workers"] = (0..count).map(pool).collect();
    shoot
}

/// The request of `workers` for so many pools in three zones, with the user data of each.
fn workers(count: usize) -> Value {
    let zones = ["eu-central-1a", "eu-central-1b", "eu-central-1c"];
    let vswitch = |zone: &&str| json!({ "purpose": "nodes", "zone": zone, "id": format!("vsw-{zone}") });
    let pool = |index: usize| {
        json!({
            "name": format!("pool-{index}"), "minimum": 3, "maximum": 9, "maxSurge": 1, "maxUnavailable": 0,
            "machineType": "ecs.g7.large", "machineImage": { "name": "gardenlinux", "version": "1592.9.0" },
            "nodeAgentSecretName": format!("gardener-node-agent-pool-{index}-0123456789abcdef"),
            "userDataSecretRef": { "name": format!("gardener-node-init-{index}"), "key": "cloud_config" },
            "labels": {
                "kubernetes.io/arch": "amd64", "node.kubernetes.io/role": "node",
                "worker.gardener.cloud/pool": format!("pool-{index}"),
            },
            "volume": { "type": "cloud_essd", "size": "50Gi", "encrypted": false },
            "dataVolumes": [{ "name": "data", "type": "cloud_essd", "size": "100Gi" }],
            "nodeTemplate": { "capacity": { "cpu": "2", "gpu": "0", "memory": "8Gi" } },
            "kubernetesVersion": "1.33.2", "zones": zones,
        })
    };
    let fact = |index: usize| {
        json!({
            "query": format!("kubernetes/get/v1/Secret/shoot--dev--s/gardener-node-init-{index}"),
            "answer": { "response": { "data": { "cloud_config": "QUJD".repeat(600) } } },
        })
    };
    json!({
        "worker": {
            "kind": "Worker", "metadata": { "name": "s", "namespace": "shoot--dev--s" },
            "spec": {
                "type": "alicloud", "region": "eu-central-1",
                "secretRef": { "name": "cloudprovider", "namespace": "shoot--dev--s" },
                "infrastructureProviderStatus": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1", "kind": "InfrastructureStatus",
                    "vpc": {
                        "id": "vpc-1", "vswitches": zones.iter().map(vswitch).collect::<Value>(),
                        "securityGroups": [{ "purpose": "nodes", "id": "sg-1" }],
                    },
                    "machineImages": [{ "name": "gardenlinux", "version": "1592.9.0", "id": "m-1" }],
                },
                "pools": (0..count).map(pool).collect::<Value>(),
            },
        },
        "cluster": { "shoot": pools(count, "ecs.g7.large") },
        "facts": (0..count).map(fact).collect::<Value>(),
    })
}

/// Requests about a Shoot: with its CloudProfile, alone, and to fill it in.
fn of_shoot(
    [with, alone, default]: [&'static str; 3],
    request: &Value,
) -> [(&'static str, &'static str, Value); 3] {
    let shoot = json!({ "object": request["object"] });
    [(with, "validate", request.clone()), (alone, "validate", shoot.clone()), (default, "default", shoot)]
}

/// Three zones with two worker pools; and, as the Shoot of Alibaba Cloud has, two zones with one pool.
fn of_aws() -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    let request: Value = serde_json::from_str(include_str!("aws.json")).unwrap();
    let mut small = request.clone();
    let spec = &mut small["object"]["spec"];
    spec["networking"]["ipFamilies"] = json!(["IPv4"]);
    let provider = &mut spec["provider"];
    provider["workers"].as_array_mut().unwrap().truncate(1);
    for list in ["/infrastructureConfig/networks/zones", "/workers/0/zones"] {
        provider.pointer_mut(list).and_then(Value::as_array_mut).unwrap().truncate(2);
    }
    let names = ["validate AWS, three zones with CloudProfile", "validate AWS, the Shoot alone", "default AWS"];
    let of_small =
        ["validate AWS, two zones with CloudProfile", "validate AWS, two zones alone", "default AWS, two zones"];
    of_shoot(names, &request).into_iter().chain(of_shoot(of_small, &small))
}

fn of_azure() -> [(&'static str, &'static str, Value); 3] {
    let request: Value = serde_json::from_str(include_str!("azure.json")).unwrap();
    of_shoot(
        ["validate Azure, three zones with CloudProfile", "validate Azure, the Shoot alone", "default Azure"],
        &request,
    )
}

fn of_gcp() -> [(&'static str, &'static str, Value); 3] {
    let request: Value = serde_json::from_str(include_str!("gcp.json")).unwrap();
    of_shoot(
        ["validate GCP, dual-stack with CloudProfile", "validate GCP, the Shoot alone", "default GCP"],
        &request,
    )
}

fn benchmark(criterion: &mut Criterion) {
    let context = json!({ "cloudProfile": cloud_profile() });
    let mut unset = shoot();
    unset["spec"]["provider"]["workers"][0]["volume"].as_object_mut().unwrap().remove("encrypted");
    let mut broken = shoot();
    broken["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][1]["workers"] = json!("10.250.0.1/20");
    let requests = [
        ("validate two zones", "validate", json!({ "object": shoot() })),
        (
            "validate two zones, CloudProfile cut down",
            "validate",
            json!({ "object": shoot(), "context": cut(&context, "alicloud", "validate", "Shoot") }),
        ),
        ("validate two zones, update", "validate", json!({ "object": shoot(), "oldObject": shoot() })),
        ("validate two zones, two errors", "validate", json!({ "object": broken })),
        (
            "default two zones, CloudProfile cut down",
            "default",
            json!({ "object": unset, "context": cut(&context, "alicloud", "default", "Shoot") }),
        ),
        (
            "plan two zones, preview",
            "plan",
            json!({ "request": { "operation": "reconcile", "cluster": { "shoot": shoot() } }, "baseline": "empty" }),
        ),
    ];
    let openstack: Value = serde_json::from_str(include_str!("openstack.json")).unwrap();
    let of_openstack = [
        ("validate OpenStack, with CloudProfile and credentials", "validate", openstack.clone()),
        ("validate OpenStack, the Shoot alone", "validate", json!({ "object": openstack["object"] })),
        ("default OpenStack", "default", json!({ "object": openstack["object"] })),
    ];
    let of_gardener = [
        ("Gardener's own: validate two zones", "validate", json!({ "object": shoot(), "now": NOW })),
        (
            "Gardener's own: validate two zones, with CloudProfile",
            "validate",
            json!({ "object": shoot(), "now": NOW, "context": cut(&context, "gardener", "validate", "Shoot") }),
        ),
        ("Gardener's own: default two zones", "default", json!({ "object": shoot(), "now": NOW })),
    ];
    let control_plane: Value = serde_json::from_str(include_str!("control-plane.json")).unwrap();
    let of_control_planes = [
        ("render a control plane of 50 objects", "render", control_plane),
        (
            "render two zones, preview",
            "render",
            json!({ "what": "controlPlane", "cluster": { "shoot": shoot() } }),
        ),
    ];
    let nodes: Value = serde_json::from_str(include_str!("nodes.json")).unwrap();
    let credentials = json!({ "accessKeyID": "RVhBTVBMRQ==", "accessKeySecret": "RVhBTVBMRQ==" });
    let of_webhooks = [
        ("mutate an OperatingSystemConfig", "mutate", nodes),
        (
            "mutate the Secret cloudprovider",
            "mutate",
            json!({
                "webhook": "cloudprovider",
                "object": { "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "cloudprovider" }, "data": credentials },
            }),
        ),
    ];
    let of_workers = [
        ("workers of 10 pools in 3 zones", "workers", workers(10)),
        ("workers of 500 pools in 3 zones", "workers", workers(500)),
        ("rollout of 10 pools", "rollout", json!({ "object": pools(10, "m1"), "oldObject": pools(10, "m2") })),
    ];
    let of = |policy: &'static str| move |request| (policy, request);
    let requests = requests.map(of("alicloud")).into_iter().chain(of_control_planes.map(of("alicloud")));
    let requests = requests.chain(of_webhooks.map(of("alicloud"))).chain(of_workers.map(of("alicloud")));
    let requests = requests
        .chain(of_aws().map(of("aws")))
        .chain(of_azure().map(of("azure")))
        .chain(of_gcp().map(of("gcp")))
        .chain(of_openstack.map(of("openstack")))
        .chain(of_gardener.map(of("gardener")));
    for (provider, (name, function, request)) in requests {
        let request = request.to_string();
        let answer = trellis_core::call(provider, function, &request);
        let is_accepted = !answer.contains(r#""severity":"error""#) && !answer.starts_with(r#"{"error""#);
        assert_eq!(is_accepted, !name.ends_with("two errors"), "{name}: {answer}");
        assert!(function != "render" || answer.contains("managedResources"), "{name}: {answer}");
        assert!(function != "workers" || answer.contains("machineDeployments"), "{name}: {answer}");
        assert!(function != "mutate" || answer.contains("\"op\":"), "{name}: {answer}");
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| trellis_core::call(provider, function, black_box(&request)));
        });
        criterion.bench_function(&format!("{name}: the request parsed"), |bencher| {
            bencher.iter(|| trellis_core::document::parse(black_box(&request)).is_ok());
        });
    }
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
