//! A hundred Shoots with all resources each, under programs that are killed and asked to end.

use std::time::Duration;

use rustix::process::Signal;

use super::leader_killer::{LeaderKiller, ended_as_asked};
use super::{MANY, all_are_gone, all_are_settled, create_all, delete_all, each, one, shoots};
use crate::frozen::Frozen;
use crate::further;
use crate::machines::Machines;
use crate::secrets::Secrets;
use crate::stage::Stage;
use crate::supervisor::Supervisor;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_hundred_shoots_survive_programs_that_are_killed_and_asked_to_end() {
    let one = one().await;
    let stage = Stage::new(100).await;
    // All Shoots have one API server, in which they would fight for names; and what nobody applies, nobody holds.
    let frozen =
        ["shoot-resource-manager", "seed-resource-manager"].map(|name| Frozen::new(stage.landscape.server(name)));
    let (machines, secrets) = (Machines::start(&stage.seed), Secrets::watch(&stage.seed));
    let program = Supervisor::start(stage.settings(&MANY));
    let mut trouble = LeaderKiller::new(&stage, &program, 24);
    let shoots = shoots(100);

    further::prepare(&stage).await;
    stage.site.trouble();
    let signals = [Signal::KILL, Signal::KILL, Signal::KILL, Signal::TERM, Signal::TERM, Signal::TERM];
    tokio::join!(
        trouble.strike(&signals, Duration::from_secs(15)),
        each(&shoots, async |shoot| create_all(&stage, &shoot).await),
    );
    stage.site.cloud().delete_faults(None);
    all_are_settled(&stage, &shoots, &one, &secrets).await;
    secrets.are_reported_nowhere(&stage, &program).await;

    // Deletions are interrupted, too.
    stage.site.trouble();
    tokio::join!(
        trouble.strike(&signals[2..4], Duration::from_secs(10)),
        each(&shoots, async |shoot| delete_all(&stage, &shoot).await),
    );
    stage.site.cloud().delete_faults(None);
    all_are_gone(&stage, &shoots).await;
    secrets.are_reported_nowhere(&stage, &program).await;
    ended_as_asked(&program);
    program.end().await;
    drop((machines, frozen));
    stage.close().await;
}
