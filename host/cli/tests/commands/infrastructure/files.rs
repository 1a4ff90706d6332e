//! Files: what is read has a limit, what is written is whole and never somebody else's.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use trellis_simulator::cloud::{Fault, Occurrence, When};

use crate::infrastructure::site::{Site, TECHNICAL_ID, done, reported, shoot};

/// `trellis` with little memory and few seconds of a processor: who reads what never ends is killed for one of
/// them.
fn frugal(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -d 262144; ulimit -t 20; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_trellis")])
        .args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_file_that_never_ends_is_reported_with_its_limit_at_once() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (manifest, state) = (path("shoot.yaml"), path("state"));
    fs::write(&manifest, shoot(1, &json!({})).to_string()).unwrap();
    let cloud = "http://127.0.0.1:9";
    for (arguments, limit) in [
        (&["plan", &manifest, "--cloud", cloud, "--credentials", "/dev/zero"][..], "3 MiB"),
        (&["plan", &manifest, "--cloud", cloud, "--credentials", "imageOwner=/dev/zero"], "3 MiB"),
        (&["plan", &manifest, "--cloud", cloud, "--authority", "/dev/zero"], "3 MiB"),
        (&["plan", &manifest, "--baseline", "/dev/zero"], "64 MiB"),
        (&["validate", &manifest, "--facts", "/dev/zero"], "64 MiB"),
        (&["validate", &manifest, "--old", "/dev/zero"], "64 MiB"),
        (&["apply", "/dev/zero"], "64 MiB"),
        (&["state", "import", "/dev/zero"], "16 MiB"),
        (&["simulate", "--accounts", "/dev/zero"], "3 MiB"),
        (&["simulate", "--replay", "/dev/zero"], "48 MiB in a line"),
    ] {
        let output = frugal(arguments).env("TRELLIS_STATE_DIR", &state).output().unwrap();
        let words =
            format!("it has more than {limit}, which is the limit; check that it is the file that you mean");
        assert!(stderr(&output).contains(&words), "{arguments:?}: {}", reported(&output));
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {}", reported(&output));
    }
    let mut plan = frugal(&["plan", &manifest, "--cloud", "https://127.0.0.1:9"]);
    let output = plan.env("TRELLIS_STATE_DIR", &state).env("SSL_CERT_FILE", "/dev/zero").output().unwrap();
    assert!(
        stderr(&output).contains("the system has no certificates of authorities to trust"),
        "{}",
        reported(&output)
    );
    // Files of its own have to be files, and are of a size.
    let kept = Path::new(&state).join(TECHNICAL_ID);
    fs::create_dir_all(&kept).unwrap();
    let plan = || frugal(&["plan", &manifest, "--state-dir", &state]).output().unwrap();
    symlink("/dev/zero", kept.join("state.json")).unwrap();
    assert!(stderr(&plan()).contains("state.json`: it is not a regular file"), "{}", reported(&plan()));
    fs::remove_file(kept.join("state.json")).unwrap();
    fs::File::create(kept.join("state.json")).unwrap().set_len(1 << 40).unwrap();
    assert!(stderr(&plan()).contains("it has more than 16 MiB"), "{}", reported(&plan()));
    fs::remove_file(kept.join("state.json")).unwrap();
    symlink("/dev/zero", Path::new(&state).join("world.json")).unwrap();
    assert!(stderr(&plan()).contains("it is not a regular file"), "{}", reported(&plan()));
}

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let secret = site.write(
        "secret.json",
        &json!({ "kind": "Secret", "apiVersion": "v1", "stringData": {
        "accessKeyID": trellis_simulator::cloud::ACCESS_KEY,
        "accessKeySecret": trellis_simulator::cloud::ACCESS_KEY_SECRET,
    } }),
    );
    let plan = site.command(&["plan"], &manifest);
    let arguments: Vec<_> = plan.get_args().map(|argument| argument.to_str().unwrap()).collect();
    let script = format!(
        "mkfifo pipe && (cat {} > pipe &) && exec {} {} --credentials pipe",
        secret.display(),
        env!("CARGO_BIN_EXE_trellis"),
        arguments.join(" ")
    );
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(manifest.parent().unwrap()).output().unwrap();
    assert!(done(output).contains("Created:"));
}

#[test]
fn a_manifest_that_is_named_by_mistake_is_not_overwritten() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let before = fs::read(&manifest).unwrap();
    let name = manifest.to_str().unwrap();
    for arguments in [&["plan", "--out", name][..], &["apply", "--yes", "--status", name]] {
        let output = site.command(arguments, &manifest).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
        let words = "shoot.yaml`: the file exists already, is not a ";
        assert!(stderr(&output).contains(words), "{}", reported(&output));
        assert_eq!(fs::read(&manifest).unwrap(), before);
    }
    for arguments in [
        &["plan", "--out", "-"][..],
        &["apply", "--yes", "--status", "-"],
        &["apply", "--yes", "--status", "/nowhere/status.json"],
        &["destroy", "--yes", "--status", "/"],
    ] {
        let output = site.command(arguments, &manifest).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?} {}", reported(&output));
    }
    assert_eq!(site.cloud().last_record(), 0, "nothing is called before it is known that all can be written");
}

