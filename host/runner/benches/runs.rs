//! Many runs in one process: time, memory, and calls.
//!
//! The runs are in a process of their own, which is this program once more.

#![allow(dead_code, reason = "tests need more of these modules")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "the inputs are our own")]

#[path = "../tests/fleet/child.rs"]
mod child;
#[path = "../tests/fleet/cloud.rs"]
mod cloud;

use serde_json::{Value, json};

use cloud::Site;

fn sum(lines: &[Value], pointer: &str) -> u64 {
    lines.iter().filter_map(|line| line.pointer(pointer)?.as_u64()).sum()
}

fn show(what: &str, lines: &[Value]) {
    let last = lines.last().unwrap();
    let slowest =
        lines.iter().filter(|line| line.get("run").is_some()).filter_map(|line| line["milliseconds"].as_u64());
    let (slowest, peak) = (slowest.max().unwrap(), last["peakKiB"].as_u64().unwrap() >> 10);
    println!(
        "{what}: {} ms, the slowest run {slowest} ms, peak {peak} MiB, {} requests, {} policy calls",
        last["milliseconds"],
        sum(lines, "/metrics/requests"),
        ["plan", "status", "classify"]
            .map(|of| sum(lines, &format!("/metrics/policyCalls/{of}")))
            .iter()
            .sum::<u64>(),
    );
}

fn main() {
    if child::run_as_asked() {
        return;
    }
    // Each transition takes two seconds.
    let real = json!({ "delays": { "*": 2 } });
    let one = Site::new(1, &real);
    show("1 run, transitions of 2 s", &one.start(1, "reconcile", |_| {}).done());
    let many = Site::new(200, &real);
    show("200 runs at once, transitions of 2 s", &many.start(200, "reconcile", |_| {}).done());

    let thousand = Site::new(1_000, &json!({}));
    show(
        "1,000 networks made, 50 at once",
        &thousand.start(1_000, "reconcile", |config| config.at_once = 50).done(),
    );
    for at_once in [1, 50] {
        let lines = thousand.start(1_000, "reconcile", |config| config.at_once = at_once).done();
        show(&format!("1,000 runs that change nothing, {at_once} at once"), &lines);
    }
}
