//! Figures for docs/performance.md: memory, and requests to the API server. `TRELLIS_PROGRAM` names a release build.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream;
use kube::api::ListParams;
use tokio::time::sleep;

use crate::process::Trellis;
use crate::proxy::Counts;
use crate::seed::extension;
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::until;

/// Until all Shoots of a round are ready.
const ROUND: Duration = Duration::from_mins(30);
/// How long the program is watched at rest.
const REST: Duration = Duration::from_secs(30);

/// Waits until so many Infrastructures have succeeded after this time.
async fn ready(stage: &Stage, count: usize) {
    let all_are = async || {
        sleep(Duration::from_secs(1)).await;
        let all = stage.seed.global(&extension("Infrastructure")).list(&ListParams::default()).await.unwrap();
        let objects = all.into_iter().map(|object| serde_json::to_value(object).unwrap());
        (objects.filter(crate::seed::succeeded).count() == count).then_some(())
    };
    until("all are ready", ROUND, all_are).await;
}

/// Prints requests but those of Leases: how many an object, and of which sort. Watches stand apart.
fn print_requests(what: &str, counts: &Counts, objects: usize) {
    let sum = |is: &dyn Fn(&crate::proxy::Call) -> bool| -> u64 {
        counts.iter().filter(|(call, _)| is(call)).map(|(_, count)| count).sum()
    };
    let leases = sum(&|call| call.path.contains("leases"));
    let watches = sum(&|call| call.verb == "watch");
    let rest = sum(&|call| call.verb != "watch" && !call.path.contains("leases"));
    #[expect(clippy::cast_precision_loss, reason = "small numbers, for people")]
    let each = rest as f64 / objects as f64;
    println!("{what}: {each:.2} requests an object ({rest} in all), {watches} watches, {leases} of Leases");
    for (call, count) in counts {
        println!("    {count:>7} {} {}", call.verb, call.path);
    }
}

fn print_memory(what: &str, trellis: &Trellis) {
    #[cfg(target_os = "linux")]
    {
        let (resident, peak) = trellis.memory();
        println!("{what}: {} MB resident, {} MB at most", resident / 1024, peak / 1024);
    }
    #[cfg(not(target_os = "linux"))]
    println!("{what}: memory of process {} is told by Linux alone", trellis.pid());
}

async fn figures(count: usize) {
    let stage = Stage::new(count).await;
    let arguments = ["--infrastructure-max-concurrent-reconciles", "20"];
    let trellis = stage.trellis(&arguments).await;
    let shoots: Vec<Shoot> = (0..count).map(|number| Shoot::new(&format!("n{number}"))).collect();
    stage.proxy.forget();
    let began = Instant::now();
    stream::iter(&shoots).map(|shoot| stage.create(shoot)).buffer_unordered(16).for_each(|()| async {}).await;
    ready(&stage, count).await;
    println!("\n== {count} Infrastructures, created in {} s", began.elapsed().as_secs());
    print_requests("creation", &stage.proxy.counts(), count);
    print_memory("after the creation", &trellis);

    // A program that has just started has nothing but what it needs at rest.
    trellis.end().await;
    stage.proxy.forget();
    let trellis = stage.trellis(&arguments).await;
    sleep(REST).await;
    print_requests(&format!("start and {} s at rest", REST.as_secs()), &stage.proxy.counts(), count);
    print_memory("at rest", &trellis);

    stage.proxy.forget();
    let began = Instant::now();
    stream::iter(&shoots)
        .map(|shoot| stage.seed.operate(shoot, "reconcile"))
        .buffer_unordered(16)
        .for_each(|()| async {})
        .await;
    ready(&stage, count).await;
    println!("full resync in {} s", began.elapsed().as_secs());
    print_requests("full resync", &stage.proxy.counts(), count);
    print_memory("after the resync", &trellis);
    for (name, value) in trellis.scrape().await {
        if name.contains("reconcile_total") || name.contains("rest_client_requests_total") {
            println!("    {name} {value}");
        }
    }
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.seed.clear().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures: cargo test -p trellis-host --test controller figures -- --ignored --nocapture"]
async fn figures_of_10_100_and_1000_infrastructures() {
    for count in [10, 100, 1_000] {
        figures(count).await;
    }
}
