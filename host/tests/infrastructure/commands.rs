//! The commands as their user meets them: what they ask, say, refuse and keep.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{ACCESS_KEY, Fault, Filter, Occurrence, When};

use crate::site::{REGION, Site, TECHNICAL_ID, done, settings, shoot, told};

/// How often a call of an action had an effect.
fn successes(site: &Site, action: &str) -> usize {
    let calls = site.calls(0);
    calls.iter().filter(|record| record.action.as_deref() == Some(action) && record.effect).count()
}

fn manifest(site: &Site) -> std::path::PathBuf {
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

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until a fault holds a call.
fn wait_for_hold(site: &Site, fault: u64) {
    for _ in 0..12_000 {
        if site.cloud().faults().iter().any(|ledger| ledger.id == fault && !ledger.held.is_empty()) {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("nothing is held");
}

fn hold(site: &Site, action: &str) -> u64 {
    site.order(action, Occurrence::Nth(1.try_into().unwrap()), Fault::Hold { when: When::After })
}

fn release(site: &Site) {
    site.cloud().release(None, None);
    site.cloud().delete_faults(None);
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
    site.assert_no_changes_but_creation(&manifest);
}

impl Site {
    fn assert_no_changes_but_creation(&self, manifest: &Path) {
        let plan = self.plan(manifest);
        let changes = plan["plan"]["changes"].as_array().unwrap();
        let is_made = |change: &Value| change["action"] == "create" || change["action"] == "associate";
        assert!(!changes.is_empty() && changes.iter().all(is_made), "{plan}");
    }
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
    let mut command = trellis(&["plan"]);
    command.arg(&file).env("TRELLIS_STATE_DIR", &states).current_dir(folder.path());
    done(command.output().unwrap());
    assert!(states.join("world.json").is_file() && !folder.path().join(".trellis").exists());
}

#[test]
fn nothing_is_changed_where_nobody_can_be_asked() {
    let site = Site::new();
    let manifest = manifest(&site);
    let (code, stdout, stderr) = ended(&site.command(&["apply"], &manifest).output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stdout.contains("Created:"), "the plan is shown: {stdout}");
    assert!(stderr.contains("error: nobody can be asked: there is no terminal"), "{stderr}");
    assert!(stderr.contains("`--yes`"), "{stderr}");
    assert_eq!(site.world(), json!({}));
}

#[cfg(feature = "native")]
#[test]
fn only_yes_is_an_agreement() {
    use trellis_host::cli::{Opened, Streams, run};

    let site = Site::new();
    let manifest = manifest(&site);
    let apply = |answer: &str| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let streams = Streams {
            stdin: &mut answer.as_bytes(),
            stdin_is_terminal: true,
            stdout: &mut stdout,
            stdout_has_color: false,
            stdout_is_terminal: false,
            stderr: &mut stderr,
            stderr_has_color: false,
        };
        let (state, url) = (site.state(), site.url());
        let arguments = [
            "trellis",
            "apply",
            "--cloud",
            &url,
            "--state-dir",
            state.to_str().unwrap(),
            manifest.to_str().unwrap(),
        ];
        let open = |_: &_| Ok(Opened::new(trellis_host::engine::Native));
        let status = run(arguments.map(Into::into), None, open, streams);
        (status.code(), String::from_utf8(stderr).unwrap())
    };
    for answer in ["y\n", "no\n", "", "YES\n"] {
        let (code, told) = apply(answer);
        assert_eq!(code, 1);
        assert!(told.contains("Only `yes` is taken for an answer"), "{told}");
        assert!(told.contains("not agreed to; nothing was changed"), "{told}");
    }
    assert_eq!(site.world(), json!({}));
    assert_eq!(apply("yes\n").0, 0);
    site.assert_no_changes(&manifest);
}

#[test]
fn a_saved_plan_is_carried_out_as_it_was_looked_at_or_not_at_all() {
    let site = Site::new();
    let manifest = manifest(&site);
    let path = |name: &str| site.state().with_file_name(name);
    let save = |name: &str| {
        let path = path(name);
        let saved = site.command(&["plan", "--out", path.to_str().unwrap()], &manifest).output().unwrap();
        assert!(saved.status.success(), "{}", told(&saved));
        path
    };
    let apply = |plan: &Path| ended(&site.command(&["apply", "--yes"], plan).output().unwrap());
    let refused = |plan: &Path, words: &str| {
        let changes = successes(&site, "CreateVpc");
        let (code, stdout, stderr) = apply(plan);
        assert_eq!(code, Some(1), "{words}: {stdout}{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
        assert_eq!(successes(&site, "CreateVpc"), changes);
    };
    let plan = save("plan.json");
    // Somebody edits it.
    let edited = path("edited.json");
    fs::write(&edited, fs::read_to_string(&plan).unwrap().replace("10.250.0.0/16", "10.251.0.0/16")).unwrap();
    refused(&edited, "it was changed since it was saved");
    // Something else is wanted now.
    let other = site.write("other.yaml", &shoot(2, &json!({})));
    let mut command = site.command(&["apply", "--yes"], &plan);
    let (code, _, stderr) = ended(&command.arg(&other).output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stderr.contains("what is wanted has changed since the plan was made"), "{stderr}");
    // The cloud is another one now.
    let own = site.call("vpc", "CreateVpc", &[("VpcName", "own"), ("CidrBlock", "10.0.0.0/16")]);
    assert_eq!(apply(&plan).0, Some(0), "what others have is no concern of the plan");
    site.call("vpc", "DeleteVpc", &[("VpcId", own["VpcId"].as_str().unwrap())]);
    refused(&plan, "the recorded state has changed since the plan was made");
    let plan = save("none.json");
    site.call("vpc", "ModifyVpcAttribute", &[("VpcId", vpc(&site).as_str()), ("VpcName", "renamed")]);
    let (code, _, stderr) = apply(&plan);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("things have changed since the plan was made"), "{stderr}");
    // A plan to destroy.
    let plan = path("destroy.json");
    done(site.command(&["plan", "--destroy", "--out", plan.to_str().unwrap()], &manifest).output().unwrap());
    assert_eq!(apply(&plan).0, Some(0));
    site.assert_empty();
}

/// Id of the only VPC.
fn vpc(site: &Site) -> String {
    let answer = site.call("vpc", "DescribeVpcs", &[]);
    answer.pointer("/Vpcs/Vpc/0/VpcId").and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn the_first_interrupt_records_what_is_in_flight() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = hold(&site, "vpc:CreateNatGateway");
    let child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    wait_for_hold(&site, fault);
    interrupt(&child);
    // It hears of that before the call is answered.
    thread::sleep(Duration::from_millis(300));
    release(&site);
    let (code, stdout, stderr) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stderr.contains("ending the calls in flight and recording what they did"), "{stderr}");
    assert!(stderr.contains("stopped before everything was done"), "{stderr}");
    assert!(stderr.contains("run it again from its manifests"), "{stderr}");
    let state = fs::read_to_string(site.state().join(TECHNICAL_ID).join("state.json")).unwrap();
    assert!(state.contains("\"NatGateway\": \"ngw-"), "{state}");
    site.apply(&manifest);
    assert_eq!(successes(&site, "CreateNatGateway"), 1);
    site.assert_no_changes(&manifest);
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = hold(&site, "vpc:CreateNatGateway");
    let child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    wait_for_hold(&site, fault);
    interrupt(&child);
    thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    // The call is still held.
    let (code, _, stderr) = ended(&child.wait_with_output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stderr.contains("stopping at once"), "{stderr}");
    release(&site);
    site.apply(&manifest);
    assert_eq!(successes(&site, "CreateNatGateway"), 1);
    site.assert_no_changes(&manifest);
}

#[test]
fn one_run_at_a_time() {
    let site = Site::new();
    let manifest = manifest(&site);
    let fault = hold(&site, "vpc:CreateVpc");
    let mut child = site.command(&["apply", "--yes"], &manifest).spawn().unwrap();
    wait_for_hold(&site, fault);
    let states = site.state();
    let state = |arguments: &[&str]| {
        ended(&trellis(&[&["state"], arguments].concat()).arg("--state-dir").arg(&states).output().unwrap())
    };
    for arguments in [&["apply", "--yes"], &["destroy", "--yes"]] {
        let (code, _, stderr) = ended(&site.command(arguments, &manifest).output().unwrap());
        assert_eq!(code, Some(1));
        let words = format!("is in use by `trellis apply`, process {} on ", child.id());
        assert!(stderr.contains(&words), "{words}: {stderr}");
    }
    assert_eq!(state(&["unlock", TECHNICAL_ID]).0, Some(1), "its holder is alive");
    child.kill().unwrap();
    child.wait().unwrap();
    release(&site);
    let (code, stdout, stderr) = state(&["unlock", TECHNICAL_ID]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("cleared `trellis apply`, process "), "{stdout}");
    assert_eq!(state(&["unlock", TECHNICAL_ID]).1, format!("`{TECHNICAL_ID}` is free already\n"));
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
}

const SECRET: &str = "TheSecretThatNobodyMaySee";

fn secret(site: &Site, id: &str) -> std::path::PathBuf {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "core-alicloud", "namespace": "garden-dev" },
        "stringData": { "accessKeyID": id, "accessKeySecret": SECRET },
    });
    site.write("secret.json", &secret)
}

