//! `trellis admission` with the policy in the sandbox: reviews of a Shoot over TLS, one core for the server, and
//! next to it a server in Go that decides nothing.
//!
//! The garden and the cloud are served by this process. `LANDSCAPE_PROGRAMS` names the folder with the server in
//! Go. Policies are those next to the program, or in the folder that `TRELLIS_POLICIES` names; `TRELLIS_PROGRAM`
//! names another program.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the inputs are our own"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::Bytes;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use trellis_policies::source::read;

use support::garden::Garden;
use support::reviewer::{Reviewer, certify};

const PROFILES: &str = "apis/core.gardener.cloud/v1beta1/cloudprofiles";
const BINDINGS: &str = "apis/security.gardener.cloud/v1alpha1/credentialsbindings";
const SECRETS: &str = "api/v1/secrets";
const VALIDATE: &str = "/webhooks/validate";
const MUTATE: &str = "/webhooks/mutate";

/// How long a server is loaded before anything is measured.
const WARM: Duration = Duration::from_secs(1);
/// How long it is measured.
const MEASURED: Duration = Duration::from_secs(5);
/// The core of a server. All else has the others.
const CORE: &str = "0";

/// A server that is measured, until it is dropped.
struct Server {
    name: &'static str,
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts a program on one core. `address` finds the address in its lines.
    fn start(
        name: &'static str,
        program: &Path,
        arguments: &[&str],
        address: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let mut command = Command::new("taskset");
        // One writes its address to standard output, the other one to its log.
        let (reader, writer) = std::io::pipe().unwrap();
        command.args(["--cpu-list", CORE]).arg(program).args(arguments);
        command.stdin(Stdio::null()).stdout(writer.try_clone().unwrap()).stderr(writer);
        let child = command.spawn().expect("`taskset` of util-linux gives a program one core");
        // The writer of this process would keep the pipe open.
        drop(command);
        let mut lines = BufReader::new(reader).lines().map_while(Result::ok);
        let mut reported = Vec::new();
        let found = lines.by_ref().find_map(|line| {
            let found = address(&line);
            reported.push(line);
            found
        });
        let address = found.unwrap_or_else(|| panic!("{name} does not serve: {reported:#?}")).parse().unwrap();
        // Its further lines are read, so that the program never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { name, child, address }
    }

    /// What is resident, and the most of it up to now, in MB.
    fn memory(&self) -> (u64, u64) {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let megabytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024 / 1_000_000
        };
        (megabytes("VmRSS:"), megabytes("VmHWM:"))
    }
}

/// The object of an example.
fn example(name: &str) -> Value {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let (_, roots) = read(name, &fs::read(path).unwrap()).unwrap();
    serde_json::from_str(&roots[0].to_json()).unwrap()
}

fn review(operation: &str, object: &Value, old: &Value) -> Bytes {
    let request = json!({
        "uid": "0b4f5c5c-3b0e-4b6e-9d4d-2f6f1a2b3c4d", "operation": operation, "object": object, "oldObject": old,
        "kind": { "group": "core.gardener.cloud", "version": "v1beta1", "kind": "Shoot" },
        "resource": { "group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots" },
        "name": object["metadata"]["name"], "namespace": object["metadata"]["namespace"],
    });
    json!({ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request })
        .to_string()
        .into()
}

/// A garden with what the Shoots of the examples name.
fn garden() -> Garden {
    let garden = Garden::new(&[PROFILES, BINDINGS, SECRETS]);
    garden.add(PROFILES, example("cloudprofile-regions.yaml"));
    let reference = json!({ "apiVersion": "v1", "kind": "Secret", "namespace": "garden-dev", "name": "key" });
    garden.add(
        BINDINGS,
        json!({ "metadata": { "namespace": "garden-dev", "name": "core-alicloud" }, "credentialsRef": reference }),
    );
    let mut secret = example("secret.yaml");
    secret["metadata"] = json!({ "namespace": "garden-dev", "name": "key" });
    garden.add(SECRETS, secret);
    garden
}

/// A cloud that takes every call and answers none.
async fn silent_cloud() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            held.push(listener.accept().await.unwrap());
        }
    });
    url
}

