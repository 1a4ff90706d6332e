//! A process that was asleep beyond its lease writes nothing when it wakes up.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::child::milliseconds;
use crate::cloud::{Fleet, Site};

/// How long the lease holds after a renewal. A call starts only where the lease lasts for six more seconds, and a
/// slow machine renews it late.
const LEASE: Duration = Duration::from_secs(20);

fn signal(fleet: &Fleet, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &fleet.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Freezes runs after so many calls, beyond their lease, and thaws them.
fn sleeps(site: &Site, calls: u64) {
    let networks = 6;
    let mut fleet = site.start(networks, "reconcile", |config| {
        config.lease = Some(LEASE.as_millis().try_into().unwrap());
        // Less than a step may take: runs that go on without a lease fail.
        config.patience = Duration::from_mins(4);
    });
    site.wait_for_calls(calls, &mut fleet);
    signal(&fleet, "STOP");
    // Only time ends a lease. Meanwhile, what has left the process arrives.
    sleep(LEASE + Duration::from_secs(1));
    let before = site.cloud().last_record();
    let woken = milliseconds();
    signal(&fleet, "CONT");
    let lines = fleet.finish();
    assert_eq!(site.cloud().last_record(), before, "something is called, frozen after {calls} calls");
    let saves: Vec<u64> = lines.iter().filter_map(|line| line["saved"].as_u64()).collect();
    assert!(
        saves.iter().all(|save| *save < woken),
        "a state was saved without a lease, frozen after {calls} calls"
    );
    let lost = lines.iter().filter(|line| line["ending"]["kind"] == "leaseLost").count();
    assert!(lost > 0, "{lines:?}");
}

#[test]
fn a_process_that_wakes_up_after_its_lease_writes_nothing() {
    // Calls take a while, so that a frozen process has calls in flight, calls that wait for their turn, and waits.
    let behaviour = json!({ "delays": { "*": 2 } });
    std::thread::scope(|scope| {
        for calls in [1, 40, 80, 120] {
            let behaviour = &behaviour;
            scope.spawn(move || {
                let site = Site::new(6, behaviour);
                site.order(json!({
                    "action": "*", "occurrence": { "every": 3 }, "fault": { "kind": "slow", "milliseconds": 700 },
                }));
                sleeps(&site, calls);
            });
        }
    });
}
