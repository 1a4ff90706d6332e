//! Metrics, in the names of the ecosystem and in ours.
//!
//! Names, labels and buckets of `controller_runtime_*`, `workqueue_*`, `rest_client_*` and `leader_election_*` are
//! those of controller-runtime 0.23 and client-go, so that dashboards and alerts of other extensions fit.

mod families;
mod policies;
mod process;
mod requests;
#[cfg(test)]
mod tests;
mod text;
mod webhooks;
mod work;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

pub use self::requests::{ClientLayer, Counted};
pub use self::work::{ControllerMetrics, Outcome};
use families::Families;
use policies::Policies;
use process::Process;
use trellis_policies::digest::Digest;
use trellis_runner::run;
use webhooks::Webhooks;
use work::Work;

/// The metrics of a process. Clones are the same metrics.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    families: Families,
    policies: Policies,
    webhooks: Webhooks,
    work: Work,
}

/// What an answer of a second version of a policy is, in addition to that of the version in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shadowed {
    /// Both answers are the same.
    Same,
    /// The answers differ.
    Differed,
    /// The answers were not compared.
    Skipped,
}

impl Metrics {
    /// Metrics of which all are zero.
    pub fn new() -> Self {
        let mut registry = Registry::default();
        let families = Families::register(&mut registry);
        let webhooks = Webhooks::register(&mut registry);
        let (policies, work) = (Policies::default(), Work::default());
        registry.register_collector(Box::new(policies.clone()));
        registry.register_collector(Box::new(work.clone()));
        registry.register_collector(Box::new(Process));
        Self(Arc::new(Inner { registry, families, policies, webhooks, work }))
    }

    /// The metrics of a controller with so many workers. Its name is the label `controller`, and the name of its
    /// queue.
    pub fn controller(&self, name: &str, max_concurrent: usize) -> ControllerMetrics {
        ControllerMetrics::new(name, max_concurrent, &self.0.families, &self.0.work)
    }

    /// Counts calls of a function of a policy.
    pub fn policy_calls(&self, provider: &str, function: &str, calls: u64) {
        self.0.families.policy_calls.add([("provider", provider), ("function", function)], calls);
    }

    /// Counts what a finished run did.
    pub fn run(&self, provider: &str, run: &run::metrics::Metrics) {
        let families = &self.0.families;
        for (function, calls) in &run.policy_calls {
            self.policy_calls(provider, function, *calls);
        }
        for (call, codes) in &run.answers.requests {
            let (service, action) = call.split_once(':').unwrap_or(("", call));
            for (code, requests) in codes {
                let labels = [("service", service), ("action", action), ("code", code)];
                families.cloud_requests.add(labels, *requests);
            }
        }
        let counts = &run.counts;
        for (result, steps) in
            [("done", counts.steps_done), ("failed", counts.steps_failed), ("skipped", counts.steps_skipped)]
        {
            families.steps.add([("result", result)], steps);
        }
        families.plans.inc_by(counts.plans);
        families.state_saves.inc_by(counts.saves);
    }

    /// Counts a reconcile that was held back. The reason is a word of ours.
    pub fn held_back(&self, reason: &str) {
        self.0.families.held_back.add([("reason", reason)], 1);
    }

    /// Whether this process holds the Lease of that name.
    pub fn leader(&self, name: &str, leads: bool) {
        self.0.families.leader.set([("name", name)], i64::from(leads));
    }

    /// The version of a policy that is in use, instead of the one before.
    pub fn policy(&self, provider: &str, version: &str, digest: &Digest) {
        self.0.policies.set(provider, version, digest);
    }

    /// Counts answers that a second version of a policy gave in shadow.
    pub fn shadowed(&self, provider: &str, result: Shadowed, calls: u64) {
        let result = match result {
            Shadowed::Same => "same",
            Shadowed::Differed => "differed",
            Shadowed::Skipped => "skipped",
        };
        self.0.families.shadow_calls.add([("provider", provider), ("result", result)], calls);
    }

    /// Counts a request to a webhook by the status of its response. The name is empty where no webhook is meant.
    pub fn webhook_request(&self, webhook: &str, code: u16) {
        self.0.webhooks.requests.add([("webhook", webhook), ("code", &code.to_string())], 1);
    }

    /// Counts a review that took so long. The kind is empty where the webhook does not know it.
    pub fn review(&self, webhook: &str, kind: &str, verdict: &str, time: Duration) {
        let labels = [("webhook", webhook), ("kind", kind), ("verdict", verdict)];
        self.0.webhooks.reviews.row(labels).observe(time.as_secs_f64());
    }

    /// Counts the requests of a client to the API server at this address, for
    /// `kube::client::ClientBuilder::with_layer`. The client adds the address to requests only later, hence it is
    /// needed here.
    pub fn client_layer(&self, server: &hyper::Uri) -> ClientLayer {
        ClientLayer::new(&self.0.families, server)
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    pub fn text(&self) -> String {
        text::plain(&self.open_metrics())
    }

    /// All metrics in the text format of OpenMetrics, version 1.0.0.
    pub fn open_metrics(&self) -> String {
        let mut text = String::new();
        // Cannot fail, because a string takes all, and no histogram lacks buckets.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