/// How long reviews took, in order, and the span in which they were sent.
struct Times {
    each: Vec<Duration>,
    span: Duration,
}

impl Times {
    fn at(&self, share: f64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in a list"
        )]
        let place = ((self.each.len() as f64 * share) as usize).min(self.each.len() - 1);
        self.each[place].as_secs_f64() * 1000.0
    }

    fn print(&self, what: &str) {
        #[expect(clippy::cast_precision_loss, reason = "a small number, for people")]
        let rate = self.each.len() as f64 / self.span.as_secs_f64();
        println!(
            "{what}: {rate:.0} reviews a second, p50 {:.2} ms, p99 {:.2} ms, the slowest {:.1} ms",
            self.at(0.5),
            self.at(0.99),
            self.at(1.0)
        );
    }
}

/// How a server is loaded.
#[derive(Clone, Copy)]
struct Load {
    path: &'static str,
    connections: usize,
    span: Duration,
    /// After how many reviews a connection is replaced.
    replaced: usize,
}

impl Load {
    fn new(path: &'static str, connections: usize) -> Self {
        Self { path, connections, span: MEASURED, replaced: usize::MAX }
    }
}

/// Sends one review again and again, and checks each answer.
async fn load(server: &Reviewer, body: &Bytes, load: Load) -> Times {
    let Load { path, connections, span, replaced } = load;
    let began = Instant::now();
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        let (server, body) = (server.clone(), body.clone());
        senders.spawn(async move {
            let mut each = Vec::new();
            let mut connection = server.connect().await.unwrap();
            let mut count = 0;
            while began.elapsed() < WARM + span {
                count += 1;
                let sent = Instant::now();
                let reported = connection.send(path, body.clone()).await;
                assert!(reported.response["allowed"] == true, "{}", reported.response);
                if began.elapsed() > WARM {
                    each.push(sent.elapsed());
                }
                if reported.is_last || count % replaced == 0 {
                    connection = server.connect().await.unwrap();
                }
            }
            each
        });
    }
    let mut each = senders.join_all().await.concat();
    each.sort_unstable();
    Times { each, span: began.elapsed().saturating_sub(WARM) }
}

