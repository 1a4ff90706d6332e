//! A hostile policy in the sandbox: what it may not ask for, it does not get, and nobody outside hears of it.

use std::sync::{Arc, Mutex};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use trellis_policies::engine::{Asker, Engine, PolicyThreads};
use trellis_policies::sandbox::Sandbox;
use trellis_runner::call::CallFailure;
use trellis_runner::call::failure::NOT_ALLOWED;
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::State;
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::observe::FactAnswer;
use trellis_runner::run::Run;
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::reads::{Read, Reads};
use trellis_runner::run::world::{Reader, World};
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options as WireOptions, Session, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Query};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::server::{Limits, Server};

use super::fake::deaf;
use crate::cloud::{MemoryStore, options};
use trellis_testing::guests::{folder, hostile, limits};

const OWN: &str = "shoot--dev--bar";
const EXTENSIONS: &str = "extensions.gardener.cloud/v1alpha1";

/// Has every object, and keeps what it was asked for.
#[derive(Default)]
struct Everything(Mutex<Vec<Read>>);

impl Reader for &Everything {
    async fn get(&self, read: &Read) -> Result<Option<Value>, CallFailure> {
        self.0.lock().unwrap().push(read.clone());
        let Read { api_version, kind, namespace, name, in_shoot: _ } = read;
        let metadata = json!({ "name": name, "namespace": namespace });
        Ok(Some(json!({ "apiVersion": api_version, "kind": kind, "metadata": metadata })))
    }
}

/// A hostile policy, and the world that it would like to reach.
struct Stage {
    engine: Arc<dyn Engine>,
    gateway: Arc<Gateway>,
    objects: Everything,
    session: Session,
}

impl Stage {
    async fn new() -> Self {
        let guests = folder(&[("acme.wasm", &hostile())]);
        let mut sandbox = Sandbox::new(limits(), None).unwrap();
        sandbox.load(guests.path()).unwrap();
        let gateway = Arc::new(trellis_simulator::Options::default().start().unwrap().gateway);
        let address = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind(address, Arc::clone(&gateway), None, Limits::default()).await.unwrap();
        let endpoint = Endpoint::Url(server.url().parse().unwrap());
        tokio::spawn(server.run(std::future::pending()));
        let own = CredentialSource::fixed(Arc::new(AccessKey::new(ACCESS_KEY, ACCESS_KEY_SECRET)));
        let (wire, allowed_calls) = (Wire::new(WireOptions::default()), AllowedCalls::of("alicloud"));
        let session =
            Session::new(Arc::new(Alicloud), &wire, endpoint, "cn-shanghai", Accounts::new(own), allowed_calls)
                .unwrap();
        Self { engine: Arc::new(sandbox), gateway, objects: Everything::default(), session }
    }

    /// How many calls reached the simulator, and how many the reader.
    fn reached(&self) -> (usize, usize) {
        (self.gateway.cloud().records(&Query::default()).len(), self.objects.0.lock().unwrap().len())
    }

    fn reads() -> Reads {
        Reads::of(&json!({
            "kind": "Infrastructure", "metadata": { "name": "bar", "namespace": OWN },
            "spec": { "secretRef": { "name": "cloudprovider", "namespace": OWN } },
        }))
    }

    /// What the policy gets for a query.
    async fn ask(&self, call: &Value, identity: Option<&str>) -> FactAnswer {
        let mut query = json!({ "id": "q", "call": call, "paging": "none" });
        if let Some(at) = identity {
            query["identity"] = at.into();
        }
        let observed = self.run(&json!({ "queries": [query] }), async |run| run.observe().await.unwrap()).await;
        let [fact] = observed.facts.as_slice() else { panic!("{:?}", observed.facts) };
        fact.answer.clone()
    }

    /// What becomes of a plan with this step.
    async fn carry_out(&self, step: &Value) -> String {
        let says = json!({ "plan": { "state": {}, "steps": [step] } });
        let report = self.run(&says, async |run| run.carry_out(None, None).await.unwrap()).await;
        assert_eq!((report.ending, report.state), (Ending::Failed, Some(State::new())));
        let [failed] = report.failed.as_slice() else { panic!("{:?}", report.failed) };
        format!("{}; {}", failed.message, failed.cause.clone().unwrap_or_default())
    }

