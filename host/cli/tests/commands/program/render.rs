//! `trellis render` on an example, and on the objects of a seed.

#![cfg(feature = "native")]
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SEED: &str = "host/cli/tests/commands/program/controlplane";
const EXAMPLE: &str = "examples/two-zones.yaml";
/// What the Secret of the seed holds.
const KEY: &str = "neverShownNeverShownNeverShown";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in the workspace").to_owned()
}

/// Runs `trellis render` with colors never shown, in the folder of the workspace.
fn render(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["render", "--color", "never"])
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("there is an input");
    // A program that refuses its arguments reads nothing.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (status.code().expect("it was not killed"), text(stdout), text(stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A file of the workspace, edited.
fn edited(path: &str, edits: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(root().join(path)).expect("the file is there");
    for (from, to) in edits {
        assert!(text.contains(from), "{path} has no {from}");
        text = text.replace(from, to);
    }
    text
}

/// The paths of some files of the seed.
fn seed(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{SEED}/{name}.yaml")).collect()
}

/// Renders some files of the seed, and an edited one from standard input.
fn render_seed(names: &[&str], arguments: &[&str], input: &str) -> (i32, String, String) {
    let files = seed(names);
    let mut all: Vec<&str> = files.iter().map(String::as_str).collect();
    if !input.is_empty() {
        all.push("-");
    }
    all.extend(arguments);
    render(&all, input)
}

/// The names of the objects of a stream, as `Kind/name`.
fn names(stream: &str) -> Vec<String> {
    let name = |document: &str| {
        let after = |start: &str| document.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_default();
        format!("{}/{}", after("kind: "), after("  name: ").trim_matches('"'))
    };
    stream.split("---\n").skip(1).map(name).collect()
}

#[test]
fn a_preview_has_the_objects_in_order_and_says_what_its_placeholders_are() {
    let (status, stdout, stderr) = render(&[EXAMPLE], "");
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(names(&stdout).len(), 50);
    let comments = stdout.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
    insta::assert_snapshot!("objects", comments.chain(names(&stdout)).collect::<Vec<_>>().join("\n"));
    insta::assert_snapshot!("notes", stderr);
    // What a program makes of it goes back in.
    assert_eq!(names(&stdout).first().map(String::as_str), Some("NetworkPolicy/allow-to-alicloud-networks"));
}

#[test]
fn values_of_secrets_are_hidden_everywhere_unless_somebody_asks_for_them() {
    let encoded = ["bmV2ZXJTaG93", "5ldmVyU2hvd2", "uZXZlclNob3du"];
    let hides = |text: &str| !text.contains(KEY) && !encoded.iter().any(|part| text.contains(part));
    let folder = tempfile::tempdir().expect("there is room");
    let to = folder.path().join("out").display().to_string();
    for arguments in [
        &[][..],
        &["-o", "json"],
        &["--values"],
        &["--values", "-o", "json"],
        &["-o", "dir", "--to", &to],
        &["--diff", SEED],
    ] {
        let (status, stdout, stderr) = render(&[&[SEED], arguments].concat(), "");
        assert_eq!(status, 0, "{arguments:?}: {stderr}");
        assert!(hides(&stdout) && hides(&stderr), "{arguments:?}");
    }
    let file = folder.path().join("out/extension-controlplane-shoot/secret-csi-diskplugin-alicloud.yaml");
    let file = fs::read_to_string(file).expect("the file is there");
    assert!(file.contains("credentialsFile: \"<masked: 120 bytes>\""), "{file}");
    let (status, stdout, stderr) = render(&[SEED, "--show-secrets"], "");
    assert!(status == 0 && !hides(&stdout) && !stdout.contains("<masked"));
    assert!(stderr.contains("warning: the output has the values of Secrets"), "{stderr}");
    let (_, stdout, _) = render(&[SEED, "--show-secrets", "--values"], "");
    assert!(!stdout.contains("<masked"), "{stdout}");
}

