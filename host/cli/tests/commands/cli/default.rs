//! Defaults: how `trellis default` prints them, and what `trellis validate` says of them.

use trellis_cli::Status;

use super::toy::trellis;
use super::{CLOUD_PROFILE, SHOOT, broken_shoot, joined, json};

#[test]
fn what_a_default_set_is_shown_at_the_nearest_place_that_was_written() {
    let shoot = SHOOT.replace("region: north", "region: north\n  purpose: testing");
    let outcome = trellis(&["validate"], &shoot);
    assert!(outcome.stdout.contains("--> <stdin>:12:3\n"), "{}", outcome.stdout);
    let note = "ACM-DEF-001 set `/spec/provider/controlPlaneConfig` by default: the controller needs a mode";
    assert!(outcome.stdout.contains(note), "{}", outcome.stdout);
    let without = trellis(&["validate", "--no-defaults"], &shoot);
    assert_eq!(without.status, Status::Success, "{}", without.stdout);
}

#[test]
fn a_refusal_to_default_is_an_error_among_the_others() {
    let shoot = broken_shoot().replace("type: acme", "type: acme\n    controlPlaneConfig: text");
    let outcome = trellis(&["validate"], &shoot);
    assert_eq!(outcome.status, Status::Rejected);
    assert!(outcome.stdout.contains("error: the config is a text\n  --> <stdin>:13:25"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("error[ACM-NET-001]"), "{}", outcome.stdout);
    let defaulted = trellis(&["default"], &shoot);
    assert_eq!(defaulted.status, Status::Rejected);
    assert!(
        defaulted.stderr.contains("cannot have defaults as it is: the config is a text"),
        "{}",
        defaulted.stderr
    );
}

#[test]
fn defaults_are_shown_with_reasons_and_as_a_diff() {
    let outcome = trellis(&["default"], &joined(&[SHOOT, CLOUD_PROFILE]));
    insta::assert_snapshot!("default_human", outcome.stdout);
    insta::assert_snapshot!("default_stderr", outcome.stderr);
}

#[test]
fn defaulted_objects_come_as_yaml_json_or_patch() {
    let second = SHOOT.replace("crazy", "'1.30'");
    let both = joined(&[SHOOT, &second]);
    let yaml = trellis(&["default", "-o", "yaml"], &both).stdout;
    assert!(yaml.contains("\n---\n") && yaml.contains("name: \"1.30\"") && yaml.contains("mode: right"), "{yaml}");
    assert_eq!(trellis(&["validate"], &yaml).status, Status::Success);
    let one = json(&trellis(&["default", "-o", "json"], SHOOT));
    assert_eq!(one["spec"]["provider"]["controlPlaneConfig"]["mode"], "right");
    assert_eq!(json(&trellis(&["default", "-o", "json"], &both)).as_array().unwrap().len(), 2);
    let patch = json(&trellis(&["default", "-o", "patch"], SHOOT));
    assert_eq!(patch[0]["op"], "add");
    let patches = json(&trellis(&["default", "-o", "patch"], &both));
    assert_eq!(patches[1]["name"], "1.30");
    assert_eq!(patches[1]["patch"][0]["op"], "add");
}
