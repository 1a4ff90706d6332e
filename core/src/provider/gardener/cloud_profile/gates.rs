//! The feature gates of the garden's API server.

use crate::policy::Request;
use crate::provider::gardener::garden::{Garden, is_gate_on};

/// What the garden allows of a profile.
#[derive(Clone, Copy, Debug)]
pub struct Gates {
    /// Whether profiles define machine capabilities.
    pub has_capabilities: bool,
    /// Whether versions have lifecycles.
    pub has_lifecycles: bool,
}

impl Gates {
    /// What the context of a request says of the garden; else what the release has by default.
    pub fn of(request: &Request<'_>) -> Self {
        let garden = Garden::of(request);
        Self {
            has_capabilities: is_gate_on(request, garden, "CloudProfileCapabilities"),
            has_lifecycles: is_gate_on(request, garden, "VersionClassificationLifecycle"),
        }
    }
}
