//! Networks of Alibaba Cloud, made and taken down in the simulator: every call over a socket, every state in a
//! directory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use trellis_policies::engine::{Asker, Native, PolicyThreads};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::plan::event::{Calls, Ending};
use trellis_runner::plan::options::Options;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::Run;
use trellis_runner::run::metrics::Counter;
use trellis_runner::state::{Recorded, StateDirectory, SubjectId};
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options as WireOptions, Session, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Filter};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};

pub const REGION: &str = "cn-shanghai";
pub const NAME: &str = "shoot--dev--bar";

/// A simulator that is served.
pub struct Simulator {
    pub gateway: Arc<Gateway>,
    pub session: Session,
}

impl Simulator {
    pub async fn start(settings: Value) -> Self {
        let settings = serde_json::from_value(settings).unwrap();
        let options = trellis_simulator::Options { settings, ..trellis_simulator::Options::default() };
        let gateway = Arc::new(options.start().unwrap().gateway);
        let address = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind(address, Arc::clone(&gateway), None, Limits::default()).await.unwrap();
        let endpoint = Endpoint::Url(server.url().parse().unwrap());
        tokio::spawn(server.run(std::future::pending()));
        let accounts =
            Accounts::new(CredentialSource::fixed(Arc::new(AccessKey::new(ACCESS_KEY, ACCESS_KEY_SECRET))));
        let wire = Wire::new(WireOptions::default());
        let session =
            Session::new(Arc::new(Alicloud), &wire, endpoint, REGION, accounts, AllowedCalls::of("alicloud"))
                .unwrap();
        Self { gateway, session }
    }

    /// How many there are of each kind that runs make in the region.
    fn inventory(&self) -> Value {
        let filter = Filter { region: Some(REGION.to_owned()), added: true, ..Filter::default() };
        let summary = self.gateway.cloud().summary(&filter);
        summary
            .as_object()
            .and_then(|accounts| accounts.values().next())
            .map_or(Value::Null, |all| all[REGION].clone())
    }
}

fn request(operation: &str, zones: &[&str]) -> Box<RawValue> {
    let ranges = ["10.250.0.0/19", "10.250.32.0/19", "10.250.64.0/19"];
    let zones: Vec<_> =
        zones.iter().zip(ranges).map(|(name, range)| json!({ "name": name, "workers": range })).collect();
    let request = json!({
        "operation": operation,
        "cluster": { "shoot": {
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": { "name": "bar", "namespace": "garden-dev", "uid": "1" },
            "spec": {
                "region": REGION,
                "provider": { "type": "alicloud", "infrastructureConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "InfrastructureConfig",
                    "networks": { "vpc": { "cidr": "10.250.0.0/16" }, "zones": zones },
                } },
                "networking": { "nodes": "10.250.0.0/16", "pods": "10.96.0.0/11", "services": "192.168.0.0/17" },
            },
        } },
    });
    RawValue::from_string(request.to_string()).unwrap()
}

/// Runs once; it is stopped at once at an event, where one is given.
async fn run(
    simulator: &Simulator,
    request: &RawValue,
    recorded: &Recorded<'_>,
    end: Option<usize>,
) -> (Report, usize) {
    let events = AtomicUsize::new(0);
    let (stopper, stop) = stop();
    let listener = |_| {
        if Some(events.fetch_add(1, Ordering::Relaxed)) == end {
            stopper.stop(Stop::AtOnce);
        }
    };
    let run = Run {
        asker: Asker::new(Arc::new(Native), "alicloud", PolicyThreads::default()),
        request,
        consent: &[],
        store: recorded,
        cloud: &simulator.session,
        permit: Permit { stop, ..Permit::unlimited() },
        guard: trellis_runner::plan::guard::Guard::Open,
        listener: &listener,
        options: Options::default(),
        counter: Counter::default(),
    };
    let report = run.carry_out(None, None).await.unwrap();
    (report, events.into_inner())
}

/// Runs until everything is as it is wanted.
async fn settle(simulator: &Simulator, request: &RawValue, recorded: &Recorded<'_>) -> Report {
    let (report, _) = run(simulator, request, recorded, None).await;
    assert_eq!(report.ending, Ending::Done, "{:?} {:?}", report.findings, report.failed);
    report
}

