//! Several hosts on one Shoot at a time.

use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::thread;

use serde_json::{Value, json};

use crate::infrastructure::running::wait_until;
use crate::infrastructure::site::{Site, TECHNICAL_ID, copy, reported, settings, shoot};
use trellis_testing::points::chosen;
use trellis_testing::world::difference;

/// A Shoot with two hosts, each with a state directory of its own. It has a uid: without one, each state has a
/// salt of its own, and so its own tokens.
struct Pair {
    site: Site,
    manifest: PathBuf,
    states: [PathBuf; 2],
}

/// A Shoot with so many zones that Gardener knows.
fn known(zones: usize) -> Value {
    let mut shoot = shoot(zones, &json!({}));
    shoot["metadata"]["uid"] = json!("8f6c0a4e-3b5f-4d35-9f0f-0d9c1f6b7a11");
    shoot
}

impl Pair {
    /// Transitions take a while, so that the hosts meet each other's.
    fn new() -> Self {
        let site = Site::with(settings(json!({ "delays": { "*": 0.4 }, "vswitchConflicts": true })));
        let manifest = site.write("shoot.json", &known(2));
        let states = ["one", "other"].map(|name| site.state().with_file_name(name));
        Self { site, manifest, states }
    }

    fn start(&self, operation: &str, state: &Path) -> Child {
        // Neither knows what the other one has recorded.
        let consent = if operation == "apply" { "--adopt" } else { "--forget" };
        self.site.command_with(state, &[operation, "--yes", consent], &self.manifest).spawn().unwrap()
    }

    /// Both carry out a command at once; the other one begins when the first one has made so many calls, or has
    /// ended.
    fn both(&self, operation: &str, calls: u64) -> [Output; 2] {
        let from = self.site.cloud().last_record() + calls;
        let mut one = self.start(operation, &self.states[0]);
        wait_until(&mut one, || self.site.cloud().last_record() >= from);
        let other = self.start(operation, &self.states[1]);
        [one, other].map(|child| child.wait_with_output().unwrap())
    }

    /// After at most one more run of each, nothing is left to do for either.
    fn settle(&self, operation: &str, what: &str) {
        for state in &self.states {
            let output = self.start(operation, state).wait_with_output().unwrap();
            assert!(output.status.success(), "{what}: {}", reported(&output));
        }
        if operation == "apply" {
            for state in &self.states {
                let output = self
                    .site
                    .command_with(state, &["plan", "--detailed-exitcode"], &self.manifest)
                    .output()
                    .unwrap();
                assert_eq!(output.status.code(), Some(0), "{what}: {}", reported(&output));
            }
        }
    }
}

/// What one host makes of the cloud, and with how many calls.
fn alone() -> (Value, u64) {
    let pair = Pair::new();
    let output = pair.start("apply", &pair.states[0]).wait_with_output().unwrap();
    assert!(output.status.success(), "alone: {}", reported(&output));
    (pair.site.world(), pair.site.cloud().last_record())
}

/// The other host begins after so many calls of the first one.
fn meet(wanted: &Value, calls: &[u64]) {
    for calls in calls {
        let what = format!("{calls} calls later");
        let pair = Pair::new();
        let outputs = pair.both("apply", *calls);
        let ended = outputs.map(|output| reported(&output)).join("\n");
        pair.settle("apply", &format!("{what}\n{ended}"));
        let world = pair.site.world();
        assert!(world == *wanted, "{what}: another world:\n{}\n{ended}", difference(wanted, &world));
        // Both have the state now.
        pair.both("destroy", *calls);
        pair.settle("destroy", &what);
        pair.site.assert_empty();
    }
}

#[test]
fn two_hosts_that_begin_at_once_make_one_network() {
    meet(&alone().0, &[0]);
}

#[test]
#[ignore = "a quarter of many times: make verify"]
fn two_hosts_make_one_network_whenever_they_begin() {
    let (wanted, most) = alone();
    let calls = chosen("two hosts", (0..most).step_by(2).collect(), |_: &u64| Vec::new());
    let wanted = &wanted;
    thread::scope(|scope| {
        for part in calls.chunks(calls.len().div_ceil(4)) {
            scope.spawn(move || meet(wanted, part));
        }
    });
}

#[test]
fn two_hosts_with_the_same_state_change_a_network_once() {
    let pair = Pair::new();
    pair.site.command_with(&pair.states[0], &["apply", "--yes"], &pair.manifest).output().unwrap();
    copy(&pair.states[0], &pair.states[1]);
    pair.site.write("shoot.json", &known(3));
    pair.both("apply", 0);
    pair.settle("apply", "one more zone");
    let alone = Pair::new();
    alone.site.write("shoot.json", &known(3));
    alone.settle("apply", "alone");
    let (wanted, world) = (alone.site.world(), pair.site.world());
    assert!(world == wanted, "{}", difference(&wanted, &world));
}

#[test]
fn a_state_directory_is_for_one_host_at_a_time() {
    let site = Site::new();
    let manifest = site.write("shoot.json", &shoot(1, &json!({})));
    let fault = site.hold("vpc:CreateVpc");
    let mut child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    // It would call a cloud that nobody else calls.
    let unused = Site::new();
    let refused = unused.command_with(&site.state(), &["apply", "--yes"], &manifest).output().unwrap();
    let text = reported(&refused);
    assert_eq!(refused.status.code(), Some(1), "{text}");
    assert!(
        text.contains(&format!("`{TECHNICAL_ID}` is in use by")) && text.contains(&child.id().to_string()),
        "{text}"
    );
    assert_eq!(unused.cloud().last_record(), 0, "nothing is called");
    site.cloud().release(None, None);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", reported(&output));
    site.assert_no_changes(&manifest);
}
