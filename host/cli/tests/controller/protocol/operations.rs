//! Reconciles: what the status says, and in which order.

use jiff::Timestamp;
use serde_json::json;

use super::{first, quiet, reached, refuse, shows};
use crate::history::History;
use crate::seed::{annotations, succeeded};
use crate::shoot::{Shoot, credentials};
use crate::stage::Stage;

pub async fn a_reconcile_takes_the_annotation_away_and_shows_its_progress(stage: &Stage) {
    let shoot = Shoot::new("sequence");
    let history = History::of(&stage.seed, &shoot);
    stage.ready(&shoot).await;
    shows(&history, 0, "Create", "Reconciling the infrastructure", "Successfully reconciled infrastructure");
    let from = history.len();
    stage.gardenlet().deploy(&shoot).await;
    stage.gardenlet().wait(&shoot).await;
    quiet().await;
    shows(&history, from, "Reconcile", "Reconciling the infrastructure", "Successfully reconciled infrastructure");
    let changes = &history.changes()[from..];
    let asked = first(changes, "asked for", |change| change.asked().is_some());
    let taken = asked + first(&changes[asked..], "taken up", |change| change.asked().is_none());
    let processing = asked + reached(&changes[asked..], "Reconcile", "Processing");
    assert!(taken < processing, "{changes:#?}");
    stage.remove(&shoot).await;
}

pub async fn a_creation_that_fails_goes_on_as_a_creation(stage: &Stage) {
    let shoot = Shoot::new("refused");
    stage.prepare(&shoot).await;
    refuse(stage, &shoot).await;
    let history = History::of(&stage.seed, &shoot);
    stage.gardenlet().deploy(&shoot).await;
    let failed = stage
        .seed
        .until(&shoot, "the creation fails", |object| object["status"]["lastOperation"]["state"] == "Error")
        .await;
    let status = &failed["status"];
    assert_eq!(status["lastOperation"]["type"], "Create", "{status}");
    assert_eq!(status["lastOperation"]["progress"], 50, "{status}");
    assert_eq!(status["lastOperation"]["description"], status["lastError"]["description"], "{status}");
    let text = status["lastError"]["description"].as_str().unwrap();
    // The check of the configuration is the first that asks the cloud.
    assert!(text.starts_with("Error checking infrastructure config: "), "{text}");
    assert!(!text.contains("wrong"), "a secret is in {text}");
    let codes: Vec<&str> =
        status["lastError"]["codes"].as_array().unwrap().iter().filter_map(|code| code.as_str()).collect();
    assert!(codes.contains(&"ERR_INFRA_UNAUTHENTICATED"), "{codes:?}");
    assert!(codes.is_sorted(), "{codes:?}");
    assert_eq!(status["observedGeneration"], failed["metadata"]["generation"]);

    stage.gardenlet().cloudprovider(&shoot, credentials()).await;
    stage.gardenlet().deploy(&shoot).await;
    stage.gardenlet().wait(&shoot).await;
    let object = stage.seed.infrastructure(&shoot).await;
    assert_eq!(object["status"].get("lastError"), None, "{object}");
    assert!(
        history.operations(0).iter().all(|reported| reported.starts_with("Create ")),
        "{:#?}",
        history.operations(0)
    );

    stage.gardenlet().deploy(&shoot).await;
    stage.gardenlet().wait(&shoot).await;
    assert_eq!(stage.seed.infrastructure(&shoot).await["status"]["lastOperation"]["type"], "Reconcile");
    stage.remove(&shoot).await;
}

pub async fn what_succeeded_is_complete_and_not_older_than_asked(stage: &Stage) {
    let shoot = Shoot::new("complete");
    stage.ready(&shoot).await;
    let object = stage.seed.infrastructure(&shoot).await;
    let asked = annotations(&object)["gardener.cloud/timestamp"].as_str().unwrap().to_owned();
    let written = object["status"]["lastOperation"]["lastUpdateTime"].as_str().unwrap();
    let (asked, written): (Timestamp, Timestamp) = (asked.parse().unwrap(), written.parse().unwrap());
    assert!(asked.as_second() <= written.as_second(), "{asked} {written}");
    assert_eq!(written.subsec_nanosecond(), 0);
    let status = &object["status"];
    assert!(status["state"]["apiVersion"].is_string() && status["state"]["kind"].is_string(), "{status}");
    // This provider decides no ranges of its own. Those that it reports are the Shoot's.
    let ranges = status["networking"].as_object().into_iter().flatten();
    for (name, reported) in ranges {
        assert_eq!(*reported, json!([shoot.document["spec"]["networking"][name]]), "{name}");
    }
    let egress = status["egressCIDRs"].as_array().unwrap();
    assert!(!egress.is_empty() && egress.iter().all(|cidr| cidr.as_str().unwrap().ends_with("/32")), "{egress:?}");
    stage.remove(&shoot).await;
}

pub async fn the_finalizer_comes_before_the_first_status(stage: &Stage) {
    let shoot = Shoot::new("finalizer");
    let history = History::of(&stage.seed, &shoot);
    stage.ready(&shoot).await;
    let changes = history.changes();
    let held = first(&changes, "held", super::Change::has_finalizer);
    let reported = first(&changes, "reported", |change| change.object["status"].get("lastOperation").is_some());
    assert!(held < reported, "{changes:#?}");
    stage.remove(&shoot).await;
}

pub async fn fields_of_others_survive(stage: &Stage) {
    let shoot = Shoot::new("foreign");
    stage.ready(&shoot).await;
    let time = "2026-01-01T00:00:00Z";
    let conditions = json!([{
        "type": "Tested", "status": "True", "reason": "Test", "message": "a test says so",
        "lastTransitionTime": time, "lastUpdateTime": time,
    }]);
    stage.seed.merge_status(&shoot, json!({ "conditions": conditions })).await;
    stage
        .seed
        .merge(
            &shoot,
            json!({ "metadata": { "labels": { "a": "b" }, "finalizers": [
        crate::history::FINALIZER, "test.trellis/hold",
    ] } }),
        )
        .await;
    stage.seed.operate(&shoot, "reconcile").await;
    let object = stage.seed.until(&shoot, "reconciled", succeeded).await;
    assert_eq!(object["status"]["conditions"], conditions);
    assert_eq!(object["metadata"]["labels"], json!({ "a": "b" }));
    assert_eq!(object["metadata"]["finalizers"].as_array().unwrap().len(), 2, "{object}");
    stage.gardenlet().destroy(&shoot).await;
    let held = |object: &serde_json::Value| object["metadata"]["finalizers"] == json!(["test.trellis/hold"]);
    let object = stage.seed.until(&shoot, "only the other finalizer holds it", held).await;
    assert_eq!(object["status"]["conditions"], conditions);
    stage.seed.merge(&shoot, json!({ "metadata": { "finalizers": null } })).await;
    stage.remove(&shoot).await;
}
