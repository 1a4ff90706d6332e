//! `trellis run` and `trellis admission` as processes.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::wait::{LIMIT, START, until};

/// What the program is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub cloud: String,
    pub kubeconfig: PathBuf,
    /// Of the Leases.
    pub namespace: String,
    /// Further arguments.
    pub arguments: Vec<String>,
}

/// The lines of a log up to now.
pub type Log = Arc<Mutex<Vec<Value>>>;

/// The program, until it is dropped.
pub struct Trellis {
    child: Child,
    lines: Log,
    /// Where metrics are, once the program serves.
    metrics: Option<SocketAddr>,
    health: Option<SocketAddr>,
    /// Where reviews are answered, of `trellis admission`.
    webhooks: Option<SocketAddr>,
}

impl Trellis {
    /// Starts the program.
    pub fn spawn(settings: &Settings) -> Self {
        let mut command = program();
        command.args(["run", "--provider", "alicloud", "--cloud", &settings.cloud, "--policies"]).arg(policies());
        command.arg("--kubeconfig").arg(&settings.kubeconfig);
        for flag in ["--leader-election-namespace", "--heartbeat-namespace"] {
            command.args([flag, &settings.namespace]);
        }
        for flag in ["--metrics-bind-address", "--health-bind-address"] {
            command.args([flag, "127.0.0.1:0"]);
        }
        if !settings.arguments.iter().any(|argument| argument.starts_with("--webhook-config")) {
            command.arg("--disable-webhooks=*");
        }
        command.args(["--log-format", "json"]).args(&settings.arguments);
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (kept, output) = (Arc::clone(&lines), BufReader::new(child.stderr.take().unwrap()));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                // What is not JSON is kept as a text: it says why the program did not start, or panicked.
                let line = serde_json::from_str(&line).unwrap_or(Value::String(line));
                kept.lock().unwrap().push(line);
            }
        });
        Self { child, lines, metrics: None, health: None, webhooks: None }
    }

    /// Starts the program, and waits until it serves metrics and health. It may not be the leader yet.
    pub async fn start(settings: &Settings) -> Self {
        Self::spawn(settings).serving().await
    }

    /// Starts `trellis admission` for the garden of a kubeconfig, and waits until it serves. There is no cloud.
    pub async fn start_admission(kubeconfig: &Path, arguments: &[&str]) -> Self {
        let mut command = program();
        command.args(["admission", "--provider", "alicloud", "--cloud", "http://127.0.0.1:1", "--policies"]);
        command.arg(policies()).arg("--kubeconfig").arg(kubeconfig);
        command.args(["--webhook-config-server-host", "127.0.0.1"]);
        for flag in ["--metrics-bind-address", "--health-bind-address"] {
            command.args([flag, "127.0.0.1:0"]);
        }
        command.args(arguments);
        Self::of(command).serving().await
    }

    /// Starts the program by another name and with these variables, and waits until it serves. There is no cloud,
    /// unless the line names one.
    pub async fn start_called(name: &str, line: &[String], variables: &[(&str, &str)]) -> Self {
        let mut command = program();
        command.arg0(name).args(["--cloud", "http://127.0.0.1:1"]).args(line).envs(variables.iter().copied());
        command.arg("--policies").arg(policies());
        command.args(["--metrics-bind-address=127.0.0.1:0", "--health-bind-address=127.0.0.1:0"]);
        Self::of(command).serving().await
    }

    /// Waits until it serves.
    async fn serving(mut self) -> Self {
        let serving = until("the program serves", START, async || {
            if let Some(status) = self.ended() {
                panic!("the program ended with {status}: {:#?}", self.log());
            }
            self.log().into_iter().find(|line| line["msg"] == "serving")
        })
        .await;
        let address = |name: &str| serving[name].as_str().map(|address| address.parse().unwrap());
        (self.metrics, self.health, self.webhooks) = (address("metrics"), address("health"), address("webhooks"));
        self
    }

    /// Where reviews are answered.
    pub fn webhooks(&self) -> SocketAddr {
        self.webhooks.unwrap()
    }

    /// Where `/healthz` and `/readyz` are.
    pub fn health_address(&self) -> SocketAddr {
        self.health.unwrap()
    }

    /// The lines of its log up to now.
    pub fn log(&self) -> Vec<Value> {
        self.lines.lock().unwrap().clone()
    }

    /// The lines of its log, as they come.
    pub fn shared_log(&self) -> Log {
        Arc::clone(&self.lines)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal);
    }

    /// Asks it to end, which it does with code 0.
    pub async fn end(mut self) {
        self.signal(Signal::TERM);
        let status = self.exit().await;
        assert!(status.success(), "SIGTERM ended the program with {status}: {:#?}", self.log());
    }

    /// Waits until it has ended.
    pub async fn exit(&mut self) -> ExitStatus {
        until("the program ends", LIMIT, async || self.ended()).await
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Resident memory and its peak, in KiB.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> (u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().parse().unwrap()
        };
        (of("VmRSS:"), of("VmHWM:"))
    }

    /// The samples of its metrics: name with labels, and value.
    pub async fn scrape(&self) -> BTreeMap<String, f64> {
        let text = metrics(self.metrics.unwrap()).await;
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        samples
            .filter_map(|line| line.rsplit_once(' '))
            .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
            .collect()
    }

    /// The status and text of `/healthz` or `/readyz`.
    pub async fn health(&self, path: &'static str) -> (u16, String) {
        get(self.health_address(), path).await
    }
}

/// The program. Figures are those of the program that is shipped.
fn program() -> Command {
    let shipped = std::env::var_os("TRELLIS_PROGRAM");
    Command::new(shipped.unwrap_or_else(|| env!("CARGO_BIN_EXE_trellis").into()))
}

impl Drop for Trellis {
    fn drop(&mut self) {
        if std::thread::panicking() {
            print_end(&self.log());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Shows the end of a log.
pub fn print_end(log: &[Value]) {
    let last: Vec<String> = log.iter().rev().take(60).rev().map(ToString::to_string).collect();
    eprintln!("the end of the program's log:\n{}", last.join("\n"));
}

/// Sends a signal to a process that this test started.
pub fn kill(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// The folder with the policies: what `TRELLIS_POLICIES` names, or what a build has made.
fn policies() -> PathBuf {
    if let Some(folder) = std::env::var_os("TRELLIS_POLICIES") {
        return folder.into();
    }
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("");
    let folders = ["debug", "release"].map(|profile| target.join(profile).join("policies"));
    folders.iter().find(|folder| folder.is_dir()).cloned().unwrap_or_else(|| {
        panic!(
            "this test needs policies for the sandbox, and neither of {folders:?} is there: run `make web`, which builds \
             them, or set TRELLIS_POLICIES to their folder"
        )
    })
}

/// An address on loopback that nobody has.
pub fn free() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap()
}

/// The metrics that a program serves there.
pub async fn metrics(address: SocketAddr) -> String {
    let (status, text) = get(address, "/metrics").await;
    assert_eq!(status, 200, "{text}");
    text
}

/// The status and text of a page.
async fn get(address: SocketAddr, path: &'static str) -> (u16, String) {
    let read = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.split_whitespace().nth(1).unwrap().parse().unwrap(), body.to_owned())
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}
