//! Figures for docs/performance.md: memory, processor time, and requests to the API server. `TRELLIS_PROGRAM`
//! names a release build.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream;
use kube::api::{ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::frozen::Frozen;
use crate::further;
use crate::machines::Machines;
use crate::process::Trellis;
use crate::proxy::Counts;
use crate::seed::{KINDS, extension, resource};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::until;
use crate::whole::USER_DATA;

/// Until all Shoots of a round are ready.
const ROUND: Duration = Duration::from_mins(30);
/// How long the program is watched at rest.
const REST: Duration = Duration::from_secs(30);

/// What many Shoots need of the program.
const MANY: [&str; 9] = [
    "--infrastructure-max-concurrent-reconciles=20",
    "--controlplane-max-concurrent-reconciles=20",
    "--worker-max-concurrent-reconciles=20",
    "--dnsrecord-max-concurrent-reconciles=20",
    "--backupentry-max-concurrent-reconciles=20",
    "--bastion-max-concurrent-reconciles=20",
    "--healthcheck-max-concurrent-reconciles=20",
    "--leader-election=true",
    "--log-level=info",
];
/// How often all objects are resynced: the first time policies are asked, then versions are read.
const RESYNCS: usize = 2;
/// Budgets with 1,000 Shoots: kilobytes, seconds of processor time a second, and milliseconds an object of a resync
/// that finds nothing to do.
const MEMORY: u64 = 150 << 10;
const AT_REST: f64 = 0.1;
const OF_OBJECT: f64 = 5.0;
/// How many worker pools the Shoots have whose Workers are measured.
const POOLS: usize = 10;

/// The objects of a kind.
async fn objects(stage: &Stage, kind: &str) -> Vec<Value> {
    let all = stage.seed.global(&extension(kind)).list(&ListParams::default()).await.unwrap();
    all.into_iter().map(|object| serde_json::to_value(object).unwrap()).collect()
}

/// Waits until all objects of a kind have succeeded.
async fn ready(stage: &Stage, kind: &str) {
    let mut pause = Duration::from_millis(200);
    let all_are = async || {
        sleep(pause).await;
        let began = Instant::now();
        let are_ready = objects(stage, kind).await.iter().all(crate::seed::succeeded);
        // To look takes half of the time at most.
        pause = pause.max(began.elapsed());
        are_ready.then_some(())
    };
    until("all are ready", ROUND, all_are).await;
}

/// Gives the namespace of a Shoot the data of certificates that somebody else has made: keys take half a second
/// each.
async fn give_certificates(stage: &Stage, shoot: &Shoot, data: &[(&'static str, Value)]) {
    for (name, data) in data {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "data": data,
            "metadata": {
                "name": format!("given-{name}"), "namespace": shoot.namespace,
                "labels": { "secrets-manager-use-data-for-name": name },
            },
        });
        stage.seed.create(&secret).await;
    }
}

/// The data of the certificates of a Shoot.
async fn certificates(stage: &Stage, shoot: &Shoot) -> Vec<(&'static str, Value)> {
    let api = stage.seed.namespaced(&shoot.namespace, &resource("", "v1", "Secret"));
    let mut found = Vec::new();
    for name in ["ca-provider-alicloud-controlplane", "cloud-controller-manager-server"] {
        let of = ListParams::default().labels(&format!("managed-by=secrets-manager,name={name}"));
        found.push((name, api.list(&of).await.unwrap().items.remove(0).data["data"].clone()));
    }
    found
}

/// Creates all resources of a Shoot.
async fn create(stage: &Stage, shoot: &Shoot, data: &[(&'static str, Value)]) {
    let gardenlet = stage.gardenlet();
    stage.prepare(shoot).await;
    give_certificates(stage, shoot, data).await;
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

/// Asks for a reconcile of all objects of a kind, as gardenlet does, and answers with how many there are.
async fn ask(stage: &Stage, kind: &str) -> usize {
    let asked = json!({ "metadata": { "annotations": {
        "gardener.cloud/operation": "reconcile", "gardener.cloud/timestamp": jiff::Timestamp::now().to_string(),
    } } });
    let one = async |object: &Value| {
        let text = |key: &str| object["metadata"][key].as_str();
        let api = match text("namespace") {
            Some(namespace) => stage.seed.namespaced(namespace, &extension(kind)),
            None => stage.seed.global(&extension(kind)),
        };
        api.patch(text("name").unwrap(), &PatchParams::default(), &Patch::Merge(&asked)).await.unwrap();
    };
    let all = objects(stage, kind).await;
    stream::iter(&all).map(one).buffer_unordered(16).for_each(|()| async {}).await;
    all.len()
}

/// Seconds of processor time that the program has used.
async fn cpu(trellis: &Trellis) -> f64 {
    trellis.scrape().await["process_cpu_seconds_total"]
}

/// A Shoot with ten pools.
fn with_pools(shoot: Shoot) -> Shoot {
    shoot.with(|shoot| {
        let workers = shoot["spec"]["provider"]["workers"].as_array_mut().unwrap();
        let first = workers[0].clone();
        for number in 1..POOLS {
            let mut worker = first.clone();
            worker["name"] = format!("pool-{number}").into();
            workers.push(worker);
        }
    })
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

/// Prints the memory of the program, and answers with the most that it had, in kilobytes; 0 where nothing knows it.
fn print_memory(what: &str, trellis: &Trellis) -> u64 {
    #[cfg(target_os = "linux")]
    {
        let (resident, peak) = trellis.memory();
        println!("{what}: {} MB resident, {} MB at most", resident / 1024, peak / 1024);
        peak
    }
    #[cfg(not(target_os = "linux"))]
    {
        println!("{what}: memory of process {} is known on Linux alone", trellis.pid());
        0
    }
}

/// Asks for a reconcile of everything, kind by kind, prints what each takes, and answers with the milliseconds of one
/// object.
async fn resync(stage: &Stage, trellis: &Trellis, round: usize) -> f64 {
    let (mut processor, mut asked) = (0.0, 0);
    for kind in KINDS.into_iter().filter(|kind| *kind != "Cluster") {
        stage.proxy.forget();
        let (before, began) = (cpu(trellis).await, Instant::now());
        let count = ask(stage, kind).await;
        ready(stage, kind).await;
        let used = cpu(trellis).await - before;
        println!(
            "resync {round} of {count} {kind}s in {} s: {:.2} ms of processor time each",
            began.elapsed().as_secs(),
            milliseconds_each(used, count)
        );
        print_requests(kind, &stage.proxy.counts(), count);
        (processor, asked) = (processor + used, asked + count);
    }
    let each = milliseconds_each(processor, asked);
    println!("resync {round} of {asked} objects: {each:.2} ms of processor time each");
    each
}

#[expect(clippy::cast_precision_loss, reason = "small numbers, for people")]
fn milliseconds_each(seconds: f64, count: usize) -> f64 {
    seconds * 1000.0 / count as f64
}

async fn figures(count: usize, pools: bool) {
    let stage = Stage::new(count).await;
    // All Shoots have one API server, in which they would fight for names.
    let frozen = Frozen::new(stage.landscape.server("shoot-resource-manager"));
    let machines = Machines::start(&stage.seed);
    let trellis = stage.trellis(&MANY).await;
    let named = (0..count).map(|number| Shoot::new(&format!("n{number}")));
    let shoots: Vec<Shoot> = if pools { named.map(with_pools).collect() } else { named.collect() };
    further::prepare(&stage).await;
    stage.proxy.forget();
    let began = Instant::now();
    create(&stage, &shoots[0], &[]).await;
    let data = certificates(&stage, &shoots[0]).await;
    let others = stream::iter(&shoots[1..]).map(|shoot| create(&stage, shoot, &data));
    others.buffer_unordered(16).for_each(|()| async {}).await;
    let what = if pools { format!(" with {POOLS} pools") } else { String::new() };
    println!("\n== {count} Shoots{what}, created in {} s", began.elapsed().as_secs());
    print_requests("creation", &stage.proxy.counts(), count);
    let after_creation = print_memory("after the creation", &trellis);

    // A program that has just started has nothing but what it needs at rest.
    trellis.end().await;
    stage.proxy.forget();
    let trellis = stage.trellis(&MANY).await;
    sleep(REST).await;
    print_requests(&format!("start and {} s at rest", REST.as_secs()), &stage.proxy.counts(), count);
    print_memory("at rest", &trellis);
    let before = cpu(&trellis).await;
    sleep(REST).await;
    let used = cpu(&trellis).await - before;
    println!("at rest, with health checks: {used:.2} s of processor time in {} s", REST.as_secs());
    let at_rest = used / REST.as_secs_f64();
    trellis.end().await;

    let quiet: Vec<&str> = MANY.into_iter().chain(["--disable-controllers=healthcheck"]).collect();
    let trellis = stage.trellis(&quiet).await;
    sleep(Duration::from_secs(5)).await;
    // A process that has just started asks its policy again.
    let mut of_object = 0.0;
    for round in 1..=RESYNCS {
        of_object = resync(&stage, &trellis, round).await;
    }
    let most = after_creation.max(print_memory("after the resync", &trellis));
    let is_within = (most <= MEMORY, at_rest <= AT_REST, of_object <= OF_OBJECT);
    assert!(count < 1_000 || is_within == (true, true, true), "over budget: {is_within:?}");
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.seed.clear().await;
    drop((machines, frozen));
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures: cargo test -p trellis-cli --test controller figures -- --ignored --nocapture --test-threads 1"]
async fn figures_of_10_and_100_shoots() {
    for count in [10, 100] {
        figures(count, false).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make soak"]
async fn figures_of_1000_shoots() {
    figures(1_000, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures"]
async fn figures_of_20_shoots_with_ten_pools() {
    figures(20, true).await;
}
