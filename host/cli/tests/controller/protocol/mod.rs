//! The checklist of the contract (reference: gardener-contract 9), rows 1 to 33, 38 and 46 to 50, as watches show
//! it.
//!
//! Rows that need nothing but objects of their own run side by side under one program; the others are in
//! [`process`].

mod control_plane;
mod deletion;
mod health;
mod machines;
mod migration;
mod operations;
mod process;
mod triggers;
mod worker;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, join_all};
use kube::api::{ApiResource, ListParams, Patch, PatchParams};
use serde_json::{Value, json};

use crate::history::{Change, History};
use crate::seed::Seed;
use crate::shoot::Shoot;
use crate::stage::Stage;

/// How long nothing has to happen, where nothing may.
const QUIET: Duration = Duration::from_secs(4);

/// A row of the checklist.
type Row = fn(&Stage) -> LocalBoxFuture<'_, ()>;

macro_rules! rows {
    ($($number:literal $path:path),+ $(,)?) => {
        [$(($number, stringify!($path), (|stage| $path(stage).boxed_local()) as Row)),+]
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_checklist_holds() {
    let stage = Stage::new(40).await;
    let trellis = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "10"]).await;
    let rows = rows![
        "1" triggers::other_types_and_classes_are_left_alone,
        "2" triggers::a_spec_change_without_annotation_waits,
        "4, 5" operations::a_reconcile_takes_the_annotation_away_and_shows_its_progress,
        "6, 7, 8" operations::a_creation_that_fails_goes_on_as_a_creation,
        "9, 20, 21" operations::what_succeeded_is_complete_and_not_older_than_asked,
        "10" operations::the_finalizer_comes_before_the_first_status,
        "11" deletion::a_deletion_without_finalizer_is_silent,
        "12" deletion::the_finalizer_goes_after_the_success,
        "13" triggers::a_failed_shoot_is_skipped,
        "14" triggers::an_object_waits_for_its_cluster,
        "15" triggers::an_object_that_waits_for_its_state_is_inert,
        "16, 17, 18" migration::a_migration_lets_go_and_a_restoration_takes_over,
        "19" operations::fields_of_others_survive,
        "38" deletion::a_forced_deletion_never_blocks,
        "50" triggers::a_confirmation_triggers_nothing,
    ];
    side_by_side(&stage, rows).await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.nothing_is_left().await;
    stage.close().await;
}

/// All Shoots have one API server here, and would fight for what is applied there: one row after the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_checklist_of_control_planes_holds() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[]).await;
    for (number, name, row) in rows![
        "22, 23" control_plane::what_is_delivered_has_the_names_and_references_of_gardener,
        "24" control_plane::a_control_plane_sleeps_once_its_api_server_does,
        "25" control_plane::a_migration_keeps_the_objects_in_the_shoot,
        "26" control_plane::access_secrets_keep_their_tokens,
        "27" control_plane::an_authority_is_rotated_in_its_phases,
    ] {
        eprintln!("row {number}: {name}");
        row(&stage).await;
    }
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.nothing_is_left().await;
    stage.close().await;
}

/// Machines are played (see [`machines`]), so that nothing is in the cloud and in the API server of Shoots.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_checklist_of_workers_holds() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&["--controllers=worker,heartbeat"]).await;
    let rows = rows![
        "28" worker::the_list_of_machine_deployments_comes_before_the_machines,
        "29" worker::the_number_of_machines_is_within_its_limits_and_else_the_autoscalers,
        "30" worker::an_old_machine_class_goes_once_the_new_machines_are_there,
        "31" worker::machines_that_failed_are_reported_with_codes,
        "32" worker::saved_machines_are_there_before_their_machine_deployments,
        "33" worker::a_deletion_waits_until_the_credentials_are_held_and_let_go,
        "3.4, orphans" worker::what_a_removed_pool_had_goes,
        "3.4, in place" worker::the_hash_of_a_pool_is_reported_once_its_nodes_are_updated,
        "2.9, updates by hand" worker::a_machine_whose_update_a_person_starts_wakes_its_worker,
        "A.8" worker::machines_that_failed_and_are_kept_are_not_waited_for,
        "3.4, hibernation" worker::machines_go_and_come_with_the_sleep_of_the_shoot,
    ];
    side_by_side(&stage, rows).await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.nothing_is_left().await;
    stage.close().await;
}

