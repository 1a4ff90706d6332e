//! `workers`: the machines of worker pools.

use std::borrow::Cow;

use serde::Serialize;

use super::Rendering;
use crate::call::{Fact, FactAnswer, Query};
use crate::collections::NameMap;
use crate::document::{JsonText, Value, parse};
use crate::policy::answer::text;
use crate::policy::member::{facts, is_kind, known_members, object};
use crate::policy::owner::are_of_provider;
use crate::policy::{ClusterObjects, RequestError};
use crate::report::{Finding, Undecided};

pub(super) fn workers(policy: &Rendering, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = WorkersRequest::read(&document)?;
    are_of_provider(
        [(request.worker, "Worker", "/spec/type"), (Some(request.cluster.shoot), "Shoot", "/spec/provider/type")],
        policy.about.provider,
    )?;
    (policy.workers)(&request)
}

/// The input of `workers`.
#[derive(Debug)]
pub struct WorkersRequest<'r> {
    /// The Worker; absent where only a Shoot is known. Then the answer is a preview: what the Shoot does not say
    /// is a placeholder.
    pub worker: Option<&'r Value<'r>>,
    /// The objects of the cluster.
    pub cluster: ClusterObjects<'r>,
    facts: Vec<Fact<'r>>,
}

impl<'r> WorkersRequest<'r> {
    const MEMBERS: [&'static str; 4] = ["worker", "cluster", "configuration", "facts"];

    /// Reads a request document. `configuration` is there for providers that need it.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &Self::MEMBERS)?;
        object(document.get("configuration"), "configuration")?;
        let worker = object(document.get("worker"), "worker")?;
        let cluster = ClusterObjects::read(document)?;
        is_kind(worker, "worker", "Worker")?;
        if worker.is_none() {
            is_kind(Some(cluster.shoot), "cluster.shoot", "Shoot")?;
        }
        Ok(Self { worker, cluster, facts: facts(document)? })
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

/// The answer of `workers`.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Workers<'r> {
    /// The machine deployments, in the order of pools and of their zones; absent where findings forbid them, or
    /// something has to be known before. So are `pools`, `objects` and `providerStatus`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_deployments: Option<Vec<MachineDeployment<'r>>>,
    /// The hashes of pools: a hash that changes replaces every node of its pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pools: Option<Vec<PoolHash<'r>>>,
    /// The machine classes, each behind its Secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<JsonText>>,
    /// `status.providerStatus` of the Worker: the images in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_status: Option<JsonText>,
    /// Errors, which forbid to make machines, and warnings.
    pub findings: Vec<Finding>,
    /// What is not known: with a query, what somebody has to ask; else, what a placeholder stands for.
    pub undecided: Vec<Undecided>,
}

impl Workers<'_> {
    /// The text of the answer.
    pub fn text(&self) -> String {
        text(self)
    }
}

/// The hash of a worker pool.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PoolHash<'r> {
    /// The pool.
    pub name: &'r str,
    /// The hash, which ends the names of machine classes.
    pub hash: String,
    /// What the provider adds to the hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub additional: Vec<Cow<'r, str>>,
    /// For `status.inPlaceUpdates` of the Worker: present where nodes are updated in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_hash: Option<String>,
}

/// A machine deployment: the nodes of a pool in a zone.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MachineDeployment<'r> {
    /// Its name.
    pub name: String,
    /// The pool.
    pub pool_name: &'r str,
    /// The name of the machine class.
    pub class_name: String,
    /// The name of the class's Secret.
    pub secret_name: String,
    /// Smallest number of nodes.
    pub minimum: i32,
    /// Largest number of nodes.
    pub maximum: i32,
    /// The order in which the cluster autoscaler considers pools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// How many machines are kept when they fail, for people who look into them; absent where the pool does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_preserve_failed_machine_max: Option<i32>,
    /// How a change reaches the nodes.
    pub strategy: UpdateStrategy,
    /// Labels of the nodes.
    pub labels: NameMap<'r, &'r str>,
    /// Annotations of the nodes.
    #[serde(skip_serializing_if = "NameMap::is_empty")]
    pub annotations: NameMap<'r, &'r str>,
    /// Taints of the nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<JsonText>,
    /// Settings of the machine controller manager.
    pub machine_configuration: MachineConfiguration,
    /// Annotations that the cluster autoscaler reads; an empty one is removed.
    pub cluster_autoscaler_annotations: NameMap<'static, Cow<'r, str>>,
}

/// How a change reaches the nodes of a machine deployment.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type")]
pub enum UpdateStrategy {
    /// New nodes replace the old ones.
    RollingUpdate {
        /// How many at once.
        #[serde(rename = "rollingUpdate")]
        rolling_update: AtOnce,
    },
    /// The nodes are changed.
    InPlaceUpdate {
        /// How many at once, and who starts.
        #[serde(rename = "inPlaceUpdate")]
        in_place_update: InPlaceUpdate,
    },
}

/// How many nodes change at once.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AtOnce {
    /// How many nodes may be missing.
    pub max_unavailable: CountOrPercent,
    /// How many nodes there may be beyond the wanted number.
    pub max_surge: CountOrPercent,
}

/// How nodes are updated in place.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InPlaceUpdate {
    /// How many nodes may be missing.
    pub max_unavailable: CountOrPercent,
    /// How many nodes there may be beyond the wanted number.
    pub max_surge: CountOrPercent,
    /// Who starts: `Auto` or `Manual`.
    pub orchestration_type: &'static str,
}

/// A number of nodes, or a percentage of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountOrPercent {
    /// So many nodes.
    Count(i32),
    /// So many of hundred nodes.
    Percent(i32),
}

impl Serialize for CountOrPercent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => serializer.serialize_i32(*count),
            Self::Percent(percent) => serializer.serialize_str(&format!("{percent}%")),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CountOrPercent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CountOrPercent".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"] })
    }
}

/// Settings of the machine controller manager. Durations are as Go prints them: `10m0s`.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MachineConfiguration {
    /// How long a node may take to be drained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain_timeout: Option<String>,
    /// How long a node may be unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health_timeout: Option<String>,
    /// How long a machine may take to join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timeout: Option<String>,
    /// How long an update in place may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_update_timeout: Option<String>,
    /// How long a machine that failed may be kept for people who look into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_preserve_timeout: Option<String>,
    /// Whether an unhealthy node is never replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disable_health_timeout: Option<bool>,
    /// How often the eviction of a pod is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_evict_retries: Option<i32>,
    /// Conditions that make a node unhealthy, joined by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_conditions: Option<String>,
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    use crate::policy::cluster::shape::RenderedCluster;
    use crate::policy::member::shape::Fact;

    /// The request of `workers`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct WorkersRequest {
        /// The Worker; absent where only a Shoot is known. Then the answer is a preview: a placeholder stands where
        /// the Shoot does not say something.
        worker: Option<Map<String, Value>>,
        /// The objects of its cluster.
        cluster: RenderedCluster,
        /// The extension's own configuration, `ControllerConfiguration`.
        configuration: Option<Map<String, Value>>,
        /// Answers to queries of an earlier answer.
        #[serde(default)]
        facts: Vec<Fact>,
    }
}
