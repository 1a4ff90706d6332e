//! Two seeds trade a Shoot, there and back, while their programs are killed.

use std::collections::BTreeMap;
use std::time::Duration;

use kube::api::ListParams;
use rustix::process::Signal;
use serde_json::Value;

use super::leader_killer::{LeaderKiller, ended_as_asked};
use crate::secrets::{MANAGER, Secrets};
use crate::seed::resource;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::supervisor::Supervisor;
use crate::whole::Whole;

/// The authorities that go along, by name.
async fn authorities(stage: &Stage, shoot: &Shoot) -> BTreeMap<String, Value> {
    let of = ListParams::default().labels(&format!("manager-identity={MANAGER},persist=true"));
    let all = stage.seed.namespaced(&shoot.namespace, &resource("", "v1", "Secret")).list(&of).await.unwrap();
    all.into_iter().map(|secret| (secret.metadata.name.unwrap(), secret.data["data"].clone())).collect()
}

/// What the seed has of machines: names, and their instances.
async fn machines(stage: &Stage, shoot: &Shoot) -> BTreeMap<String, Value> {
    let kind = resource("machine.sapcloud.io", "v1alpha1", "Machine");
    let all = stage.seed.namespaced(&shoot.namespace, &kind).list(&ListParams::default()).await.unwrap();
    all.into_iter()
        .map(|machine| (machine.metadata.name.unwrap(), machine.data["spec"]["providerID"].clone()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn two_seeds_trade_a_shoot_under_programs_that_are_killed() {
    let here = Stage::new(1).await;
    let there = here.second().await;
    let programs = [&here, &there].map(|stage| Supervisor::start(stage.settings(&[])));
    let mut secrets = Secrets::watch(&here.seed);
    let mut troubles = [LeaderKiller::new(&here, &programs[0], 5), LeaderKiller::new(&there, &programs[1], 6)];
    let mut whole = Whole::prepare(&here, Shoot::new("traded")).await;
    whole.machines();
    whole.flow().await;
    let known = (authorities(&here, &whole.shoot).await, machines(&here, &whole.shoot).await);
    assert_eq!((known.0.len(), known.1.len()), (1, 2));
    let calls = here.site.last_call();

    for (from, to) in [(0, 1), (1, 0)] {
        let signals = [Signal::KILL, Signal::TERM, Signal::KILL];
        let within = Duration::from_secs(3);
        let (carried, ()) = tokio::join!(whole.leave(), troubles[from].strike(&signals, within));
        secrets.are_reported_nowhere(whole.stage, &programs[from]).await;
        whole.stage = [&here, &there][to];
        secrets = Secrets::watch(&whole.stage.seed);
        tokio::join!(whole.arrive(&carried), troubles[to].strike(&signals, within));
        let now = (authorities(whole.stage, &whole.shoot).await, machines(whole.stage, &whole.shoot).await);
        assert_eq!(now, known, "something was lost on the way");
        // The authority came along; its bundle and the certificate of the server are new.
        assert_eq!(secrets.made(&whole.shoot.namespace), [1, 1, 1], "a certificate was made twice");
    }
    whole.flow().await;
    assert_eq!(here.site.changes(calls), [""; 0], "a migration changes nothing in the cloud");
    assert_eq!(machines(whole.stage, &whole.shoot).await, known.1);

    secrets.are_reported_nowhere(whole.stage, &programs[0]).await;

    whole.remove().await;
    for (stage, program) in [&here, &there].into_iter().zip(&programs) {
        stage.nothing_is_left().await;
        stage.nothing_was_forbidden();
        ended_as_asked(program);
    }
    for program in programs {
        program.end().await;
    }
    there.close().await;
    here.close().await;
}
