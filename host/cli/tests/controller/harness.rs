//! The stage itself, without the program: a test plays the extension, with the access that the program has.

use std::time::Duration;

use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::history::{FINALIZER, History};
use crate::proxy::Call;
use crate::seed::{Seed, extension, resource, succeeded};
use crate::shoot::Shoot;
use crate::stage::Stage;

fn status(operation: &str, generation: i64) -> Value {
    json!({ "status": {
        "observedGeneration": generation,
        "lastOperation": {
            "type": operation, "state": "Succeeded", "progress": 100, "description": "done",
            "lastUpdateTime": jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        },
        "state": { "apiVersion": "test/v1", "kind": "State" },
    } })
}

/// What an extension writes when an operation has succeeded.
async fn succeed(as_program: &Seed, shoot: &Shoot, operation: &str) {
    as_program.annotate(shoot, json!({ "gardener.cloud/operation": null })).await;
    let generation = as_program.infrastructure(shoot).await["metadata"]["generation"].as_i64().unwrap();
    let patch = Patch::Merge(status(operation, generation));
    as_program.infrastructures(shoot).patch_status(&shoot.name, &PatchParams::default(), &patch).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gardenlet_believes_an_extension_that_a_test_plays_with_the_access_of_the_program() {
    let stage = Stage::new(1).await;
    let as_program = Seed::connect(stage.kubeconfig()).await;
    let (shoot, gardenlet) = (Shoot::new("played"), stage.gardenlet());
    let history = History::of(&stage.seed, &shoot);
    let hello = gardenlet.hello().await;
    assert_eq!(hello["implementation"], "gardenlet", "{hello}");
    assert!(hello["kinds"].as_array().unwrap().contains(&json!("Infrastructure")), "{hello}");

    stage.create(&shoot).await;
    as_program.merge(&shoot, json!({ "metadata": { "finalizers": [FINALIZER] } })).await;
    succeed(&as_program, &shoot, "Create").await;
    assert_eq!(gardenlet.wait(&shoot).await["state"]["kind"], "State");
    assert!(succeeded(&stage.seed.infrastructure(&shoot).await));

    let error = json!({ "status": { "lastError": { "description": "no more room", "codes": ["ERR_INFRA_QUOTA_EXCEEDED"] } } });
    let patch = Patch::Merge(error);
    as_program.infrastructures(&shoot).patch_status(&shoot.name, &PatchParams::default(), &patch).await.unwrap();
    // gardenlet reads from a cache, which may not have the error yet.
    let failure = async {
        loop {
            if let Err(failure) = gardenlet.try_wait(&shoot, Duration::from_secs(2)).await {
                return failure;
            }
        }
    };
    let failure = tokio::time::timeout(Duration::from_mins(1), failure).await.unwrap();
    assert!(failure.message.contains("no more room"), "{failure:?}");
    assert_eq!(failure.codes, ["ERR_INFRA_QUOTA_EXCEEDED"]);

    gardenlet.migrate(&shoot).await;
    let removed = json!({ "metadata": { "finalizers": null } });
    let patch = json!({ "status": { "lastError": null } });
    as_program.merge_status(&shoot, patch["status"].clone()).await;
    succeed(&as_program, &shoot, "Migrate").await;
    as_program.merge(&shoot, removed).await;
    gardenlet.wait_migrate(&shoot).await;
    gardenlet.destroy(&shoot).await;
    gardenlet.wait_cleanup(&shoot).await;
    gardenlet.delete_namespace(&shoot).await;

    let moved = shoot.moved("b");
    stage.prepare(&moved).await;
    gardenlet.restore(&moved, &json!({ "apiVersion": "test/v1", "kind": "State" })).await;
    succeed(&as_program, &moved, "Restore").await;
    gardenlet.wait(&moved).await;
    stage.remove(&moved).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    let reported = history.operations(0);
    assert_eq!(reported, ["Create Succeeded 100 done", "Migrate Succeeded 100 done"]);
    assert_eq!(history.changes().last().unwrap().kind, "DELETED");
    let call = Call {
        verb: "patch",
        path: "apis/extensions.gardener.cloud/v1alpha1/namespaces/*/infrastructures/*/status".to_owned(),
    };
    assert_eq!(stage.proxy.counts()[&call], 5);
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_access_of_the_program_is_no_more_than_it_needs() {
    let stage = Stage::new(1).await;
    let as_program = Seed::connect(stage.kubeconfig()).await;
    let namespaces = as_program.global(&resource("", "v1", "Namespace"));
    namespaces.list(&ListParams::default()).await.unwrap();
    assert!(namespaces.delete("default", &DeleteParams::default()).await.is_err());
    let webhooks = resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration");
    let webhooks = as_program.global(&webhooks);
    assert!(webhooks.get_opt("gardener-extension-provider-alicloud").await.unwrap().is_none());
    assert!(webhooks.get_opt("other").await.is_err());
    let clusters = as_program.global(&extension("Cluster"));
    clusters.list(&ListParams::default()).await.unwrap();
    let patched = clusters.patch("a", &PatchParams::default(), &Patch::Merge(json!({}))).await;
    assert!(patched.is_err());
    let lease = |name: &str| {
        serde_json::from_value(json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": { "name": name }, "spec": {},
        }))
        .unwrap()
    };
    let kind = resource("coordination.k8s.io", "v1", "Lease");
    let leases = as_program.namespaced(&stage.namespace, &kind);
    for name in ["provider-alicloud-leader-election", "gardener-extension-heartbeat"] {
        leases.create(&PostParams::default(), &lease(name)).await.unwrap();
        leases
            .patch(name, &PatchParams::default(), &Patch::Merge(json!({ "spec": { "holderIdentity": "a" } })))
            .await
            .unwrap();
        leases.get(name).await.unwrap();
    }
    assert!(leases.get("other").await.is_err());
    let elsewhere = as_program.namespaced("default", &kind);
    assert!(elsewhere.create(&PostParams::default(), &lease("gardener-extension-heartbeat")).await.is_err());
    let forbidden: Vec<_> =
        stage.proxy.forbidden().into_iter().map(|call| format!("{} {}", call.verb, call.path)).collect();
    assert_eq!(
        forbidden,
        [
            "delete api/v1/namespaces/*",
            "get apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/*",
            "patch apis/extensions.gardener.cloud/v1alpha1/clusters/*",
            "get apis/coordination.k8s.io/v1/namespaces/*/leases/*",
            "create apis/coordination.k8s.io/v1/namespaces/*/leases",
        ]
    );
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn an_api_server_that_restarts_is_reached_again_with_the_same_token() {
    let stage = Stage::alone(1).await;
    let as_program = Seed::connect(stage.kubeconfig()).await;
    let shoot = Shoot::new("before");
    stage.create(&shoot).await;
    let before = stage.landscape.server("seed-apiserver");
    stage.landscape.restart("seed-apiserver");
    assert_ne!(stage.landscape.server("seed-apiserver"), before);
    let found = as_program.infrastructures(&shoot).get(&shoot.name).await.unwrap();
    assert_eq!(found.metadata.namespace.as_ref(), Some(&shoot.namespace));
    stage.remove(&shoot).await;
}
