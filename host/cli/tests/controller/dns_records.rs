//! DNSRecords, of Shoots and of the garden, in a cloud with a domain in which others have rows too.

use kube::api::{Api, DeleteParams, DynamicObject, Patch, PatchParams};
use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_simulator::cloud::ACCESS_KEY_SECRET;

use crate::process::Trellis;
use crate::seed::{extension, resource, succeeded};
use crate::shoot::{Shoot, credentials};
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

pub const DOMAIN: &str = "dev.example.com";
/// The row of somebody else, of another name.
const OTHER: &str = "192.0.2.9";
const FINALIZER: &str = "extensions.gardener.cloud/dnsrecord";
const ONLY: &str = "--controllers=dnsrecord,heartbeat";

/// A record in a namespace.
pub struct Record<'s> {
    stage: &'s Stage,
    namespace: String,
    api: Api<DynamicObject>,
}

impl<'s> Record<'s> {
    pub fn new(stage: &'s Stage, namespace: &str) -> Self {
        let api = stage.seed.namespaced(namespace, &extension("DNSRecord"));
        Self { stage, namespace: namespace.to_owned(), api }
    }

    /// Creates it with its Secret, as gardenlet does.
    pub async fn create(&self, class: &str, operation: &str, data: &Value) {
        let named = |kind: &str, version: &str| {
            json!({
                "apiVersion": version, "kind": kind, "metadata": {
                    "name": "external", "namespace": self.namespace, "annotations": {
                        "gardener.cloud/operation": operation, "gardener.cloud/timestamp": now(),
                    },
                },
            })
        };
        let mut secret = named("Secret", "v1");
        secret["stringData"] = data.clone();
        self.stage.seed.apply(&secret).await;
        let mut record = named("DNSRecord", "extensions.gardener.cloud/v1alpha1");
        record["spec"] = json!({
            "type": "alicloud-dns", "class": class, "name": format!("api.{DOMAIN}"), "recordType": "A",
            "values": ["198.51.100.4"], "ttl": 600,
            "secretRef": { "name": "external", "namespace": self.namespace },
        });
        self.stage.seed.create(&record).await;
    }

    async fn merge(&self, patch: Value) {
        self.api.patch("external", &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    }

    /// Asks for an operation.
    pub async fn operate(&self, operation: &str) {
        self.merge(json!({ "metadata": { "annotations": {
            "gardener.cloud/operation": operation, "gardener.cloud/timestamp": now(),
        } } }))
        .await;
    }

    /// Waits until it is so.
    async fn until(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("the DNSRecord in {}: {what}", self.namespace);
        let look = async || {
            let found = self.api.get_opt("external").await.unwrap();
            Some(serde_json::to_value(found).unwrap()).filter(&is)
        };
        until(&what, LIMIT, look).await
    }

    pub async fn ready(&self) -> Value {
        self.until("it is ready", succeeded).await
    }

    async fn failed(&self) -> Value {
        self.until("it failed", |object| object["status"]["lastOperation"]["state"] == "Error").await
    }

    /// Asks for its deletion, as gardenlet does.
    pub async fn delete(&self) {
        let confirmed =
            json!({ "confirmation.gardener.cloud/deletion": "true", "gardener.cloud/timestamp": now() });
        self.merge(json!({ "metadata": { "annotations": confirmed } })).await;
        self.api.delete("external", &DeleteParams::default()).await.unwrap();
    }

    pub async fn gone(&self) {
        self.until("it is gone", Value::is_null).await;
    }

    /// Whether an event has these words.
    async fn has_event(&self, words: &[&str]) -> bool {
        let events = self.stage.seed.events(&self.namespace).await;
        events.iter().any(|event| words.iter().all(|word| event.contains(word)))
    }
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn add(stage: &Stage, rr: &str, value: &str) {
    let parameters = [("DomainName", DOMAIN), ("RR", rr), ("Type", "A"), ("Value", value), ("TTL", "600")];
    stage.site.call("alidns", "AddDomainRecord", &parameters);
}

/// A stage whose cloud has a domain.
async fn stage() -> Stage {
    let stage = Stage::new(1).await;
    stage.site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    add(&stage, "api2", OTHER);
    stage
}

/// The values of all rows, sorted; that of somebody else is among them.
fn values(stage: &Stage) -> Vec<String> {
    let all = stage.site.call("alidns", "DescribeDomainRecords", &[("DomainName", DOMAIN)]);
    let rows = all["DomainRecords"]["Record"].as_array().unwrap();
    let mut values: Vec<_> = rows.iter().map(|row| row["Value"].as_str().unwrap().to_owned()).collect();
    values.sort_unstable();
    values
}

/// The namespace of the garden.
pub async fn garden(stage: &Stage) {
    let labels = json!({ "gardener.cloud/role": "garden" });
    let namespace =
        json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "garden", "labels": labels } });
    stage.seed.apply(&namespace).await;
}

