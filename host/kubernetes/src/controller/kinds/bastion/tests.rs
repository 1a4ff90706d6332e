//! What a Bastion asks its API server and the policy for, and how its operations end.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;
use crate::api_server::resource::SECRETS;
use crate::controller::kinds::planned::CONFIGURATION;
use crate::controller::kinds::testing::{asked, deleted, nothing, planned_by};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::testing::Server;
use trellis_policies::engine::Function;
use trellis_testing::engine::FakeEngine;

const NAMESPACE: &str = "shoot--dev--a";
const FORCE: &str = "confirmation.gardener.cloud/force-deletion";

/// A seed with a Bastion, and a policy that refuses one without a network.
struct Stage {
    server: Server,
    bastions: Bastions,
    /// The requests for plans.
    planned: Arc<Mutex<Vec<Value>>>,
    shoot: Value,
}

impl Stage {
    fn new(server: Server) -> Self {
        let planned = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&planned);
        let engine = FakeEngine::new(&["alicloud"], move |_, function, request| {
            let request: Value = serde_json::from_str(request).unwrap();
            if function != Function::Plan {
                return json!({ "state": state(), "ingress": { "ip": "192.0.2.7" } }).to_string();
            }
            let request = request["request"].clone();
            let is_refused = request["operation"] != "delete" && request.get("infrastructureStatus").is_none();
            noted.lock().unwrap().push(request);
            if is_refused { refusal().to_string() } else { nothing().to_string() }
        });
        let bastions = Bastions(planned_by(&server, engine));
        let shoot = json!({ "metadata": { "name": "a" }, "spec": { "region": "eu-central-1" } });
        Self { server, bastions, planned, shoot }
    }

    /// Reconciles once. Returns the outcome, the requests for objects, and those for plans.
    async fn reconcile(&self) -> (Outcome, Vec<String>, Vec<Value>) {
        self.server.requests();
        let outcome = self.server.reconcile(&self.bastions, NAMESPACE, "b", &self.shoot).await;
        let planned = std::mem::take(&mut *self.planned.lock().unwrap());
        (outcome, self.server.requests(), planned)
    }

    fn object(&self) -> Value {
        self.server.object(&BASTION.objects(), NAMESPACE, "b").unwrap()
    }

    fn put(&self, object: Value) {
        let _ = self.server.clone().with(&BASTION.objects(), object);
    }
}

fn state() -> Value {
    json!({ "kind": "BastionState", "data": { "Account": "1234", "Instance": "i-1" } })
}

fn refusal() -> Value {
    let finding = json!({
        "rule": "R-1", "severity": "error", "type": "InternalError", "field": "", "pointer": "", "badValue": null,
        "detail": "there is no network", "remedy": "",
    });
    json!({ "findings": [finding] })
}

fn bastion() -> Value {
    json!({
        "metadata": { "name": "b", "namespace": NAMESPACE, "generation": 1 },
        "spec": { "type": "alicloud", "userData": "", "ingress": [{ "ipBlock": { "cidr": "192.0.2.0/24" } }] },
        "status": {},
    })
}

fn with_secret(server: Server) -> Server {
    let data = json!({ "accessKeyID": "aWQ=", "accessKeySecret": "c2VjcmV0" });
    server.with(&SECRETS, json!({ "metadata": { "namespace": NAMESPACE, "name": "cloudprovider" }, "data": data }))
}

/// With a Worker of the Shoot that names this network.
fn with_worker(server: Server, network: &Value) -> Server {
    let spec = json!({ "infrastructureProviderStatus": network });
    server.with(&WORKER.objects(), json!({ "metadata": { "namespace": NAMESPACE, "name": "a" }, "spec": spec }))
}

fn seed() -> Server {
    let server = Server::default().with(&BASTION.objects(), bastion());
    with_worker(with_secret(server), &json!({ "vpc": { "id": "vpc-1" } }))
}

const STATUS: &str = "PATCH bastions/b/status";

