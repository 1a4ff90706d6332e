//! The shapes of requests, for their JSON Schemas. Requests themselves are read from their text, which keeps
//! duplicate keys and the spelling of numbers.

#![expect(dead_code, reason = "only the schemas are of use")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// The request of `validate`, `default` and `addresses`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// The object to judge.
    object: Map<String, Value>,
    /// The object before the update; absent where the object is new.
    old_object: Option<Map<String, Value>>,
    /// What is known in addition to the object: other objects by role, such as `cloudProfile` and `secret`,
    /// `objects` of the cluster, and for Gardener's own rules `gardenerVersion` and `openapi`. `info` tells what
    /// the policy reads. With `"request": true` the object is what a person sends: the API server sets `uid`,
    /// `generation` and the times of creation and deletion itself. With `itself`, `oldObject` is the object,
    /// because the caller has no other version: rules and defaults tell what the next change of it meets. It is
    /// `stored` where the garden has it so, and `edited` where a person may have changed it since. With
    /// `"ahead": true` a person looks at the update in advance: it may skip minor versions of Kubernetes.
    #[serde(default)]
    context: BTreeMap<String, Value>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
    /// Whether, on an update, an error that the old object had already becomes a warning.
    #[serde(default)]
    ratchet: bool,
    /// The time at which the object is judged (RFC 3339), such as `2026-06-01T00:00:00Z`. Without it, no version
    /// has expired.
    now: Option<String>,
}

/// The request of `join`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// What the policies said, in the order in which they set defaults.
    opinions: Vec<Opinion>,
    /// Rules that no policy has, in words: the joint scope names them as not checked.
    #[serde(default)]
    missing: Vec<String>,
}

/// The request of `merge`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// The stored object.
    live: Map<String, Value>,
    /// The manifest that a person applies.
    manifest: Map<String, Value>,
}

/// What one policy said of the object.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// The policy: `gardener`, or a provider type.
    source: String,
    /// What `default` answered, a `DefaultAnswer` or an `ErrorAnswer`; absent where it was not asked. `join` does
    /// not read `object` and `patch`.
    default: Option<Map<String, Value>>,
    /// What `validate` answered, a `ValidateAnswer` or an `ErrorAnswer`; absent where it was not asked.
    validate: Option<Map<String, Value>>,
    /// The ids of Gardener's rules that rules of this policy repeat, by the ids of these, as `rules` lists them.
    #[serde(default)]
    doubles: BTreeMap<String, Vec<String>>,
}

/// The request of `zones`.
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
    /// Length of the prefix of the zone's range; where absent, that of the other zones.
    prefix_length: Option<u8>,
}

/// The request of `plan`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanRequest {
    /// What is wanted.
    request: PlanSubject,
    /// The recorded state, texts by key; absent where `status.state` of the object is the only record.
    state: Option<BTreeMap<String, String>>,
    /// What the plan starts from; where absent, `observed`.
    baseline: Option<Baseline>,
    /// What a person agrees to in addition to the manifest.
    #[serde(default)]
    consent: Vec<Consent>,
    /// Whether the cloud had time since the last change: a resource that was being created, and that the cloud
    /// does not show, was not created.
    #[serde(default)]
    waited: bool,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
}

/// The request of `status`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusRequest {
    /// What was wanted.
    request: PlanSubject,
    /// The recorded state, texts by key; absent where `status.state` of the object is the only record.
    state: Option<BTreeMap<String, String>>,
}

/// A subject, an object that stands for something in the cloud, and what is wanted of it. It has exactly one of
/// `infrastructure`, `backupBucket`, `backupEntry`, `dnsRecord` and `bastion`; the Infrastructure may be absent where
/// `cluster.shoot` is there.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanSubject {
    /// What is to become of the subject.
    operation: PlanOperation,
    /// The Infrastructure; absent where only a Shoot is known.
    infrastructure: Option<Map<String, Value>>,
    /// The BackupBucket of `extensions.gardener.cloud`.
    backup_bucket: Option<Map<String, Value>>,
    /// The BackupEntry of `extensions.gardener.cloud`.
    backup_entry: Option<Map<String, Value>>,
    /// The DNSRecord.
    dns_record: Option<Map<String, Value>>,
    /// The Bastion of `extensions.gardener.cloud`.
    bastion: Option<Map<String, Value>>,
    /// The network that a Bastion is in: `status.providerStatus` of the Infrastructure, which the Worker has as
    /// `spec.infrastructureProviderStatus`.
    infrastructure_status: Option<Map<String, Value>>,
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

