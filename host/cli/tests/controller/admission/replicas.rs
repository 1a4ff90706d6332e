//! Two processes of admission behind a Service: certificates are renewed, and processes end and start, while
//! Gardener's API server sends reviews.

use std::net::SocketAddr;
use std::sync::Arc;

use kube::api::{Patch, PatchParams};
use rustix::process::Signal;
use serde_json::{Map, Value, json};

use super::load::Load;
use super::stage::{NAMESPACE, Stage, broken};
use crate::process::Trellis;
use crate::seed::resource;
use crate::service::Service;
use crate::support::reviewer::Reviewer;
use crate::wait::{LIMIT, until};

/// The name of the authority for the secrets manager.
const AUTHORITY: &str = "ca-admission-alicloud-webhook";
/// Whether a process holds the Lease, in its metrics.
const LEADS: &str = "leader_election_master_status{name=\"gardener-extension-admission-alicloud\"}";
const HOUR: i64 = 3_600;

/// The processes behind a Service.
struct Replicas<'s> {
    stage: &'s Stage,
    service: Service,
    url: SocketAddr,
    all: Vec<Trellis>,
}

impl<'s> Replicas<'s> {
    async fn new(stage: &'s Stage) -> Self {
        let (service, url) = Service::start().await;
        let mut replicas = Self { stage, service, url, all: Vec::new() };
        for _ in 0..2 {
            replicas.add().await;
        }
        replicas
    }

    /// Starts a further process, and waits until it gets connections.
    async fn add(&mut self) {
        let arguments = ["--webhook-config-cert-period-seconds=10", "--shutdown-delay-seconds=2"];
        let trellis = self.stage.admission(Some(self.url), &arguments).await;
        self.service.add(trellis.webhooks(), trellis.health_address()).await;
        self.all.push(trellis);
    }

    /// Ends the process that runs longest as Kubernetes does, and starts another one in its place.
    async fn replace(&mut self) {
        self.all.remove(0).end().await;
        self.add().await;
    }

    /// Waits until a process leads, and answers with its place.
    async fn leader(&self) -> usize {
        until("a process leads", LIMIT, async || {
            for (at, trellis) in self.all.iter().enumerate() {
                if trellis.scrape().await.get(LEADS) == Some(&1.0) {
                    return Some(at);
                }
            }
            None
        })
        .await
    }

    /// Waits until the API server trusts so many authorities, and answers with them.
    async fn trusts(&self, count: usize) -> Vec<String> {
        until("the API server trusts other authorities", LIMIT, async || {
            Some(self.stage.trusted().await).filter(|trusted| trusted.len() == count)
        })
        .await
    }

    /// Waits until each process shows a certificate that this authority vouches for.
    async fn show_certificates_of(&self, authority: &str) {
        for trellis in &self.all {
            let reviewer = Reviewer::new(authority, trellis.webhooks());
            until("the process shows another certificate", LIMIT, async || reviewer.connect().await.map(drop))
                .await;
        }
    }
}

/// Makes the newest authority this much older for who reads these labels.
async fn age(stage: &Stage, labels: &[&str], by: i64) {
    let mut secrets = stage.secrets(AUTHORITY).await;
    secrets.sort_by_key(|secret| secret["metadata"]["labels"]["issued-at-time"].as_str().unwrap().to_owned());
    let newest = &secrets.pop().unwrap()["metadata"];
    let older = |label: &&str| {
        let second: i64 = newest["labels"][label].as_str().unwrap().parse().unwrap();
        ((*label).to_owned(), json!((second - by).to_string()))
    };
    let labels: Map<String, Value> = labels.iter().map(older).collect();
    let patch = Patch::Merge(json!({ "metadata": { "labels": labels } }));
    let api = stage.garden.namespaced(NAMESPACE, &resource("", "v1", "Secret"));
    api.patch(newest["name"].as_str().unwrap(), &PatchParams::default(), &patch).await.unwrap();
}

/// The authority comes of age, and the certificate of the server with it; a day later, nobody trusts the old one
/// any more.
async fn rotate(stage: &Stage, replicas: &Replicas<'_>, load: &Load) {
    let old = replicas.trusts(1).await;
    replicas.show_certificates_of(&old[0]).await;
    age(stage, &["issued-at-time", "valid-until-time"], 21 * 24 * HOUR).await;
    let mut both = replicas.trusts(2).await;
    assert!(both.contains(&old[0]), "the old authority is trusted for a day more");
    both.retain(|authority| *authority != old[0]);
    replicas.show_certificates_of(&both[0]).await;
    load.goes_on().await;
    age(stage, &["issued-at-time"], 25 * HOUR).await;
    assert_eq!(replicas.trusts(1).await, both);
    load.goes_on().await;
}

/// The leader is killed, and another process takes its place and its work.
async fn kill_the_leader(replicas: &mut Replicas<'_>, load: &Load) {
    let mut leader = replicas.all.remove(replicas.leader().await);
    load.kill();
    leader.signal(Signal::KILL);
    leader.exit().await;
    replicas.service.without(leader.webhooks()).await;
    load.kill();
    load.goes_on().await;
    assert_eq!(replicas.leader().await, 0);
    replicas.add().await;
    load.goes_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn two_replicas_lose_no_review_while_certificates_are_renewed_and_processes_end_and_start() {
    let stage = Arc::new(Stage::new().await);
    let mut replicas = Replicas::new(&stage).await;
    let person = stage.person();
    until("admission is asked", LIMIT, async || {
        person.dry_run(&broken("asked")).await.refusal().contains("(ALI-INF-003)").then_some(())
    })
    .await;
    let load = Load::start(&stage, replicas.url);
    load.goes_on().await;

    rotate(&stage, &replicas, &load).await;
    println!("renewed after {} reviews", load.right());
    for _ in 0..3 {
        for _ in 0..2 {
            replicas.replace().await;
            load.goes_on().await;
        }
    }
    println!("restarted after {} reviews", load.right());
    kill_the_leader(&mut replicas, &load).await;
    println!("killed after {} reviews, of which {} were on their way to the process", load.right(), load.lost());

    for trellis in &replicas.all {
        let answered = trellis.scrape().await;
        let is_review = |name: &str| name.starts_with("trellis_webhook_review_seconds_count{");
        let answered: f64 = answered.iter().filter(|(name, _)| is_review(name)).map(|(_, count)| count).sum();
        assert!(answered > 0.0, "the Service hands connections to both");
    }
    drop(load);
    for trellis in replicas.all {
        trellis.end().await;
    }
}
