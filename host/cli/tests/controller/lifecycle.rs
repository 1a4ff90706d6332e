//! The life of one Infrastructure, as gardenlet asks for it.

use serde_json::json;

use crate::process::Trellis;
use crate::shoot::Shoot;
use crate::simulated::Inventory;
use crate::stage::Stage;

/// What holds for a status that gardenlet takes.
async fn is_complete(stage: &Stage, shoot: &Shoot) {
    let object = stage.seed.infrastructure(shoot).await;
    let status = &object["status"];
    for path in ["/state/apiVersion", "/state/kind", "/providerStatus/apiVersion", "/providerStatus/kind"] {
        assert!(status.pointer(path).is_some_and(serde_json::Value::is_string), "{path}: {status}");
    }
    assert!(status["egressCIDRs"].as_array().is_some_and(|all| !all.is_empty()), "{status}");
    assert_eq!(object["metadata"]["finalizers"], json!(["extensions.gardener.cloud/infrastructure"]));
}

/// Moves a Shoot to another namespace: nothing changes in the cloud.
async fn migrate(stage: &Stage, from: &Shoot, to: &Shoot) {
    let (before, gardenlet) = (stage.site.last_call(), stage.gardenlet());
    let provider_status = stage.seed.infrastructure(from).await["status"]["providerStatus"].clone();
    gardenlet.migrate(from).await;
    gardenlet.wait_migrate(from).await;
    let kept = stage.seed.infrastructure(from).await["status"]["state"].clone();
    gardenlet.destroy(from).await;
    gardenlet.wait_cleanup(from).await;
    gardenlet.delete_namespace(from).await;
    stage.prepare(to).await;
    gardenlet.restore(to, &kept).await;
    let status = gardenlet.wait(to).await;
    assert_eq!(status["providerStatus"], provider_status);
    assert_eq!(stage.site.changes(before), [""; 0], "a migration changes nothing in the cloud");
    is_complete(stage, to).await;
}

async fn edit(stage: &Stage, shoot: &Shoot) -> Inventory {
    stage.gardenlet().cluster(shoot).await;
    stage.gardenlet().redeploy(shoot).await;
    stage.gardenlet().wait(shoot).await;
    is_complete(stage, shoot).await;
    stage.site.inventory()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn an_infrastructure_is_created_edited_hibernated_migrated_twice_and_deleted() {
    let stage = Stage::new(1).await;
    let trellis: Trellis = stage.trellis(&[]).await;
    let shoot = Shoot::new("two-zones");

    stage.prepare(&shoot).await;
    let created = edit(&stage, &shoot).await;
    assert_eq!(created["vpc:vswitches"], 2, "{created:?}");

    let shoot = shoot.with_third_zone();
    let edited = edit(&stage, &shoot).await;
    assert_eq!(edited["vpc:vswitches"], 3, "{edited:?}");

    let before = stage.site.last_call();
    let shoot = shoot.with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true }));
    edit(&stage, &shoot).await;
    assert_eq!(stage.site.changes(before), [""; 0], "hibernation changes nothing in the cloud");
    assert!(stage.site.last_call() > before, "the hibernated Shoot was reconciled");

    let moved = shoot.moved("b");
    migrate(&stage, &shoot, &moved).await;
    migrate(&stage, &moved, &shoot).await;

    stage.remove(&shoot).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}