#[tokio::test]
async fn a_bastion_is_planned_in_the_network_of_the_worker_and_writes_no_more_when_it_is_asked_again() {
    let mut stage = Stage::new(seed());
    // Other kinds of a Shoot stop then.
    stage.shoot["status"] = json!({ "lastOperation": { "state": "Failed" } });
    let (outcome, requests, planned) = stage.reconcile().await;
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    assert_eq!(requests, ["PATCH bastions/b", STATUS, "GET workers/a", "GET secrets/cloudprovider", STATUS]);
    let [request] = &planned[..] else { panic!("{planned:?}") };
    assert_eq!(request["infrastructureStatus"], json!({ "vpc": { "id": "vpc-1" } }));
    assert_eq!(
        (&request["bastion"]["metadata"]["name"], &request["operation"]),
        (&"b".into(), &"reconcile".into())
    );
    assert_eq!(stage.object()["status"]["ingress"], json!({ "ip": "192.0.2.7" }));

    stage.put(asked(stage.object(), "reconcile"));
    let (outcome, requests, _) = stage.reconcile().await;
    assert_eq!(outcome, Outcome::Done(Operation::Reconcile));
    assert_eq!(requests, ["PATCH bastions/b", STATUS, "GET workers/a", "GET secrets/cloudprovider", STATUS]);
}

#[tokio::test]
async fn without_a_network_or_credentials_a_bastion_is_refused() {
    let alone = || Server::default().with(&BASTION.objects(), bastion());
    let network = json!({ "vpc": {} });
    let missing = "there is no Secret `shoot--dev--a/cloudprovider` with the credentials";
    for (server, why, codes) in [
        (with_secret(alone()), "there is no network", None),
        (with_worker(with_secret(alone()), &Value::Null), "there is no network", None),
        (with_worker(alone(), &network), missing, Some(json!([CONFIGURATION]))),
    ] {
        let stage = Stage::new(server);
        let (outcome, ..) = stage.reconcile().await;
        let text = format!("Error checking bastion config: {why}");
        assert_eq!(outcome, Outcome::Failed(text.clone()));
        assert_eq!(stage.object()["status"]["lastError"]["description"], text);
        assert_eq!(stage.object()["status"]["lastError"].get("codes"), codes.as_ref());
    }
}

#[tokio::test]
async fn a_deletion_needs_no_worker() {
    let mut object = deleted(bastion());
    object["metadata"]["finalizers"] = json!([BASTION.finalizer]);
    let stage = Stage::new(with_secret(Server::default().with(&BASTION.objects(), object)));
    let (outcome, requests, planned) = stage.reconcile().await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    assert!(!requests.iter().any(|request| request.contains("workers")), "{requests:?}");
    assert_eq!(planned[0].get("infrastructureStatus"), None);
    assert_eq!(stage.object()["metadata"]["finalizers"], json!([]));
    assert_eq!(stage.object()["status"]["lastOperation"]["description"], "Successfully reconciled Bastion");
}

#[tokio::test]
async fn a_deletion_that_the_bastion_itself_forces_asks_neither_for_credentials_nor_for_a_plan() {
    let mut object = deleted(bastion());
    object["metadata"]["finalizers"] = json!([BASTION.finalizer]);
    object["status"]["state"] = state();
    // Without credentials every other deletion fails.
    let mut stage = Stage::new(Server::default().with(&BASTION.objects(), object));
    stage.shoot["metadata"]["annotations"] = json!({ FORCE: "true" });
    for own in [json!({}), json!({ FORCE: "True" }), json!({ FORCE: "1" })] {
        let mut object = stage.object();
        object["metadata"]["annotations"] = own.clone();
        stage.put(object);
        let (outcome, ..) = stage.reconcile().await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{own}: {outcome:?}");
    }
    let mut object = stage.object();
    object["metadata"]["annotations"] = json!({ FORCE: "true" });
    stage.put(object);
    let (outcome, requests, planned) = stage.reconcile().await;
    assert_eq!((outcome, planned), (Outcome::Done(Operation::Delete), Vec::new()));
    assert_eq!(requests, [STATUS, STATUS, "PATCH bastions/b"]);
    assert_eq!(stage.object()["metadata"]["finalizers"], json!([]));
}

#[test]
fn what_a_forced_deletion_leaves_is_what_the_state_records() {
    for (state, recorded) in [
        (state(), "Account 1234, Instance i-1"),
        (json!({ "kind": "BastionState", "data": {} }), "nothing"),
        (Value::Null, "nothing"),
    ] {
        let words = what_stays(&json!({ "status": { "state": state } }));
        assert!(words.ends_with(&format!("the state records {recorded}")), "{words}");
    }
}
