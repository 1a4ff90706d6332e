//! `trellis zones` on the examples.

#![cfg(feature = "native")]
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const ZONES: &str = "/spec/provider/infrastructureConfig/networks/zones";

/// Runs `trellis zones` with colors never shown, in the folder of the examples.
fn zones(arguments: &[&str], input: &str) -> (i32, String, String) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["zones", "--color", "never"])
        .args(arguments)
        .current_dir(examples)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("there is an input").write_all(input.as_bytes()).expect("the input is read");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (status.code().expect("it was not killed"), text(stdout), text(stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn people_see_ranges_gaps_and_conflicts() {
    let (status, stdout, _) = zones(&["two-zones.yaml"], "");
    assert_eq!(status, 0);
    insta::assert_snapshot!("two_zones", stdout);
    let (status, stdout, _) = zones(&["five-mistakes.yaml"], "");
    assert_eq!(status, 1, "conflicts are errors");
    insta::assert_snapshot!("five_mistakes", stdout);
}

#[test]
fn what_is_no_range_is_said_with_its_place() {
    let shoot = "kind: Shoot\nmetadata: {name: a}\nspec:\n  provider: {type: alicloud}\n  networking:\n    nodes: 10.0.0\n";
    let (status, stdout, _) = zones(&[], shoot);
    assert_eq!(status, 1);
    assert!(stdout.contains("\nunreadable: nodes: `10.0.0` at <stdin>:6:12\n"), "{stdout}");
}

#[test]
fn zones_to_add_come_with_the_lines_for_the_manifest() {
    let (status, stdout, _) = zones(&["two-zones.yaml", "--add", "eu-central-1c", "--add", "eu-central-1d"], "");
    assert_eq!(status, 0);
    insta::assert_snapshot!("additions", stdout);
}

#[test]
fn programs_get_the_answer_or_the_patch() {
    let (_, stdout, _) = zones(&["two-zones.yaml", "-o", "json"], "");
    assert_eq!(json(&stdout)["zones"]["prefixLength"], 19);
    let add = ["two-zones.yaml", "--add", "eu-central-1c", "--prefix", "22", "-o"];
    let (_, stdout, _) = zones(&[&add[..], &["json"]].concat(), "");
    assert_eq!(json(&stdout)["zones"][0]["cidr"], "10.250.64.0/22");
    let (_, stdout, _) = zones(&[&add[..], &["yaml"]].concat(), "");
    assert!(stdout.contains("  cidr: 10.250.64.0/22\n"), "{stdout}");
    let (_, stdout, _) = zones(&[&add[..], &["patch"]].concat(), "");
    let value = json!({ "name": "eu-central-1c", "workers": "10.250.64.0/22" });
    assert_eq!(json(&stdout), json!([{ "op": "add", "path": format!("{ZONES}/-"), "value": value }]));
}

#[test]
fn several_shoots_are_an_array() {
    let (status, stdout, stderr) = zones(&["two-zones.yaml", "one-zone.yaml", "-o", "json"], "");
    assert_eq!((status, json(&stdout).as_array().map(Vec::len)), (0, Some(2)), "{stderr}");
    let (_, stdout, _) = zones(&["two-zones.yaml", "one-zone.yaml", "--add", "x", "-o", "patch"], "");
    assert_eq!(json(&stdout)[1]["name"], "one-zone");
}

#[test]
fn an_answer_among_several_says_whose_it_is() {
    let several = ["two-zones.yaml", "one-zone.yaml", "--add", "eu-central-1b"];
    for (format, answer) in [("json", "zones"), ("patch", "patch")] {
        let (status, stdout, stderr) = zones(&[&several[..], &["-o", format]].concat(), "");
        assert_eq!(status, 1, "the first has that zone: {stderr}");
        assert_eq!(json(&stdout)[0]["name"], "one-zone");
        assert!(json(&stdout)[0][answer].is_array(), "{stdout}");
    }
    let (_, stdout, _) = zones(&["two-zones.yaml", "one-zone.yaml", "-o", "yaml"], "");
    assert!(stdout.contains("name: two-zones\nspaces:") && stdout.contains("name: one-zone\nspaces:"), "{stdout}");
}

#[test]
fn what_is_not_known_of_a_vpc_is_said() {
    let (status, stdout, stderr) = zones(&["existing-vpc-own-eip.yaml", "--add", "eu-central-1b"], "");
    assert_eq!(status, 0);
    assert!(
        stdout.contains("10.250.32.0/19") && stderr.contains("undecided[ALI-SHOOT-008]: "),
        "{stdout}{stderr}"
    );
}

#[test]
fn what_is_shown_is_not_taken_for_all_there_is() {
    let (status, stdout, stderr) = zones(&["existing-vpc-own-eip.yaml"], "");
    assert!(
        status == 0 && stdout.contains("no conflicts") && stderr.contains("undecided[ALI-SHOOT-008]: "),
        "{stderr}"
    );
    let shoot = |config: &str| {
        format!(
            "kind: Shoot\nmetadata: {{name: a}}\nspec:\n  networking: {{nodes: 10.250.0.0/16}}\n  \
             provider:\n    type: alicloud\n{config}"
        )
    };
    let (status, stdout, stderr) =
        zones(&["-o", "json"], &shoot("    infrastructureConfig: {networks: {zones: {}}}\n"));
    assert!(status == 1 && json(&stdout)["zones"].is_null(), "{stdout}");
    assert!(
        stderr.contains("`spec.provider.infrastructureConfig` cannot be read") && stderr.contains(":7:5\n"),
        "{stderr}"
    );
    let (status, _, stderr) = zones(&[], &shoot(""));
    assert!(status == 1 && stderr.contains("there is no `spec.provider.infrastructureConfig`"), "{stderr}");
}

#[test]
fn notes_cannot_write_to_the_terminal() {
    let config = r#"{apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1, kind: InfrastructureConfig, networks: {vpc: {id: "v\e[31m\n"}}}"#;
    let shoot = format!(
        "kind: Shoot\nmetadata: {{name: a}}\nspec:\n  networking: {{nodes: 10.250.0.0/16}}\n  \
         provider: {{type: alicloud, infrastructureConfig: {config}}}\n"
    );
    let (status, _, stderr) = zones(&["--add", "b"], &shoot);
    assert!(status == 0 && stderr.starts_with("undecided[ALI-SHOOT-008]: "), "{stderr}");
    assert!(!stderr.contains('\x1b') && stderr.lines().count() == 1, "{stderr:?}");
}

#[test]
fn a_zone_that_cannot_be_added_is_an_error_at_its_place() {
    let (status, stdout, stderr) = zones(&["two-zones.yaml", "--add", "eu-central-1b"], "");
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains("the zone `eu-central-1b` is listed already") && stderr.contains(":27:17\n"),
        "{stderr}"
    );
    let (status, _, stderr) = zones(&["two-zones.yaml", "--add", "eu-central-1c", "--prefix", "16"], "");
    assert!(status == 1 && stderr.contains("the largest that has room is a /17"), "{stderr}");
}

#[test]
fn what_cannot_be_asked_is_said() {
    let (status, stdout, _) = zones(&["equinix-metal.yaml"], "");
    assert!(status == 0 && stdout.contains("pods"), "{stdout}");
    let (status, _, stderr) = zones(&["equinix-metal.yaml", "--add", "a"], "");
    assert!(status == 2 && stderr.contains("none of the objects given has zones with address ranges"), "{stderr}");
    let (status, _, stderr) = zones(&["secret.yaml"], "");
    assert!(status == 2 && stderr.contains("none of the objects given has an address space"), "{stderr}");
    let (status, _, stderr) = zones(&["two-zones.yaml", "-o", "patch"], "");
    assert!(status == 2 && stderr.contains("`--add NAME`"), "{stderr}");
    assert_eq!(zones(&["two-zones.yaml", "--prefix", "20"], "").0, 2);
}
