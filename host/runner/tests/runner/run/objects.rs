//! Runs whose state is in a Kubernetes object.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::body::Bytes;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::sleep;
use trellis_policies::engine::{Asker, Native, PolicyThreads};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::options::Options;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::Run;
use trellis_runner::run::form::PolicyForm;
use trellis_runner::run::metrics::Counter;
use trellis_runner::state::object::{self, ObjectStore};
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{
    ACCESS_KEY, ACCOUNT, Fault as CloudFault, Filter, Occurrence, Operation, Order, When,
};
use trellis_simulator::service::SERVICES;

use super::simulated::{NAME, REGION, Simulator};
use crate::api_server::{ApiServer, Client, Fault, Last};
use trellis_testing::world;

/// What a run is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Case {
    Create,
    /// An elastic IP of one's own in place of a managed one, in the last zone.
    Update,
    Delete,
}

/// What a process ends at: the n-th of these.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kill {
    Event(usize),
    Call(usize, When),
    Patch(usize, Last),
}

/// A cloud, and an API server with an Infrastructure.
pub(crate) struct Site {
    pub(crate) simulator: Simulator,
    pub(crate) server: ApiServer,
    request: Box<RawValue>,
    deletes: bool,
    /// Of the last run.
    pub(crate) events: AtomicUsize,
}

impl Site {
    /// A site as it is before the operation.
    pub(crate) async fn before(case: Case, zones: usize) -> Self {
        let simulator = Simulator::start(json!({ "delays": { "*": 0 } })).await;
        let own = allocate(&simulator);
        let plain = |operation| request(operation, zones, None);
        let (before, request) = match case {
            Case::Create => (None, plain("reconcile")),
            Case::Update => (Some(plain("reconcile")), self::request("reconcile", zones, Some(&own))),
            Case::Delete => (Some(plain("reconcile")), plain("delete")),
        };
        let server = ApiServer::with(None);
        let mut site = Self {
            simulator,
            server,
            request,
            deletes: matches!(case, Case::Delete),
            events: AtomicUsize::new(0),
        };
        if let Some(before) = before {
            let wanted = std::mem::replace(&mut site.request, before);
            site.run(None).await.unwrap();
            site.request = wanted;
        }
        site
    }

    /// A process that makes the run; `None` where it is killed.
    pub(crate) async fn run(&self, kill: Option<Kill>) -> Option<Report> {
        let client = Client::new(&self.server);
        let mut end = usize::MAX;
        let mut fault = None;
        match kill {
            Some(Kill::Event(nth)) => end = nth,
            Some(Kill::Patch(nth, last)) => client.cut_at_patch(nth, last),
            Some(Kill::Call(nth, when)) => fault = Some(self.hold(nth, when)),
            None => {}
        }
        let asker = Asker::new(Arc::new(Native), "alicloud", PolicyThreads::default());
        let form = PolicyForm::new(asker.clone(), &self.request).unwrap();
        let store = ObjectStore::start(client.clone(), form, LeaseSignal::unlimited(), object::Options::default());
        self.events.store(0, Ordering::Relaxed);
        let listener = |_| {
            if self.events.fetch_add(1, Ordering::Relaxed) + 1 == end {
                client.cut();
            }
        };
        let run = Run {
            asker,
            request: &self.request,
            consent: &[],
            store: &store,
            cloud: &self.simulator.session,
            permit: Permit::unlimited(),
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &listener,
            options: Options::default(),
            counter: Counter::default(),
        };
        let report = tokio::select! {
            biased;
            () = client.until_cut() => None,
            () = self.held(fault) => {
                client.cut();
                None
            }
            report = run.carry_out(None, None) => Some(report.unwrap()),
        };
        let closed = store.close(if report.is_some() { Duration::from_mins(1) } else { Duration::ZERO }).await;
        assert!(
            report.as_ref().is_none_or(|report| report.ending != Ending::Done) || closed.is_ok(),
            "{closed:?}"
        );
        self.simulator.gateway.cloud().release(None, None);
        self.simulator.gateway.cloud().delete_faults(None);
        report
    }

    /// Holds the n-th call, before or after its effect.
    fn hold(&self, nth: usize, when: When) -> u64 {
        let order = Order {
            action: "*".parse().unwrap(),
            account: None,
            region: None,
            occurrence: Occurrence::Nth(u64::try_from(nth).unwrap().try_into().unwrap()),
            times: None,
            fault: CloudFault::Hold { when },
        };
        self.simulator.gateway.cloud().order(order).unwrap().id
    }

    /// Waits until a fault holds a call.
    async fn held(&self, fault: Option<u64>) {
        let Some(fault) = fault else { return std::future::pending().await };
        let is_held = || {
            let faults = self.simulator.gateway.cloud().faults();
            faults.iter().any(|report| report.id == fault && !report.held.is_empty())
        };
        while !is_held() {
            sleep(Duration::from_millis(1)).await;
        }
    }

    /// Another process goes on to the end: the world then, with nothing left to do.
    pub(crate) async fn finish(&self, at: &str, may_be_overtaken: bool) -> Value {
        loop {
            let report = self.run(None).await.unwrap();
            match report.ending {
                Ending::Done => break,
                // The last patch of the process before came after this one has read the object: both stop.
                Ending::Overtaken { .. } if may_be_overtaken => {}
                ending => panic!("{at}: {ending} {:?} {:?}", report.findings, report.failed),
            }
        }
        if !self.deletes {
            let patches = self.server.requests().1;
            let again = self.run(None).await.unwrap();
            assert!(again.ending == Ending::Done && !again.written, "{at}: something is left to do");
            assert_eq!(self.server.requests().1, patches, "{at}: a state that is as it was is written");
        }
        self.world()
    }

