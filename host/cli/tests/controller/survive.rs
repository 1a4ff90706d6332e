//! Shoots in a cloud and before an API server that fail, under programs that are killed, asked to end, replaced
//! and frozen: everything converges, each network, certificate and machine exists once, nothing leaks, no status
//! is left stale, and nothing secret is shown.

mod hundred;
mod leader_killer;
mod replica;
mod rolling;
mod trade;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream;
use kube::api::{ListParams, Patch, PatchParams};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::further;
use crate::process::Trellis;
use crate::secrets::Secrets;
use crate::seed::{KINDS, extension, resource, succeeded};
use crate::shoot::Shoot;
use crate::simulated::{Inventory, times};
use crate::stage::Stage;
use crate::wait::{LIMIT, until};
use crate::whole::USER_DATA;

/// Until all Shoots are ready, in a cloud that fails and with programs that do not live long.
const CONVERGE: Duration = Duration::from_mins(10);
/// What many Shoots need of the program.
const MANY: [&str; 12] = [
    "--infrastructure-max-concurrent-reconciles",
    "20",
    "--controlplane-max-concurrent-reconciles",
    "20",
    "--worker-max-concurrent-reconciles",
    "50",
    "--dnsrecord-max-concurrent-reconciles",
    "20",
    "--backupentry-max-concurrent-reconciles",
    "20",
    "--bastion-max-concurrent-reconciles",
    "20",
];

fn shoots(count: usize) -> Vec<Shoot> {
    (0..count).map(|number| Shoot::new(&format!("n{number}"))).collect()
}

/// Does something with all Shoots, some at a time.
async fn each<F: Future>(shoots: &[Shoot], act: impl Fn(Shoot) -> F) {
    stream::iter(shoots.iter().cloned()).map(act).buffer_unordered(32).for_each(|_| async {}).await;
}

/// All extension resources of these kinds.
async fn resources(stage: &Stage, kinds: &[&str]) -> Vec<Value> {
    let mut found = Vec::new();
    for kind in kinds {
        let all = stage.seed.global(&extension(kind)).list(&ListParams::default()).await.unwrap();
        found.extend(all.into_iter().map(|object| serde_json::to_value(object).unwrap()));
    }
    found
}

async fn infrastructures(stage: &Stage) -> Vec<Value> {
    resources(stage, &KINDS[..1]).await
}

/// Waits until so many resources of these kinds are there and ready.
async fn converge(stage: &Stage, kinds: &[&str], count: usize) {
    let all_are_ready = async || {
        let all = resources(stage, kinds).await;
        let ready = all.iter().filter(|object| succeeded(object)).count();
        sleep(Duration::from_millis(500)).await;
        (ready == count && all.len() == count).then_some(())
    };
    until("all are ready", CONVERGE, all_are_ready).await;
}

/// What one network has, made by a program that nobody disturbs.
async fn one() -> Inventory {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[]).await;
    let shoot = Shoot::new("calm");
    stage.ready(&shoot).await;
    let inventory = stage.site.inventory();
    stage.remove(&shoot).await;
    trellis.end().await;
    stage.close().await;
    inventory
}

/// No status is stale.
fn is_fresh(object: &Value) {
    let status = &object["status"];
    assert_eq!(status.get("lastError"), None, "{object}");
    if object["kind"] == "Infrastructure" {
        assert!(status["state"]["kind"].is_string(), "{object}");
    }
    if object["kind"] == "Worker" {
        assert_eq!(status["machineDeployments"].as_array().unwrap().len(), 2, "{object}");
    }
    if object["kind"] == "Infrastructure" || object["kind"] == "Worker" {
        assert!(status["providerStatus"]["kind"].is_string(), "{object}");
    }
    further::is_fresh(object);
}

/// Each network is there once, and a reconcile of all finds nothing to do.
async fn is_settled(stage: &Stage, shoots: &[Shoot], one: &Inventory) {
    converge(stage, &KINDS[..1], shoots.len()).await;
    assert_eq!(stage.site.inventory(), times(one, shoots.len()));
    infrastructures(stage).await.iter().for_each(is_fresh);
    let before = stage.site.last_call();
    each(shoots, async |shoot| stage.gardenlet().deploy(&shoot).await).await;
    converge(stage, &KINDS[..1], shoots.len()).await;
    assert_eq!(stage.site.changes(before), [""; 0], "something was left to do");
}