#[test]
fn what_trellis_wrote_itself_is_replaced() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let file = |name: &str| manifest.with_file_name(name).to_str().unwrap().to_owned();
    let (plan, status, link) = (file("plan.json"), file("status.json"), file("link.json"));
    symlink(&status, &link).unwrap();
    // A link that leads nowhere is nobody's file.
    let output = site.command(&["apply", "--yes", "--status", &link], &manifest).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
    fs::write(&status, "").unwrap();
    for _ in 0..2 {
        done(site.command(&["plan", "--out", &plan], &manifest).output().unwrap());
        done(site.command(&["apply", "--yes", "--status", &link], &manifest).output().unwrap());
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let written: Value = serde_json::from_slice(&fs::read(&status).unwrap()).unwrap();
    assert_eq!(written["state"]["kind"], "FlowState");
    done(site.command(&["apply", "--yes"], Path::new(&plan)).output().unwrap());
    // A pipe gets it at the end.
    let status = done(site.command(&["apply", "--yes", "--status", "/dev/stdout"], &manifest).output().unwrap());
    assert!(status.contains("\"providerStatus\": {"), "{status}");
}

#[test]
fn a_state_that_cannot_be_read_does_not_hide_the_others() {
    let site = Site::new();
    site.apply(&site.write("shoot.yaml", &shoot(1, &json!({}))));
    for (name, content) in [("shoot--dev--a", "{\"format\":"), ("shoot--dev--z", "{}")] {
        fs::create_dir(site.state().join(name)).unwrap();
        fs::write(site.state().join(name).join("state.json"), content).unwrap();
    }
    fs::create_dir_all(site.state().join("shoot--dev--folder/state.json")).unwrap();
    let output = state(&site, &["show"]);
    assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
    let listed = String::from_utf8(output.stdout.clone()).unwrap();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!((lines.len(), lines[0]), (4, "shoot--dev--a  unreadable"), "{listed}");
    assert!(lines[1].starts_with(&format!("{TECHNICAL_ID}  alicloud  eu-central-1  serial ")), "{listed}");
    assert_eq!(lines[2..], ["shoot--dev--folder  unreadable", "shoot--dev--z  unreadable"]);
    for words in [
        "shoot--dev--a/state.json` cannot be read as a state: it is not JSON",
        "shoot--dev--folder/state.json`: it is not a regular file",
        "shoot--dev--z/state.json` cannot be read as a state: it is not a state that trellis recorded",
    ] {
        assert!(stderr(&output).contains(words), "{}", reported(&output));
    }
}

/// `trellis state`.
fn state(site: &Site, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.arg("state").args(arguments).arg("--state-dir").arg(site.state()).output().unwrap()
}

#[test]
fn a_run_that_goes_on_and_one_that_was_interrupted_are_reported() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let nth = Occurrence::Nth(1.try_into().unwrap());
    let hold = |action: &str| site.order(action, nth, Fault::Hold { when: When::Before });
    // The first call: nothing is recorded yet.
    let fault = hold("*");
    let mut child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    let run = format!("`trellis apply`, process {} on ", child.id());
    let text = done(state(&site, &["show"]));
    assert!(text.starts_with(&format!("{TECHNICAL_ID}  nothing recorded  a run goes on: {run}")), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    site.cloud().release(None, None);
    let text = done(state(&site, &["show"]));
    assert!(
        text.starts_with(&format!("{TECHNICAL_ID}  nothing recorded  a run was interrupted: {run}")),
        "{text}"
    );
    // Something is recorded.
    let fault = hold("vpc:CreateNatGateway");
    let mut child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    let run = format!("`trellis apply`, process {} on ", child.id());
    let text = done(state(&site, &["show", TECHNICAL_ID]));
    assert!(text.contains(&format!("\na run goes on: {run}")), "{text}");
    assert!(text.contains("\nVPC "), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    let text = done(state(&site, &["show", TECHNICAL_ID]));
    assert!(text.contains(&format!("\na run was interrupted: {run}")), "{text}");
    assert!(text.contains("\nrun the same command again: it goes on from what is recorded\n"), "{text}");
    site.release();
    site.apply(&manifest);
    let text = done(state(&site, &["show"])) + &done(state(&site, &["show", TECHNICAL_ID]));
    assert!(!text.contains("a run "), "{text}");
}

#[test]
fn what_a_crash_left_goes_with_the_next_run() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    site.apply(&manifest);
    let folder = site.state().join(TECHNICAL_ID);
    for name in [".new-aB3xyz", ".new-notes.txt"] {
        fs::write(folder.join(name), "{").unwrap();
    }
    site.apply(&manifest);
    assert!(!folder.join(".new-aB3xyz").exists());
    assert!(folder.join(".new-notes.txt").exists(), "a name that only looks alike is not ours");
}
