//! A seed on this machine: starts the launcher of `tests/landscape`, and ends it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::MutexGuard;

use crate::gardenlet::Gardenlet;

/// From the start until everything is ready, on a machine that is busy with much else.
const START: Duration = Duration::from_mins(3);

/// Ends the launcher's folder, the first argument, with the launcher, also where nobody drops the landscape:
/// standard input ends with this process.
const HOLD: &str = r#"folder=$1; shift; "$0" start "$@"; status=$?; rm -rf "$folder"; exit $status"#;

/// What reconciles the examples of Shoots in a garden.
const EXTENSIONS: [&str; 7] = [
    "Infrastructure/alicloud",
    "ControlPlane/alicloud",
    "Worker/alicloud",
    "Network/calico",
    "OperatingSystemConfig/gardenlinux",
    "OperatingSystemConfig/suse-chost",
    "ContainerRuntime/gvisor",
];

/// A seed and what belongs to it.
pub struct Landscape {
    /// The kubeconfig of an administrator.
    pub kubeconfig: PathBuf,
    /// The same, of the Shoot.
    pub of_shoot: PathBuf,
    pub gardenlet: Gardenlet,
    console: Mutex<Console>,
    launcher: Child,
    _folder: TempDir,
}

/// The launcher's lines.
struct Console {
    /// Identifiers of the servers' processes.
    servers: BTreeMap<String, u32>,
    events: Receiver<Value>,
    input: Option<ChildStdin>,
}

impl Landscape {
    /// Starts a landscape, and waits until it is ready. Where there is a kubeconfig of a Shoot's API server, it
    /// has that one. `flags` are those of the launcher.
    fn start(flags: &[&str], of_shoot: Option<&Path>) -> Self {
        let program = launcher();
        let folder = TempDir::with_prefix_in("landscape-", env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", HOLD]).arg(&program).arg(folder.path());
        command.args(flags).arg(folder.path().join("data")).args(of_shoot);
        let mut launcher =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (send, events) = channel();
        let lines = BufReader::new(launcher.stdout.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Ok(event) = serde_json::from_str(&line)
                    && send.send(event).is_err()
                {
                    return;
                }
            }
        });
        let input = launcher.stdin.take();
        let ready = next(&events, "ready", START);
        let path = |key: &str| PathBuf::from(ready[key].as_str().unwrap());
        let (kubeconfig, of_shoot) = (path("seed"), path("shoot"));
        Self {
            gardenlet: Gardenlet::start(&program.with_file_name("gardenlet-driver"), &kubeconfig, &of_shoot),
            of_shoot,
            kubeconfig,
            console: Mutex::new(Console {
                servers: serde_json::from_value(ready["pids"].clone()).unwrap(),
                events,
                input,
            }),
            launcher,
            _folder: folder,
        }
    }

    /// The landscape that the tests of this process share, for one of them at a time.
    pub async fn shared() -> Shared {
        static LANDSCAPE: OnceLock<tokio::sync::Mutex<Landscape>> = OnceLock::new();
        let lock = tokio::task::spawn_blocking(|| {
            LANDSCAPE.get_or_init(|| tokio::sync::Mutex::new(Self::start(&[], None)))
        });
        Shared::Locked(lock.await.unwrap().lock().await)
    }

    /// A landscape for one test, which may stop its servers.
    pub async fn own() -> Shared {
        Shared::Owned(Box::new(tokio::task::spawn_blocking(|| Self::start(&[], None)).await.unwrap()))
    }

    /// A second seed, which has the Shoots of this one. It has to end before this one.
    pub async fn second(&self) -> Shared {
        let of_shoot = self.of_shoot.clone();
        Shared::Owned(Box::new(
            tokio::task::spawn_blocking(move || Self::start(&[], Some(&of_shoot))).await.unwrap(),
        ))
    }

    /// A landscape for one test, whose garden has Gardener's own API, and the Project `dev`.
    pub async fn garden() -> Shared {
        let start = || {
            let landscape = Self::start(&["--gardener"], None);
            let line = json!({ "command": "project", "project": "dev", "extensions": EXTENSIONS });
            landscape.command(&line, "projectCreated");
            landscape
        };
        Shared::Owned(Box::new(tokio::task::spawn_blocking(start).await.unwrap()))
    }

    /// The process of a server: `etcd`, `seed-apiserver`, `shoot-apiserver`, `seed-resource-manager` or
    /// `shoot-resource-manager`.
    pub fn server(&self, name: &str) -> u32 {
        self.console.lock().unwrap().servers[name]
    }

    /// Stops a server and starts it again, at the same address.
    pub fn restart(&self, server: &str) {
        self.command(&json!({ "command": "restart", "server": server }), "restarted");
    }

    /// Runs machine-controller-manager and the driver of machines for a namespace, while its Deployment has
    /// replicas.
    pub fn machines(&self, namespace: &str, endpoint: &str) {
        let line = json!({ "command": "machines", "namespace": namespace, "endpoint": endpoint, "follow": true });
        self.command(&line, "machinesStarted");
    }

    /// Ends both. Machines stay.
    pub fn stop_machines(&self, namespace: &str) {
        self.command(&json!({ "command": "stopMachines", "namespace": namespace }), "machinesStopped");
    }

    fn command(&self, line: &Value, done: &str) {
        let mut console = self.console.lock().unwrap();
        let input = console.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        let event = next(&console.events, done, START);
        console.servers = serde_json::from_value(event["pids"].clone()).unwrap();
    }
}

impl Drop for Landscape {
    fn drop(&mut self) {
        drop(self.console.get_mut().unwrap_or_else(PoisonError::into_inner).input.take());
        // It ends its servers first, which takes a second or two; its own limit is fifteen.
        let _ = self.launcher.wait();
    }
}

/// A landscape, as long as a test has it.
pub enum Shared {
    Locked(MutexGuard<'static, Landscape>),
    Owned(Box<Landscape>),
}

impl Deref for Shared {
    type Target = Landscape;

    fn deref(&self) -> &Landscape {
        match self {
            Self::Locked(landscape) => landscape,
            Self::Owned(landscape) => landscape,
        }
    }
}

/// Waits for an event; progress passes, and an error ends the test.
fn next(events: &Receiver<Value>, name: &str, limit: Duration) -> Value {
    let end = Instant::now() + limit;
    let mut seen = Value::Null;
    loop {
        match events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(event) if event["event"] == name => return event,
            Ok(event) if event["event"] == "error" || event["event"] == "refused" => {
                panic!("the landscape failed: {}", event["message"])
            }
            Ok(event) => seen = event,
            Err(RecvTimeoutError::Timeout) => {
                panic!("no event `{name}` within {limit:?}; the last one was {seen}")
            }
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the landscape ended before its event `{name}`; the last one was {seen}")
            }
        }
    }
}

/// The launcher, built where it is missing.
fn launcher() -> PathBuf {
    if let Some(folder) = std::env::var_os("LANDSCAPE_PROGRAMS") {
        return PathBuf::from(folder).join("landscape");
    }
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/landscape");
    let mut command = Command::new("go");
    command.arg("-C").arg(module).args(["run", "./build"]);
    let built = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().unwrap_or_else(|error| {
        panic!(
            "this test needs a landscape, which `go` builds, and `go` does not start ({error}): install Go 1.26.5 or \
             newer (https://go.dev/doc/install), or set LANDSCAPE_PROGRAMS to a folder with the built programs \
             (docs/landscape.md)"
        )
    });
    assert!(built.status.success(), "the landscape was not built, see above: {}", built.status);
    PathBuf::from(String::from_utf8(built.stdout).unwrap().trim())
}
