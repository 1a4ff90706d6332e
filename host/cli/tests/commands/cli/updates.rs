//! Objects that are judged as updates of an older version, or of themselves.

use serde_json::Value;
use trellis_cli::Status;

use super::toy::trellis;
use super::{CLOUD_PROFILE, Files, SHOOT, broken_shoot, joined, json};

/// A Shoot as a garden hands it out.
fn exported(shoot: &str) -> String {
    shoot.replace("  name: crazy\n", "  name: crazy\n  resourceVersion: '5'\n  uid: a-b\n")
}

#[test]
fn an_old_version_makes_an_update() {
    let files = Files::new(&[("old.yaml", SHOOT), ("new.yaml", &broken_shoot()), ("other.yaml", CLOUD_PROFILE)]);
    let (old, new) = (files.path("old.yaml"), files.path("new.yaml"));
    let outcome = trellis(&["validate", "-o", "json", "--old", &old, &new], "");
    assert_eq!(json(&outcome)[0]["operation"], "update");
    assert_eq!(json(&outcome)[0]["findings"][1]["rule"], "ACM-NET-002");
    let from_stdin = trellis(&["validate", "--old", "-", &new], SHOOT);
    assert!(from_stdin.stdout.contains("field is immutable"), "{}", from_stdin.stdout);
    let unpaired = trellis(&["validate", "--old", &files.path("other.yaml"), &new], "");
    assert_eq!(unpaired.status, Status::Failed);
    assert!(
        unpaired.stderr.contains("old version of CloudProfile acme has no new version"),
        "{}",
        unpaired.stderr
    );
}

#[test]
fn ratchet_is_passed_on_for_updates() {
    let files = Files::new(&[("old.yaml", &broken_shoot()), ("new.yaml", &broken_shoot())]);
    let arguments = ["validate", "--ratchet", "--old", &files.path("old.yaml"), &files.path("new.yaml")];
    let outcome = trellis(&arguments, "");
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("warning[ACM-NET-001]"), "{}", outcome.stdout);
}

#[test]
fn an_object_that_is_there_already_is_an_update_of_itself() {
    for metadata in ["uid: a", "uid: 5"] {
        let shoot = SHOOT.replace("  name: crazy\n", &format!("  name: crazy\n  {metadata}\n"));
        let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"update".into(), &true.into()), "{metadata}");
        let human = trellis(&["validate"], &shoot).stdout;
        assert!(human.contains("Shoot garden-dev/crazy exists already, and was judged as an update of itself"));
        let default = trellis(&["default"], &shoot).stdout;
        assert!(default.contains("1 change, as an update of itself\n"), "{default}");
        let entry = &json(&trellis(&["validate", "-o", "json", "--create"], &shoot))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"create".into(), &Value::Null), "{metadata}");
        let human =
            trellis(&["validate", "--create"], &shoot).stdout + &trellis(&["default", "--create"], &shoot).stdout;
        assert!(!human.contains("update of itself"), "{human}");
    }
    let human = trellis(&["validate"], SHOOT).stdout + &trellis(&["default"], SHOOT).stdout;
    assert!(!human.contains("update of itself"), "{human}");
}

#[test]
fn a_secret_that_is_there_already_is_judged_as_a_new_one() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: garden-dev, uid: a}\n";
    let entry = &json(&trellis(&["validate", "-o", "json", "--provider", "acme"], secret))[0];
    assert_eq!((&entry["operation"], &entry["ofItself"]), (&"create".into(), &Value::Null), "{entry}");
}

#[test]
fn the_old_version_of_an_export_is_the_one_that_is_given() {
    let files = Files::new(&[("old.yaml", &exported(SHOOT)), ("new.yaml", &exported(&broken_shoot()))]);
    for create in [&[] as &[&str], &["--create"]] {
        let (old, new) = (files.path("old.yaml"), files.path("new.yaml"));
        let arguments = [&["validate", "-o", "json", "--old", &old, &new], create].concat();
        let entry = &json(&trellis(&arguments, ""))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"update".into(), &Value::Null));
        assert_eq!(entry["findings"][1]["rule"], "ACM-NET-002");
    }
}

#[test]
fn ratchet_excuses_no_error_of_an_object_that_is_its_own_old_version() {
    let files = Files::new(&[
        ("old.yaml", CLOUD_PROFILE),
        ("new.yaml", &joined(&[&exported(&broken_shoot()), CLOUD_PROFILE])),
    ]);
    let arguments = ["validate", "--ratchet", "--old", &files.path("old.yaml"), &files.path("new.yaml")];
    let outcome = trellis(&arguments, "");
    assert_eq!(outcome.status, Status::Rejected, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("error[ACM-NET-001]"), "{}", outcome.stdout);
}
