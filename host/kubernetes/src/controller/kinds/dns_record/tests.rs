//! DNSRecords at an API server in memory and a cloud on loopback, planned by the policy of this release.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::*;
use crate::api_server::resource::{NAMESPACES, SECRETS};
use crate::controller::runtime::extension::OPERATION;
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::secrets::Secrets;
use crate::controller::runtime::testing::Server;
use crate::metrics::Metrics;
use trellis_policies::engine::{Native, PolicyThreads, Versions};
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Query};
use trellis_testing::loopback::Loopback;

const DOMAIN: &str = "example.com";
const NAMESPACE: &str = "garden";

/// A cloud with a domain, and a seed.
struct Landscape {
    cloud: Loopback,
    server: Server,
    records: DnsRecords,
    /// The last call that a test has seen.
    seen: u64,
}

impl Landscape {
    fn new(server: Server) -> Self {
        let cloud = Loopback::new(json!({ "delays": { "*": 0 } }));
        cloud.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
        Self { records: records(&server, &cloud.url), cloud, server, seen: 0 }
    }

    /// The same cloud, and another seed.
    fn moved(self, server: Server) -> Self {
        Self { records: records(&server, &self.cloud.url), server, ..self }
    }

    /// The values of all rows, sorted.
    fn values(&self) -> Vec<String> {
        let all = self.cloud.call("alidns", LIST, &[("DomainName", DOMAIN)]);
        let rows = all["DomainRecords"]["Record"].as_array().unwrap();
        let mut values: Vec<_> = rows.iter().map(|row| row["Value"].as_str().unwrap().to_owned()).collect();
        values.sort_unstable();
        values
    }

    /// Reconciles the record once. Returns the outcome, and the calls but the question for the account.
    async fn reconcile(&mut self, shoot: Option<&Value>) -> (Outcome, Vec<String>) {
        let outcome = self.server.reconcile_with(&self.records, NAMESPACE, "a", shoot).await;
        let records = self.cloud.gateway.cloud().records(&Query { after: self.seen, ..Query::default() });
        self.seen = self.cloud.gateway.cloud().last_record();
        let actions = records.iter().filter_map(|record| record.action.clone());
        (outcome, actions.filter(|action| action != "GetCallerIdentity").collect())
    }

    fn object(&self) -> Value {
        self.server.object(&DNS_RECORD.objects(), NAMESPACE, "a").unwrap()
    }

    /// Changes the record, and asks for an operation.
    fn ask(&self, operation: &str, change: impl FnOnce(&mut Value)) {
        let mut object = self.object();
        object["metadata"]["annotations"] = json!({ OPERATION: operation });
        change(&mut object);
        let _ = self.server.clone().with(&DNS_RECORD.objects(), object);
        self.server.requests();
    }
}

fn records(server: &Server, url: &str) -> DnsRecords {
    let planned = Planned {
        provider: "alicloud".to_owned(),
        policies: Arc::new(Versions::new(Arc::new(Native))),
        threads: PolicyThreads::default(),
        family: Arc::new(Alicloud),
        wire: Wire::new(Options::default()),
        endpoint: Endpoint::Url(url.parse().unwrap()),
        allowed_calls: AllowedCalls::of("alicloud"),
        secrets: Secrets::new(server.client(), Arc::new(Alicloud)),
        configuration: None,
        client: server.client(),
        metrics: Metrics::new(),
    };
    DnsRecords { planned: Arc::new(planned) }
}

/// A seed with a record that asks for an operation.
fn seed(operation: &str, status: &Value) -> Server {
    let namespace = json!({ "metadata": { "name": NAMESPACE, "labels": { "gardener.cloud/role": "garden" } } });
    let record = json!({
        "metadata": {
            "name": "a", "namespace": NAMESPACE, "generation": 1, "annotations": { OPERATION: operation },
        },
        "spec": {
            "type": "alicloud-dns", "secretRef": { "name": "dns", "namespace": NAMESPACE },
            "name": format!("api.{DOMAIN}"), "recordType": "A", "values": ["198.51.100.4"], "ttl": 600,
        },
        "status": status,
    });
    Server::default().with(&NAMESPACES, namespace).with(&DNS_RECORD.objects(), record)
}

/// With credentials.
fn with_secret(server: Server, secret: &str) -> Server {
    let [id, secret] = [ACCESS_KEY, secret].map(|text| STANDARD.encode(text));
    let data = json!({ "accessKeyID": id, "accessKeySecret": secret });
    server.with(&SECRETS, json!({ "metadata": { "name": "dns", "namespace": NAMESPACE }, "data": data }))
}

const LIST: &str = "DescribeDomainRecords";
const STATUS: &str = "PATCH dnsrecords/a/status";

