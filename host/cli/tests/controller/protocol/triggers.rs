//! What makes the program act, and what does not.

use serde_json::json;

use super::quiet;
use crate::history::{FINALIZER, History};
use crate::seed::succeeded;
use crate::shoot::Shoot;
use crate::stage::Stage;

pub async fn other_types_and_classes_are_left_alone(stage: &Stage) {
    let other = Shoot::new("other-type").with(|shoot| shoot["spec"]["provider"]["type"] = json!("acme"));
    stage.create(&other).await;
    let class = Shoot::new("other-class");
    stage.prepare(&class).await;
    let spec = json!({
        "type": "alicloud", "class": "seed", "region": "eu-central-1",
        "secretRef": { "name": "cloudprovider", "namespace": class.namespace },
        "providerConfig": class.document["spec"]["provider"]["infrastructureConfig"],
    });
    stage
        .seed
        .apply(&json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Infrastructure",
            "metadata": { "name": class.name, "namespace": class.namespace }, "spec": spec,
        }))
        .await;
    quiet().await;
    for shoot in [&other, &class] {
        let object = stage.seed.infrastructure(shoot).await;
        assert_eq!(object["metadata"].get("finalizers"), None, "{}", shoot.name);
        assert_eq!(object["status"].get("lastOperation"), None, "{}", shoot.name);
        stage.remove(shoot).await;
    }
}

pub async fn a_spec_change_without_annotation_waits(stage: &Stage) {
    let shoot = Shoot::new("unasked");
    stage.ready(&shoot).await;
    let edited = shoot.clone().with_third_zone();
    let config = &edited.document["spec"]["provider"]["infrastructureConfig"];
    stage.seed.merge(&shoot, json!({ "spec": { "providerConfig": config } })).await;
    quiet().await;
    let object = stage.seed.infrastructure(&shoot).await;
    let status = &object["status"];
    assert!(
        status["observedGeneration"].as_i64() < object["metadata"]["generation"].as_i64(),
        "the change was taken up: {status}"
    );
    stage.seed.operate(&shoot, "reconcile").await;
    stage.seed.until(&shoot, "the change is taken up", succeeded).await;
    stage.remove(&shoot).await;
}

pub async fn a_failed_shoot_is_skipped(stage: &Stage) {
    let shoot = Shoot::new("failed");
    stage.ready(&shoot).await;
    let failed = shoot.clone().with(|shoot| {
        shoot["status"]["lastOperation"] = json!({
            "type": "Reconcile", "state": "Failed", "progress": 50, "description": "a test says so",
            "lastUpdateTime": "2026-01-01T00:00:00Z",
        });
    });
    stage.gardenlet().cluster(&failed).await;
    let before = stage.seed.infrastructure(&shoot).await["status"].clone();
    stage.seed.operate(&shoot, "reconcile").await;
    quiet().await;
    let after = stage.seed.infrastructure(&shoot).await;
    assert_eq!(after["metadata"]["annotations"]["gardener.cloud/operation"], "reconcile");
    assert_eq!(after["status"], before);
    // gardenlet asks again once it works on the Shoot.
    stage.gardenlet().cluster(&shoot).await;
    stage.gardenlet().deploy(&shoot).await;
    stage.gardenlet().wait(&shoot).await;
    stage.remove(&shoot).await;
}

pub async fn an_object_waits_for_its_cluster(stage: &Stage) {
    let shoot = Shoot::new("no-cluster");
    stage.gardenlet().namespace(&shoot).await;
    stage.gardenlet().cloudprovider(&shoot, crate::shoot::credentials()).await;
    stage.gardenlet().deploy(&shoot).await;
    quiet().await;
    let object = stage.seed.infrastructure(&shoot).await;
    assert_eq!(object.get("status"), None, "{object}");
    stage.gardenlet().cluster(&shoot).await;
    stage.gardenlet().wait(&shoot).await;
    stage.remove(&shoot).await;
}

pub async fn an_object_that_waits_for_its_state_is_inert(stage: &Stage) {
    let shoot = Shoot::new("inert");
    stage.prepare(&shoot).await;
    stage
        .seed
        .apply(&json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Infrastructure",
            "metadata": {
                "name": shoot.name, "namespace": shoot.namespace,
                "annotations": { "gardener.cloud/operation": "wait-for-state" },
            },
            "spec": {
                "type": "alicloud", "region": "eu-central-1",
                "secretRef": { "name": "cloudprovider", "namespace": shoot.namespace },
                "providerConfig": shoot.document["spec"]["provider"]["infrastructureConfig"],
            },
        }))
        .await;
    quiet().await;
    let object = stage.seed.infrastructure(&shoot).await;
    assert_eq!(super::writers(&object), ["test "]);
    assert_eq!(object.get("status"), None);
    stage.remove(&shoot).await;
}

pub async fn a_confirmation_triggers_nothing(stage: &Stage) {
    let shoot = Shoot::new("confirmed");
    stage.ready(&shoot).await;
    let history = History::of(&stage.seed, &shoot);
    quiet().await;
    let before = history.len();
    stage.seed.annotate(&shoot, json!({ "confirmation.gardener.cloud/deletion": "true" })).await;
    quiet().await;
    assert_eq!(history.len(), before + 1, "the annotation alone: {:#?}", &history.changes()[before..]);
    assert_eq!(stage.seed.infrastructure(&shoot).await["metadata"]["finalizers"], json!([FINALIZER]));
    stage.remove(&shoot).await;
}
