//! The life of one ControlPlane, as gardenlet asks for it.

use kube::api::ListParams;
use serde_json::Value;

use crate::seed::resource;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// The ManagedResources of a Shoot.
async fn delivered(stage: &Stage, shoot: &Shoot) -> Vec<Value> {
    let kind = resource("resources.gardener.cloud", "v1alpha1", "ManagedResource");
    let all = stage.seed.namespaced(&shoot.namespace, &kind).list(&ListParams::default()).await.unwrap();
    all.items.into_iter().map(|object| serde_json::to_value(object).unwrap()).collect()
}

/// How many of them are applied and healthy.
async fn healthy(stage: &Stage, shoot: &Shoot) -> usize {
    let is = |object: &Value, of: &str, status: &str| {
        let conditions = object["status"]["conditions"].as_array().into_iter().flatten();
        conditions.into_iter().any(|condition| condition["type"] == of && condition["status"] == status)
    };
    let is_healthy = |object: &&Value| {
        is(object, "ResourcesApplied", "True")
            && is(object, "ResourcesHealthy", "True")
            && is(object, "ResourcesProgressing", "False")
    };
    delivered(stage, shoot).await.iter().filter(is_healthy).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_control_plane_is_delivered_and_healthy_and_goes() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[]).await;
    let shoot = Shoot::new("two-zones");
    stage.prepare(&shoot).await;
    stage.gardenlet().deploy(&shoot).await;
    let infrastructure = stage.gardenlet().wait(&shoot).await;

    let control_plane = shoot.part("ControlPlane", &infrastructure);
    stage.gardenlet().deploy(&control_plane).await;
    stage.gardenlet().wait(&control_plane).await;
    until("all four are healthy", LIMIT, async || (healthy(&stage, &shoot).await == 4).then_some(())).await;

    stage.gardenlet().destroy(&control_plane).await;
    stage.gardenlet().wait_cleanup(&control_plane).await;
    // gardenlet does not wait for what runs in the seed, and neither does the extension.
    until("nothing is delivered any more", LIMIT, async || {
        delivered(&stage, &shoot).await.is_empty().then_some(())
    })
    .await;

    stage.remove(&shoot).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}