#[test]
fn programs_get_the_whole_answer() {
    let (status, stdout, _) = render(&[SEED, "-o", "json"], "");
    let answer = json(&stdout);
    assert_eq!((status, &answer["kind"], &answer["name"]), (0, &"ControlPlane".into(), &"crazy".into()));
    let resources = answer["managedResources"].as_array().expect("there are objects");
    let counts = resources.iter().map(|one| one["objects"].as_array().map(Vec::len)).collect::<Vec<_>>();
    assert_eq!(counts, [Some(14), Some(32), Some(3), Some(1)]);
    for member in ["secrets", "delete", "restarts", "undecided", "findings"] {
        assert!(answer[member].is_array(), "{member}");
    }
    let (_, stdout, _) = render(&[EXAMPLE, "examples/one-zone.yaml", "-o", "json"], "");
    assert_eq!(json(&stdout)[1]["name"], "one-zone");
}

#[test]
fn values_are_printed_by_bundle() {
    let (status, stdout, _) = render(&[EXAMPLE, "--values"], "");
    assert_eq!(status, 0);
    insta::assert_snapshot!("values", stdout);
    let (_, stdout, _) = render(&[EXAMPLE, "--values", "-o", "json"], "");
    assert_eq!(json(&stdout)["values"]["seed-controlplane"]["region"], "eu-central-1");
}

#[test]
fn a_folder_has_a_file_an_object_and_is_never_overwritten() {
    let place = tempfile::tempdir().expect("there is room");
    let to = place.path().join("a/manifests");
    let path = to.display().to_string();
    let (status, stdout, stderr) = render(&[EXAMPLE, "-o", "dir", "--to", &path], "");
    assert!(status == 0 && stdout.is_empty() && stderr.starts_with("wrote 50 files into "), "{stderr}");
    let file = to.join("extension-controlplane-shoot/clusterrole-system-controller-cloud-node-controller.yaml");
    assert!(fs::read_to_string(file).expect("the file is there").contains("\nkind: ClusterRole\n"));
    let (status, _, stderr) = render(&[EXAMPLE, "-o", "dir", "--to", &path], "");
    assert!(status == 2 && stderr.contains("has files already"), "{stderr}");
    let other = place.path().join("b").display().to_string();
    let (status, _, _) = render(&[SEED, EXAMPLE, "-o", "dir", "--to", &other], "");
    assert!(status == 0 && place.path().join("b/shoot-garden-dev-two-zones/extension-controlplane-seed").is_dir());
    for (arguments, expected) in [
        (&["-o", "dir"][..], "`--to PATH`"),
        (&["--to", &other], "`-o dir` too"),
        (&["-o", "dir", "--to", "x", "--values"], "`--values` asks for something else"),
        (&["-o", "dir", "--to", "x", "--diff", EXAMPLE], "`--diff` asks for something else"),
    ] {
        let (status, _, stderr) = render(&[&[EXAMPLE], arguments].concat(), "");
        assert!(status == 2 && stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn an_edit_names_what_changes_and_whose_pods_start_again() {
    let config = "kind: ControlPlaneConfig\n";
    let edit = "kind: ControlPlaneConfig\n      csi: {enableADController: false}\n      \
                cloudControllerManager: {featureGates: {CloudControllerManagerWebhook: false}}\n";
    let new = edited(EXAMPLE, &[(config, edit)]);
    let (status, stdout, stderr) = render(&["-", "--diff", EXAMPLE], &new);
    assert_eq!(status, 0, "{stderr}");
    insta::assert_snapshot!("diff", stdout);
    let (_, stdout, _) = render(&["-", "--diff", EXAMPLE, "-o", "json"], &new);
    let changes = json(&stdout);
    let first = &changes[0];
    assert_eq!(
        (&first["managedResource"], &first["kind"], &first["change"], &first["restarts"]),
        (&"extension-controlplane-seed".into(), &"Deployment".into(), &"changed".into(), &true.into())
    );
    assert!(first["before"].is_object() && first["after"].is_object());
    let (status, stdout, _) = render(&[EXAMPLE, "--diff", EXAMPLE], "");
    assert_eq!((status, stdout.as_str()), (0, "no object changes\n"));
    let (_, stdout, _) = render(&[EXAMPLE, "--diff", EXAMPLE, "-o", "json"], "");
    assert_eq!(stdout, "[]\n");
}

#[test]
fn an_exported_shoot_gets_no_defaults_of_creation_nor_does_its_edit() {
    let export = edited(EXAMPLE, &[("metadata:\n", "metadata:\n  uid: 3b5c1b0e\n")]);
    let file = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    std::fs::write(file.path(), &export).unwrap();
    let (status, stdout, stderr) = render(&["-", "--diff", file.path().to_str().unwrap()], &export);
    assert_eq!((status, stdout.as_str()), (0, "no object changes\n"), "{stderr}");
    let is_set = |input: &str| render(&["-", "--values"], input).1.contains("enableADController: true");
    assert!(!is_set(&export) && is_set(&edited(EXAMPLE, &[])));
}

#[test]
fn a_hidden_value_that_changes_shows() {
    let secret = edited(&format!("{SEED}/secret.yaml"), &[("neverShown", "otherShown")]);
    let (status, stdout, stderr) = render_seed(
        &["controlplane", "cluster"],
        &["--diff", &format!("{SEED}/controlplane.yaml"), "--diff", &format!("{SEED}/secret.yaml")],
        &secret,
    );
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("+  credentialsFile: \"<masked: 120 bytes, changed>\"\n"), "{stdout}");
    assert_eq!(stdout.matches("\nrestarts: the pods of ").count(), 3, "{stdout}");
    assert!(!stdout.contains("otherShown"));
}

#[test]
fn objects_of_the_seed_and_of_the_shoot_are_answers() {
    let (status, stdout, stderr) = render(&[SEED], "");
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("generic-token-kubeconfig-94f46c66") && stdout.contains("--network=vpc"), "{stdout}");
    insta::assert_snapshot!("notes_of_a_seed", stderr);
    // The cluster holds the same credentials with another digest: the digest stays.
    let data = stdout_of_secret();
    let held = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: csi-diskplugin-alicloud, namespace: kube-system}}\ndata: {{credentialsFile: {data}}}\n\
         ---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: csi-disk-plugin-alicloud, namespace: kube-system}}\n\
         spec: {{template: {{metadata: {{annotations: {{checksum/secret-csi-diskplugin-alicloud: held}}}}}}}}\n"
    );
    let (_, stdout, stderr) = render(&[SEED, "-"], &held);
    assert!(stdout.contains("checksum/secret-csi-diskplugin-alicloud: held\n"), "{stdout}");
    assert!(!stderr.contains("DaemonSet"), "{stderr}");
}

