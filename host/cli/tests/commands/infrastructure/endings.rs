//! Runs end gracefully, also where their output cannot be shown.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, Read};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::json;
use trellis_cli::{Opened, Status, Streams, run};
use trellis_policies::engine::Native;

use crate::infrastructure::running::{Running, signal};
use crate::infrastructure::site::{Site, reported, shoot};

/// A command that hears of its terminal, also where the tests run under `nohup`, which makes a program and all
/// that it starts deaf.
fn hearing(command: &Command) -> Command {
    let mut env = Command::new("env");
    env.arg("--default-signal=HUP").arg(command.get_program()).args(command.get_args());
    env
}

/// How many NAT gateways were made.
fn gateways(site: &Site) -> usize {
    let is_made = |action: &Option<String>| action.as_deref() == Some("CreateNatGateway");
    site.calls(0).iter().filter(|record| is_made(&record.action) && record.effect).count()
}

#[test]
fn a_terminal_that_goes_away_stops_a_run_as_an_interrupt_does() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let fault = site.hold("vpc:CreateNatGateway");
    let mut command = hearing(&site.command(&["apply", "--yes"], &manifest));
    let mut run = Running::start(&site, command.stdin(Stdio::null()).stdout(Stdio::piped()));
    assert!(site.wait_for_hold(fault, &mut run.child));
    signal(&run.child, "HUP");
    run.wait_for_words("ending the calls in flight and recording what they did");
    site.release();
    let (code, stdout, stderr) = run.ended();
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stderr.contains("stopped before everything was done"), "{stderr}");
    assert!(site.recorded().contains("\"NatGateway\": \"ngw-"), "{}", site.recorded());
    site.apply(&manifest);
    assert_eq!(gateways(&site), 1);
    site.assert_no_changes(&manifest);
}

#[test]
fn who_is_to_go_on_without_a_terminal_goes_on() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let fault = site.hold("vpc:CreateNatGateway");
    let command = site.command(&["apply", "--yes"], &manifest);
    let mut nohup = Command::new("nohup");
    nohup.arg(command.get_program()).args(command.get_args());
    nohup.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = nohup.spawn().unwrap();
    assert!(site.wait_for_hold(fault, &mut child));
    signal(&child, "HUP");
    // The signal is there before the answer: who hears of it stops, and does not send another call.
    site.release();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", reported(&output));
    site.assert_no_changes(&manifest);
}

#[test]
fn a_simulator_ends_when_its_terminal_goes_away() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(["simulate", "--listen", "127.0.0.1:0", "--state"]).arg(folder.path().join("world.json"));
    let mut command = hearing(&command);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    io::BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
    signal(&child, "HUP");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_ends_a_run_with_its_calls_recorded() {
    for format in ["human", "json"] {
        let site = Site::new();
        let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
        let fault = site.hold("vpc:CreateNatGateway");
        let mut child = site.command(&["apply", "--yes", "--format", format], &manifest).spawn().unwrap();
        assert!(site.wait_for_hold(fault, &mut child));
        drop(child.stdout.take());
        site.release();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
        let text = reported(&output);
        assert!(text.contains("nothing can be shown any more; ending the calls in flight"), "{text}");
        assert!(text.contains("error: cannot write the output: Broken pipe"), "{text}");
        assert!(site.recorded().contains("\"NatGateway\": \"ngw-"), "{}", site.recorded());
        site.apply(&manifest);
        assert_eq!(gateways(&site), 1);
        site.assert_no_changes(&manifest);
        site.destroy(&manifest);
        site.assert_empty();
    }
}

#[test]
fn where_the_plan_cannot_be_shown_no_more_than_the_first_calls_are_made() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    for format in ["human", "json"] {
        let mut command = site.command(&["apply", "--yes", "--format", format], &manifest);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
        assert!(
            reported(&output).contains("error: cannot write the output: No space left on device"),
            "{}",
            reported(&output)
        );
    }
    assert_eq!(gateways(&site), 0);
    site.apply(&manifest);
    site.assert_no_changes(&manifest);
    site.destroy(&manifest);
    site.assert_empty();
}

/// Standard output on a disk that is full once the plan is shown.
struct Filling(Cell<usize>);

impl io::Write for Filling {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match self.0.get() {
            0 => Err(io::ErrorKind::StorageFull.into()),
            left => {
                self.0.set(left - 1);
                Ok(text.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A person who does something, and then answers.
struct Person<F> {
    before: Option<F>,
    answer: &'static [u8],
}

impl<F: FnOnce()> Read for Person<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.answer.read(buffer)
    }
}

impl<F: FnOnce()> BufRead for Person<F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(before) = self.before.take() {
            before();
        }
        Ok(self.answer)
    }