/// What is to become of a subject.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanOperation {
    /// The policy creates what the subject stands for, or updates it.
    Reconcile,
    /// The policy deletes it.
    Delete,
    /// As `reconcile`, after the control plane moved to another seed.
    Restore,
    /// The policy leaves it alone: another seed takes it over.
    Migrate,
}

/// What a plan starts from.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Baseline {
    /// A baseline with a name.
    Named(NamedBaseline),
    /// What an older request, of the same kind, would create. The plan tells what an edit does, without a look at
    /// the cloud.
    Request(Box<PlanSubject>),
}

/// What a plan starts from, by name.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NamedBaseline {
    /// What exists in the cloud.
    Observed,
    /// Nothing exists: a preview.
    Empty,
}

/// What a person agrees to in addition to the manifest.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Consent {
    /// The plan may adopt or delete resources that only their tags or names tell to be the subject's.
    Adopt,
    /// The plan may drop the record of what the cloud does not show.
    Forget,
}

/// The request of `render`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenderRequest {
    /// What is rendered.
    what: Rendered,
    /// The ControlPlane; absent where only a Shoot is known. Then the answer is a preview: a placeholder stands
    /// where the Shoot does not tell something.
    control_plane: Option<Map<String, Value>>,
    /// The objects of its cluster.
    cluster: RenderedCluster,
    /// The extension's own configuration, `ControllerConfiguration`. The member `corrections` lists corrections of
    /// oddities of the existing extension that change pods or how they are treated: `csiPluginControllerLabels`.
    configuration: Option<Map<String, Value>>,
    /// Names of the Secrets that hold certificates, by the names of the certificates.
    #[serde(default)]
    secrets: BTreeMap<String, String>,
    /// Images that replace those of the policy: the list `images` of an image vector of Gardener.
    #[serde(default)]
    images: Vec<Map<String, Value>>,
    /// Whether the answer has the values that the templates were filled with.
    #[serde(default)]
    values: bool,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
}

/// The request of `workers`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkersRequest {
    /// The Worker; absent where only a Shoot is known. Then the answer is a preview: a placeholder stands where
    /// the Shoot does not tell something.
    worker: Option<Map<String, Value>>,
    /// The objects of its cluster.
    cluster: RenderedCluster,
    /// The extension's own configuration, `ControllerConfiguration`.
    configuration: Option<Map<String, Value>>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
}

/// The request of `rollout`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RolloutRequest {
    /// The Shoot after the edit, with its defaults.
    object: Map<String, Value>,
    /// The Shoot before it, with its defaults.
    old_object: Map<String, Value>,
}

/// The request of `mutate`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MutateRequest {
    /// The name of the webhook that sees the object: one of those that `info` lists.
    webhook: String,
    /// The object.
    object: Map<String, Value>,
    /// The object before the update; absent where the object is new.
    old_object: Option<Map<String, Value>>,
    /// The objects of the Cluster that the object belongs to; where it is absent and needed, the answer asks for
    /// the Cluster.
    cluster: Option<RenderedCluster>,
    /// The extension's own configuration, `ControllerConfiguration`.
    configuration: Option<Map<String, Value>>,
    /// Images that replace those of the policy: the list `images` of an image vector of Gardener.
    #[serde(default)]
    images: Vec<Map<String, Value>>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<Fact>,
}

/// What is rendered.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Rendered {
    /// The objects of a control plane, in the seed and in the Shoot.
    ControlPlane,
}

/// The objects of a Cluster.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderedCluster {
    /// The Cluster's metadata.
    metadata: Option<Map<String, Value>>,
    /// The CloudProfile of the Shoot.
    cloud_profile: Option<Map<String, Value>>,
    /// The Seed that the Shoot's control plane is on.
    seed: Option<Map<String, Value>>,
    /// The Shoot.
    shoot: Map<String, Value>,
}

/// The request of `classify`.
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

/// What came back: a response or an error.
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
    /// HTTP status of the response; 0 where there was no response.
    #[serde(default)]
    http_status: i64,
}

#[cfg(test)]
mod tests;
