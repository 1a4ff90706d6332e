//! An API server that refuses, loses answers, is slow, drops watches, goes away and comes back.

use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::Signal;
use tokio::time::sleep;

use crate::process::kill;
use crate::proxy::{Fault, On, Order};
use crate::shoot::Shoot;
use crate::simulated::{Inventory, times};
use crate::stage::Stage;
use crate::supervisor::Supervisor;
use crate::wait::{LIMIT, until};

/// How many Shoots a test has.
const SHOOTS: usize = 3;

fn shoots() -> Vec<Shoot> {
    (0..SHOOTS).map(|number| Shoot::new(&format!("faulty-{number}"))).collect()
}

async fn create_all(stage: &Stage, shoots: &[Shoot]) {
    join_all(shoots.iter().map(|shoot| stage.create(shoot))).await;
}

async fn wait_all(stage: &Stage, shoots: &[Shoot]) {
    join_all(shoots.iter().map(|shoot| stage.gardenlet().wait(shoot))).await;
}

async fn edit_all(stage: &Stage, shoots: &mut [Shoot]) {
    for shoot in shoots.iter_mut() {
        *shoot = shoot.clone().with_third_zone();
        stage.gardenlet().cluster(shoot).await;
        stage.gardenlet().deploy(shoot).await;
    }
}

async fn remove_all(stage: &Stage, shoots: &[Shoot]) {
    join_all(shoots.iter().map(|shoot| stage.remove(shoot))).await;
}

/// What the networks of all have, with two zones or three.
async fn wanted() -> [Inventory; 2] {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[]).await;
    let shoot = Shoot::new("calm");
    stage.ready(&shoot).await;
    let two = stage.site.inventory();
    edit_all(&stage, &mut [shoot.clone()]).await;
    stage.gardenlet().wait(&shoot).await;
    let three = stage.site.inventory();
    stage.remove(&shoot).await;
    trellis.end().await;
    stage.close().await;
    [two, three].map(|one| times(&one, SHOOTS))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn requests_that_are_refused_or_lost_change_nothing_in_the_end() {
    let wanted = wanted().await;
    let order = |on, every, fault| Order { on, every, fault };
    // Every second one would be the same write each time: Leases are written in pairs then, a refusal and a
    // success.
    for orders in [
        vec![order(On::Writes, 3, Fault::Conflict), order(On::Requests, 7, Fault::TooMany(1))],
        vec![order(On::Requests, 3, Fault::Internal)],
        vec![order(On::Writes, 3, Fault::AnswerLost)],
        vec![
            order(On::Requests, 3, Fault::Slow(Duration::from_millis(700))),
            order(On::Watches, 2, Fault::Internal),
        ],
    ] {
        let stage = Stage::new(SHOOTS).await;
        for order in &orders {
            stage.proxy.order(*order);
        }
        // A process that cannot renew its Lease ends, and is started again.
        let program = Supervisor::start(stage.settings(&[]));
        let mut shoots = shoots();
        create_all(&stage, &shoots).await;
        wait_all(&stage, &shoots).await;
        assert_eq!(stage.site.inventory(), wanted[0], "{orders:?}");
        edit_all(&stage, &mut shoots).await;
        wait_all(&stage, &shoots).await;
        assert_eq!(stage.site.inventory(), wanted[1], "{orders:?}");
        remove_all(&stage, &shoots).await;
        stage.nothing_is_left().await;
        stage.nothing_was_forbidden();
        let met = stage.proxy.calm();
        assert!(met.iter().all(|(_, hit)| *hit > 0), "{met:?} met nothing");
        assert!(program.ended().is_empty(), "{orders:?} ended the program: {:?}", program.ended());
        program.end().await;
        stage.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn watches_that_are_dropped_lose_nothing() {
    let wanted = wanted().await;
    let stage = Stage::new(SHOOTS).await;
    let trellis = stage.trellis(&[]).await;
    let mut shoots = shoots();
    let drops = async {
        for _ in 0..12 {
            until("a watch is dropped", LIMIT, async || (stage.proxy.drop_watches() > 0).then_some(())).await;
        }
        // What is asked for while no connection goes through is seen later.
        stage.proxy.close(true);
        until("connections are turned away", LIMIT, async || (stage.proxy.turned_away() > 3).then_some(())).await;
        stage.proxy.close(false);
    };
    let work = async {
        create_all(&stage, &shoots).await;
        wait_all(&stage, &shoots).await;
    };
    tokio::join!(drops, work);
    assert_eq!(stage.site.inventory(), wanted[0]);
    stage.proxy.close(true);
    edit_all(&stage, &mut shoots).await;
    stage.proxy.close(false);
    wait_all(&stage, &shoots).await;
    assert_eq!(stage.site.inventory(), wanted[1]);
    remove_all(&stage, &shoots).await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn an_api_server_that_restarts_and_an_etcd_that_sleeps_lose_nothing() {
    let wanted = wanted().await;
    let stage = Stage::alone(SHOOTS).await;
    // Longer than a process may be without its Lease, and shorter.
    let program = Supervisor::start(stage.settings(&[]));
    let mut shoots = shoots();
    create_all(&stage, &shoots).await;
    stage.landscape.restart("seed-apiserver");
    wait_all(&stage, &shoots).await;
    assert_eq!(stage.site.inventory(), wanted[0]);

    edit_all(&stage, &mut shoots).await;
    for seconds in [4, 13] {
        let etcd = stage.landscape.server("etcd");
        kill(etcd, Signal::STOP);
        sleep(Duration::from_secs(seconds)).await;
        kill(etcd, Signal::CONT);
        sleep(Duration::from_secs(1)).await;
    }
    wait_all(&stage, &shoots).await;
    assert_eq!(stage.site.inventory(), wanted[1]);
    // A process may have lost its Lease, and then ended with an error; never with a signal of its own.
    assert!(
        program.ended().iter().all(|status| status.code().is_some_and(|code| code != 0)),
        "{:?}",
        program.ended()
    );
    remove_all(&stage, &shoots).await;
    stage.nothing_is_left().await;
    // An API server that has just started forbids much until it has read the roles: what it forbade says nothing.
    program.end().await;
}