#[test]
fn credentials_that_are_refused_are_told_without_their_secret() {
    let site = Site::new();
    let manifest = manifest(&site);
    for id in [ACCESS_KEY, "LTAI5tNobodyKnowsThis"] {
        let secret = secret(&site, id);
        let mut plan = site.command(&["plan"], &manifest);
        let mut apply = site.command(&["apply", "--yes", "--format", "json"], &manifest);
        for command in [&mut plan, &mut apply] {
            let (code, stdout, stderr) = ended(&command.arg("--credentials").arg(&secret).output().unwrap());
            assert_eq!(code, Some(1), "{stdout}{stderr}");
            assert!(stdout.contains("ERR_INFRA_UNAUTH"), "{stdout}");
            assert!(!stdout.contains(SECRET) && !stderr.contains(SECRET), "{stdout}{stderr}");
        }
    }
    let states = fs::read_dir(site.state().join(TECHNICAL_ID)).unwrap();
    for file in states {
        assert!(!fs::read_to_string(file.unwrap().path()).unwrap().contains(SECRET));
    }
    assert!(site.calls(0).len() <= 40, "no retry storm: {}", site.calls(0).len());
}

#[test]
fn the_real_cloud_is_called_only_when_it_is_named() {
    let site = Site::new();
    let (manifest, secret) = (manifest(&site), secret(&site, ACCESS_KEY));
    let run = |arguments: &[&str]| {
        let mut command = trellis(&[&["plan"], arguments].concat());
        command.arg("--state-dir").arg(site.state()).arg(&manifest);
        ended(&command.output().unwrap())
    };
    let secret = secret.to_str().unwrap();
    let (code, _, stderr) = run(&["--credentials", secret]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("credentials are given, and nothing says for which cloud"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "real"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("there are no credentials for the real cloud, eu-central-1"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "http://192.0.2.1"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("there are no credentials for the cloud at http://192.0.2.1"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "alicloud"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("write `simulated`, `real`, or an address"), "{stderr}");
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
    // Without its uid, the recorded state tells that it is there.
    site.apply(&new);
}

#[test]
fn the_least_ram_policy_is_enough() {
    let policy: Value = serde_json::from_str(&done(trellis(&["ram-policy"]).output().unwrap())).unwrap();
    let statements = policy["Statement"].as_array().unwrap();
    let actions = |statement: &Value| statement["Action"].as_array().unwrap().clone();
    let roles = |action: &Value| action == "ram:CreateServiceLinkedRole";
    let of_roles = statements.iter().find(|statement| actions(statement).iter().any(roles)).unwrap();
    let condition = json!({ "StringEquals": { "ram:ServiceName": "nat.aliyuncs.com" } });
    assert_eq!((actions(of_roles).len(), &of_roles["Condition"]), (1, &condition));
    // The simulator goes by the names of services, where RAM has codes of its own.
    let text = |action: Value| action.as_str().unwrap().replace("ram:", "resourcemanager:");
    let mut allow: Vec<String> = statements.iter().flat_map(actions).map(text).collect();
    allow.push("sts:GetCallerIdentity".to_owned());
    let key = json!({ "id": "LTAI5tLeast", "secret": SECRET, "user": "trellis", "allow": allow });
    let accounts = json!({ "accounts": [{ "id": "1000000000000001", "accessKeys": [key] }] });
    let site = Site::of(Options {
        accounts: serde_json::from_value(accounts).unwrap(),
        settings: settings(json!({ "delays": { "*": 0 } })),
        region: REGION.to_owned(),
        ..Options::default()
    });
    let custom = json!({ "vpc": { "cidr": "10.250.0.0/16", "useCustomRouteTable": true } });
    let manifest = site.write("shoot.yaml", &shoot(2, &custom));
    let secret = secret(&site, "LTAI5tLeast");
    for arguments in [["apply", "--yes"], ["destroy", "--yes"]] {
        done(site.command(&arguments, &manifest).arg("--credentials").arg(&secret).output().unwrap());
    }
    site.assert_empty();
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
    assert_eq!(plan.status.code(), Some(0), "{}", told(&plan));
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
            stderr.contains("the recorded state is of `shoot--dev--e2e` on `alicloud` in `eu-central-1`"),
            "{stderr}"
        );
    }
}

#[test]
fn a_failed_step_is_told_with_what_mends_it_and_the_others_are_done() {
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
    assert!(stderr.contains("ERR_INFRA_QUOTA_EXCEEDED"), "{stderr}");
    assert!(stderr.contains("mend what failed, and run it again from its manifests"), "{stderr}");
    release(&site);
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
    let left = site.cloud().inventory(&Filter { added: true, ..Filter::default() });
    assert_eq!(left.to_string().matches("\"AllocationId\"").count(), 1, "{left}");
}
