//! Health checks: conditions of ControlPlanes and Workers.

use jiff::{SignedDuration, Timestamp};
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};

use super::machines::{Played, REFUSAL, failed};
use super::{one, quiet, text};
use crate::seed::{extension, resource};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// The Deployments of a control plane of Alibaba Cloud whose health counts.
const DEPLOYMENTS: [&str; 3] = ["csi-plugin-controller", "csi-snapshot-controller", "cloud-controller-manager"];
const WELL: [&str; 3] = ["True", "HealthCheckSuccessful", "All health checks successful"];
const ASLEEP: [&str; 3] = ["True", "HealthCheckSuccessful", "Shoot is hibernated"];

fn unhealthy(message: &str) -> [&str; 3] {
    ["False", "HealthCheckUnsuccessful", message]
}

/// An object with a condition.
struct Watched<'s> {
    stage: &'s Stage,
    shoot: &'s Shoot,
    kind: &'static str,
    condition: &'static str,
}

impl Watched<'_> {
    async fn object(&self) -> Value {
        one(&self.stage.seed, self.shoot, &extension(self.kind), &self.shoot.name).await
    }

    fn condition_of<'o>(&self, object: &'o Value) -> Option<&'o Value> {
        let conditions = object["status"]["conditions"].as_array()?;
        conditions.iter().find(|condition| condition["type"] == self.condition)
    }

    /// Waits until the condition has this status, reason and message, and answers with it.
    async fn says(&self, wanted: [&str; 3]) -> Value {
        let what = format!("{} says {wanted:?}", self.condition);
        let said = async || {
            let object = self.object().await;
            let condition = self.condition_of(&object)?;
            (["/status", "/reason", "/message"].map(|at| text(condition, at)) == wanted).then(|| condition.clone())
        };
        until(&what, LIMIT, said).await
    }

    /// Writes the conditions as another client than the program.
    async fn write(&self, conditions: Value) {
        let api = self.stage.seed.namespaced(&self.shoot.namespace, &extension(self.kind));
        let patch = Patch::Merge(json!({ "status": { "conditions": conditions } }));
        api.patch_status(&self.shoot.name, &PatchParams::default(), &patch).await.unwrap();
    }
}

/// A ControlPlane that nobody reconciles: its Deployments are those of the test.
async fn control_plane<'s>(stage: &'s Stage, shoot: &'s Shoot) -> Watched<'s> {
    stage.prepare(shoot).await;
    stage.gardenlet().deploy(&shoot.part("ControlPlane", &Value::Null)).await;
    Watched { stage, shoot, kind: "ControlPlane", condition: "ControlPlaneHealthy" }
}

async fn remove(stage: &Stage, shoot: &Shoot) {
    let control_plane = shoot.part("ControlPlane", &Value::Null);
    stage.gardenlet().destroy(&control_plane).await;
    stage.gardenlet().wait_cleanup(&control_plane).await;
    stage.gardenlet().delete_namespace(shoot).await;
}

/// The landscape says of a Deployment at once that it is available.
async fn deploy(stage: &Stage, shoot: &Shoot, name: &str) {
    let labels = json!({ "app": name });
    let template =
        json!({ "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "a", "image": "a" }] } });
    stage
        .seed
        .apply(&json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name, "namespace": shoot.namespace },
            "spec": { "replicas": 1, "selector": { "matchLabels": labels }, "template": template },
        }))
        .await;
}

fn missing(shoot: &Shoot, name: &str) -> String {
    format!("deployment {name:?} in namespace {:?} not found", shoot.namespace)
}

pub async fn a_condition_names_each_deployment_that_is_not_well(stage: &Stage) {
    let shoot = Shoot::new("health");
    let namespace = &shoot.namespace;
    let watched = control_plane(stage, &shoot).await;
    let [first, second, third] = DEPLOYMENTS.map(|name| missing(&shoot, name));
    watched.says(unhealthy(&format!("1) {first}. 2) {second}. 3) {third}."))).await;
    for name in DEPLOYMENTS {
        deploy(stage, &shoot, name).await;
    }
    watched.says(WELL).await;

    let condition = |kind: &str| json!({ "type": kind, "status": "True", "reason": "FailedCreate", "message": "there is no room" });
    let api = stage.seed.namespaced(namespace, &resource("apps", "v1", "Deployment"));
    let status = json!({ "conditions": (["Available", "Progressing", "ReplicaFailure"].map(condition)) });
    let patch = Patch::Merge(json!({ "status": status }));
    api.patch_status("csi-plugin-controller", &PatchParams::default(), &patch).await.unwrap();
    let words = format!(
        "deployment \"csi-plugin-controller\" in namespace {namespace:?} is unhealthy: condition \"ReplicaFailure\" has invalid \
         status True (expected False) due to FailedCreate: there is no room."
    );
    watched.says(unhealthy(&words)).await;

    // Of a Shoot that sleeps, nobody expects anything, until the Cluster says that it wakes.
    let asleep = shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true }));
    stage.gardenlet().cluster(&asleep).await;
    let mut condition = watched.says(ASLEEP).await;
    condition["message"] = json!("Somebody else has been here");
    watched.write(json!([condition])).await;
    quiet().await;
    assert_eq!(watched.object().await["status"]["conditions"], json!([condition]), "nobody looks at what sleeps");
    stage.gardenlet().cluster(&shoot).await;
    watched.says(unhealthy(&words)).await;
    remove(stage, &shoot).await;
}

