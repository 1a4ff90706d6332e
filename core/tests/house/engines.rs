//! What a provider renders, makes, changes and plans with the engines of `gardener/`.

use serde_json::{Value, json};

use crate::provider::{ask, config, pool, shoot};

/// A Shoot with the metadata that a seed knows it by.
fn cluster() -> Value {
    let mut shoot = shoot(&json!({ "cidr": "10.0.0.0/16" }), &pool());
    shoot["metadata"] = json!({ "name": "play", "namespace": "garden-kids" });
    shoot["spec"]["kubernetes"] = json!({ "version": "1.33.0" });
    json!({ "shoot": shoot })
}

/// An extension object with a status of the infrastructure.
fn extension(kind: &str, spec: &Value) -> Value {
    let mut spec = spec.clone();
    spec["infrastructureProviderStatus"] = json!({ "network": "net-1" });
    json!({ "kind": kind, "metadata": { "name": "play", "namespace": "shoot--kids--play" }, "spec": spec })
}

#[test]
fn a_control_plane_is_two_objects() {
    let request = json!({ "what": "controlPlane", "controlPlane": extension("ControlPlane", &json!({})),
                          "cluster": cluster(), "values": true });
    let answer = ask("render", &request);
    let objects: Vec<&Value> = answer["managedResources"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .iter()
        .flat_map(|resource| resource["objects"].as_array().unwrap())
        .collect();
    assert_eq!(
        objects,
        [
            &json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "manager" },
                 "spec": { "replicas": "1" } }),
            &json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "network" },
                 "data": { "network": "net-1" } }),
        ]
    );
    assert_eq!(answer["secrets"][0]["name"], "shoot-access-manager");
    assert_eq!(answer["delete"][0]["namespace"], "shoot--kids--play");
    assert_eq!(answer["values"]["seed-controlplane"], json!({ "spec": { "replicas": "1" } }));
}

#[test]
fn a_control_plane_that_hibernates_asks_and_one_without_a_status_is_refused() {
    let mut request = json!({ "what": "controlPlane", "controlPlane": extension("ControlPlane", &json!({})),
                              "cluster": cluster() });
    request["cluster"]["shoot"]["spec"]["hibernation"] = json!({ "enabled": true });
    let answer = ask("render", &request);
    assert_eq!(answer["managedResources"], Value::Null);
    assert_eq!(answer["undecided"][0]["query"]["call"]["parameters"]["name"], "kube-apiserver");
    request["controlPlane"]["spec"] = json!({});
    let finding = &ask("render", &request)["findings"][0];
    let detail =
        "could not decode infrastructureProviderStatus of controlplane 'shoot--kids--play/play': it is absent";
    assert_eq!((&finding["rule"], &finding["detail"]), (&json!("TOY-011"), &json!(detail)));
}

#[test]
fn a_shoot_alone_is_a_preview_with_placeholders() {
    for (function, request) in [
        ("render", json!({ "what": "controlPlane", "cluster": cluster() })),
        ("workers", json!({ "cluster": cluster() })),
    ] {
        let answer = ask(function, &request);
        assert!(answer.to_string().contains(r#""network":"<network id>""#), "{answer}");
        let reported = |undecided: &Value| undecided["why"].as_str().unwrap().starts_with("`<network id>`");
        assert!(answer["undecided"].as_array().unwrap().iter().any(reported), "{answer}");
    }
}

#[test]
fn a_pool_is_a_machine_class_and_a_deployment_a_zone() {
    let pool = json!({ "name": "pool", "zones": ["a"], "maximum": 2, "minimum": 1, "volume": { "size": "20Gi" },
                       "nodeAgentSecretName": "agent", "kubernetesVersion": "1.33.0",
                       "userDataSecretRef": { "name": "data", "key": "data" } });
    let mut request = json!({ "worker": extension("Worker", &json!({ "pools": [pool] })), "cluster": cluster() });
    let answer = ask("workers", &request);
    let query = &answer["undecided"][0]["query"];
    assert_eq!((&query["call"]["parameters"]["name"], &answer["objects"]), (&json!("data"), &Value::Null));
    let secret = json!({ "data": { "data": "I2Nsb3VkLWNvbmZpZw==" } });
    request["facts"] = json!([{ "query": query["id"], "answer": { "response": secret } }]);
    let answer = ask("workers", &request);
    let deployment = &answer["machineDeployments"][0];
    let class = deployment["className"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(deployment["name"], "shoot--kids--play-pool-z1");
    assert_eq!(deployment["labels"], json!({ "topology.toy.example/zone": "a" }));
    let expected = json!({ "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass", "name": class,
                           "network": "net-1", "zone": "a" });
    assert_eq!(answer["objects"], json!([expected]));
    assert_eq!(answer["pools"][0]["additional"], json!(["20Gi"]));
    request["worker"]["spec"]["pools"][0]["volume"]["size"] = json!("30Gi");
    assert_ne!(ask("workers", &request)["pools"][0]["hash"], answer["pools"][0]["hash"]);
}

#[test]
fn a_webhook_changes_a_deployment_and_knows_its_kinds_and_names() {
    let containers = json!([{ "name": "kube-apiserver", "command": ["/kube-apiserver", "--toys=tin"] }]);
    let deployment = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "kube-apiserver" },
                             "spec": { "template": { "spec": { "containers": containers } } } });
    let mut request = json!({ "webhook": "controlplane", "object": deployment });
    let answer = ask("mutate", &request);
    let patch =
        json!([{ "op": "replace", "path": "/spec/template/spec/containers/0/command/1", "value": "--toys=wood" }]);
    assert_eq!((&answer["patch"], &answer["changes"][0]["rule"]), (&patch, &json!("TOY-012")));
    request["object"] = answer["object"].clone();
    assert_eq!(ask("mutate", &request)["patch"], json!([]));
    for (member, value, message) in [
        ("object", config("Etcd"), "is not a kind that the webhook `controlplane` sees; it sees Deployments"),
        ("webhook", json!("shoot"), "`webhook` must be \"controlplane\""),
    ] {
        let mut request = request.clone();
        request[member] = value;
        let answer = ask("mutate", &request);
        assert!(answer["error"]["message"].as_str().unwrap().ends_with(message), "{answer}");
    }
}

