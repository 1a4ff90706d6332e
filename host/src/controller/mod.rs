//! Controllers of a seed: they reconcile extension resources of Gardener with the policy of a provider.

pub mod election;
pub mod health;
pub mod heartbeat;
pub mod logging;
pub mod metrics;
