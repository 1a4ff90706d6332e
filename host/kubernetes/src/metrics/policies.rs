//! Which policies are in use.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;

use super::families::labels;
use trellis_policies::digest::Digest;

/// The version and the digest of the policy of each provider.
#[derive(Clone, Debug, Default)]
pub(super) struct Policies(Arc<Mutex<BTreeMap<String, (String, String)>>>);

impl Policies {
    pub(super) fn set(&self, provider: &str, version: &str, digest: &Digest) {
        self.lock().insert(provider.to_owned(), (version.to_owned(), digest.to_string()));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, (String, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for Policies {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let mut metric =
            encoder.encode_descriptor("trellis_policy_info", "Policies in use.", None, MetricType::Gauge)?;
        for (provider, (version, digest)) in &*self.lock() {
            let row = labels([("provider", provider), ("version", version), ("digest", digest)]);
            ConstGauge::new(1_u64).encode(metric.encode_family(&row)?)?;
        }
        Ok(())
    }
}