async fn finish(stage: Stage, trellis: Trellis) {
    assert_eq!(values(&stage), [OTHER], "what others have stays, and nothing else");
    stage.nothing_was_forbidden();
    let mut shown: Vec<String> = trellis.log().iter().map(Value::to_string).collect();
    shown.extend(stage.seed.events("garden").await);
    assert!(!shown.iter().any(|text| text.contains(ACCESS_KEY_SECRET)), "a credential is shown");
    trellis.end().await;
    stage.nothing_is_left().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_record_of_a_shoot_is_made_kept_changed_moved_and_deleted() {
    let stage = stage().await;
    let trellis = stage.trellis(&[ONLY]).await;
    let shoot = Shoot::new("named");
    stage.prepare(&shoot).await;
    add(&stage, "api", "192.0.2.1");
    let record = Record::new(&stage, &shoot.namespace);
    record.create("shoot", "reconcile", &credentials()).await;
    let status = record.ready().await["status"].clone();
    assert!(status["zone"].as_str().unwrap().starts_with("dev.example.com:"), "{status}");
    assert_eq!(status["state"]["kind"], "DNSRecordState");
    let created = &status["conditions"][0];
    assert_eq!((&created["type"], &created["status"]), (&"Created".into(), &"True".into()));
    assert_eq!(values(&stage), [OTHER, "198.51.100.4"]);
    assert!(record.has_event(&["Disruption", "192.0.2.1"]).await, "no event names the value that was there");

    let before = stage.site.last_call();
    record.operate("reconcile").await;
    let is_done = |object: &Value| succeeded(object) && object["status"]["lastOperation"]["type"] == "Reconcile";
    record.until("it is reconciled", is_done).await;
    assert_eq!(stage.site.changes(before), [""; 0], "something was left to do");

    record.merge(json!({ "spec": { "values": ["198.51.100.5", "198.51.100.6"] } })).await;
    record.operate("reconcile").await;
    record.ready().await;
    assert_eq!(values(&stage), [OTHER, "198.51.100.5", "198.51.100.6"]);

    let before = stage.site.last_call();
    record.operate("migrate").await;
    let left = record.until("it has left", |object| succeeded(object) && finalizers(object) == json!([])).await;
    assert_eq!(left["status"]["lastOperation"]["type"], "Migrate");
    record.delete().await;
    record.gone().await;
    let next = shoot.moved("b");
    stage.prepare(&next).await;
    let moved = Record::new(&stage, &next.namespace);
    moved.create("shoot", "wait-for-state", &credentials()).await;
    moved.merge(json!({ "spec": { "values": ["198.51.100.5", "198.51.100.6"] } })).await;
    let kept = json!({ "status": { "state": left["status"]["state"] } });
    moved.api.patch_status("external", &PatchParams::default(), &Patch::Merge(kept)).await.unwrap();
    moved.operate("restore").await;
    let restored = moved.ready().await;
    assert_eq!(
        (&restored["status"]["lastOperation"]["type"], finalizers(&restored)),
        (&"Restore".into(), json!([FINALIZER]))
    );
    assert_eq!(stage.site.changes(before), [""; 0], "a migration changes nothing in the cloud");

    moved.delete().await;
    moved.gone().await;
    for shoot in [&shoot, &next] {
        stage.gardenlet().delete_namespace(shoot).await;
    }
    finish(stage, trellis).await;
}

fn finalizers(object: &Value) -> Value {
    object["metadata"].get("finalizers").cloned().unwrap_or_else(|| json!([]))
}

/// Row 36 of the checklist, and a forced deletion.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_record_of_the_garden_needs_no_cluster_and_one_that_was_never_made_goes_at_once() {
    let stage = stage().await;
    let trellis = stage.trellis(&[ONLY, "--extension-classes=garden,shoot"]).await;
    garden(&stage).await;
    let record = Record::new(&stage, "garden");
    record.create("garden", "reconcile", &credentials()).await;
    record.ready().await;
    assert_eq!(values(&stage), [OTHER, "198.51.100.4"]);
    record.delete().await;
    record.gone().await;

    let wrong = json!({ "accessKeyID": "LTAI5tNobodyKnowsThis", "accessKeySecret": "wrong" });
    record.create("garden", "reconcile", &wrong).await;
    let status = record.failed().await["status"].clone();
    let codes = status["lastError"]["codes"].as_array().unwrap();
    assert!(codes.contains(&"ERR_INFRA_UNAUTHENTICATED".into()), "{status}");
    assert_eq!(status["conditions"][0]["status"], "False", "{status}");
    let before = stage.site.last_call();
    record.delete().await;
    record.gone().await;
    assert_eq!(stage.site.last_call(), before, "the cloud was asked");

    let shoot = Shoot::new("forced");
    stage.prepare(&shoot).await;
    let forced = Record::new(&stage, &shoot.namespace);
    forced.create("shoot", "reconcile", &credentials()).await;
    forced.ready().await;
    stage
        .gardenlet()
        .cluster(&shoot.clone().annotated("confirmation.gardener.cloud/force-deletion", "true"))
        .await;
    let secrets = stage.seed.namespaced(&shoot.namespace, &resource("", "v1", "Secret"));
    secrets.delete("external", &DeleteParams::default()).await.unwrap();
    forced.delete().await;
    forced.gone().await;
    assert!(forced.has_event(&["RecordsLeft", "198.51.100.4"]).await, "no event names what stays");
    assert_eq!(values(&stage), [OTHER, "198.51.100.4"]);
    let row = stage.site.call("alidns", "DescribeDomainRecords", &[("DomainName", DOMAIN), ("RRKeyWord", "api")]);
    let rows = row["DomainRecords"]["Record"].as_array().unwrap().clone();
    for row in rows.iter().filter(|row| row["RR"] == "api") {
        stage.site.call("alidns", "DeleteDomainRecord", &[("RecordId", row["RecordId"].as_str().unwrap())]);
    }
    stage.gardenlet().delete_namespace(&shoot).await;
    finish(stage, trellis).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_record_is_planned_alone_with_read_only_and_tried_again_when_the_cloud_lets_it() {
    let stage = stage().await;
    let trellis = stage.trellis(&[ONLY, "--read-only", "--extension-classes=seed"]).await;
    garden(&stage).await;
    let record = Record::new(&stage, "garden");
    let before = stage.site.last_call();
    record.create("seed", "reconcile", &credentials()).await;
    let text = record.failed().await["status"]["lastError"]["description"].clone();
    assert!(text.as_str().unwrap().contains("--read-only"), "{text}");
    assert_eq!(stage.site.changes(before), [""; 0]);
    assert!(record.has_event(&["Planned", "create DNS record"]).await, "no event lists the plan");
    trellis.end().await;

    let fault = json!({ "action": "alidns:DescribeDomainRecords", "fault": { "kind": "throttle" } });
    stage.site.order(fault);
    let trellis = stage.trellis(&[ONLY, "--extension-classes=seed"]).await;
    let is_throttled = |object: &Value| {
        let codes = object["status"]["lastError"]["codes"].as_array();
        codes.is_some_and(|codes| codes.contains(&"ERR_INFRA_RATE_LIMITS_EXCEEDED".into()))
    };
    record.until("it is throttled", is_throttled).await;
    let since = Instant::now();
    stage.site.cloud().delete_faults(None);
    record.ready().await;
    let took = since.elapsed();
    assert!((25..40).contains(&took.as_secs()), "it was tried again after {took:?}");
    record.delete().await;
    record.gone().await;
    finish(stage, trellis).await;
}

/// Kills the program when a call is held by this fault, and starts it again.
async fn killed(stage: &Stage, trellis: Trellis, fault: u64) -> Trellis {
    stage.kill_at_held_call(trellis, fault).await;
    start(stage).await
}

async fn start(stage: &Stage) -> Trellis {
    stage.trellis(&[ONLY, "--extension-classes=seed", "--leader-election=false"]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_record_is_finished_whichever_call_the_program_was_killed_at() {
    let stage = stage().await;
    garden(&stage).await;
    let record = Record::new(&stage, "garden");
    let mut trellis = start(&stage).await;
    for when in ["before", "after"] {
        for (action, deletion) in [
            ("DescribeDomainRecords", "DescribeDomainRecords"),
            ("AddDomainRecord", "DeleteDomainRecord"),
            ("DeleteDomainRecord", "DeleteDomainRecord"),
        ] {
            let hold = |action: &str| {
                let fault = json!({ "kind": "hold", "when": when });
                stage.site.order(
                    json!({ "action": format!("alidns:{action}"), "occurrence": { "nth": 1 }, "fault": fault }),
                )
            };
            add(&stage, "api", "192.0.2.1");
            let fault = hold(action);
            record.create("seed", "reconcile", &credentials()).await;
            trellis = killed(&stage, trellis, fault).await;
            record.ready().await;
            assert_eq!(values(&stage), [OTHER, "198.51.100.4"], "{when} {action}");
            let fault = hold(deletion);
            record.delete().await;
            trellis = killed(&stage, trellis, fault).await;
            record.gone().await;
            assert_eq!(values(&stage), [OTHER], "{when} {deletion}");
        }
    }
    finish(stage, trellis).await;
}
