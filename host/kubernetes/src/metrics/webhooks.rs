//! What is counted of webhooks.

use prometheus_client::registry::Registry;

use super::families::{Buckets, Counters, Histograms};

/// Upper bounds in seconds: most reviews take less than a millisecond, and none may take ten seconds.
const REVIEW: Buckets = Buckets(&[
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0,
]);

/// Requests to webhooks, and reviews.
#[derive(Clone, Debug)]
pub(super) struct Webhooks {
    pub(super) requests: Counters,
    pub(super) reviews: Histograms,
}

impl Webhooks {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let requests = Counters::register(
            registry,
            "controller_runtime_webhook_requests",
            "Total number of admission requests by HTTP status code",
        );
        let reviews = Histograms::register(
            registry,
            "trellis_webhook_review_seconds",
            "Length of time per review; the verdict is `allowed`, `changed`, `denied` or `failed`",
            REVIEW,
        );
        Self { requests, reviews }
    }
}