#[tokio::test]
async fn a_record_of_the_garden_is_made_kept_changed_taken_over_by_another_seed_and_deleted() {
    let mut landscape = Landscape::new(with_secret(seed("reconcile", &json!({})), ACCESS_KEY_SECRET));
    let (outcome, calls) = landscape.reconcile(None).await;
    assert_eq!(outcome, Outcome::Done(Operation::Create));
    assert_eq!(calls, ["DescribeDomains", LIST, "AddDomainRecord"]);
    let status = landscape.object()["status"].clone();
    assert!(status["zone"].as_str().unwrap().starts_with("example.com:"), "{status}");
    assert_eq!(
        (&status["conditions"][0]["type"], &status["conditions"][0]["status"]),
        (&"Created".into(), &"True".into())
    );
    assert_eq!(status["state"]["kind"], "DNSRecordState");

    landscape.ask("reconcile", |_| ());
    let (outcome, calls) = landscape.reconcile(None).await;
    assert_eq!((outcome, calls), (Outcome::Done(Operation::Reconcile), vec![LIST.to_owned()]));
    let requests = landscape.server.requests();
    let secret = "GET secrets/dns";
    assert_eq!(requests, ["GET namespaces/garden", "PATCH dnsrecords/a", STATUS, secret, STATUS]);

    landscape.ask("reconcile", |record| record["spec"]["values"] = json!(["198.51.100.5", "198.51.100.6"]));
    let (_, calls) = landscape.reconcile(None).await;
    assert_eq!(calls, [LIST, "AddDomainRecord", "AddDomainRecord", "DeleteDomainRecord"]);
    assert_eq!(landscape.values(), ["198.51.100.5", "198.51.100.6"]);

    landscape.ask("migrate", |_| ());
    let (outcome, calls) = landscape.reconcile(None).await;
    assert_eq!((outcome, calls.len()), (Outcome::Done(Operation::Migrate), 0));
    assert_eq!(landscape.object()["metadata"].get("finalizers"), None);

    let state = json!({ "state": landscape.object()["status"]["state"] });
    let mut landscape = landscape.moved(with_secret(seed("restore", &state), ACCESS_KEY_SECRET));
    landscape.ask("restore", |record| record["spec"]["values"] = json!(["198.51.100.5", "198.51.100.6"]));
    let (outcome, calls) = landscape.reconcile(None).await;
    assert_eq!((outcome, calls), (Outcome::Done(Operation::Restore), vec![LIST.to_owned()]));
    assert_eq!(landscape.object()["metadata"]["annotations"], json!({}));

    landscape.ask("reconcile", |record| record["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z"));
    let (outcome, calls) = landscape.reconcile(None).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    assert_eq!(calls, [LIST, "DeleteDomainRecord", "DeleteDomainRecord"]);
    assert_eq!(landscape.object()["metadata"]["finalizers"], json!([]));
    assert!(landscape.values().is_empty());
}

#[tokio::test]
async fn without_credentials_a_record_is_an_error_and_its_forced_deletion_is_not() {
    for (is_there, code) in [(false, CONFIGURATION), (true, UNAUTHENTICATED)] {
        let server = seed("reconcile", &json!({}));
        let server = if is_there { with_secret(server, "another one") } else { server };
        let mut landscape = Landscape::new(server);
        let (outcome, calls) = landscape.reconcile(None).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
        assert!(!calls.contains(&"AddDomainRecord".to_owned()));
        let status = landscape.object()["status"].clone();
        let codes = status["lastError"]["codes"].as_array().unwrap();
        assert!(codes.contains(&code.into()), "{status}");
        assert_eq!(status["conditions"][0]["status"], "False");

        // It may have been made once, by the existing extension.
        landscape.ask("reconcile", |record| {
            record["status"]["conditions"][0]["status"] = json!("True");
            record["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        });
        let (outcome, _) = landscape.reconcile(Some(&json!({}))).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
        let forced =
            json!({ "metadata": { "annotations": { "confirmation.gardener.cloud/force-deletion": "true" } } });
        let (outcome, _) = landscape.reconcile(Some(&forced)).await;
        assert_eq!(outcome, Outcome::Done(Operation::Delete));
        assert_eq!(landscape.object()["metadata"]["finalizers"], json!([]));
    }
}

#[test]
fn what_was_throttled_begins_again_after_half_a_minute() {
    let failed = |codes: &[&str]| Failure {
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
        ..Failure::new("no")
    };
    assert_eq!(after(&failed(&["ERR_INFRA_DEPENDENCIES", RATE_LIMITED])), Some(THROTTLED));
    assert_eq!(after(&failed(&["ERR_INFRA_DEPENDENCIES"])), None);
    assert_eq!(after(&failed(&[])), None);
}