    fn consume(&mut self, count: usize) {
        self.answer = self.answer.get(count..).unwrap_or_default();
    }
}

/// Runs `trellis` at a terminal in this process: how it ended, and what it said.
fn at_a_terminal(command: &Command, before: impl FnOnce(), stdout: &mut dyn io::Write) -> (Status, String) {
    let arguments = [OsString::from("trellis")].into_iter().chain(command.get_args().map(OsString::from));
    let mut stdin = Person { before: Some(before), answer: b"yes\n" };
    let mut stderr = Vec::new();
    let streams = Streams {
        stdin: &mut stdin,
        stdin_is_terminal: true,
        stdout,
        stdout_has_color: false,
        stdout_is_terminal: false,
        stderr: &mut stderr,
        stderr_has_color: false,
    };
    let status = run(arguments, None, |_| Ok(Opened::new(Native)), streams);
    (status, String::from_utf8(stderr).unwrap())
}

#[test]
fn a_disk_that_gets_full_ends_a_run_with_its_calls_recorded() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let mut failures = 0;
    loop {
        // Room for the plan and a step.
        let command = site.command(&["apply", "--yes"], &manifest);
        let (status, stderr) = at_a_terminal(&command, || {}, &mut Filling(Cell::new(2)));
        if status == Status::Success {
            break;
        }
        assert_eq!(status, Status::Rejected, "{stderr}");
        assert!(stderr.contains("error: cannot write the output: "), "{stderr}");
        failures += 1;
        assert!(failures < 20, "it goes on where it stopped");
    }
    assert!(failures > 1, "{failures}");
    site.assert_no_changes(&manifest);
    assert_eq!(gateways(&site), 1);
    site.destroy(&manifest);
    site.assert_empty();
}

#[test]
fn a_plan_that_was_agreed_to_late_is_done_only_if_it_still_holds() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let command = site.command(&["apply"], &manifest);
    let answer = |before: &dyn Fn()| {
        let mut stdout = Vec::new();
        let (status, stderr) = at_a_terminal(&command, before, &mut stdout);
        (status, String::from_utf8(stdout).unwrap() + &stderr)
    };
    // Nothing happens meanwhile.
    let (status, text) = answer(&|| {});
    assert_eq!(status, Status::Success, "{text}");
    assert!(text.contains("Do this? Only `yes` is taken for an answer: "), "{text}");
    site.assert_no_changes(&manifest);
    // Somebody changes the cloud, so that there is something to agree to, and changes more before the answer.
    let untag = |kind: &str, list: &str, member: &str| {
        let found = site.call("vpc", if kind == "Vpc" { "DescribeVpcs" } else { "DescribeVSwitches" }, &[]);
        let id = found.pointer(list).unwrap()[member].as_str().unwrap().to_owned();
        let parameters = [("ResourceType", kind.to_uppercase()), ("ResourceId.1", id), ("All", "true".to_owned())];
        let parameters = parameters.each_ref().map(|(name, value)| (*name, value.as_str()));
        site.call("vpc", "UnTagResources", &parameters);
    };
    untag("VSwitch", "/VSwitches/VSwitch/0", "VSwitchId");
    let before = site.cloud().last_record();
    let (status, text) = answer(&|| untag("Vpc", "/Vpcs/Vpc/0", "VpcId"));
    assert_eq!(status, Status::Rejected, "{text}");
    assert!(text.contains("things have changed since the plan was made, and nothing was done"), "{text}");
    assert!(site.calls(before).iter().all(|record| !record.effect), "{text}");
    let (status, text) = answer(&|| {});
    assert_eq!(status, Status::Success, "{text}");
    site.assert_no_changes(&manifest);
}

#[test]
fn where_nobody_listens_a_command_ends_at_once_and_says_what_to_start() {
    let site = Site::new();
    let manifest = site.write("shoot.yaml", &shoot(1, &json!({})));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for arguments in [&["plan"][..], &["apply", "--yes"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command.args(arguments).arg(&manifest).arg("--cloud").arg(format!("http://{free}"));
        let output = command.arg("--state-dir").arg(site.state()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
        assert!(
            reported(&output).contains(&format!("nobody listens at `http://{free}`")),
            "{}",
            reported(&output)
        );
        assert!(reported(&output).contains("start a simulator with `trellis simulate`"), "{}", reported(&output));
        assert!(!reported(&output).contains("trying "), "{}", reported(&output));
        assert_eq!(
            reported(&output).matches("error").count(),
            2,
            "one error, with the system's own: {}",
            reported(&output)
        );
    }
}
