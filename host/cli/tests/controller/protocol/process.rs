//! Rows that need a program of their own.

use serde_json::Value;

use super::quiet;
use crate::history::History;
use crate::seed::{resource, succeeded};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// A Lease of the program, or null.
async fn lease(stage: &Stage, name: &str) -> Value {
    let leases = stage.seed.namespaced(&stage.namespace, &resource("coordination.k8s.io", "v1", "Lease"));
    let lease = leases.get_opt(name).await.unwrap();
    lease.map_or(Value::Null, |lease| lease.data["spec"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn row_3_without_the_annotation_each_change_of_the_spec_is_taken_up() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&["--ignore-operation-annotation"]).await;
    let shoot = Shoot::new("unasked");
    stage.ready(&shoot).await;
    let edited = shoot.clone().with_third_zone();
    stage.gardenlet().cluster(&edited).await;
    let config = &edited.document["spec"]["provider"]["infrastructureConfig"];
    stage.seed.merge(&shoot, serde_json::json!({ "spec": { "providerConfig": config } })).await;
    stage.seed.until(&shoot, "the change is taken up", succeeded).await;
    assert_eq!(stage.site.inventory()["vpc:vswitches"], 3);
    stage.remove(&shoot).await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn row_17_a_restart_writes_nothing_to_what_is_done() {
    let stage = Stage::new(2).await;
    let trellis = stage.trellis(&[]).await;
    let (done, migrated) = (Shoot::new("done"), Shoot::new("migrated"));
    for shoot in [&done, &migrated] {
        stage.ready(shoot).await;
    }
    stage.gardenlet().migrate(&migrated).await;
    stage.gardenlet().wait_migrate(&migrated).await;
    stage.seed.until(&migrated, "the annotation goes", succeeded).await;
    quiet().await;
    let histories = [&done, &migrated].map(|shoot| History::of(&stage.seed, shoot));
    trellis.end().await;
    let before = stage.site.last_call();
    let trellis = stage.trellis(&[]).await;
    quiet().await;
    for history in &histories {
        assert_eq!(history.len(), 1, "only what was there: {:#?}", history.changes());
    }
    assert_eq!(stage.site.last_call(), before, "the cloud was asked");
    stage.remove(&done).await;
    // What was migrated is not deleted in the cloud: its next seed has it.
    let left = stage.site.inventory();
    assert_eq!(left["vpc:vpcs"], 1, "{left:?}");
    stage.remove(&migrated).await;
    assert_eq!(stage.site.inventory(), left);
    trellis.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn row_48_the_heartbeat_goes_on() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&["--heartbeat-renew-interval-seconds", "1"]).await;
    let name = "gardener-extension-heartbeat";
    let first =
        until("a heartbeat", LIMIT, async || Some(lease(&stage, name).await).filter(Value::is_object)).await;
    assert_eq!(first["holderIdentity"], "provider-alicloud", "{first}");
    assert_eq!(first["leaseDurationSeconds"], 1, "{first}");
    let later = async || {
        let lease = lease(&stage, name).await;
        (lease["renewTime"].as_str() > first["renewTime"].as_str()).then_some(())
    };
    until("the next heartbeat", LIMIT, later).await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn row_49_a_second_replica_writes_nothing_until_it_leads() {
    let stage = Stage::new(2).await;
    let first = stage.trellis(&[]).await;
    let name = "provider-alicloud-leader-election";
    let holder = async || {
        let lease = lease(&stage, name).await;
        lease["holderIdentity"].as_str().filter(|holder| !holder.is_empty()).map(str::to_owned)
    };
    let leader = until("a leader", LIMIT, holder).await;
    let second = stage.trellis(&[]).await;
    let health = async || {
        (second.health("/healthz").await.0 == 200 && second.health("/readyz").await.0 == 200).then_some(())
    };
    until("the second one is healthy and ready", LIMIT, health).await;
    let shoot = Shoot::new("led");
    stage.ready(&shoot).await;
    assert_eq!(holder().await.as_ref(), Some(&leader));
    let reconciled = |line: &Value| line.to_string().contains(&shoot.namespace);
    assert!(!second.log().iter().any(reconciled), "{:#?}", second.log());
    // A leader that is asked to end gives its Lease away, so that the next one need not wait until it has expired.
    first.end().await;
    let next = until("the next leader", LIMIT, async || holder().await.filter(|holder| *holder != leader)).await;
    assert_ne!(next, leader);
    stage.remove(&shoot).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    second.end().await;
    stage.close().await;
}