    /// What the cloud and the object have, without what differs from run to run.
    pub(crate) fn world(&self) -> Value {
        let inventory = self.simulator.gateway.cloud().inventory(&Filter { added: true, ..Filter::default() });
        let state = self.server.state();
        let data = state["data"].as_object().cloned().unwrap_or_default();
        // What went last is recorded of what was made twice only.
        let mut keys: Vec<_> = data.keys().filter(|key| !key.starts_with("Last/")).cloned().collect();
        keys.sort_unstable();
        json!({ "cloud": world::of(&inventory), "kind": state["kind"], "recorded": keys })
    }
}

/// Allocates an elastic IP as a person would; its id.
fn allocate(simulator: &Simulator) -> String {
    let service = SERVICES.iter().find(|known| known.code == "vpc").unwrap();
    let caller = Caller {
        account: ACCOUNT.to_owned(),
        access_key: ACCESS_KEY.to_owned(),
        principal: Principal::Account,
        sees_nothing: false,
    };
    let parameters = [("Name", "own"), ("RegionId", REGION)];
    let operation = Operation {
        service,
        action: service.action("AllocateEipAddress").unwrap(),
        caller,
        region: REGION.to_owned(),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        body: Bytes::new(),
    };
    let Ok(answer) = simulator.gateway.cloud().execute(&operation) else { panic!("there is no elastic IP") };
    answer.fields["AllocationId"].as_str().unwrap().to_owned()
}

/// The request of an Infrastructure with so many zones, the last one with an elastic IP of one's own.
fn request(operation: &str, zones: usize, own: Option<&str>) -> Box<RawValue> {
    let ranges = [
        ("cn-shanghai-b", "10.250.0.0/19"),
        ("cn-shanghai-e", "10.250.32.0/19"),
        ("cn-shanghai-f", "10.250.64.0/19"),
    ];
    let mut zones: Vec<Value> =
        ranges.iter().take(zones).map(|(name, range)| json!({ "name": name, "workers": range })).collect();
    if let (Some(own), Some(last)) = (own, zones.last_mut()) {
        last["natGateway"] = json!({ "eipAllocationID": own });
    }
    let config = json!({
        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "InfrastructureConfig",
        "networks": { "vpc": { "cidr": "10.250.0.0/16" }, "zones": zones },
    });
    let request = json!({
        "operation": operation,
        "infrastructure": {
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Infrastructure",
            "metadata": { "name": "bar", "namespace": NAME, "uid": "1" },
            "spec": { "type": "alicloud", "region": REGION, "providerConfig": config },
            "status": { "state": { "kind": "NobodyReadsThisOne" } },
        },
        "cluster": { "shoot": {
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": { "name": "bar", "namespace": "garden-dev", "uid": "1" },
            "spec": {
                "region": REGION,
                "provider": { "type": "alicloud", "infrastructureConfig": config },
                "networking": { "nodes": "10.250.0.0/16", "pods": "10.96.0.0/11", "services": "192.168.0.0/17" },
            },
        } },
    });
    RawValue::from_string(request.to_string()).unwrap()
}

/// A run that nobody kills, among others who write conditions, on an API server with faults.
async fn goes_on_among_faults(case: Case) {
    let wanted = Site::before(case, 2).await.finish("uninterrupted", false).await;
    let site = Site::before(case, 2).await;
    for fault in [Fault::AnswerLost, Fault::TooMany(Some(1)), Fault::Late(20), Fault::Slow(50), Fault::Unavailable]
    {
        // A patch on which the condition of somebody else comes first is sent again.
        site.server.on_patches([fault, Fault::Overtaken, Fault::Conflict, Fault::None]);
    }
    let server = site.server.clone();
    let others = tokio::spawn(async move {
        loop {
            server.write_condition();
            sleep(Duration::from_millis(3)).await;
        }
    });
    let report = site.run(None).await.unwrap();
    others.abort();
    assert_eq!(report.ending, Ending::Done, "{case:?}: {:?}", report.failed);
    let world = site.finish("after faults", false).await;
    assert!(world == wanted, "{case:?}: another world\n{}", world::difference(&wanted, &world));
}

#[tokio::test]
async fn a_run_goes_on_while_others_write_conditions_and_the_api_server_is_unwell() {
    let cases = [Case::Create, Case::Update, Case::Delete];
    futures_util::future::join_all(cases.map(goes_on_among_faults)).await;
}

#[tokio::test]
async fn a_run_stops_at_once_where_somebody_else_writes_the_state() {
    let site = Site::before(Case::Create, 1).await;
    let server = site.server.clone();
    let other = tokio::spawn(async move {
        while server.written().len() < 3 {
            sleep(Duration::from_millis(1)).await;
        }
        server.write_state(json!({ "kind": "FlowState", "data": { "VPC": "vpc-of-somebody" } }));
    });
    let report = site.run(None).await.unwrap();
    other.await.unwrap();
    assert!(matches!(report.ending, Ending::Overtaken { .. }), "{:?}", report.ending);
    assert_eq!(site.server.state()["data"], json!({ "VPC": "vpc-of-somebody" }));
}