/// Deletes all, and nothing is left.
async fn remove_all(stage: &Stage, shoots: &[Shoot]) {
    each(shoots, async |shoot| stage.remove(&shoot).await).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
}

/// Creates all resources of a Shoot, each when those that it needs are ready.
async fn create_all(stage: &Stage, shoot: &Shoot) {
    let gardenlet = stage.gardenlet();
    stage.prepare(shoot).await;
    gardenlet.user_data(shoot, USER_DATA).await;
    gardenlet.deploy(shoot).await;
    let infrastructure = gardenlet.wait(shoot).await;
    for kind in ["ControlPlane", "Worker"] {
        let part = shoot.part(kind, &infrastructure);
        gardenlet.deploy(&part).await;
        gardenlet.wait(&part).await;
    }
    further::create(stage, shoot).await;
}

/// Deletes all resources of a Shoot in gardenlet's order. The namespace stays.
async fn delete_all(stage: &Stage, shoot: &Shoot) {
    let gardenlet = stage.gardenlet();
    further::delete_bastion(stage, shoot).await;
    for kind in ["Worker", "ControlPlane"] {
        let part = shoot.part(kind, &Value::Null);
        gardenlet.destroy(&part).await;
        gardenlet.wait_cleanup(&part).await;
    }
    gardenlet.destroy(shoot).await;
    gardenlet.wait_cleanup(shoot).await;
    further::delete(stage, shoot).await;
}

/// The objects of machines, ManagedResources and certificates, each with what changes when it is made again or
/// written.
async fn objects(stage: &Stage) -> BTreeMap<String, (String, i64)> {
    let mut kinds: Vec<_> = ["MachineDeployment", "MachineSet", "Machine", "MachineClass"]
        .map(|kind| (resource("machine.sapcloud.io", "v1alpha1", kind), ""))
        .into();
    kinds.push((resource("resources.gardener.cloud", "v1alpha1", "ManagedResource"), ""));
    kinds.push((resource("", "v1", "Secret"), "managed-by=secrets-manager"));
    kinds.push((resource("", "v1", "Secret"), "gardener.cloud/purpose=machineclass"));
    let mut found = BTreeMap::new();
    for (kind, selector) in kinds {
        let all = stage.seed.global(&kind).list(&ListParams::default().labels(selector)).await.unwrap();
        for object in all {
            let metadata = object.metadata;
            let key = format!("{} {}/{}", kind.kind, metadata.namespace.unwrap(), metadata.name.unwrap());
            let generation = metadata.generation.unwrap_or_default();
            found.insert(key, (metadata.uid.unwrap(), generation));
        }
    }
    found
}

