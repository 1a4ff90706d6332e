use std::fs;

use serde_json::json;

use super::*;
use crate::testing::{ACCOUNT, TestCloud, operation};

fn count(test: &TestCloud) -> u64 {
    let vpcs = test.cloud.summary(&Filter { kind: Some("vpc:vpcs".to_owned()), ..Filter::default() });
    vpcs.pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs")).and_then(Value::as_u64).unwrap_or_default()
}

fn status(test: &TestCloud) -> Value {
    let all = test.cloud.inventory(&Filter::default());
    all.pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs/0/Status")).cloned().unwrap_or_default()
}

#[test]
fn a_state_file_has_every_write_that_was_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let (world, now) = {
        let test = TestCloud::new();
        assert!(!test.cloud.keep_state(&path).unwrap());
        test.call("vpc", "CreateVpc", &[("ClientToken", "t")]);
        test.step(1);
        // As when it is killed: nothing is done at its end.
        (test.cloud.world(), test.cloud.now())
    };
    let test = TestCloud::new();
    assert!(test.cloud.keep_state(&path).unwrap());
    assert!(test.cloud.world() == world);
    assert_eq!(test.cloud.now(), now);
    assert_eq!(status(&test), "Pending");
    test.step(2);
    assert_eq!(status(&test), "Available");
    test.call("vpc", "CreateVpc", &[("ClientToken", "t")]);
    assert_eq!(count(&test), 1, "the token is known");
    test.cloud.reset(Reset::default()).unwrap();
    drop(test);
    let test = TestCloud::new();
    assert!(test.cloud.keep_state(&path).unwrap());
    assert_eq!(count(&test), 0);
}

#[test]
fn time_never_goes_back_by_a_state_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let test = TestCloud::new();
    test.cloud.keep_state(&path).unwrap();
    test.call("vpc", "CreateVpc", &[]);
    drop(test);
    let test = TestCloud::new();
    test.step(100);
    let now = test.cloud.now();
    test.cloud.keep_state(&path).unwrap();
    assert_eq!(test.cloud.now(), now);
    assert_eq!(status(&test), "Available");
}

#[test]
fn a_write_that_cannot_be_kept_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let session = folder.path().join("session");
    let test = TestCloud::new();
    test.cloud.keep_state(&inner.join("state.json")).unwrap();
    test.cloud.record(&session).unwrap();
    let before = fs::read(&session).unwrap();
    fs::remove_dir_all(&inner).unwrap();
    assert_eq!(test.refused("vpc", "CreateVpc", &[]), "InternalError");
    assert!(test.cloud.set_settings(Settings::default()).is_err());
    assert!(test.cloud.reset(Reset::default()).is_err());
    assert!(test.cloud.step(Duration::from_secs(1)).is_err());
    assert_eq!(fs::read(&session).unwrap(), before, "nor is it in the session");
    fs::create_dir(&inner).unwrap();
    test.call("vpc", "CreateVpc", &[]);
    let replay = crate::cloud::replay(&session).unwrap();
    assert!(replay.cloud.world() == test.cloud.world());
}

#[test]
fn the_end_of_a_session_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("session");
    let test = TestCloud::new();
    test.cloud.set_rate(1e6).unwrap();
    test.cloud.record(&session).unwrap();
    let id = test.text("vpc", "CreateVpc", &[], "VpcId");
    while test.cloud.world().due().is_some() {}
    test.cloud.save().unwrap();
    let replay = crate::cloud::replay(&session).unwrap();
    let inventory = replay.cloud.inventory(&Filter::default()).to_string();
    assert!(inventory.contains(&id) && inventory.contains("Available"), "{inventory}");
}

#[test]
fn a_snapshot_is_returned_to() {
    let test = TestCloud::new();
    test.call("vpc", "CreateVpc", &[]);
    test.cloud.put_snapshot("one").unwrap();
    let second = test.text("vpc", "CreateVpc", &[], "VpcId");
    test.step(10);
    let now = test.cloud.now();
    test.cloud.restore_snapshot("one").unwrap();
    assert_eq!((count(&test), status(&test)), (1, json!("Available")));
    assert_eq!(test.cloud.now(), now);
    assert_eq!(test.text("vpc", "CreateVpc", &[], "VpcId"), second, "the same calls get the same identifiers");
    assert_eq!(test.cloud.snapshots().len(), 1);
    test.cloud.delete_snapshot("one").unwrap();
    assert!(test.cloud.restore_snapshot("one").is_err());
}

#[tokio::test]
async fn a_reset_is_of_what_is_wished() {
    let settings =
        |seconds: u32| -> Settings { serde_json::from_value(json!({ "lag": { "*": seconds } })).unwrap() };
    for reset in [
        Reset::default(),
        Reset { calls: true, ..Reset::default() },
        Reset { faults: true, ..Reset::default() },
        Reset { settings: true, ..Reset::default() },
    ] {
        let test = TestCloud::with(settings(1));
        test.call("vpc", "CreateVpc", &[]);
        test.cloud.call(operation("vpc", "DescribeVpcs", &[]), crate::cloud::Origin::default()).await;
        let order = json!({ "action": "*", "fault": { "kind": "quota" } });
        test.cloud.order(serde_json::from_value(order).unwrap()).unwrap();
        test.cloud.set_settings(settings(2)).unwrap();
        test.cloud.reset(reset).unwrap();
        assert_eq!(count(&test), 0);
        assert_eq!(test.cloud.records(&Query::default()).is_empty(), reset.calls);
        assert_eq!(test.cloud.faults().is_empty(), reset.faults);
        assert_eq!(*test.cloud.settings(), settings(if reset.settings { 1 } else { 2 }));
    }
}

#[test]
fn a_step_ends_transitions() {
    let test = TestCloud::new();
    test.call("vpc", "CreateVpc", &[]);
    test.step(2);
    assert_eq!(status(&test), "Pending");
    test.step(1);
    assert_eq!(status(&test), "Available");
    assert!(test.cloud.set_rate(-1.0).is_err());
    test.cloud.set_rate(2.0).unwrap();
    assert!((test.cloud.rate() - 2.0).abs() < f64::EPSILON);
}