    async fn run<T>(
        &self,
        says: &Value,
        go: impl AsyncFnOnce(Run<'_, World<&Session, &Everything>, MemoryStore>) -> T,
    ) -> T {
        let request = json!({ "operation": "reconcile", "says": says }).to_string();
        let (request, store) = (RawValue::from_string(request).unwrap(), MemoryStore::default());
        let cloud = World::new(&self.session, Self::reads(), &self.objects);
        let asker = Asker::new(Arc::clone(&self.engine), "acme", PolicyThreads::default());
        go(Run {
            asker,
            request: &request,
            consent: &[],
            store: &store,
            cloud: &cloud,
            permit: Permit::unlimited(),
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &deaf,
            options: options(),
            counter: Counter::default(),
        })
        .await
    }
}

fn get(api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
    let parameters = json!({ "apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name });
    json!({ "service": "kubernetes", "action": "get", "parameters": parameters })
}

/// Calls that the operator lets nobody make.
fn forbidden() -> Vec<Value> {
    let kubernetes = |action: &str| {
        let mut call = get("v1", "Secret", OWN, "cloudprovider");
        call["action"] = action.into();
        call
    };
    vec![
        get("v1", "Secret", OWN, "other"),
        get("v1", "Secret", "shoot--dev--foo", "cloudprovider"),
        get("v1", "Secret", "garden", "cloudprovider"),
        get("v1", "ConfigMap", "garden", "x"),
        get("v1", "ConfigMap", OWN, "../../garden/secrets/cloudprovider"),
        get(EXTENSIONS, "Cluster", "", "shoot--dev--foo"),
        get("v1", "Node", "", "n"),
        kubernetes("list"),
        kubernetes("delete"),
        kubernetes("patch"),
        // Other actions.
        json!({ "service": "ecs", "action": "StopInstance" }),
        json!({ "service": "ram", "action": "CreateAccessKey" }),
        json!({ "service": "vpc", "action": "describevpcs" }),
        // Other hosts.
        json!({ "service": "vpc", "action": "DescribeVpcs", "parameters": { "RegionId": "cn-hangzhou" } }),
        json!({ "service": "vpc", "action": "DescribeVpcs", "parameters": { "RegionId": "evil.example/" } }),
        json!({ "service": "vpc", "action": "DescribeVpcs", "parameters": { "RegionId": "me@evil.example" } }),
    ]
}

/// Calls of accounts that have nothing to do with them.
fn of_others() -> Vec<Value> {
    ["imageOwner", "root", ""]
        .map(|account| json!({ "service": "vpc", "action": "DescribeVpcs", "account": account }))
        .to_vec()
}

#[tokio::test]
async fn a_hostile_policy_gets_nothing_that_it_asks_for() {
    let stage = Stage::new().await;
    for call in forbidden() {
        for identity in [None, Some("/AccountId")] {
            let answer = stage.ask(&call, identity).await;
            let FactAnswer::Error(error) = answer else { panic!("{call}: {answer:?}") };
            assert_eq!(error.code, NOT_ALLOWED, "{call}: {}", error.message);
        }
    }
    assert_eq!(stage.reached(), (0, 0));
}

#[tokio::test]
async fn a_hostile_plan_does_nothing() {
    let stage = Stage::new().await;
    for call in forbidden() {
        let reported = stage.carry_out(&json!({ "id": "s", "call": call })).await;
        assert!(reported.contains(NOT_ALLOWED), "{call}: {reported}");
    }
    // What may be read may not be changed.
    let reported = stage.carry_out(&json!({ "id": "s", "call": get("v1", "Secret", OWN, "cloudprovider") })).await;
    assert!(reported.contains(NOT_ALLOWED), "{reported}");
    assert_eq!(stage.reached(), (0, 0));
}

/// The policy says of every error that the call may be made again, for as long as a step or a query may take.
#[tokio::test(start_paused = true)]
async fn a_hostile_policy_gets_no_other_account() {
    let stage = Stage::new().await;
    for call in of_others() {
        let answer = stage.ask(&call, None).await;
        let FactAnswer::Error(error) = answer else { panic!("{call}: {answer:?}") };
        assert_eq!(error.code, NOT_ALLOWED, "{call}: {}", error.message);
        let reported = stage.carry_out(&json!({ "id": "s", "call": call })).await;
        assert!(reported.contains(NOT_ALLOWED), "{call}: {reported}");
    }
    assert_eq!(stage.reached(), (0, 0));
}

#[tokio::test]
async fn a_hostile_probe_sees_nothing() {
    let stage = Stage::new().await;
    let steps = forbidden().len();
    for call in forbidden() {
        let until = json!({ "call": call, "success": [{ "gone": true }], "interval": 1, "limit": 2 });
        let own = json!({ "service": "vpc", "action": "DescribeVpcs" });
        let reported = stage.carry_out(&json!({ "id": "s", "call": own, "until": until })).await;
        assert!(reported.contains(NOT_ALLOWED), "{call}: {reported}");
    }
    // The calls of the steps themselves.
    assert_eq!(stage.reached(), (steps, 0));
}

#[tokio::test]
async fn parameters_with_names_of_the_protocol_make_no_other_call() {
    let stage = Stage::new().await;
    let parameters = json!({ "Action": "CreateVpc", "Version": "2014-05-26", "AccessKeyId": "other" });
    stage.ask(&json!({ "service": "vpc", "action": "DescribeVpcs", "parameters": parameters }), None).await;
    let records = stage.gateway.cloud().records(&Query::default());
    assert_eq!(records.len(), 1);
    for record in records {
        assert!(record.action.as_deref().is_some_and(|action| action.ends_with("DescribeVpcs")), "{record:?}");
    }
}

#[tokio::test]
async fn what_is_allowed_reaches_the_world() {
    let stage = Stage::new().await;
    for call in [
        get("v1", "Secret", OWN, "cloudprovider"),
        get("apps/v1", "Deployment", OWN, "kube-apiserver"),
        json!({ "service": "vpc", "action": "DescribeVpcs" }),
    ] {
        let answer = stage.ask(&call, None).await;
        assert!(matches!(answer, FactAnswer::Response(_)), "{call}: {answer:?}");
    }
    assert_eq!(stage.reached(), (1, 2));
}