/// Of ControlPlanes and Workers, nobody makes but what the rows need.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn the_checklist_of_health_checks_holds() {
    let stage = Stage::new(1).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let configuration = json!({
        "apiVersion": "alicloud.provider.extensions.config.gardener.cloud/v1alpha1", "kind": "ControllerConfiguration",
        "healthCheckConfig": { "syncPeriod": "1s" },
    });
    std::fs::write(&file, configuration.to_string()).unwrap();
    let path = file.path().to_str().unwrap();
    let trellis = stage.trellis(&["--controllers=worker,healthcheck,heartbeat", "--config-file", path]).await;
    let rows = rows![
        "46" health::a_condition_names_each_deployment_that_is_not_well,
        "46" health::a_condition_names_the_machine_that_failed_with_codes,
        "47" health::the_times_of_a_condition_are_those_of_its_status_and_of_its_words,
    ];
    side_by_side(&stage, rows).await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.nothing_is_left().await;
    stage.close().await;
}

/// Each row to its end, whatever becomes of the others.
async fn side_by_side<const N: usize>(stage: &Stage, rows: [(&'static str, &'static str, Row); N]) {
    let ran = rows.map(|(number, name, row)| async move {
        (number, name, AssertUnwindSafe(row(stage)).catch_unwind().await.is_ok())
    });
    let failed: Vec<_> = join_all(ran).await.into_iter().filter(|(_, _, passed)| !passed).collect();
    assert!(failed.is_empty(), "{failed:#?}; the log of each is above");
}

/// Time in which nothing may happen.
async fn quiet() {
    tokio::time::sleep(QUIET).await;
}

/// Where in a history something is first so.
fn first(changes: &[Change], what: &str, is: impl Fn(&Change) -> bool) -> usize {
    changes.iter().position(is).unwrap_or_else(|| panic!("no change is: {what}; {changes:#?}"))
}

/// Where in a history an operation is first in this state.
fn reached(changes: &[Change], operation: &str, state: &str) -> usize {
    let start = format!("{operation} {state} ");
    first(changes, &start, |change| change.operation().is_some_and(|text| text.starts_with(&start)))
}

/// The operation begins and ends with these texts, and reports only progress in between.
fn shows(history: &History, from: usize, operation: &str, begins: &str, ends: &str) {
    let reported = history.operations(from);
    let begins = format!("{operation} Processing 1 {begins}");
    let ends = format!("{operation} Succeeded 100 {ends}");
    let at = reported
        .iter()
        .position(|text| *text == begins)
        .unwrap_or_else(|| panic!("no `{begins}` in {reported:#?}"));
    let rest = &reported[at + 1..];
    let end = rest.iter().position(|text| *text == ends).unwrap_or_else(|| panic!("no `{ends}` in {rest:#?}"));
    let processing = format!("{operation} Processing ");
    assert!(rest[..end].iter().all(|text| text.starts_with(&processing)), "{reported:#?}");
}

/// Gives a Shoot credentials that the cloud refuses.
async fn refuse(stage: &Stage, shoot: &Shoot) {
    let wrong = json!({ "accessKeyID": "LTAI5tNobodyKnowsThis", "accessKeySecret": "wrong" });
    stage.gardenlet().cloudprovider(shoot, wrong).await;
}

/// Makes what Terraformer left of a Shoot in the time of the existing extension. Its finalizer keeps the namespace of the
/// Shoot, which a test waits for at its end.
async fn terraformer_leaves(stage: &Stage, shoot: &Shoot) {
    for (kind, file) in [("Secret", "tf-vars"), ("ConfigMap", "tf-state"), ("ConfigMap", "tf-config")] {
        let metadata = json!({
            "name": format!("{}.infra.{file}", shoot.name), "namespace": shoot.namespace,
            "finalizers": ["gardener.cloud/terraformer"],
        });
        stage.seed.apply(&json!({ "apiVersion": "v1", "kind": kind, "metadata": metadata })).await;
    }
}

/// Who wrote which part: `managedFields` without those of the tests.
fn writers(object: &Value) -> Vec<String> {
    let all = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let names = all.iter().map(|entry| {
        format!(
            "{} {}",
            entry["manager"].as_str().unwrap_or_default(),
            entry["subresource"].as_str().unwrap_or_default()
        )
    });
    names.collect()
}

/// A text in an object; empty where there is none.
fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The objects of a kind in the namespace of a Shoot that a label selector selects.
async fn all(seed: &Seed, shoot: &Shoot, of: &ApiResource, labels: &str) -> Vec<Value> {
    let api = seed.namespaced(&shoot.namespace, of);
    let all = api.list(&ListParams::default().labels(labels)).await.unwrap();
    all.items.into_iter().map(|object| serde_json::to_value(object).unwrap()).collect()
}

/// An object in the namespace of a Shoot.
async fn one(seed: &Seed, shoot: &Shoot, of: &ApiResource, name: &str) -> Value {
    serde_json::to_value(seed.namespaced(&shoot.namespace, of).get(name).await.unwrap()).unwrap()
}

/// Merges a patch into an object in the namespace of a Shoot.
async fn merge(seed: &Seed, shoot: &Shoot, of: &ApiResource, name: &str, patch: Value) {
    let api = seed.namespaced(&shoot.namespace, of);
    api.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
}