/// The credentials as the Shoot has them, in base64.
fn stdout_of_secret() -> String {
    let (_, stdout, _) = render(&[SEED, "--show-secrets"], "");
    let line = stdout.lines().find_map(|line| line.strip_prefix("  credentialsFile: "));
    line.expect("the Shoot has the credentials").trim_matches('"').to_owned()
}

#[test]
fn a_missing_object_is_an_error_that_says_what_to_add() {
    let (status, stdout, stderr) = render_seed(&["controlplane", "cluster"], &[], "");
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("add Secret shoot--dev--crazy/cloudprovider of the seed to the files"), "{stderr}");
    let (status, _, stderr) = render_seed(&["controlplane", "secret"], &[], "");
    assert!(status == 2 && stderr.contains("the Cluster of ControlPlane shoot--dev--crazy/crazy"), "{stderr}");
    let asleep = edited(&format!("{SEED}/cluster.yaml"), &[("enabled: false", "enabled: true")]);
    let (status, _, stderr) = render_seed(&["controlplane", "secret"], &[], &asleep);
    assert!(status == 2 && stderr.contains("add Deployment shoot--dev--crazy/kube-apiserver"), "{stderr}");
    let (status, _, stderr) = render_seed(&["controlplane", "secret", "kube-apiserver"], &[], &asleep);
    assert!(status == 0 && stderr.contains("render it again later"), "{stderr}");
    let (status, stdout, _) = render_seed(&["controlplane", "secret"], &["-o", "json"], &asleep);
    let answer = json(&stdout);
    assert_eq!((status, answer[0]["managedResources"].is_null()), (2, true), "{stdout}");
    // A person who knows that there is none says so.
    let query = &answer[0]["undecided"][0]["query"]["id"];
    let fact =
        format!("- query: {query}\n  answer: {{error: {{code: NotFound, message: none, httpStatus: 404}}}}\n");
    let facts = tempfile::NamedTempFile::new().expect("there is room");
    fs::write(facts.path(), fact).expect("there is room");
    let (status, stdout, stderr) =
        render_seed(&["controlplane", "secret"], &["--facts", &facts.path().display().to_string()], &asleep);
    assert!(status == 0 && stdout.contains("\n  replicas: 0\n"), "{stderr}");
}

