//! The commands as their user meets them: what they print, and what they keep.

mod consent;
mod credentials;
mod interrupts;
mod programs;
mod worlds;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use trellis_simulator::cloud::{Fault, Filter, Occurrence};

use crate::infrastructure::site::{Site, TECHNICAL_ID, done, reported, shoot};

/// How often a call of an action had an effect.
fn successes(site: &Site, action: &str) -> usize {
    let calls = site.calls(0);
    calls.iter().filter(|record| record.action.as_deref() == Some(action) && record.effect).count()
}

fn manifest(site: &Site) -> PathBuf {
    site.write("shoot.yaml", &shoot(1, &json!({})))
}

/// Exit code, standard output and standard error.
fn ended(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// `trellis` without a cloud and without credentials in the environment.
fn trellis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command
        .args(arguments)
        .env_remove("ALIBABA_CLOUD_ACCESS_KEY_ID")
        .env_remove("ALIBABA_CLOUD_ACCESS_KEY_SECRET");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Id of the only VPC.
fn vpc(site: &Site) -> String {
    let answer = site.call("vpc", "DescribeVpcs", &[]);
    answer.pointer("/Vpcs/Vpc/0/VpcId").and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn a_network_is_built_once_and_taken_down_whole() {
    let site = Site::new();
    let manifest = manifest(&site);
    let first = site.apply(&manifest);
    assert!(first.contains("\nCreated:\n  + "), "{first}");
    assert!(first.contains("\negressCIDRs:\n- "), "{first}");
    let state = || fs::read(site.state().join(TECHNICAL_ID).join("state.json")).unwrap();
    let before = (state(), site.cloud().last_record());
    let second = site.apply(&manifest);
    assert!(second.contains("No changes: everything is as it should be.\n"), "{second}");
    assert_eq!(state(), before.0, "nothing is written");
    assert!(site.calls(before.1).len() <= 8);
    // Without a question, nobody has to be asked.
    done(site.command(&["apply"], &manifest).output().unwrap());
    site.destroy(&manifest);
    site.assert_empty();
    let plan = site.plan(&manifest);
    let changes = plan["plan"]["changes"].as_array().unwrap();
    let is_made = |change: &Value| change["action"] == "create" || change["action"] == "associate";
    assert!(!changes.is_empty() && changes.iter().all(is_made), "{plan}");
}

#[test]
fn a_simulated_cloud_is_there_for_the_next_command() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("shoot.json");
    fs::write(&file, shoot(1, &json!({})).to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = trellis(arguments);
        command.args(["--clock", "1000"]).arg(&file).current_dir(folder.path()).env_remove("TRELLIS_STATE_DIR");
        ended(&command.output().unwrap())
    };
    let (code, stdout, stderr) = run(&["apply", "--yes"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("calling a simulated cloud, whose world is in `.trellis/world.json`\n"), "{stderr}");
    assert_eq!(run(&["plan", "--detailed-exitcode"]).0, Some(0), "nothing is left to do");
    let (code, stdout, _) = run(&["plan", "--destroy", "--detailed-exitcode"]);
    assert_eq!(code, Some(2));
    assert!(stdout.contains("Deleted:\n  - "), "{stdout}");
    assert_eq!(run(&["destroy", "--yes"]).0, Some(0));
    assert_eq!(run(&["plan", "--detailed-exitcode"]).0, Some(2), "all has to be made again");
}

#[test]
fn a_variable_names_the_state_directory() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("shoot.json");
    fs::write(&file, shoot(1, &json!({})).to_string()).unwrap();
    let states = folder.path().join("elsewhere");
    let mut command = trellis(&["apply", "--yes", "--clock", "1000"]);
    command.arg(&file).env("TRELLIS_STATE_DIR", &states).current_dir(folder.path());
    done(command.output().unwrap());
    assert!(states.join("world.json").is_file() && !folder.path().join(".trellis").exists());
}

#[test]
fn rules_of_creation_do_not_hold_for_what_is_there() {
    let site = Site::new();
    let mut shoot = shoot(1, &json!({}));
    // The cloud's own range, which is refused on creation alone.
    shoot["spec"]["networking"]["pods"] = "100.64.0.0/11".into();
    let new = site.write("new.yaml", &shoot);
    let (code, stdout, _) = ended(&site.command(&["plan"], &new).output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stdout.contains("error[ALI-NET-004]"), "{stdout}");
    shoot["metadata"]["uid"] = "6b4b6d2e-0000-4000-8000-000000000001".into();
    let live = site.write("live.yaml", &shoot);
    site.apply(&live);
    site.assert_no_changes(&live);
    // Without its uid, the recorded state shows that it is there.
    site.apply(&new);
}

#[test]
fn programs_get_an_event_a_line_and_the_result_at_the_end() {
    let site = Site::new();
    let manifest = manifest(&site);
    let status = site.state().with_file_name("status.json");
    let arguments = ["apply", "--yes", "--format", "json", "--status", status.to_str().unwrap()];
    let stdout = done(site.command(&arguments, &manifest).output().unwrap());
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let started = lines.iter().filter(|line| line["event"] == "stepStarted").count();
    let ended = lines.iter().filter(|line| line["event"] == "stepDone").count();
    assert!(started > 5 && started == ended, "{stdout}");
    let result = lines.last().unwrap();
    assert_eq!((&result["event"], &result["ending"]["kind"]), (&json!("result"), &json!("done")));
    let written: Value = serde_json::from_slice(&fs::read(status).unwrap()).unwrap();
    assert_eq!(result["status"], written);
    assert_eq!(written["providerStatus"]["kind"], "InfrastructureStatus");
    assert_eq!(written["state"]["kind"], "FlowState");
    assert_eq!(written["egressCIDRs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn states_are_shown_and_taken_elsewhere() {
    let site = Site::new();
    let manifest = manifest(&site);
    site.apply(&manifest);
    let states = site.state();
    let elsewhere = states.with_file_name("elsewhere");
    let state = |folder: &Path, arguments: &[&str]| {
        ended(&trellis(&[&["state"], arguments].concat()).arg("--state-dir").arg(folder).output().unwrap())
    };
    let (_, listed, _) = state(&states, &["show"]);
    assert!(listed.starts_with("shoot--dev--e2e  alicloud  eu-central-1  serial "), "{listed}");
    let (_, shown, _) = state(&states, &["show", TECHNICAL_ID]);
    let row = shown.lines().find(|line| line.starts_with("VPC ")).unwrap();
    assert!(row.ends_with(&vpc(&site)), "{shown}");
    let (_, exported, _) = state(&states, &["export"]);
    let file = site.write("exported.json", &serde_json::from_str(&exported).unwrap());
    let file = file.to_str().unwrap();
    assert_eq!(state(&elsewhere, &["show"]).0, Some(1));
    assert_eq!(state(&elsewhere, &["import", file]).0, Some(0));
    let plan = site.command_with(&elsewhere, &["plan", "--detailed-exitcode"], &manifest).output().unwrap();
    assert_eq!(plan.status.code(), Some(0), "{}", reported(&plan));
    let (code, _, stderr) = state(&elsewhere, &["import", file]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("`--force`"), "{stderr}");
    assert_eq!(state(&elsewhere, &["import", file, "--force"]).0, Some(0));
    assert!(elsewhere.join(TECHNICAL_ID).join("state.json.bak").is_file());
    let (code, _, stderr) = state(&elsewhere, &["import", manifest.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("is no state"), "{stderr}");
    // A Shoot of the same name elsewhere is another one.
    let moved = shoot(1, &json!({})).to_string().replace("eu-central-1", "cn-shanghai");
    let moved = site.write("moved.json", &serde_json::from_str(&moved).unwrap());
    for arguments in [&["plan"][..], &["apply", "--yes"]] {
        let (code, _, stderr) = ended(&site.command(arguments, &moved).output().unwrap());
        assert_eq!(code, Some(1));
        assert!(
            stderr.contains("the recorded state belongs to `shoot--dev--e2e` on `alicloud` in `eu-central-1`"),
            "{stderr}"
        );
    }
}

#[test]
fn a_failed_step_is_reported_with_what_fixes_it_and_the_others_are_done() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = Fault::Quota { code: "QuotaExceeded.Eip".to_owned() };
    site.order("vpc:AllocateEipAddress", Occurrence::All, fault);
    let (code, stdout, stderr) = ended(&site.command(&["apply", "--yes"], &manifest).output().unwrap());
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("failed zones/eu-central-1a/eip/create"), "{stdout}");
    assert!(stdout.contains("which comes after zones/eu-central-1a/eip/create"), "{stdout}");
    assert!(stdout.contains("done natgateway/create"), "{stdout}");
    assert!(stderr.contains("error: step `zones/eu-central-1a/eip/create` failed: "), "{stderr}");
    assert!(stderr.contains("ERR_INFRA_QUOTA_EXCEEDED: a quota of the account is used up; "), "{stderr}");
    assert!(stderr.contains("fix what failed, and run it again from its manifests"), "{stderr}");
    site.release();
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
    let left = site.cloud().inventory(&Filter { added: true, ..Filter::default() });
    assert_eq!(left.to_string().matches("\"AllocationId\"").count(), 1, "{left}");
}
