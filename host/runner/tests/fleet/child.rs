//! The process with the runs. Its parent describes the runs in an environment variable, and reads a line of each
//! run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::{Instant, interval, timeout};
use trellis_policies::engine::{Asker, Native, PolicyThreads};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::State;
use trellis_runner::limits::lease::{LeaseSignal, lease};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::ledger::{StateStore, StoreError};
use trellis_runner::plan::options::Options;
use trellis_runner::run::Run;
use trellis_runner::run::metrics::Counter;
use trellis_runner::state::{StateDirectory, SubjectId};
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options as WireOptions, Rate, Session, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

/// The variable with the description of the runs.
pub const CONFIG: &str = "TRELLIS_TEST_FLEET";
const REGION: &str = "eu-central-1";

/// The runs of a process.
#[derive(Serialize, Deserialize)]
pub struct Config {
    url: String,
    states: PathBuf,
    networks: usize,
    operation: String,
    /// How many runs go on at a time.
    pub at_once: usize,
    /// Calls a second, of each account and action; as many at once.
    pub rate: u32,
    /// How long the lease of the process holds after each renewal, in milliseconds; without it, there is no lease.
    pub lease: Option<u64>,
    /// How long all runs may take. A process that takes longer fails.
    pub patience: Duration,
}

impl Config {
    /// Runs on so many networks, all at once.
    pub fn new(url: String, states: PathBuf, networks: usize, operation: &str) -> Self {
        Self {
            url,
            states,
            networks,
            operation: operation.to_owned(),
            at_once: networks,
            rate: 10_000,
            lease: None,
            patience: Duration::from_hours(1),
        }
    }
}

/// The technical id of a Shoot.
fn technical_id(number: usize) -> String {
    format!("shoot--dev--n{number}")
}

fn request(number: usize, operation: &str) -> Box<RawValue> {
    to_raw_value(&json!({
        "operation": operation,
        "cluster": { "shoot": {
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": { "name": format!("n{number}"), "namespace": "garden-dev", "uid": number.to_string() },
            "spec": {
                "region": REGION,
                "provider": { "type": "alicloud", "infrastructureConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "InfrastructureConfig",
                    "networks": {
                        "vpc": { "cidr": "10.250.0.0/16" },
                        "zones": [{ "name": "eu-central-1a", "workers": "10.250.0.0/19" }],
                    },
                } },
                "networking": { "nodes": "10.250.0.0/16", "pods": "10.96.0.0/11", "services": "192.168.0.0/17" },
            },
        } },
    }))
    .unwrap()
}

/// A store that writes a line when it begins to save.
struct Noted<S>(S);

impl<S: StateStore> StateStore for Noted<S> {
    async fn load(&self) -> Result<Option<State>, StoreError> {
        self.0.load().await
    }

    async fn save(&self, state: &State) -> Result<(), StoreError> {
        println!("{}", json!({ "saved": milliseconds() }));
        self.0.save(state).await
    }
}

/// The time of this machine, in milliseconds.
pub fn milliseconds() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(time.as_millis()).unwrap()
}

/// What all runs share.
struct Shared {
    config: Config,
    threads: PolicyThreads,
    wire: Arc<Wire>,
    permit: Permit,
    turns: tokio::sync::Semaphore,
}

impl Shared {
    /// A cloud of one run.
    fn cloud(&self) -> Session {
        let endpoint = Endpoint::Url(self.config.url.parse().unwrap());
        let accounts =
            Accounts::new(CredentialSource::fixed(Arc::new(AccessKey::new(ACCESS_KEY, ACCESS_KEY_SECRET))));
        Session::new(Arc::new(Alicloud), &self.wire, endpoint, REGION, accounts, AllowedCalls::of("alicloud"))
            .unwrap()
    }

    /// Carries out one run, and writes its line.
    async fn run(&self, number: usize) {
        let _turn = self.turns.acquire().await.unwrap();
        let began = Instant::now();
        let id = technical_id(number);
        let lock = StateDirectory::new(&self.config.states).lock(&id, "fleet").unwrap();
        let identity = SubjectId {
            kind: None,
            name: id,
            provider: "alicloud".to_owned(),
            region: REGION.to_owned(),
            cloud: Some(self.config.url.clone()),
            uid: None,
        };
        let store = Noted(lock.open(identity).unwrap());
        let run = Run {
            asker: Asker::new(Arc::new(Native), "alicloud", self.threads.clone()),
            request: &request(number, &self.config.operation),
            consent: &[],
            store: &store,
            cloud: &self.cloud(),
            permit: self.permit.clone(),
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &|_| {},
            options: Options { step_limit: Duration::from_mins(10), ..Options::default() },
            counter: Counter::default(),
        };
        let ended = run.carry_out(None, None).await;
        let report = ended.unwrap_or_else(|error| panic!("{error}"));
        let line = json!({
            "run": number, "ending": report.ending, "failed": report.failed, "metrics": run.metrics(),
            "milliseconds": u64::try_from(began.elapsed().as_millis()).unwrap(),
        });
        println!("{line}");
    }
}

/// Renews the lease as leader election does: every fifth of its time, and never once its time is over.
async fn renew(lease: trellis_runner::limits::lease::Lease, time: Duration) {
    let mut ticks = interval(time / 5);
    loop {
        ticks.tick().await;
        if lease.extend(Instant::now() + time).is_err() {
            return;
        }
    }
}

#[test]
#[ignore = "the other tests start it"]
fn process() {
    run_as_asked();
}

/// Carries out the runs that the parent describes. Does nothing in a process without such a parent.
pub fn run_as_asked() -> bool {
    let Ok(config) = std::env::var(CONFIG) else { return false };
    let config: Config = serde_json::from_str(&config).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let lease_signal = match config.lease.map(Duration::from_millis) {
            None => LeaseSignal::unlimited(),
            Some(time) => {
                let (lease, lease_signal) = lease(Instant::now() + time);
                tokio::spawn(renew(lease, time));
                lease_signal
            }
        };
        let shared = Arc::new(Shared {
            threads: PolicyThreads::default(),
            wire: Wire::new(WireOptions {
                rate: Rate { burst: config.rate, per_second: config.rate },
                lease_signal: lease_signal.clone(),
                ..WireOptions::default()
            }),
            permit: Permit { lease_signal, ..Permit::unlimited() },
            turns: tokio::sync::Semaphore::new(config.at_once),
            config,
        });
        println!("{{}}");
        let began = Instant::now();
        let runs: Vec<_> = (0..shared.config.networks)
            .map(|number| {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move { shared.run(number).await })
            })
            .collect();
        let all = async {
            for run in runs {
                run.await.unwrap();
            }
        };
        timeout(shared.config.patience, all).await.unwrap_or_else(|_| panic!("the runs do not end in time"));
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok())
        };
        let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap();
        println!(
            "{}",
            json!({ "milliseconds": milliseconds, "peakKiB": of("VmHWM:"), "residentKiB": of("VmRSS:") })
        );
    });
    true
}
