//! The shapes of requests, for their JSON Schemas. Requests themselves are read from their text, which keeps duplicate keys
//! and the spelling of numbers.

#![expect(dead_code, reason = "only the schemas are of use")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// The input of `validate`, `default` and `addresses`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// The object to judge.
    object: Map<String, Value>,
    /// What it was before; present on an update.
    old_object: Option<Map<String, Value>>,
    /// Other objects by role, such as `cloudProfile` and `secret`; `info` tells what is read of them.
    #[serde(default)]
    context: BTreeMap<String, Map<String, Value>>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
    /// On an update, errors that the old object already had become warnings.
    #[serde(default)]
    ratchet: bool,
}

/// The input of `zones`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ZonesRequest {
    /// The zones to add, in their order.
    add: Vec<ZoneRequest>,
    #[serde(flatten)]
    request: Request,
}

/// A zone to add.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ZoneRequest {
    /// Name of the zone.
    name: String,
    /// Length of the prefix of its range; by default that of the other zones.
    prefix_length: Option<u8>,
}

/// The input of `plan`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanRequest {
    /// What is wanted.
    request: InfrastructureRequest,
    /// The recorded state: texts by key; absent where nobody keeps one beside `status.state` of the Infrastructure.
    state: Option<BTreeMap<String, String>>,
    /// What to start from; what the cloud tells where absent.
    baseline: Option<Baseline>,
    /// What the person has agreed to beside the manifest.
    #[serde(default)]
    consent: Vec<Consent>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
}

/// The input of `status`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusRequest {
    /// What was wanted.
    request: InfrastructureRequest,
    /// The recorded state: texts by key; absent where nobody keeps one beside `status.state` of the Infrastructure.
    state: Option<BTreeMap<String, String>>,
}

/// An infrastructure, and what is wanted of it; with `infrastructure` or `cluster.shoot`, or both.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InfrastructureRequest {
    /// What is to become of it.
    operation: PlanOperation,
    /// The Infrastructure object; absent where only a Shoot is known.
    infrastructure: Option<Map<String, Value>>,
    /// The objects of its cluster.
    cluster: Option<Cluster>,
    /// The extension's own configuration, `ControllerConfiguration`.
    configuration: Option<Map<String, Value>>,
}

/// The objects of a cluster.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    /// The CloudProfile of the Shoot.
    cloud_profile: Option<Map<String, Value>>,
    /// The Seed that the Shoot's control plane is on.
    seed: Option<Map<String, Value>>,
    /// The Shoot; absent where only an Infrastructure is known.
    shoot: Option<Map<String, Value>>,
}

/// What is to become of an infrastructure.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanOperation {
    /// It is made, or brought to what is wanted.
    Reconcile,
    /// It is taken down.
    Delete,
    /// As `reconcile`, after a control plane moved to another seed.
    Restore,
    /// It is left alone, for another seed to take over.
    Migrate,
}

/// What a plan starts from.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Baseline {
    /// A name for it.
    Named(NamedBaseline),
    /// What an older request would have made: what an edit does, before anything is known of the cloud.
    Request(Box<InfrastructureRequest>),
}

/// What a plan starts from, by name.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NamedBaseline {
    /// What the cloud tells.
    Observed,
    /// Nothing: a preview.
    Empty,
}

/// What a person agrees to beside the manifest.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Consent {
    /// What is found by its tags or names alone, with nothing recorded, is taken over or deleted.
    Adopt,
    /// The record of a network of which nothing is found is given up.
    Forget,
}

/// The input of `classify`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassifyRequest {
    /// The call that failed.
    call: FailedCall,
    /// How it failed.
    error: FactError,
}

/// A call that failed.
#[derive(JsonSchema)]
pub struct FailedCall {
    /// The API, such as `vpc`.
    service: String,
    /// The action, such as `CreateVpc`.
    action: String,
}

/// The answer to a query.
#[derive(JsonSchema)]
pub struct Fact {
    /// Id of the query.
    query: String,
    /// What came back.
    answer: FactAnswer,
}

/// What came back: one of both.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FactAnswer {
    /// The response, as the API gives it.
    Response(Map<String, Value>),
    /// The call failed.
    Error(FactError),
}

/// How a call failed.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactError {
    /// The API's error code.
    code: String,
    /// The API's message.
    #[serde(default)]
    message: String,
    /// Status of the response, 0 where there was none.
    #[serde(default)]
    http_status: i64,
}
