//! A cloud, a Shoot's manifest and a state directory.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread;

use hyper::body::Bytes;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use trellis_simulator::Options;
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{
    ACCESS_KEY, ACCOUNT, Cloud, Fault, Filter, Occurrence, Operation, Order, Query, Record, When,
};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};
use trellis_simulator::service::SERVICES;
use trellis_simulator::settings::Settings;

use crate::infrastructure::running::wait_until;
use trellis_testing::world;

/// The region of the Shoots here.
pub const REGION: &str = "eu-central-1";
/// The technical id of the Shoot.
pub const TECHNICAL_ID: &str = "shoot--dev--e2e";
/// The tag that identifies the resources of the Shoot.
pub const CLUSTER_TAG: &str = "kubernetes.io/cluster/shoot--dev--e2e";

/// A cloud on loopback with a Shoot's manifest and a state directory.
pub struct Site {
    gateway: Arc<Gateway>,
    address: SocketAddr,
    folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Site {
    /// A cloud whose transitions take no time.
    pub fn new() -> Self {
        Self::with(settings(json!({ "delays": { "*": 0 } })))
    }

    /// A cloud that behaves so.
    pub fn with(settings: Settings) -> Self {
        Self::of(Options { settings, region: REGION.to_owned(), ..Options::default() })
    }

    /// A cloud that starts so.
    pub fn of(options: Options) -> Self {
        let gateway = Arc::new(options.start().unwrap().gateway);
        let (stop, stopped) = oneshot::channel::<()>();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bound = Server::bind("127.0.0.1:0".parse().unwrap(), Arc::clone(&gateway), None, Limits::default());
        let server = runtime.block_on(bound).unwrap();
        let address = server.address();
        let serve = move || {
            runtime.block_on(server.run(async {
                // A dropped sender ends the server, too.
                let _ = stopped.await;
            }));
        };
        let folder = TempDir::new().unwrap();
        Self { gateway, address, folder, stop: Some(stop), server: Some(thread::spawn(serve)) }
    }

    /// The controls of the cloud in addition to its actions.
    pub fn cloud(&self) -> &Cloud {
        self.gateway.cloud()
    }

    /// The address of the cloud.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The state directory.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// Writes a manifest.
    pub fn write(&self, name: &str, manifest: &Value) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, serde_json::to_string_pretty(manifest).unwrap()).unwrap();
        path
    }

    /// `trellis` with arguments, this cloud and the state directory.
    pub fn command(&self, arguments: &[&str], manifest: &Path) -> Command {
        self.command_with(&self.state(), arguments, manifest)
    }

    /// The same with another state directory.
    pub fn command_with(&self, state: &Path, arguments: &[&str], manifest: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
        command.args(arguments).arg("--cloud").arg(self.url()).arg("--state-dir").arg(state).arg(manifest);
        command.env_remove("ALIBABA_CLOUD_ACCESS_KEY_ID").env_remove("ALIBABA_CLOUD_ACCESS_KEY_SECRET");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Applies a manifest, which must succeed; returns its output.
    pub fn apply(&self, manifest: &Path) -> String {
        done(self.command(&["apply", "--yes"], manifest).output().unwrap())
    }

    /// Destroys what a manifest describes, which must succeed; returns the output.
    pub fn destroy(&self, manifest: &Path) -> String {
        done(self.command(&["destroy", "--yes"], manifest).output().unwrap())
    }

    /// Runs a command with `--adopt`, which must succeed; returns its output.
    pub fn adopting(&self, operation: &str, manifest: &Path) -> String {
        done(self.command(&[operation, "--yes", "--adopt"], manifest).output().unwrap())
    }

    /// Removes the manifest that was applied last, as after the import of a state: no old version of the next
    /// manifest is known, and only the plan can refuse a change.
    pub fn forget_manifest(&self) {
        fs::remove_file(self.state().join(TECHNICAL_ID).join("applied.json")).unwrap();
    }

    /// Runs a command on manifests, which must succeed; returns its last line, with the result.
    pub fn run(&self, operation: &str, manifests: &[&Path]) -> Value {
        self.run_with(operation, &[], manifests)
    }

    /// The same with further arguments.
    pub fn run_with(&self, operation: &str, arguments: &[&str], manifests: &[&Path]) -> Value {
        let arguments = [&[operation, "--yes", "--format", "json"], arguments].concat();
        let mut command = self.command(&arguments, manifests[0]);
        let text = done(command.args(&manifests[1..]).output().unwrap());
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    }

    /// The plan for a manifest as a document.
    pub fn plan(&self, manifest: &Path) -> Value {
        let output = self.command(&["plan", "--format", "json"], manifest).output().unwrap();
        assert!(output.status.success(), "{}", reported(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Checks that nothing is left to do.
    pub fn assert_no_changes(&self, manifest: &Path) {
        let output = self.command(&["plan", "--detailed-exitcode"], manifest).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "there is something left to do:\n{}", reported(&output));
    }

    /// Orders a fault for calls of an action.
    pub fn order(&self, action: &str, occurrence: Occurrence, fault: Fault) -> u64 {
        let action = action.parse().unwrap();
        let order = Order { action, account: None, region: None, occurrence, times: None, fault };
        self.cloud().order(order).unwrap().id
    }

    /// The calls after a record, without the question for the account of the credentials, which each process asks
    /// once.
    pub fn calls(&self, after: u64) -> Vec<Arc<Record>> {
        let mut calls = self.every_call(after);
        calls.retain(|call| call.action.as_deref() != Some("GetCallerIdentity"));
        calls
    }

    /// The calls after a record, with that question.
    pub fn every_call(&self, after: u64) -> Vec<Arc<Record>> {
        self.cloud().records(&Query { after, ..Query::default() })
    }

    /// Starts a command and kills it (SIGKILL) when its n-th call is about to have its effect or has had it.
    /// Returns whether the command came to that call; a command that did not must succeed.
    pub fn kill_at(&self, mut command: Command, nth: u64, when: When) -> bool {
        let fault = self.order("*", Occurrence::Nth(nth.try_into().unwrap()), Fault::Hold { when });
        let mut child = command.spawn().unwrap();
        let reached = self.wait_for_hold(fault, &mut child);
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(reached || output.status.success(), "{}", reported(&output));
        self.release();
        reached
    }

    /// Orders a fault that holds the first call of an action once it has had its effect: the id of the fault.
    pub fn hold(&self, action: &str) -> u64 {
        self.order(action, Occurrence::Nth(1.try_into().unwrap()), Fault::Hold { when: When::After })
    }

    /// Answers the calls that a fault holds, and ends all faults.
    pub fn release(&self) {
        self.cloud().release(None, None);
        self.cloud().delete_faults(None);
    }

    /// Waits until a fault holds a call of a command. Returns `false` where the command ended before.
    pub fn wait_for_hold(&self, fault: u64, child: &mut Child) -> bool {
        wait_until(child, || {
            let faults = self.cloud().faults();
            faults.iter().any(|report| report.id == fault && !report.held.is_empty())
        })
    }

    /// Calls an action as somebody else with the same account would.
    pub fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.call_as(ACCOUNT, service, action, parameters)
    }

    /// Calls an action as an account would.
    pub fn call_as(&self, account: &str, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        let service = SERVICES.iter().find(|known| known.code == service).unwrap();
        let action = service.action(action).unwrap();
        let mut parameters: Vec<_> =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        if action.parameters.iter().any(|parameter| parameter.name == "RegionId") {
            parameters.push(("RegionId".to_owned(), REGION.to_owned()));
        }
        let caller = Caller {
            account: account.to_owned(),
            access_key: ACCESS_KEY.to_owned(),
            principal: Principal::Account,
            sees_nothing: false,
        };
        let region = REGION.to_owned();
        let operation = Operation { service, action, caller, region, parameters, body: Bytes::new() };
        let answer = self.cloud().execute(&operation);
        Value::Object(answer.unwrap_or_else(|error| panic!("{}: {error:?}", operation.action.name)).fields)
    }

    /// What is recorded, as it is in the file.
    pub fn recorded(&self) -> String {
        fs::read_to_string(self.state().join(TECHNICAL_ID).join("state.json")).unwrap()
    }

    /// What the cloud has got since its start, but for roles, which stay with the account.
    pub fn inventory(&self) -> Value {
        let mut inventory = self.cloud().inventory(&Filter { added: true, ..Filter::default() });
        for account in inventory.as_object_mut().unwrap().values_mut() {
            let regions = account.as_object_mut().unwrap();
            if let Some(global) = regions.get_mut("global").and_then(Value::as_object_mut) {
                global.retain(|kind, _| !kind.ends_with(":roles"));
            }
            regions.retain(|_, kinds| kinds != &json!({}));
        }
        inventory.as_object_mut().unwrap().retain(|_, regions| regions != &json!({}));
        inventory
    }

    /// What the cloud has, without what differs from run to run.
    pub fn world(&self) -> Value {
        world::of(&self.cloud().inventory(&Filter { added: true, ..Filter::default() }))
    }

    /// Checks that the cloud has nothing but what it had at the start and a service-linked role, which stays with
    /// the account.
    pub fn assert_empty(&self) {
        assert_eq!(self.inventory(), json!({}), "something is left");
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

/// Settings of a cloud.
pub fn settings(settings: Value) -> Settings {
    serde_json::from_value(settings).unwrap()
}

/// A Shoot with so many zones, whose network is given; without zones of its own it gets some.
pub fn shoot(zones: usize, networks: &Value) -> Value {
    let names = ["eu-central-1a", "eu-central-1b", "eu-central-1c"];
    let zone =
        |(index, name): (usize, &&str)| json!({ "name": name, "workers": format!("10.250.{}.0/19", 32 * index) });
    let mut all = json!({
        "vpc": { "cidr": "10.250.0.0/16" },
        "zones": names.iter().take(zones).enumerate().map(zone).collect::<Vec<_>>(),
    });
    all.as_object_mut().unwrap().extend(networks.as_object().unwrap().clone());
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "e2e", "namespace": "garden-dev" },
        "spec": {
            "cloudProfileName": "alicloud",
            "region": REGION,
            "secretBindingName": "core-alicloud",
            "provider": {
                "type": "alicloud",
                "infrastructureConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "InfrastructureConfig",
                    "networks": all,
                },
                "controlPlaneConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "ControlPlaneConfig",
                },
                "workers": [{
                    "name": "worker",
                    "machine": { "type": "ecs.g7.large", "image": { "name": "gardenlinux", "version": "1592.9.0" } },
                    "minimum": 1,
                    "maximum": 4,
                    "volume": { "type": "cloud_essd", "size": "50Gi", "encrypted": false },
                    "zones": names.iter().take(zones).collect::<Vec<_>>(),
                }],
            },
            "networking": {
                "type": "calico",
                "nodes": "10.250.0.0/16",
                "pods": "10.96.0.0/11",
                "services": "192.168.0.0/17",
            },
            "kubernetes": { "version": "1.33.2" },
        },
    })
}

/// The standard output of a command, which must have succeeded.
pub fn done(output: Output) -> String {
    assert!(output.status.success(), "{}", reported(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The exit code and all output of a command.
pub fn reported(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    format!("exit code {:?}\n{}\n{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Copies a folder with the files in it.
pub fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
