//! Counters, gauges and histograms by their labels.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Labels of one row, in the order in which they are written.
pub(super) type Labels = Vec<(&'static str, String)>;

pub(super) fn labels<const N: usize>(labels: [(&'static str, &str); N]) -> Labels {
    labels.map(|(key, value)| (key, value.to_owned())).to_vec()
}

/// Counters of a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters(Family<Labels, Counter>);

impl Counters {
    pub(super) fn register(registry: &mut Registry, name: &str, help: &str) -> Self {
        let counters = Self::default();
        registry.register(name, help, counters.0.clone());
        counters
    }

    pub(super) fn add<const N: usize>(&self, row: [(&'static str, &str); N], number: u64) {
        self.0.get_or_create(&labels(row)).inc_by(number);
    }
}

/// Gauges of a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Gauges(Family<Labels, Gauge>);

impl Gauges {
    pub(super) fn set<const N: usize>(&self, row: [(&'static str, &str); N], value: i64) {
        self.0.get_or_create(&labels(row)).set(value);
    }
}

/// Histograms of a name.
#[derive(Clone, Debug)]
pub(super) struct Histograms(Family<Labels, Histogram, Buckets>);

impl Histograms {
    pub(super) fn register(registry: &mut Registry, name: &str, help: &str, buckets: Buckets) -> Self {
        let histograms = Self(Family::new_with_constructor(buckets));
        registry.register(name, help, histograms.0.clone());
        histograms
    }

    pub(super) fn row<const N: usize>(&self, row: [(&'static str, &str); N]) -> Histogram {
        self.0.get_or_create_owned(&labels(row))
    }
}

/// Upper bounds of buckets, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buckets(pub(super) &'static [f64]);

impl MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

const RECONCILE: Buckets = Buckets(&[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5,
    1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0,
]);
const QUEUE: Buckets = Buckets(&[1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0]);
const REQUEST: Buckets = Buckets(&[0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0]);

/// All metrics that are counted as things happen. What is a matter of the moment is collected at a scrape.
#[derive(Clone, Debug)]
pub(super) struct Families {
    pub(super) reconciles: Counters,
    pub(super) reconcile_errors: Counters,
    pub(super) reconcile_panics: Counters,
    pub(super) reconcile_time: Histograms,
    pub(super) max_concurrent: Gauges,
    pub(super) adds: Counters,
    pub(super) retries: Counters,
    pub(super) queue_time: Histograms,
    pub(super) work_time: Histograms,
    pub(super) requests: Counters,
    pub(super) request_time: Histograms,
    pub(super) leader: Gauges,
    pub(super) policy_calls: Counters,
    pub(super) cloud_requests: Counters,
    pub(super) plans: Counter,
    pub(super) steps: Counters,
    pub(super) held_back: Counters,
    pub(super) state_saves: Counter,
    pub(super) shadow_calls: Counters,
}

impl Families {
    /// The registry ends the names of counters with `_total`, and the texts with a period.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counter = |registry: &mut Registry, name: &str, help: &str| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let gauges = |registry: &mut Registry, name: &str, help: &str| {
            let gauges = Gauges::default();
            registry.register(name, help, gauges.0.clone());
            gauges
        };
        Self {
            reconciles: Counters::register(
                registry,
                "controller_runtime_reconcile",
                "Total number of reconciliations per controller",
            ),
            reconcile_errors: Counters::register(
                registry,
                "controller_runtime_reconcile_errors",
                "Total number of reconciliation errors per controller",
            ),
            reconcile_panics: Counters::register(
                registry,
                "controller_runtime_reconcile_panics",
                "Total number of reconciliation panics per controller",
            ),
            reconcile_time: Histograms::register(
                registry,
                "controller_runtime_reconcile_time_seconds",
                "Length of time per reconciliation per controller",
                RECONCILE,
            ),
            max_concurrent: gauges(
                registry,
                "controller_runtime_max_concurrent_reconciles",
                "Maximum number of concurrent reconciles per controller",
            ),
            adds: Counters::register(registry, "workqueue_adds", "Total number of adds handled by workqueue"),
            retries: Counters::register(
                registry,
                "workqueue_retries",
                "Total number of retries handled by workqueue",
            ),
            queue_time: Histograms::register(
                registry,
                "workqueue_queue_duration_seconds",
                "How long in seconds an item stays in workqueue before being requested",
                QUEUE,
            ),
            work_time: Histograms::register(
                registry,
                "workqueue_work_duration_seconds",
                "How long in seconds processing an item from workqueue takes",
                QUEUE,
            ),
            requests: Counters::register(
                registry,
                "rest_client_requests",
                "Number of HTTP requests, partitioned by status code, method, and host",
            ),
            request_time: Histograms::register(
                registry,
                "rest_client_request_duration_seconds",
                "Request latency in seconds, broken down by verb and host",
                REQUEST,
            ),
            leader: gauges(
                registry,
                "leader_election_master_status",
                "Whether the process holds the Lease of this name: 1 where it does, 0 where it does not",
            ),
            policy_calls: Counters::register(registry, "trellis_policy_calls", "Calls of policies"),
            cloud_requests: Counters::register(
                registry,
                "trellis_cloud_requests",
                "Requests to the cloud by finished runs; the code is that of an error",
            ),
            plans: counter(registry, "trellis_plans", "Plans of finished runs that were not empty"),
            steps: Counters::register(registry, "trellis_steps", "Steps of plans of finished runs"),
            held_back: Counters::register(registry, "trellis_held_back", "Reconciliations that were held back"),
            state_saves: counter(registry, "trellis_state_saves", "Changes of the state that finished runs saved"),
            shadow_calls: Counters::register(
                registry,
                "trellis_shadow_calls",
                "Answers of policies in shadow, next to those of the policies in use",
            ),
        }
    }
}
