//! A process that was asleep beyond its lease writes nothing when it wakes up.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use trellis_simulator::cloud::Query;

use crate::child::milliseconds;
use crate::cloud::{Fleet, Site};

/// How long the lease holds after a renewal. A call starts only where the lease lasts for six more seconds.
const LEASE: Duration = Duration::from_secs(8);

fn signal(fleet: &Fleet, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &fleet.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Calls that change something, by action.
fn changes(site: &Site, after: u64) -> Vec<String> {
    let records = site.cloud().records(&Query { after, ..Query::default() });
    let names = records.iter().filter_map(|record| record.action.clone());
    let reads = |name: &String| ["Describe", "List", "Get"].iter().any(|verb| name.starts_with(verb));
    names.filter(|name| !reads(name)).collect()
}

/// Freezes runs some time after their first call, beyond their lease, and thaws them.
fn sleeps(site: &Site, after: Duration) {
    let networks = 6;
    let fleet =
        site.start(networks, "reconcile", |config| config.lease = Some(LEASE.as_millis().try_into().unwrap()));
    let started = Instant::now();
    while site.cloud().last_record() == 0 {
        assert!(started.elapsed() < Duration::from_mins(1), "nothing was called");
        sleep(Duration::from_millis(5));
    }
    sleep(after);
    signal(&fleet, "STOP");
    // What has left the process arrives.
    sleep(LEASE + Duration::from_secs(1));
    let before = site.cloud().last_record();
    let (thawed, woken) = (Instant::now(), milliseconds());
    signal(&fleet, "CONT");
    let lines = fleet.finish();
    assert!(thawed.elapsed() < LEASE, "the runs go on without a lease");
    assert_eq!(changes(site, before), [""; 0], "frozen after {after:?}");
    let saves: Vec<u64> = lines.iter().filter_map(|line| line["saved"].as_u64()).collect();
    assert!(saves.iter().all(|save| *save < woken), "a state was saved without a lease, frozen after {after:?}");
    let lost = lines.iter().filter(|line| line["ending"]["kind"] == "leaseLost").count();
    assert!(lost > 0, "{lines:?}");
}

#[test]
fn a_process_that_wakes_up_after_its_lease_writes_nothing() {
    // Calls take a while, so that a frozen process has calls in flight, calls that wait for their turn, and waits.
    let behaviour = json!({ "delays": { "*": 2 } });
    std::thread::scope(|scope| {
        for milliseconds in [200, 700, 1_500, 2_700] {
            let behaviour = &behaviour;
            scope.spawn(move || {
                let site = Site::new(6, behaviour);
                site.order(json!({
                    "action": "*", "occurrence": { "every": 3 }, "fault": { "kind": "slow", "milliseconds": 700 },
                }));
                sleeps(&site, Duration::from_millis(milliseconds));
            });
        }
    });
}