#[test]
fn a_finding_points_into_the_file() {
    let broken = edited(
        &format!("{SEED}/controlplane.yaml"),
        &[("purpose: nodes\n        zone", "purpose: other\n        zone")],
    );
    let (status, stdout, stderr) = render_seed(&["cluster", "secret"], &[], &broken);
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(stderr.contains("error[ALI-RND-002]") && stderr.contains("--> <stdin>:26:7"), "{stderr}");
    let broken = edited(
        EXAMPLE,
        &[("kind: ControlPlaneConfig\n", "kind: ControlPlaneConfig\n      csi: {enableADController: 7}\n")],
    );
    let (status, stdout, stderr) = render(&["-"], &broken);
    assert!(status == 1 && stdout.is_empty() && stderr.contains("--> <stdin>:32:33"), "{stderr}");
}

#[test]
fn images_of_an_image_vector_replace_those_of_the_policy() {
    let images = "images:\n- name: csi-attacher\n  repository: mirror.example/csi-attacher\n";
    let (status, stdout, stderr) = render(&[EXAMPLE, "--images", "-"], images);
    assert!(status == 0 && stdout.contains("image: mirror.example/csi-attacher:v"), "{stderr}");
    let (status, _, stderr) = render(&[EXAMPLE, "--images", "-"], "images:\n- tag: v1\n");
    assert!(status == 1 && stderr.contains("`images[0]` has no `name`"), "{stderr}");
    let (status, _, stderr) = render(&[EXAMPLE, "--images", "-"], "- tag: v1\n");
    assert!(status == 2 && stderr.contains("it has no list `images`"), "{stderr}");
}

#[test]
fn what_cannot_be_rendered_is_said() {
    let (status, stdout, stderr) = render(&["examples/equinix-metal.yaml"], "");
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("Trellis does not render control planes of its provider yet"), "{stderr}");
    let (status, _, stderr) = render(&["examples/secret.yaml"], "");
    assert!(status == 2 && stderr.contains("none of the objects given has a control plane"), "{stderr}");
    let foreign = edited(EXAMPLE, &[("    type: alicloud\n", "    type: ironcore\n")]);
    let (status, _, stderr) = render(&["-"], &foreign);
    assert!(
        status == 2 && stderr.contains("`ironcore` is not supported yet") && stderr.contains("<stdin>:"),
        "{stderr}"
    );
    let foreign = edited(&format!("{SEED}/controlplane.yaml"), &[("  type: alicloud\n", "  type: ironcore\n")]);
    let (status, _, stderr) = render_seed(&["cluster", "secret"], &[], &foreign);
    assert!(status == 2 && stderr.contains("`ironcore` is not supported yet"), "{stderr}");
    let (status, _, stderr) = render(&[EXAMPLE, "--diff", "examples/secret.yaml"], "");
    assert!(status == 2 && stderr.contains("no Shoot and no ControlPlane"), "{stderr}");
    let (status, stdout, _) = render(&["examples/secret.yaml", "-o", "json"], "");
    assert!(status == 2 && json(&stdout)["error"].is_object(), "{stdout}");
}
