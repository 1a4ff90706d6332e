//! The host is killed before and after every call, and goes on.

use std::path::PathBuf;

use serde_json::{Value, json};
use trellis_simulator::cloud::When;

use crate::site::{Site, copy, settings, shoot};
use crate::world::difference;

/// What the host is killed at: each n-th call, on one side or the other.
#[derive(Clone, Copy)]
struct Points {
    /// The first call, and how many calls to the next one.
    first: u64,
    stride: u64,
}

const ALL: Points = Points { first: 1, stride: 1 };
const SOME: Points = Points { first: 3, stride: 6 };

/// A Shoot before and after an operation.
struct Case {
    before: Option<Value>,
    /// The Shoot that is applied; `None` takes the first one down.
    after: Option<Value>,
}

impl Case {
    fn create(zones: usize) -> Self {
        Self { before: None, after: Some(shoot(zones, &json!({}))) }
    }

    /// An elastic IP of one's own in place of a managed one, in the last zone.
    fn update(zones: usize) -> Self {
        let mut after = shoot(zones, &json!({}));
        after["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][zones - 1]["natGateway"] =
            json!({ "eipAllocationID": "(own)" });
        Self { before: Some(shoot(zones, &json!({}))), after: Some(after) }
    }

    fn delete(zones: usize) -> Self {
        Self { before: Some(shoot(zones, &json!({}))), after: None }
    }
}

/// A site as it is before the operation, to which it can be set back.
struct Stage {
    site: Site,
    before: PathBuf,
    manifest: PathBuf,
    deletes: bool,
    kept: tempfile::TempDir,
}

impl Stage {
    fn new(case: &Case) -> Self {
        let site = Site::new();
        let own = site.call("vpc", "AllocateEipAddress", &[("Name", "own")])["AllocationId"]
            .as_str()
            .unwrap()
            .to_owned();
        let write = |name, shoot: &Value| {
            let text = shoot.to_string().replace("(own)", &own);
            site.write(name, &serde_json::from_str(&text).unwrap())
        };
        let before = case.before.as_ref().map(|shoot| write("before.json", shoot));
        let after = case.after.as_ref().map(|shoot| write("after.json", shoot));
        if let Some(before) = &before {
            site.apply(before);
        }
        let deletes = after.is_none();
        let manifest = after.or(before.clone()).unwrap();
        let kept = tempfile::TempDir::new().unwrap();
        std::fs::create_dir_all(site.state()).unwrap();
        copy(&site.state(), &kept.path().join("state"));
        site.cloud().put_snapshot("before").unwrap();
        Self { site, before: before.unwrap_or(manifest.clone()), manifest, deletes, kept }
    }

    fn reset(&self) {
        self.site.cloud().restore_snapshot("before").unwrap();
        copy(&self.kept.path().join("state"), &self.site.state());
    }

    fn command(&self) -> std::process::Command {
        let operation = if self.deletes { "destroy" } else { "apply" };
        self.site.command(&[operation, "--yes"], &self.manifest)
    }

    /// What must be there in the end.
    fn wanted(&self) -> Value {
        self.reset();
        self.finish("uninterrupted")
    }

    /// Goes on to the end: the world then, with nothing left to do.
    fn finish(&self, at: &str) -> Value {
        let output = self.command().output().unwrap();
        assert!(output.status.success(), "killed {at}: {}", crate::site::told(&output));
        if !self.deletes {
            self.site.assert_no_changes(&self.manifest);
        }
        self.site.world()
    }
}

/// Kills at each point, once and, where `twice`, again while going on; the world must become what it becomes without.
fn survives(case: &Case, points: Points, twice: bool) {
    let stage = Stage::new(case);
    let wanted = stage.wanted();
    for when in [When::Before, When::After] {
        for nth in (points.first..).step_by(usize::try_from(points.stride).unwrap()) {
            stage.reset();
            if !stage.site.kill_at(stage.command(), nth, when) {
                break;
            }
            let at = format!("{when:?} call {nth}");
            if twice {
                stage.site.kill_at(stage.command(), 1 + nth % 7, when);
            }
            let world = stage.finish(&at);
            assert!(world == wanted, "killed {at}, it goes on to another world:\n{}", difference(&wanted, &world));
        }
    }
    let _ = &stage.before;
}

#[test]
fn a_create_that_is_killed_goes_on() {
    survives(&Case::create(1), SOME, false);
}

#[test]
fn an_update_that_is_killed_goes_on() {
    survives(&Case::update(1), SOME, false);
}

#[test]
fn a_delete_that_is_killed_goes_on() {
    survives(&Case::delete(1), SOME, false);
}

#[test]
fn a_create_that_is_killed_twice_goes_on() {
    survives(&Case::create(3), Points { first: 5, stride: 11 }, true);
}

#[test]
#[ignore = "every crash point: make verify"]
fn creates_survive_every_crash_point() {
    for zones in [1, 3] {
        for twice in [false, true] {
            survives(&Case::create(zones), ALL, twice);
        }
    }
}

#[test]
#[ignore = "every crash point: make verify"]
fn updates_survive_every_crash_point() {
    for zones in [1, 3] {
        for twice in [false, true] {
            survives(&Case::update(zones), ALL, twice);
        }
    }
}

#[test]
#[ignore = "every crash point: make verify"]
fn deletes_survive_every_crash_point() {
    for zones in [1, 3] {
        for twice in [false, true] {
            survives(&Case::delete(zones), ALL, twice);
        }
    }
}

#[test]
fn an_apply_after_a_delete_that_was_killed_makes_anew_what_was_going() {
    let shoot = shoot(1, &json!({}));
    let undisturbed = Site::new();
    undisturbed.apply(&undisturbed.write("shoot.json", &shoot));
    let wanted = undisturbed.world();
    // A VSwitch takes two seconds to go, and is shown as pending until then.
    let site = Site::with(settings(json!({ "delays": { "*": 0, "vpc:DeleteVSwitch": 2 } })));
    let manifest = site.write("shoot.json", &shoot);
    site.apply(&manifest);
    let fault = site.hold("vpc:DeleteVSwitch");
    let mut child = site.command(&["destroy", "--yes"], &manifest).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    child.kill().unwrap();
    child.wait().unwrap();
    site.release();
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
    let world = site.world();
    assert!(world == wanted, "{}", difference(&wanted, &world));
}