/// What is planned where the cloud answers so, after the queries of the first answer.
fn planned(request: &Value, account: &Value, networks: &Value) -> Value {
    let mut request = request.clone();
    let first = ask("plan", &request);
    let queries: Vec<_> = first["queries"].as_array().unwrap().iter().map(|query| &query["id"]).collect();
    assert_eq!(queries, ["who", "networks"]);
    request["facts"] = json!([
        { "query": "who", "answer": account },
        { "query": "networks", "answer": { "response": { "networks": networks } } },
    ]);
    ask("plan", &request)
}

#[test]
fn a_network_is_made_kept_adopted_or_left_to_another_account() {
    let me = json!({ "response": { "id": "me" } });
    let made = json!([{ "id": "net-0", "cidr": "10.0.0.0/16", "owner": "them" },
                      { "id": "net-1", "cidr": "10.0.0.0/16", "owner": "me" }]);
    let mut request = json!({ "request": { "operation": "reconcile", "cluster": cluster() }, "state": {} });
    let answer = planned(&request, &me, &json!([]));
    assert_eq!(answer["plan"]["steps"][0]["call"]["action"], "Make", "{answer}");
    let state = &answer["plan"]["state"];
    assert_eq!(state, &json!({ "Account": "me" }));
    let status = ask("status", &json!({ "request": request["request"], "state": state }));
    assert_eq!(status, json!({ "state": { "resources": ["Account"] } }));
    assert_eq!(planned(&request, &me, &made)["findings"][0]["rule"], "TOY-011", "found by its owner alone");
    request["state"] = json!({ "Account": "me", "Network": "net-1" });
    assert_eq!(planned(&request, &me, &made)["plan"]["steps"], json!([]));
    let unknown = json!({ "error": { "code": "Busy", "message": "later", "httpStatus": 503 } });
    let answer = planned(&request, &unknown, &made);
    assert_eq!(answer["findings"][0]["detail"], "the cloud does not say whose the credentials are: Busy: later");
    request["request"]["operation"] = json!("delete");
    assert_eq!(planned(&request, &me, &made)["plan"]["steps"][0]["call"]["action"], "Break");
    request["state"]["Account"] = json!("them");
    let answer = planned(&request, &me, &made);
    assert_eq!(
        answer["findings"][0]["detail"],
        "the state is of account them, and the credentials belong to account me"
    );
}

#[test]
fn a_preview_asks_nothing_and_a_migration_changes_nothing() {
    let request = json!({ "operation": "reconcile", "cluster": cluster() });
    let empty = ask("plan", &json!({ "request": request, "baseline": "empty" }));
    assert_eq!(empty["plan"]["changes"][0]["action"], "create", "{empty}");
    let same = ask("plan", &json!({ "request": request, "baseline": request }));
    assert_eq!(same["plan"]["changes"], json!([]));
    let mut broken = request.clone();
    broken["cluster"]["shoot"]["spec"]["provider"]["infrastructureConfig"]["colour"] = json!("red");
    let refused = ask("plan", &json!({ "request": request, "baseline": broken }));
    assert!(refused["error"]["message"].as_str().unwrap().starts_with("`baseline`: "), "{refused}");
    let moved = json!({ "operation": "migrate", "cluster": cluster() });
    let answer = ask("plan", &json!({ "request": moved, "state": { "Network": "net-1" } }));
    assert_eq!(answer["plan"]["state"], json!({ "Network": "net-1" }));
}
