//! Deletions.

use serde_json::json;

use super::{first, quiet, reached, refuse, shows, terraformer_leaves, writers};
use crate::history::History;
use crate::shoot::Shoot;
use crate::stage::Stage;

pub async fn a_deletion_without_finalizer_is_silent(stage: &Stage) {
    let shoot = Shoot::new("silent");
    stage.prepare(&shoot).await;
    // The annotation keeps the program away until the deletion; the other finalizer keeps the object.
    stage
        .seed
        .apply(&json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Infrastructure",
            "metadata": {
                "name": shoot.name, "namespace": shoot.namespace, "finalizers": ["test.trellis/hold"],
                "annotations": { "gardener.cloud/operation": "wait-for-state" },
            },
            "spec": {
                "type": "alicloud", "region": "eu-central-1",
                "secretRef": { "name": "cloudprovider", "namespace": shoot.namespace },
            },
        }))
        .await;
    stage.gardenlet().destroy(&shoot).await;
    stage.seed.annotate(&shoot, json!({ "gardener.cloud/operation": null })).await;
    quiet().await;
    let object = stage.seed.infrastructure(&shoot).await;
    assert_eq!(object.get("status"), None, "{object}");
    assert!(writers(&object).iter().all(|writer| !writer.ends_with(" status")), "{object}");
    stage.seed.merge(&shoot, json!({ "metadata": { "finalizers": null } })).await;
    stage.remove(&shoot).await;
}

pub async fn the_finalizer_goes_after_the_success(stage: &Stage) {
    let shoot = Shoot::new("deletion");
    stage.ready(&shoot).await;
    terraformer_leaves(stage, &shoot).await;
    let history = History::of(&stage.seed, &shoot);
    let hold = json!({ "metadata": { "finalizers": [crate::history::FINALIZER, "test.trellis/hold"] } });
    stage.seed.merge(&shoot, hold).await;
    stage.gardenlet().destroy(&shoot).await;
    let is_free = |object: &serde_json::Value| object["metadata"]["finalizers"] == json!(["test.trellis/hold"]);
    stage.seed.until(&shoot, "the program lets go", is_free).await;
    quiet().await;
    shows(&history, 0, "Delete", "Deleting the Infrastructure", "Successfully deleted Infrastructure");
    let changes = history.changes();
    let succeeded = reached(&changes, "Delete", "Succeeded");
    let free = first(&changes, "let go", |change| !change.has_finalizer());
    assert!(succeeded < free, "{changes:#?}");
    stage.seed.merge(&shoot, json!({ "metadata": { "finalizers": null } })).await;
    stage.remove(&shoot).await;
}

pub async fn a_forced_deletion_never_blocks(stage: &Stage) {
    let shoot = Shoot::new("forced");
    stage.prepare(&shoot).await;
    // The cloud refuses everything from the beginning, so nothing is orphaned there.
    refuse(stage, &shoot).await;
    stage.gardenlet().deploy(&shoot).await;
    let failed = |object: &serde_json::Value| object["status"]["lastOperation"]["state"] == "Error";
    stage.seed.until(&shoot, "the creation fails", failed).await;
    terraformer_leaves(stage, &shoot).await;
    let forced = shoot.clone().annotated("confirmation.gardener.cloud/force-deletion", "true");
    stage.gardenlet().cluster(&forced).await;
    stage.remove(&forced).await;
}