/// How many objects of each kind there are in a namespace.
fn count(objects: &BTreeMap<String, (String, i64)>, namespace: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for key in objects.keys() {
        let (kind, name) = key.split_once(' ').unwrap();
        if name.starts_with(&format!("{namespace}/")) {
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// All resources of each Shoot are ready, with what they make once, and a reconcile of all finds nothing to do.
async fn all_are_settled(stage: &Stage, shoots: &[Shoot], one: &Inventory, secrets: &Secrets) {
    let kinds = [&KINDS[..3], &further::KINDS, &[further::OF_SEED]].concat();
    let (kinds, number) = (kinds.as_slice(), 6 * shoots.len() + 1);
    converge(stage, kinds, number).await;
    let mut expected = times(one, shoots.len());
    further::count(&mut expected, shoots.len());
    assert_eq!(stage.site.inventory(), expected);
    resources(stage, kinds).await.iter().for_each(is_fresh);
    let before = objects(stage).await;
    for Shoot { namespace, .. } in shoots {
        // Two zones, and certificates of an authority, its bundle and a server next to the Secrets of two classes.
        let expected = [
            ("Machine", 2),
            ("MachineClass", 2),
            ("MachineDeployment", 2),
            ("MachineSet", 2),
            ("ManagedResource", 4),
            ("Secret", 5),
        ];
        let expected = expected.map(|(kind, count)| (kind.to_owned(), count));
        assert_eq!(count(&before, namespace), expected.into(), "{namespace}");
        assert_eq!(secrets.made(namespace), [1, 1, 1], "{namespace}: a certificate was made twice");
    }
    let call = stage.site.last_call();
    let asked = json!({ "metadata": { "annotations": {
        "gardener.cloud/operation": "reconcile", "gardener.cloud/timestamp": jiff::Timestamp::now().to_string(),
    } } });
    let all = resources(stage, kinds).await;
    stream::iter(all)
        .map(async |object| {
            let kind = extension(object["kind"].as_str().unwrap());
            let api = match object["metadata"]["namespace"].as_str() {
                Some(namespace) => stage.seed.namespaced(namespace, &kind),
                None => stage.seed.global(&kind),
            };
            let name = object["metadata"]["name"].as_str().unwrap();
            api.patch(name, &PatchParams::default(), &Patch::Merge(&asked)).await.unwrap();
        })
        .buffer_unordered(32)
        .for_each(|()| async {})
        .await;
    converge(stage, kinds, number).await;
    assert_eq!(stage.site.changes(call), [""; 0], "something was left to do in the cloud");
    assert_eq!(objects(stage).await, before, "something was left to do in the seed");
}

/// Nothing of what the extension has made is left but extension resources, and then no namespace.
async fn all_are_gone(stage: &Stage, shoots: &[Shoot]) {
    further::clear(stage).await;
    let nothing = async || {
        let left: Vec<String> = objects(stage).await.into_keys().collect();
        left.is_empty().then_some(())
    };
    // gardenlet does not wait for what runs in the seed.
    until("nothing is left of machines and control planes", LIMIT, nothing).await;
    each(shoots, async |shoot| stage.gardenlet().delete_namespace(&shoot).await).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
}

/// Freezes the leader after so many calls of the cloud, beyond its Lease, and thaws it once another one has done
/// all.
async fn thaws(one: &Inventory, frozen_after: u64) {
    let count = 8;
    let stage = Stage::new(count).await;
    let shoots = shoots(count);
    let mut first: Trellis = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "5"]).await;
    // Calls take a while, so that a frozen process has calls in flight and calls that wait for their turn.
    let slow = json!({
        "action": "*", "occurrence": { "every": 2 }, "fault": { "kind": "slow", "milliseconds": 400 },
    });
    stage.site.order(slow);
    each(&shoots, async |shoot| stage.create(&shoot).await).await;
    let called = async || (stage.site.last_call() >= frozen_after).then_some(());
    until("the leader is in the middle", LIMIT, called).await;
    first.signal(Signal::STOP);
    let second = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "5"]).await;
    converge(&stage, &KINDS[..1], count).await;
    stage.site.cloud().delete_faults(None);
    is_settled(&stage, &shoots, one).await;

    let versions = async || {
        let all = infrastructures(&stage).await;
        all.iter().map(|object| object["metadata"]["resourceVersion"].clone()).collect::<Vec<_>>()
    };
    let (call, before) = (stage.site.last_call(), versions().await);
    first.signal(Signal::CONT);
    let status = first.exit().await;
    assert_eq!(status.code(), Some(1), "a leader that lost its Lease ended with {status}");
    sleep(Duration::from_secs(2)).await;
    assert_eq!(stage.site.changes(call), [""; 0], "frozen after {frozen_after} calls");
    assert_eq!(versions().await, before, "frozen after {frozen_after} calls");
    remove_all(&stage, &shoots).await;
    second.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_leader_that_was_frozen_changes_nothing_when_it_thaws() {
    let one = one().await;
    thaws(&one, 20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_deleted_shoot_comes_again_under_its_name() {
    let one = one().await;
    let stage = Stage::new(4).await;
    let trellis = stage.trellis(&[]).await;
    let shoots = shoots(2);
    for _ in 0..3 {
        join_all(shoots.iter().map(|shoot| stage.ready(shoot))).await;
        assert_eq!(stage.site.inventory(), times(&one, 2));
        remove_all(&stage, &shoots).await;
    }
    trellis.end().await;
    stage.close().await;
}