pub async fn a_condition_names_the_machine_that_failed_with_codes(stage: &Stage) {
    let mut played = Played::prepared(stage, Shoot::new("nodes")).await;
    stage.gardenlet().access(&played.shoot).await;
    played.ask().await;
    played.ready().await;
    let shoot = played.shoot.clone();
    let watched = Watched { stage, shoot: &shoot, kind: "Worker", condition: "EveryNodeReady" };
    watched.says(WELL).await;
    played.step(&json!({ "failedMachines": [failed("one")] })).await;
    let condition = watched.says(unhealthy(&format!("machine \"one\" failed: {REFUSAL}."))).await;
    assert_eq!(condition["codes"], json!(["ERR_INFRA_QUOTA_EXCEEDED"]));
    let frozen = json!({ "type": "Frozen", "status": "True", "reason": "OverShootingReplicaCount", "message": "it has too many" });
    played.step(&json!({ "conditions": [{ "type": "Available", "status": "True" }, frozen] })).await;
    let words = format!(
        "machine deployment \"{0}-worker-xoluy-eu-central-1a\" in namespace \"{0}\" is unhealthy: it has too many \
         (OverShootingReplicaCount).",
        shoot.namespace
    );
    let condition = watched.says(unhealthy(&words)).await;
    assert_eq!(condition.get("codes"), None);
    played.step(&json!({})).await;
    watched.says(WELL).await;

    // Nobody knows how it is with a Shoot that nobody reaches.
    let secrets = stage.seed.namespaced(&shoot.namespace, &resource("", "v1", "Secret"));
    for name in ["gardener-internal", "gardener"] {
        secrets.delete(name, &DeleteParams::default()).await.unwrap();
    }
    let words = format!(
        "failed to execute 1 health check: failed to create shoot client: secret \"gardener\" in namespace {:?} not found.",
        shoot.namespace
    );
    watched.says(["Unknown", "ConditionCheckError", &words]).await;
    played.shoot = shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true }));
    stage.gardenlet().cluster(&played.shoot).await;
    watched.says(ASLEEP).await;
    played.remove().await;
}

pub async fn the_times_of_a_condition_are_those_of_its_status_and_of_its_words(stage: &Stage) {
    let shoot = Shoot::new("times");
    let watched = control_plane(stage, &shoot).await;
    for name in &DEPLOYMENTS[1..] {
        deploy(stage, &shoot, name).await;
    }
    let words = format!("{}.", missing(&shoot, DEPLOYMENTS[0]));
    let mut condition = watched.says(unhealthy(&words)).await;
    let then = (Timestamp::now() - SignedDuration::from_hours(1)).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    for time in ["lastTransitionTime", "lastUpdateTime"] {
        condition[time] = json!(then);
    }
    let foreign = json!({
        "type": "Foreign", "status": "True", "reason": "Any", "message": "", "lastTransitionTime": then, "lastUpdateTime": then,
    });
    watched.write(json!([foreign, condition])).await;
    quiet().await;
    assert_eq!(watched.object().await["status"]["conditions"], json!([foreign, condition]), "nothing has changed");

    let deployments = stage.seed.namespaced(&shoot.namespace, &resource("apps", "v1", "Deployment"));
    deployments.delete(DEPLOYMENTS[1], &DeleteParams::default()).await.unwrap();
    let both = format!("1) {}. 2) {}.", missing(&shoot, DEPLOYMENTS[0]), missing(&shoot, DEPLOYMENTS[1]));
    let other = watched.says(unhealthy(&both)).await;
    assert_eq!(other["lastTransitionTime"], json!(then), "the status is the same");
    assert!(text(&other, "/lastUpdateTime") > then.as_str(), "{other}");

    // No check of these takes anything for under way, which another release may have done.
    condition["status"] = json!("Progressing");
    condition["reason"] = json!("HealthCheckProgressing");
    watched.write(json!([foreign, condition])).await;
    let failed = watched.says(unhealthy(&both)).await;
    assert!(text(&failed, "/lastTransitionTime") > then.as_str(), "{failed}");
    for name in &DEPLOYMENTS[..2] {
        deploy(stage, &shoot, name).await;
    }
    let well = watched.says(WELL).await;
    assert!(text(&well, "/lastTransitionTime") >= text(&failed, "/lastTransitionTime"), "{well}");
    assert_eq!(watched.object().await["status"]["conditions"][0], foreign);
    remove(stage, &shoot).await;
}
