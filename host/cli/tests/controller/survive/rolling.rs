//! Pools roll and authorities rotate while programs are killed and the API server fails:
//! machine-controller-manager itself makes the machines.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use kube::api::ListParams;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::leader_killer::{LeaderKiller, accept, ended_as_asked, refuse};
use crate::secrets::{MANAGER, Secrets};
use crate::seed::resource;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::supervisor::Supervisor;
use crate::takeover::{delivered, pod_templates};
use crate::whole::{USER_DATA, Whole};

/// How many Shoots: each has two programs for its machines.
const SHOOTS: usize = 3;

/// Watches the instances of each Shoot while something goes on: the fewest and the most that it had.
async fn watched(wholes: &[Whole<'_>], during: impl Future<Output = ()>) -> Vec<(usize, usize)> {
    let now = || wholes.iter().map(|whole| whole.stage.site.instances(&whole.shoot.namespace).len());
    let mut ranges: Vec<(usize, usize)> = now().map(|now| (now, now)).collect();
    let watch = async {
        loop {
            for (range, now) in ranges.iter_mut().zip(now()) {
                *range = (range.0.min(now), range.1.max(now));
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = watch => {}
        () = during => {}
    }
    ranges
}

/// The authorities, bundles and certificates of servers that a Shoot has now.
async fn certificates(whole: &Whole<'_>) -> [usize; 3] {
    let of = ListParams::default().labels(&format!("managed-by=secrets-manager,manager-identity={MANAGER}"));
    let api = whole.stage.seed.namespaced(&whole.shoot.namespace, &resource("", "v1", "Secret"));
    let all = api.list(&of).await.unwrap();
    let has = |key: &str| all.iter().filter(|secret| secret.data["data"].get(key).is_some()).count();
    [has("ca.key"), has("bundle.crt"), has("tls.key")]
}

async fn templates(wholes: &[Whole<'_>]) -> Vec<Vec<(String, Value)>> {
    let of = async |whole: &Whole<'_>| {
        let found = pod_templates(&delivered(whole.stage, &whole.shoot.namespace).await);
        assert_eq!(found.len(), 4, "{}", whole.shoot.namespace);
        found
    };
    join_all(wholes.iter().map(of)).await
}

/// The pools get other machines: never fewer than asked for, never more than one further a zone, each machine made
/// and deleted once.
async fn roll(stage: &Stage, wholes: &mut [Whole<'_>], trouble: &mut LeaderKiller<'_>) {
    for whole in &mut *wholes {
        whole.shoot = whole.shoot.clone().with(|shoot| {
            shoot["spec"]["provider"]["workers"][0]["machine"]["type"] = json!("ecs.g7.xlarge");
        });
    }
    let before = stage.site.last_call();
    let all = join_all(wholes.iter().map(async |whole| {
        let (gardenlet, worker) = (whole.stage.gardenlet(), whole.worker());
        gardenlet.cluster(&whole.shoot).await;
        gardenlet.user_data(&whole.shoot, USER_DATA).await;
        gardenlet.redeploy(&worker).await;
        gardenlet.wait(&worker).await;
    }));
    let during = async {
        let signals = [Signal::KILL, Signal::TERM, Signal::KILL];
        tokio::join!(all, trouble.strike(&signals, Duration::from_secs(4)));
    };
    for (fewest, most) in watched(wholes, during).await {
        assert!(fewest >= 2 && most > 2 && most <= 4, "{fewest} to {most} machines");
    }
    for whole in &*wholes {
        let instances = stage.site.instances(&whole.shoot.namespace);
        let types: Vec<&str> =
            instances.iter().map(|instance| instance["InstanceType"].as_str().unwrap()).collect();
        assert_eq!(types, ["ecs.g7.xlarge"; 2]);
    }
    let mut counts = BTreeMap::new();
    for change in stage.site.changes(before) {
        *counts.entry(change).or_insert(0) += 1;
    }
    let of = |action: &str| counts.get(action).copied().unwrap_or_default();
    assert_eq!((of("RunInstances"), of("DeleteInstances")), (2 * SHOOTS, 2 * SHOOTS), "{counts:?}");
}

/// The authorities are rotated: two of them in between, one at the end, none made twice, and no pod starts again.
async fn rotate(wholes: &mut [Whole<'_>], trouble: &mut LeaderKiller<'_>, secrets: &Secrets) {
    let before = templates(wholes).await;
    // Which there are then, and which were ever made: authorities, bundles, certificates of servers.
    for (phase, there, made) in [
        ("Preparing", [2, 1, 1], [2, 2, 1]),
        ("Prepared", [2, 1, 1], [2, 2, 1]),
        ("Completing", [1, 1, 1], [2, 3, 2]),
        ("Completed", [1, 1, 1], [2, 3, 2]),
    ] {
        for whole in &mut *wholes {
            whole.shoot = whole.shoot.clone().with(|shoot| {
                let rotation = json!({ "phase": phase, "lastInitiationTime": "2026-11-25T12:00:00Z" });
                shoot["status"]["credentials"] = json!({ "rotation": { "certificateAuthorities": rotation } });
            });
        }
        let all = join_all(wholes.iter().map(async |whole| {
            let (gardenlet, control_plane) = (whole.stage.gardenlet(), whole.control_plane());
            gardenlet.cluster(&whole.shoot).await;
            gardenlet.redeploy(&control_plane).await;
            gardenlet.wait(&control_plane).await;
        }));
        let signals: &[Signal] = if phase.ends_with("ing") { &[Signal::KILL, Signal::TERM] } else { &[] };
        tokio::join!(all, trouble.strike(signals, Duration::from_secs(3)));
        for whole in &*wholes {
            assert_eq!(certificates(whole).await, there, "{phase}");
            assert_eq!(secrets.made(&whole.shoot.namespace), made, "{phase}: a certificate was made twice");
        }
        assert_eq!(templates(wholes).await, before, "{phase}: pods would start anew");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn pools_roll_and_authorities_rotate_under_programs_that_are_killed() {
    let stage = Stage::new(SHOOTS).await;
    let secrets = Secrets::watch(&stage.seed);
    let program = Supervisor::start(stage.settings(&[]));
    let mut trouble = LeaderKiller::new(&stage, &program, 3);
    let prepared = (0..SHOOTS).map(|number| Whole::prepare(&stage, Shoot::new(&format!("rolls-{number}"))));
    let mut wholes = join_all(prepared).await;
    wholes.iter().for_each(Whole::machines);
    join_all(wholes.iter_mut().map(Whole::flow)).await;

    refuse(&stage);
    roll(&stage, &mut wholes, &mut trouble).await;
    let calls = stage.site.last_call();
    rotate(&mut wholes, &mut trouble, &secrets).await;
    assert_eq!(stage.site.changes(calls), [""; 0], "a rotation of authorities is nothing for machines");
    accept(&stage);
    secrets.are_reported_nowhere(&stage, &program).await;

    join_all(wholes.into_iter().map(Whole::remove)).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    secrets.are_reported_nowhere(&stage, &program).await;
    ended_as_asked(&program);
    program.end().await;
    stage.close().await;
}