/// What is measured of each server alike.
async fn compare(server: &Server, certificate: &str, reviews: &[(&str, &'static str, Bytes)]) {
    let reviewer = Reviewer::new(certificate, server.address);
    println!("\n== {}", server.name);
    let (at_rest, _) = server.memory();
    for (what, path, body) in reviews {
        for connections in [1, 16] {
            let times = load(&reviewer, body, Load::new(path, connections)).await;
            times.print(&format!("{what}, {connections} connections"));
        }
    }
    let (resident, most) = server.memory();
    println!("memory: {at_rest} MB before, {resident} MB after, {most} MB at most");
}

/// Reviews while others wait for a cloud that does not answer.
async fn next_to_a_silent_cloud(reviewer: &Reviewer, usual: &Bytes, asking: &Bytes) {
    let is_over = Arc::new(AtomicBool::new(false));
    let mut waiting = JoinSet::new();
    for _ in 0..16 {
        let (reviewer, asking, is_over) = (reviewer.clone(), asking.clone(), Arc::clone(&is_over));
        waiting.spawn(async move {
            let mut connection = reviewer.connect().await.unwrap();
            let mut each = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let sent = Instant::now();
                let reported = connection.send(VALIDATE, asking.clone()).await;
                let message = reported.response["status"]["message"].as_str().unwrap_or_default();
                assert!(message.contains("try again"), "{}", reported.response);
                each.push(sent.elapsed());
            }
            each
        });
    }
    let times = load(reviewer, usual, Load { span: Duration::from_secs(12), ..Load::new(VALIDATE, 16) }).await;
    times.print("beside 16 reviews that wait for a silent cloud, 16 connections");
    is_over.store(true, Ordering::Relaxed);
    let mut each = waiting.join_all().await.concat();
    each.sort_unstable();
    let waited = Times { each, span: Duration::from_secs(1) };
    println!(
        "reviews that the cloud leaves open: p50 {:.0} ms, the slowest {:.0} ms",
        waited.at(0.5),
        waited.at(1.0)
    );
}

/// Reviews over connections that end after a few of them, while files with new certificates are written.
async fn while_certificates_rotate(server: &Server, folder: &Path, body: &Bytes) {
    let mut certificates = fs::read_to_string(folder.join("tls.crt")).unwrap();
    // The server looks at the files every ten seconds.
    let next = TempDir::new().unwrap();
    certificates.push_str(&certify(next.path()));
    let reviewer = Reviewer::new(&certificates, server.address);
    let rotated = async {
        sleep(Duration::from_secs(3)).await;
        for name in ["tls.key", "tls.crt"] {
            fs::copy(next.path().join(name), folder.join(name)).unwrap();
        }
    };
    let span = Duration::from_secs(20);
    let replacing = Load { span, replaced: 20, ..Load::new(VALIDATE, 16) };
    let (times, ()) = tokio::join!(load(&reviewer, body, replacing), rotated);
    times.print("while the certificate is replaced, 16 connections, each for 20 reviews");
    let only_new = Reviewer::new(&fs::read_to_string(next.path().join("tls.crt")).unwrap(), server.address);
    assert!(only_new.connect().await.is_some(), "the server does not show the new certificate");
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = TempDir::new().unwrap();
    let (certificate, garden, cloud) = (certify(folder.path()), garden(), silent_cloud().await);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();

    let shoot = example("two-zones.yaml");
    let mut changed = shoot.clone();
    changed["spec"]["provider"]["workers"][0]["maximum"] = json!(5);
    let mut in_vpc = shoot.clone();
    in_vpc["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"] = json!({ "id": "vpc-1" });
    let mut asking = in_vpc.clone();
    let zones = asking["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"].as_array_mut().unwrap();
    zones.push(json!({ "name": "eu-central-1c", "workers": "10.250.64.0/19" }));
    let reviews = [
        ("a Shoot is created, validate", VALIDATE, review("CREATE", &shoot, &Value::Null)),
        ("a Shoot is created, mutate", MUTATE, review("CREATE", &shoot, &Value::Null)),
        ("a worker pool changes, validate", VALIDATE, review("UPDATE", &changed, &shoot)),
    ];

    if let Some(programs) = std::env::var_os("LANDSCAPE_PROGRAMS") {
        let (crt, key) = (path("tls.crt"), path("tls.key"));
        let yardstick = PathBuf::from(programs).join("yardstick");
        let arguments = ["--certificate", &crt, "--key", &key];
        let server = Server::start("yardstick in Go", &yardstick, &arguments, |line| Some(line.to_owned()));
        compare(&server, &certificate, &reviews).await;
    } else {
        println!("no yardstick: LANDSCAPE_PROGRAMS names no folder with one");
    }

    let policies = std::env::var("TRELLIS_POLICIES").map(|folder| format!("--policies={folder}"));
    let program = std::env::var_os("TRELLIS_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_trellis").into());
    let (kubeconfig, certificates) = (garden.kubeconfig(), folder.path().to_str().unwrap());
    let mut arguments = [
        ["admission", "--provider=alicloud"].as_slice(),
        &["--cloud", &cloud, "--kubeconfig", kubeconfig.to_str().unwrap()],
        &["--webhook-config-cert-dir", certificates, "--webhook-config-server-host", "127.0.0.1"],
        &["--webhook-config-server-port=0", "--metrics-bind-address=0", "--health-bind-address=127.0.0.1:0"],
        &["--policy-config-map-namespace="],
    ]
    .concat();
    arguments.extend(policies.as_deref().ok());
    let server = Server::start("trellis admission", Path::new(&program), &arguments, |line| {
        let line: Value = serde_json::from_str(line).ok()?;
        (line["msg"] == "serving").then(|| line["webhooks"].as_str().unwrap().to_owned())
    });
    compare(&server, &certificate, &reviews).await;
    let reviewer = Reviewer::new(&certificate, server.address);
    next_to_a_silent_cloud(&reviewer, &reviews[0].2, &review("UPDATE", &asking, &in_vpc)).await;
    while_certificates_rotate(&server, folder.path(), &reviews[0].2).await;
    let (resident, most) = server.memory();
    println!("memory: {resident} MB after all, {most} MB at most");
}
