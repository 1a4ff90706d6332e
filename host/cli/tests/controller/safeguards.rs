//! What holds the program back, and how it goes on.

use serde_json::{Value, json};

use crate::process::Trellis;
use crate::seed::succeeded;
use crate::shoot::Shoot;
use crate::stage::Stage;

const PAUSE: &str = "trellis.gardener.cloud/pause";
const MAY_DELETE: &str = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";
const MOST_DESTRUCTIVE: &str = "trellis.gardener.cloud/max-destructive-changes";

/// Waits until the Infrastructure says that something is held back, with these words.
async fn held(stage: &Stage, shoot: &Shoot, words: &[&str]) -> Value {
    let is_held = |object: &Value| {
        let text = object["status"]["lastError"]["description"].as_str().unwrap_or_default();
        words.iter().all(|word| text.contains(word))
    };
    stage.seed.until(shoot, &format!("its lastError has {words:?}"), is_held).await
}

/// Ends what a test began: everything goes.
async fn finish(stage: Stage, trellis: Trellis, shoots: &[&Shoot]) {
    for shoot in shoots {
        stage.remove(shoot).await;
    }
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_paused_object_is_left_alone_until_the_pause_ends() {
    let stage = Stage::new(3).await;
    let trellis = stage.trellis(&[]).await;
    let (own, of_shoot, neighbour) = (Shoot::new("paused"), Shoot::new("paused-shoot"), Shoot::new("free"));
    for shoot in [&own, &of_shoot] {
        stage.ready(shoot).await;
    }
    let before = stage.site.last_call();
    stage.seed.annotate(&own, json!({ PAUSE: "true" })).await;
    stage.gardenlet().cluster(&of_shoot.clone().annotated(PAUSE, "true")).await;
    for shoot in [&own, &of_shoot] {
        let edited = shoot.clone().with_third_zone();
        let config = &edited.document["spec"]["provider"]["infrastructureConfig"];
        stage.seed.merge(shoot, json!({ "spec": { "providerConfig": config } })).await;
        stage.seed.operate(shoot, "reconcile").await;
        held(&stage, shoot, &[PAUSE]).await;
    }
    assert_eq!(stage.site.last_call(), before, "the cloud was asked");
    stage.ready(&neighbour).await;

    stage.seed.annotate(&own, json!({ PAUSE: null })).await;
    stage.seed.until(&own, "it goes on", succeeded).await;
    stage.gardenlet().cluster(&of_shoot.clone().with_third_zone()).await;
    stage.seed.operate(&of_shoot, "reconcile").await;
    stage.seed.until(&of_shoot, "it goes on", succeeded).await;
    assert_eq!(stage.site.inventory()["vpc:vswitches"], 3 + 3 + 2);
    finish(stage, trellis, &[&own, &of_shoot, &neighbour]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_program_that_only_reads_changes_nothing_and_shows_its_plan() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&["--read-only"]).await;
    let shoot = Shoot::new("only-read");
    stage.create(&shoot).await;
    held(&stage, &shoot, &["--read-only"]).await;
    assert_eq!(stage.site.changes(0), [""; 0]);
    let events = stage.seed.events(&shoot.namespace).await;
    assert!(
        events.iter().any(|event| event.to_lowercase().contains("vpc")),
        "no event lists the plan: {events:#?}"
    );
    trellis.end().await;

    let trellis = stage.trellis(&[]).await;
    stage.gardenlet().wait(&shoot).await;
    finish(stage, trellis, &[&shoot]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_cap_holds_back_what_destroys_more_and_no_deletion() {
    let stage = Stage::new(2).await;
    let trellis = stage.trellis(&["--max-destructive-changes", "0"]).await;
    let (own, of_shoot) = (Shoot::new("capped"), Shoot::new("capped-shoot"));
    for shoot in [&own, &of_shoot] {
        stage.ready(shoot).await;
        let smaller = shoot.clone().with_one_zone();
        // Without this, the policy forbids to take a zone away.
        stage.seed.annotate(shoot, json!({ MAY_DELETE: "true" })).await;
        let before = stage.site.inventory();
        stage.gardenlet().cluster(&smaller).await;
        stage.gardenlet().deploy(&smaller).await;
        held(&stage, shoot, &[MOST_DESTRUCTIVE]).await;
        assert_eq!(stage.site.inventory(), before);
        if shoot.name == own.name {
            stage.seed.annotate(shoot, json!({ MOST_DESTRUCTIVE: "100" })).await;
        } else {
            stage.gardenlet().cluster(&smaller.clone().annotated(MOST_DESTRUCTIVE, "100")).await;
        }
        stage.gardenlet().deploy(&smaller).await;
        stage.gardenlet().wait(shoot).await;
        assert!(stage.site.inventory()["vpc:vswitches"] < before["vpc:vswitches"]);
    }
    // The annotation of one goes before its deletion: a deletion needs none.
    stage.seed.annotate(&own, json!({ MOST_DESTRUCTIVE: null })).await;
    finish(stage, trellis, &[&own, &of_shoot]).await;
}
