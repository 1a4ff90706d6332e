//! `trellis render --what workers`, and the nodes of `trellis plan`.

#![cfg(feature = "native")]
#![expect(clippy::expect_used, reason = "helpers of tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const EXAMPLE: &str = "examples/two-zones.yaml";
const CLUSTER: &str = "host/cli/tests/commands/program/controlplane/cluster.yaml";
const WORKER: &str = "host/cli/tests/commands/program/worker/worker.yaml";
const SECRET: &str = "host/cli/tests/commands/program/worker/secret.yaml";
/// The user data of the Secret, and its parts in base64.
const HIDDEN: [&str; 4] = ["neverShownNeverShown", "bmV2ZXJTaG93", "5ldmVyU2hvd2", "uZXZlclNob3du"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in the workspace").to_owned()
}

/// Runs `trellis` in the folder of the workspace.
fn trellis(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(arguments).args(["--color", "never"]).current_dir(root());
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (status.code().expect("it was not killed"), text(stdout), text(stderr))
}

fn workers(arguments: &[&str]) -> (i32, String, String) {
    trellis(&[&["render", "--what", "workers"], arguments].concat())
}

/// The example with edits, as a file of its own.
fn edited(edits: &[(&str, &str)]) -> tempfile::NamedTempFile {
    let mut text = fs::read_to_string(root().join(EXAMPLE)).expect("the file is there");
    for (from, to) in edits {
        assert!(text.contains(from), "the example has no {from}");
        text = text.replace(from, to);
    }
    let file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("there is room");
    fs::write(&file, text).expect("the file can be written");
    file
}

fn path(file: &tempfile::NamedTempFile) -> &str {
    file.path().to_str().expect("the path is text")
}

#[test]
fn a_shoot_alone_has_a_preview_of_its_machines() {
    let (status, stdout, stderr) = workers(&[EXAMPLE]);
    assert_eq!(status, 0, "{stderr}");
    insta::assert_snapshot!("preview_of_machines", stdout);
    assert!(stderr.contains("this is a preview with 8 placeholders"), "{stderr}");
}

#[test]
fn a_worker_has_its_hashes_and_hides_its_user_data() {
    let files = [WORKER, CLUSTER, SECRET];
    let folder = tempfile::tempdir().expect("there is room");
    let to = folder.path().join("out").display().to_string();
    for arguments in [&[][..], &["-o", "json"], &["-o", "dir", "--to", &to], &["--diff", WORKER]] {
        let (status, stdout, stderr) = workers(&[&files, arguments].concat());
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
        assert!(HIDDEN.iter().all(|part| !stdout.contains(part) && !stderr.contains(part)), "{arguments:?}");
    }
    let secret = fs::read_dir(folder.path().join("out/machine-classes")).expect("there is a folder").flatten();
    let secret = secret.map(|entry| fs::read_to_string(entry.path()).unwrap_or_default());
    assert!(secret.into_iter().any(|text| text.contains("userData: \"<masked: 30 bytes>\"")));
    let (_, stdout, _) = workers(&[WORKER, CLUSTER, SECRET, "-o", "json"]);
    let answer: Value = serde_json::from_str(&stdout).expect("it is JSON");
    let hash = answer["pools"][0]["hash"].as_str().expect("there is a hash");
    let class = format!("shoot--dev--crazy-cpu-eu-central-1a-{hash}");
    assert_eq!(answer["machineDeployments"][0]["className"], class);
    let (status, stdout, stderr) = workers(&[WORKER, CLUSTER, SECRET, "--show-secrets"]);
    assert!(status == 0 && stdout.contains("bmV2ZXJTaG93"), "{stderr}");
    assert!(stdout.contains("kind: MachineDeployment") && stdout.contains(&class), "{stdout}");
}

#[test]
fn an_error_names_the_secret_that_is_missing() {
    let (status, stdout, stderr) = workers(&[WORKER, CLUSTER]);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("kubectl get secret -n shoot--dev--crazy gardener-node-init-cpu -o yaml"), "{stderr}");
    let (status, _, stderr) = workers(&[WORKER]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the Cluster of Worker shoot--dev--crazy/crazy is not given"), "{stderr}");
}

