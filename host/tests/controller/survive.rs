//! Many Shoots in a cloud that fails, under programs that are killed, told to end, replaced and frozen: everything converges, each
//! network exists once, nothing leaks, and no status is left stale.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream;
use kube::api::ListParams;
use rustix::process::Signal;
use serde_json::Value;
use tokio::time::sleep;

use crate::process::Trellis;
use crate::seed::{extension, succeeded};
use crate::shoot::Shoot;
use crate::simulated::{Inventory, times};
use crate::stage::Stage;
use crate::supervisor::Supervisor;
use crate::wait::until;

/// Until all Shoots are ready, in a cloud that fails and with programs that do not live long.
const CONVERGE: Duration = Duration::from_mins(10);

fn shoots(count: usize) -> Vec<Shoot> {
    (0..count).map(|number| Shoot::new(&format!("n{number}"))).collect()
}

/// Does something with all Shoots, some at a time.
async fn each<F: Future>(shoots: &[Shoot], act: impl Fn(Shoot) -> F) {
    stream::iter(shoots.iter().cloned()).map(act).buffer_unordered(16).for_each(|_| async {}).await;
}

async fn infrastructures(stage: &Stage) -> Vec<Value> {
    let all = stage.seed.global(&extension("Infrastructure")).list(&ListParams::default()).await.unwrap();
    all.into_iter().map(|object| serde_json::to_value(object).unwrap()).collect()
}

/// Waits until all Infrastructures are ready.
async fn converge(stage: &Stage, count: usize) {
    let all_are_ready = async || {
        let all = infrastructures(stage).await;
        let ready = all.iter().filter(|object| succeeded(object)).count();
        sleep(Duration::from_millis(500)).await;
        (ready == count).then_some(())
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

/// Each network is there once, and a reconcile of all finds nothing to do.
async fn is_settled(stage: &Stage, shoots: &[Shoot], one: &Inventory) {
    converge(stage, shoots.len()).await;
    assert_eq!(stage.site.inventory(), times(one, shoots.len()));
    for object in infrastructures(stage).await {
        let status = &object["status"];
        assert_eq!(status.get("lastError"), None, "{object}");
        assert!(status["state"]["kind"].is_string() && status["providerStatus"]["kind"].is_string(), "{object}");
    }
    let before = stage.site.last_call();
    each(shoots, async |shoot| stage.gardenlet().deploy(&shoot).await).await;
    converge(stage, shoots.len()).await;
    assert_eq!(stage.site.changes(before), [""; 0], "something was left to do");
}

/// Deletes all, and nothing is left.
async fn remove_all(stage: &Stage, shoots: &[Shoot]) {
    each(shoots, async |shoot| stage.remove(&shoot).await).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_hundred_shoots_survive_programs_that_are_killed_and_told_to_end() {
    let one = one().await;
    let (count, seed) = (100, 23);
    let stage = Stage::new(count).await;
    stage.site.trouble();
    let program = Supervisor::start(stage.settings(&["--infrastructure-max-concurrent-reconciles", "20"]));
    let shoots = shoots(count);
    let mut random = fastrand::Rng::with_seed(seed);
    let ends = async {
        for number in 1..=6 {
            sleep(Duration::from_millis(300 + random.u64(0..6_000))).await;
            program.signal(if random.bool() { Signal::KILL } else { Signal::TERM });
            program.ends(number).await;
        }
    };
    let creations = each(&shoots, async |shoot| stage.create(&shoot).await);
    tokio::join!(ends, creations);
    let ended = program.ended();
    assert!(ended.iter().all(|status| status.success() || status.code().is_none()), "{ended:?}");
    converge(&stage, count).await;
    stage.site.cloud().delete_faults(None);
    is_settled(&stage, &shoots, &one).await;

    // Deletions are interrupted, too.
    stage.site.trouble();
    each(&shoots, async |shoot| stage.gardenlet().destroy(&shoot).await).await;
    for number in ended.len() + 1..=ended.len() + 2 {
        sleep(Duration::from_millis(300 + random.u64(0..4_000))).await;
        program.signal(if random.bool() { Signal::KILL } else { Signal::TERM });
        program.ends(number).await;
    }
    let all_are_gone = async || infrastructures(&stage).await.is_empty().then_some(());
    until("all are gone", CONVERGE, all_are_gone).await;
    stage.site.cloud().delete_faults(None);
    remove_all(&stage, &shoots).await;
    program.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_second_replica_takes_over_in_the_middle() {
    let one = one().await;
    for signal in [Signal::TERM, Signal::KILL] {
        let count = 10;
        let stage = Stage::new(count).await;
        stage.site.trouble();
        let shoots = shoots(count);
        let mut first = stage.trellis(&[]).await;
        each(&shoots, async |shoot| stage.create(&shoot).await).await;
        let second = stage.trellis(&[]).await;
        let begun =
            async || (stage.site.inventory().get("vpc:vpcs").copied().unwrap_or_default() >= 3).then_some(());
        until("some networks are there", CONVERGE, begun).await;
        first.signal(signal);
        let status = first.exit().await;
        assert_eq!(status.success(), signal == Signal::TERM, "{status}");
        converge(&stage, count).await;
        stage.site.cloud().delete_faults(None);
        is_settled(&stage, &shoots, &one).await;
        remove_all(&stage, &shoots).await;
        second.end().await;
        stage.close().await;
    }
}

/// Freezes the leader in the middle, beyond its Lease, and thaws it once another one has done all.
async fn thaws(one: &Inventory, frozen_after: Duration) {
    let count = 8;
    let stage = Stage::new(count).await;
    let shoots = shoots(count);
    let mut first: Trellis = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "5"]).await;
    // Calls take a while, so that a frozen process has calls in flight and calls that wait for their turn.
    let slow = serde_json::json!({
        "action": "*", "occurrence": { "every": 2 }, "fault": { "kind": "slow", "milliseconds": 400 },
    });
    stage.site.order(slow);
    each(&shoots, async |shoot| stage.create(&shoot).await).await;
    sleep(frozen_after).await;
    first.signal(Signal::STOP);
    let second = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "5"]).await;
    converge(&stage, count).await;
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
    assert_eq!(stage.site.changes(call), [""; 0], "frozen after {frozen_after:?}");
    assert_eq!(versions().await, before, "frozen after {frozen_after:?}");
    remove_all(&stage, &shoots).await;
    second.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_leader_that_was_frozen_changes_nothing_when_it_thaws() {
    let one = one().await;
    thaws(&one, Duration::from_millis(700)).await;
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