fn identity() -> SubjectId {
    SubjectId {
        kind: None,
        cloud: None,
        name: NAME.to_owned(),
        provider: "alicloud".to_owned(),
        region: REGION.to_owned(),
        uid: Some("1".to_owned()),
    }
}

/// What there is of a network in some zones.
fn network(zones: usize) -> Value {
    json!({
        "ecs:security_groups": 1, "vpc:eips": zones, "vpc:nat_gateways": 1, "vpc:route_entries": zones + 2,
        "vpc:route_tables": 1, "vpc:snat_entries": zones, "vpc:vpcs": 1, "vpc:vswitches": zones,
    })
}

const ZONES: [&str; 3] = ["cn-shanghai-b", "cn-shanghai-e", "cn-shanghai-f"];

#[tokio::test]
async fn a_network_is_made_kept_and_taken_down_within_its_budget() {
    for (zones, create, delete) in [(&ZONES[..1], 20, 22), (&ZONES[..], 28, 32)] {
        let simulator = Simulator::start(json!({ "delays": { "*": 0 } })).await;
        let root = tempfile::tempdir().unwrap();
        let directory = StateDirectory::new(root.path());
        let lock = directory.lock(NAME, "test").unwrap();
        let recorded = lock.open(identity()).unwrap();

        let wanted = request("reconcile", zones);
        let made = settle(&simulator, &wanted, &recorded).await;
        assert!(made.calls.observe + made.calls.steps <= create, "{:?}", made.calls);
        assert_eq!(simulator.inventory(), network(zones.len()));

        let again = settle(&simulator, &wanted, &recorded).await;
        assert!(!again.written);
        assert_eq!(again.calls, Calls { observe: 8, steps: 0, closing: 0 });

        let gone = settle(&simulator, &request("delete", zones), &recorded).await;
        assert!(gone.calls.observe + gone.calls.steps <= delete, "{:?}", gone.calls);
        assert_eq!(simulator.inventory(), Value::Null);
    }
}

#[tokio::test]
async fn a_network_is_made_and_taken_down_while_things_take_time_and_reads_are_behind() {
    let simulator = Simulator::start(json!({
        "delays": { "*": 0.3 }, "lag": { "*": 0.2 }, "vswitchConflicts": true,
    }))
    .await;
    let root = tempfile::tempdir().unwrap();
    let directory = StateDirectory::new(root.path());
    let lock = directory.lock(NAME, "test").unwrap();
    let recorded = lock.open(identity()).unwrap();
    settle(&simulator, &request("reconcile", &ZONES), &recorded).await;
    assert_eq!(simulator.inventory(), network(3));
    settle(&simulator, &request("delete", &ZONES), &recorded).await;
    assert_eq!(simulator.inventory(), Value::Null);
}

/// Runs make and take down a network; each ends at an event, and another one goes on. Returns how many events
/// there were.
async fn goes_on(end: usize) -> usize {
    let simulator = Simulator::start(json!({ "delays": { "*": 0 }, "lag": { "*": 0.3 } })).await;
    let root = tempfile::tempdir().unwrap();
    let directory = StateDirectory::new(root.path());
    let lock = directory.lock(NAME, "test").unwrap();
    let mut seen = 0;
    for (operation, there) in [("reconcile", network(1)), ("delete", Value::Null)] {
        let wanted = request(operation, &ZONES[..1]);
        let (_, events) = run(&simulator, &wanted, &lock.open(identity()).unwrap(), Some(end)).await;
        seen = seen.max(events);
        settle(&simulator, &wanted, &lock.open(identity()).unwrap()).await;
        assert_eq!(simulator.inventory(), there, "{operation} ended at event {end}");
    }
    seen
}

#[tokio::test]
async fn a_run_that_ends_at_any_event_is_gone_on_with_and_nothing_is_left_over() {
    let events = goes_on(usize::MAX).await;
    // Side by side, because they wait for reads that are behind.
    futures_util::future::join_all((0..events).step_by(8).map(goes_on)).await;
}
