//! How a process in a seed runs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::controller::process::policies::PolicyFiles;
use crate::controller::runtime::client::Access;
use crate::controller::runtime::configuration::Configuration;
use crate::controller::runtime::safeguards::Safeguards;
use crate::controller::runtime::trigger::Trigger;
use crate::controller::webhooks;
use trellis_runner::transport::family::Family;
use trellis_runner::transport::{AllowedCalls, Endpoint, Options as WireOptions};

/// How a process runs.
#[derive(Debug)]
pub struct Options {
    /// The provider type.
    pub provider: String,
    /// Its policies.
    pub policies: PolicyFiles,
    /// The way to the API server.
    pub access: Access,
    /// The way to the API server of the garden, where somebody says it.
    pub garden: Option<Access>,
    /// The lock for one of several processes; none where there is one alone.
    pub election: Option<Election>,
    /// The namespace of the heartbeat Lease, and how often it is renewed.
    pub heartbeat: Option<(String, Duration)>,
    /// Where `/metrics` is served.
    pub metrics: Option<SocketAddr>,
    /// Where `/healthz` and `/readyz` are served.
    pub health: Option<SocketAddr>,
    /// The webhooks that are served; none where all are disabled.
    pub webhooks: Option<webhooks::Options>,
    /// The controllers that run.
    pub controllers: Controllers,
    /// What asks for a reconcile.
    pub trigger: Trigger,
    /// The classes of objects.
    pub classes: Vec<String>,
    /// Whether the cluster is a Shoot that hosts its own control plane.
    pub is_self_hosted: bool,
    /// The extension's own configuration.
    pub configuration: Configuration,
    /// Images that replace those of the policy, in Gardener's format.
    pub images: Option<Box<RawValue>>,
    /// What is held back.
    pub safeguards: Safeguards,
    /// Sends calls as the cloud takes them.
    pub family: Arc<dyn Family>,
    /// Where the cloud is.
    pub endpoint: Endpoint,
    /// The way to the cloud, but for how long it may be used: the lease of this process says that.
    pub wire: WireOptions,
    /// The calls that plans may make.
    pub allowed_calls: AllowedCalls,
}

/// The lock for one of several processes.
#[derive(Clone, Debug)]
pub struct Election {
    /// The namespace of the Lease.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// The most reconciles at a time, by controller; a controller that is not among them does not run.
#[derive(Clone, Debug, Default)]
pub struct Controllers(pub BTreeMap<&'static str, u16>);

impl Controllers {
    /// The most reconciles at a time of a controller; none where it does not run.
    pub fn most(&self, controller: &str) -> Option<u16> {
        self.0.get(controller).copied()
    }
}