#[test]
fn what_only_control_planes_have_is_refused() {
    for (arguments, words) in [
        (&[EXAMPLE, "--values"][..], "`--values` is for control planes alone"),
        (&[SECRET][..], "none of the objects given has a worker pool that Trellis renders"),
        (&[EXAMPLE, "--diff", SECRET][..], "the files of `--diff` have no Shoot and no Worker"),
    ] {
        let (status, _, stderr) = workers(arguments);
        assert_eq!(status, 2, "{arguments:?}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_plan_says_which_nodes_roll_and_why() {
    let new = edited(&[
        ("ecs.g7.large", "ecs.g7.xlarge"),
        ("worker-xoluy", "cpu"),
        ("minimum: 2", "minimum: 3"),
        ("maximum: 4", "maximum: 3"),
        ("      zones:\n      - eu-central-1a\n      - eu-central-1b\n", "      zones:\n      - eu-central-1a\n"),
    ]);
    let old = fs::read_to_string(new.path()).expect("the file is there").replace("ecs.g7.xlarge", "ecs.g7.large");
    let older = tempfile::Builder::new().suffix(".yaml").tempfile().expect("there is room");
    fs::write(&older, old).expect("the file can be written");
    let (status, stdout, stderr) = trellis(&["plan", path(&new), "--baseline", path(&older)]);
    assert_eq!(status, 0, "{stderr}");
    let line = "  -/+ 3 nodes of pool `cpu` roll, 1 at a time, because `machine.type` changes\n";
    assert!(stdout.contains(&format!("Nodes:\n{line}")), "{stdout}");
    assert!(stdout.contains("No changes of the infrastructure.") && !stdout.contains("everything is"), "{stdout}");
    let (status, stdout, _) =
        trellis(&["plan", path(&new), "--baseline", path(&older), "-o", "json", "--detailed-exitcode"]);
    let answer: Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!((status, &answer["nodes"]["pools"][0]["change"]), (2, &"rolled".into()));
    let (status, stdout, _) = trellis(&["plan", path(&new), "--baseline", path(&new), "--detailed-exitcode"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("     pool `cpu` keeps its nodes as they are\n"), "{stdout}");
    assert!(stdout.contains("No changes: everything is as it should be."), "{stdout}");
}

#[test]
fn nodes_that_come_or_go_are_a_change() {
    for (edit, expected) in [
        (("    minimum: 2\n", "    minimum: 3\n"), "; it has 3 to 4 nodes instead of 2 to 4"),
        (
            ("spec:\n", "spec:\n  hibernation: {enabled: true}\n"),
            "; its 2 to 4 nodes go while the Shoot hibernates",
        ),
    ] {
        let new = edited(&[edit]);
        let (status, stdout, stderr) =
            trellis(&["plan", path(&new), "--baseline", EXAMPLE, "--detailed-exitcode"]);
        assert_eq!(status, 2, "{stderr}");
        assert!(stdout.contains(expected), "{stdout}");
        assert!(!stdout.contains("No changes:"), "{stdout}");
    }
}

#[test]
fn what_gardener_rejects_is_neither_planned_nor_rendered() {
    let fewer = edited(&[("    maximum: 4\n", "    maximum: 1\n")]);
    let (status, stdout, stderr) = trellis(&["plan", path(&fewer), "--baseline", EXAMPLE]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("error[GDN-") && !stdout.contains("Nodes:"), "{stdout}{stderr}");
    for what in ["workers", "control-plane"] {
        let (status, stdout, stderr) = trellis(&["render", "--what", what, path(&fewer)]);
        assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.contains("would not be admitted: spec.provider.workers[0]."), "{stderr}");
    }
}

#[test]
fn what_changes_in_machines_says_that_nodes_are_elsewhere() {
    let new = edited(&[("    minimum: 2\n", "    minimum: 3\n")]);
    let (status, stdout, stderr) = workers(&[path(&new), "--diff", EXAMPLE]);
    assert_eq!((status, stdout.as_str()), (0, "no object changes\n"), "{stderr}");
    assert!(stderr.contains("`trellis plan NEW --baseline OLD` shows what becomes of the nodes"), "{stderr}");
}
