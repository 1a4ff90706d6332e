//! A cloud on loopback for many Shoots, and processes with runs on it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use trellis_simulator::Options;
use trellis_simulator::cloud::{Cloud, Filter, Order};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};

use crate::child::{CONFIG, Config};

/// The most time that a test waits for a call.
const PATIENCE: Duration = Duration::from_mins(10);

/// A cloud on loopback, and a directory of states.
pub struct Site {
    gateway: Arc<Gateway>,
    url: String,
    folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Site {
    /// A cloud that has room for so many networks, and behaves so.
    pub fn new(networks: usize, behaviour: &Value) -> Self {
        let mut settings = json!({
            "delays": { "*": 0 },
            "quotas": { "vpcs": networks + 10, "eips": networks + 20, "natGateways": networks + 10, "securityGroups": networks + 10 },
        });
        settings.as_object_mut().unwrap().extend(behaviour.as_object().unwrap().clone());
        let settings = serde_json::from_value(settings).unwrap();
        let options = Options { settings, region: "eu-central-1".to_owned(), ..Options::default() };
        let gateway = Arc::new(options.start().unwrap().gateway);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let limits = Limits::default();
        let bound = Server::bind("127.0.0.1:0".parse().unwrap(), Arc::clone(&gateway), None, limits);
        let server = runtime.block_on(bound).unwrap();
        let url = server.url();
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || {
            runtime.block_on(server.run(async {
                // A dropped sender ends the server, too.
                let _ = stopped.await;
            }));
        };
        let server = Some(thread::spawn(serve));
        Self { gateway, url, folder: TempDir::new().unwrap(), stop: Some(stop), server }
    }

    /// The controls of the cloud in addition to its actions.
    pub fn cloud(&self) -> &Cloud {
        self.gateway.cloud()
    }

    /// Orders a fault.
    pub fn order(&self, order: Value) -> u64 {
        let order: Order = serde_json::from_value(order).unwrap();
        self.cloud().order(order).unwrap().id
    }

    /// Starts a process with runs on the networks from the first one on, up to so many.
    pub fn start(&self, networks: usize, operation: &str, changes: impl FnOnce(&mut Config)) -> Fleet {
        let states = self.folder.path().join("states");
        let mut config = Config::new(self.url.clone(), states, networks, operation);
        changes(&mut config);
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "child::process", "--ignored", "--nocapture", "--test-threads", "1"]);
        command.env(CONFIG, serde_json::to_string(&config).unwrap());
        Fleet(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap())
    }

    /// Waits until the cloud has dealt with so many calls in all, which is before the runs of a process end.
    pub fn wait_for_calls(&self, calls: u64, fleet: &mut Fleet) {
        let began = Instant::now();
        while self.cloud().last_record() < calls {
            let ended = fleet.0.try_wait().unwrap();
            assert_eq!(ended, None, "the process ended before call {calls}");
            assert!(began.elapsed() < PATIENCE, "nobody calls any more before call {calls}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Runs again what is not done, as a controller does, until all is done: among many faults, a query may fail
    /// for longer than a run asks.
    pub fn settle(&self, networks: usize, operation: &str) {
        for _ in 0..5 {
            let lines = self.start(networks, operation, |_| {}).finish();
            if lines.iter().filter_map(|line| line.get("ending")).all(|ending| ending["kind"] == "done") {
                return;
            }
        }
        panic!("some runs are never done");
    }

    /// How many resources there are of each kind, but for what stays with the account.
    pub fn inventory(&self) -> BTreeMap<String, u64> {
        let summary = self.cloud().summary(&Filter { added: true, ..Filter::default() });
        let mut kinds = BTreeMap::new();
        for regions in summary.as_object().unwrap().values() {
            for (_, all) in regions.as_object().unwrap().iter().filter(|(region, _)| *region != "global") {
                for (kind, count) in all.as_object().unwrap() {
                    kinds.insert(kind.clone(), count.as_u64().unwrap());
                }
            }
        }
        kinds
    }

    /// What networks so many have, if one has this.
    pub fn times(one: &BTreeMap<String, u64>, networks: usize) -> BTreeMap<String, u64> {
        let networks = u64::try_from(networks).unwrap();
        one.iter().map(|(kind, count)| (kind.clone(), count * networks)).collect()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

/// A process with runs.
pub struct Fleet(pub Child);

impl Fleet {
    /// Waits until all runs have ended: the lines that the process wrote, one of each run and one of the process.
    pub fn finish(mut self) -> Vec<Value> {
        let output = BufReader::new(self.0.stdout.take().unwrap());
        let lines = output.lines().filter_map(|line| serde_json::from_str(line.unwrap().trim()).ok());
        let lines: Vec<Value> = lines.filter(Value::is_object).collect();
        assert!(self.0.wait().unwrap().success(), "{lines:?}");
        lines
    }

    /// Waits until all runs have ended, which all must be done.
    pub fn done(self) -> Vec<Value> {
        let lines = self.finish();
        let failed: Vec<_> = lines
            .iter()
            .filter(|line| line.get("ending").is_some_and(|ending| ending["kind"] != "done"))
            .collect();
        assert!(failed.is_empty(), "{failed:?}");
        lines
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        // A test that fails leaves no process behind.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
