//! The life of a whole Shoot, as gardenlet asks for it, with machines in the cloud.

use std::time::Duration;

use kube::api::ListParams;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::seed::{extension, resource};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};
use crate::whole::{USER_DATA, Whole};

/// How many instances the cloud has.
fn instances(stage: &Stage) -> u64 {
    stage.site.inventory().get("ecs:instances").copied().unwrap_or_default()
}

/// Watches the instances while something goes on: the fewest and the most that there were.
async fn watched(stage: &Stage, during: impl Future<Output = ()>) -> (u64, u64) {
    let mut range = (instances(stage), instances(stage));
    let watch = async {
        loop {
            let now = instances(stage);
            range = (range.0.min(now), range.1.max(now));
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = watch => {}
        () = during => {}
    }
    range
}

/// The ManagedResources of the control plane of a Shoot.
async fn delivered(stage: &Stage, shoot: &Shoot) -> Vec<Value> {
    let kind = resource("resources.gardener.cloud", "v1alpha1", "ManagedResource");
    let all = stage.seed.namespaced(&shoot.namespace, &kind).list(&ListParams::default()).await.unwrap();
    let all = all.items.into_iter().map(|object| serde_json::to_value(object).unwrap());
    let is_of_control_plane =
        |object: &Value| object["metadata"]["name"].as_str().unwrap().starts_with("extension-controlplane-");
    all.filter(is_of_control_plane).collect()
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

/// The pod templates of what is delivered into the seed, by Deployment.
async fn pod_templates(stage: &Stage, shoot: &Shoot) -> Vec<(String, Value)> {
    let api = stage.seed.namespaced(&shoot.namespace, &resource("apps", "v1", "Deployment"));
    let all = api.list(&ListParams::default()).await.unwrap();
    let of = |object: kube::api::DynamicObject| {
        (object.metadata.name.unwrap(), object.data["spec"]["template"].clone())
    };
    let delivered = |(name, _): &(String, Value)| name.starts_with("csi-") || name.starts_with("cloud-");
    all.items.into_iter().map(of).filter(delivered).collect()
}

/// Waits until the ControlPlane and the Worker say that they are healthy, in these words.
async fn are_healthy(stage: &Stage, shoot: &Shoot, words: &str) {
    for (kind, condition) in [("ControlPlane", "ControlPlaneHealthy"), ("Worker", "EveryNodeReady")] {
        let api = stage.seed.namespaced(&shoot.namespace, &extension(kind));
        let says = async || {
            let object = api.get(&shoot.name).await.unwrap();
            let conditions = object.data["status"]["conditions"].as_array()?;
            let condition = conditions.iter().find(|one| one["type"] == condition)?;
            (condition["status"] == "True" && condition["message"] == words).then_some(())
        };
        until(&format!("{condition}: {words}"), LIMIT, says).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shoot_is_created_grows_rolls_rotates_sleeps_wakes_moves_and_goes() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[]).await;
    let shoot = Shoot::new("two-zones");
    let mut whole = Whole::prepare(&stage, shoot).await;
    whole.machines();
    whole.flow().await;
    assert_eq!(instances(whole.stage), 2);
    let templates = async || {
        let found = pod_templates(whole.stage, &whole.shoot).await;
        (found.len() == 3).then_some(found)
    };
    let templates = until("the control plane is delivered", LIMIT, templates).await;

    let all_are = async || (healthy(whole.stage, &whole.shoot).await == 4).then_some(());
    until("gardener-resource-manager has applied all", LIMIT, all_are).await;

    // A third zone has a machine of its own.
    whole.shoot = whole.shoot.clone().with_third_zone().with(|shoot| {
        let worker = &mut shoot["spec"]["provider"]["workers"][0];
        worker["zones"].as_array_mut().unwrap().push(json!("eu-central-1c"));
        worker["minimum"] = json!(3);
    });
    whole.flow().await;
    assert_eq!(instances(whole.stage), 3);

    // A pool rolls: never fewer machines than asked for, never more than one further a zone.
    whole.shoot = whole.shoot.clone().with(|shoot| {
        shoot["spec"]["provider"]["workers"][0]["machine"]["type"] = json!("ecs.g7.xlarge");
    });
    let before = whole.stage.site.last_call();
    let here = whole.stage;
    let roll = async {
        let worker = whole.worker();
        here.gardenlet().cluster(&whole.shoot).await;
        here.gardenlet().user_data(&whole.shoot, USER_DATA).await;
        here.gardenlet().redeploy(&worker).await;
        here.gardenlet().wait(&worker).await;
    };
    let (fewest, most) = watched(here, roll).await;
    assert!(fewest >= 3 && most <= 6, "{fewest} to {most} machines");
    assert_eq!(instances(here), 3);
    let changes = here.site.changes(before);
    let count = |action: &str| changes.iter().filter(|change| *change == action).count();
    assert_eq!((count("RunInstances"), count("DeleteInstances")), (3, 3), "{changes:?}");

    // No machine and no pod of the control plane notices that the authority is rotated.
    let before = whole.stage.site.last_call();
    for phase in ["Preparing", "Completing"] {
        whole.shoot = whole.shoot.clone().with(|shoot| {
            let rotation = json!({ "phase": phase, "lastInitiationTime": "2026-11-25T12:00:00Z" });
            shoot["status"]["credentials"] = json!({ "rotation": { "certificateAuthorities": rotation } });
        });
        whole.stage.gardenlet().cluster(&whole.shoot).await;
        whole.stage.gardenlet().redeploy(&whole.control_plane()).await;
        whole.stage.gardenlet().wait(&whole.control_plane()).await;
    }
    assert_eq!(whole.stage.site.changes(before), [""; 0]);
    assert_eq!(pod_templates(whole.stage, &whole.shoot).await, templates);

    are_healthy(whole.stage, &whole.shoot, "All health checks successful").await;
    whole.hibernate().await;
    are_healthy(whole.stage, &whole.shoot, "Shoot is hibernated").await;
    assert_eq!(instances(whole.stage), 0);
    whole.wake().await;
    assert_eq!(instances(whole.stage), 3);

    let before = whole.stage.site.last_call();
    whole.migrate("b").await;
    assert_eq!(instances(whole.stage), 3);
    assert_eq!(whole.stage.site.changes(before), [""; 0], "a migration changes nothing in the cloud");

    whole.remove().await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    nothing_secret_was_reported(&trellis.log());
    trellis.end().await;
    stage.close().await;
}

/// No line of the log has a credential or user data.
fn nothing_secret_was_reported(log: &[Value]) {
    for canary in [trellis_simulator::cloud::ACCESS_KEY_SECRET, USER_DATA, "BEGIN RSA PRIVATE KEY"] {
        assert!(!log.iter().any(|line| line.to_string().contains(canary)), "the log has a secret");
    }
}
