//! `mutate`: what a webhook changes in an object.

use serde::Serialize;

use super::{Mutated, Mutating};
use crate::call::{Fact, Known};
use crate::document::{JsonText, PatchOperation, Value, parse};
use crate::kube::query;
use crate::policy::answer::text;
use crate::policy::member::{facts, known_members, malformed};
use crate::policy::owner::are_of_provider;
use crate::policy::{ClusterObjects, DefaultChange, RequestError};
use crate::report::{Finding, Undecided};
use crate::text::{enumerate, quote};

/// Most images that replace those of the policy.
const MAX_IMAGES: usize = 1_000;

pub(super) fn mutate(policy: &Mutating, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = MutateRequest::read(&document, &(policy.webhooks)())?;
    request.is_of_provider(policy.about.provider)?;
    Ok(text(&(policy.mutate)(&request)?))
}

/// The input of `mutate`. It has no `Debug`, so that no message can show a Secret.
pub struct MutateRequest<'r> {
    /// The name of the webhook that sees the object.
    pub webhook: &'static str,
    /// The object.
    pub object: &'r Value<'r>,
    /// The object before the update; absent where the object is new.
    pub old_object: Option<&'r Value<'r>>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
    /// Images that replace those of the policy, in Gardener's format.
    pub images: &'r [Value<'r>],
    cluster: Option<ClusterObjects<'r>>,
    facts: Vec<Fact<'r>>,
}

impl<'r> MutateRequest<'r> {
    const MEMBERS: [&'static str; 7] =
        ["webhook", "object", "oldObject", "cluster", "configuration", "images", "facts"];

    /// Reads a request document about an object that one of these webhooks sees.
    pub fn read(document: &'r Value<'r>, webhooks: &[&'static str]) -> Result<Self, RequestError> {
        known_members(document, "the request", &Self::MEMBERS)?;
        let webhook = document.get("webhook").and_then(Value::as_str);
        let webhook = webhooks.iter().find(|known| webhook == Some(**known)).ok_or_else(|| {
            let quoted: Vec<String> = webhooks.iter().map(|known| quote(known)).collect();
            malformed(format!("`webhook` must be {}", enumerate(&quoted, "or")))
        })?;
        Ok(Self {
            webhook,
            object: object(document, "object")?.ok_or_else(|| malformed("the request has no `object`"))?,
            old_object: object(document, "oldObject")?,
            configuration: object(document, "configuration")?,
            images: images(document)?,
            cluster: object(document, "cluster")?.map(cluster).transpose()?,
            facts: facts(document)?,
        })
    }

    /// The name of the object.
    pub fn name(&self) -> &'r str {
        metadata(self.object, "name")
    }

    /// The namespace of the object.
    pub fn namespace(&self) -> &'r str {
        metadata(self.object, "namespace")
    }

    /// Whether somebody deletes the object: webhooks leave it as it is.
    pub fn is_deleted(&self) -> bool {
        self.object.at(&["metadata", "deletionTimestamp"]).is_some()
    }

    /// What is known of the Cluster that the object belongs to: its name is the namespace of the object.
    pub fn cluster(&self) -> Known<ClusterObjects<'r>> {
        if let Some(cluster) = self.cluster {
            return Known::Found(cluster);
        }
        let query = query::object("extensions.gardener.cloud/v1alpha1", "Cluster", "", self.namespace());
        let answer = Fact::of(&self.facts, &query);
        match Known::answered(query, answer) {
            Known::Found(found) => match found.get("spec").map(of_cluster) {
                Some(Ok(cluster)) => Known::Found(ClusterObjects { metadata: found.get("metadata"), ..cluster }),
                Some(Err(_)) | None => Known::Failed("the Cluster has no Shoot".to_owned()),
            },
            Known::Failed(message) => Known::Failed(message),
            Known::Unknown(query) => Known::Unknown(query),
        }
    }

    /// Refuses an object whose Cluster is of another provider.
    fn is_of_provider(&self, provider: &'static str) -> Result<(), RequestError> {
        let Known::Found(cluster) = self.cluster() else { return Ok(()) };
        are_of_provider(
            [
                (Some(cluster.shoot), "Shoot", "/spec/provider/type"),
                (cluster.cloud_profile, "CloudProfile", "/spec/type"),
            ],
            provider,
        )
    }
}

fn metadata<'r>(object: &'r Value<'r>, member: &str) -> &'r str {
    object.at(&["metadata", member]).and_then(Value::as_str).unwrap_or_default()
}

/// A member that is an object.
fn object<'r>(document: &'r Value<'r>, name: &str) -> Result<Option<&'r Value<'r>>, RequestError> {
    match document.get(name) {
        value @ (None | Some(Value::Object(_))) => Ok(value),
        Some(other) => Err(malformed(format!("`{name}` must be an object, not {}", other.kind()))),
    }
}

fn cluster<'r>(cluster: &'r Value<'r>) -> Result<ClusterObjects<'r>, RequestError> {
    Ok(ClusterObjects { metadata: object(cluster, "metadata")?, ..of_cluster(cluster)? })
}

fn of_cluster<'r>(objects: &'r Value<'r>) -> Result<ClusterObjects<'r>, RequestError> {
    Ok(ClusterObjects {
        metadata: None,
        cloud_profile: object(objects, "cloudProfile")?,
        seed: object(objects, "seed")?,
        shoot: object(objects, "shoot")?.ok_or_else(|| malformed("the request has no `cluster.shoot`"))?,
    })
}

fn images<'r>(document: &'r Value<'r>) -> Result<&'r [Value<'r>], RequestError> {
    match document.get("images") {
        None => Ok(&[]),
        Some(Value::Array(images)) if images.len() > MAX_IMAGES => Err(RequestError::TooMany {
            what: "`images`",
            count: images.len(),
            unit: "entries",
            limit: MAX_IMAGES,
        }),
        Some(Value::Array(images)) => Ok(images.as_slice()),
        Some(other) => Err(malformed(format!("`images` must be a list, not {}", other.kind()))),
    }
}

/// The answer of `mutate`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mutation {
    /// The object after the webhook; absent where findings forbid it, or something has to be known before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<JsonText>,
    /// What the webhook changes, as an RFC 6902 patch of the object of the request; absent where the object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<PatchOperation>>,
    /// Why, one line for each operation of the patch; absent where the object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<DefaultChange>>,
    /// Errors, which forbid to change the object.
    pub findings: Vec<Finding>,
    /// What has to be known before, with the query that somebody has to ask.
    pub undecided: Vec<Undecided>,
}

impl Mutation {
    /// The answer to a request: nothing changes where something is wrong or open.
    pub fn of(mutated: Mutated<'_>, findings: Vec<Finding>, undecided: Vec<Undecided>) -> Self {
        if findings.is_empty() && undecided.is_empty() {
            let Mutated { object, patch, changes } = mutated;
            let object = Some(JsonText::from(&object));
            return Self { object, patch: Some(patch), changes: Some(changes), findings, undecided };
        }
        Self { object: None, patch: None, changes: None, findings, undecided }
    }
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    use crate::policy::cluster::shape::RenderedCluster;
    use crate::policy::member::shape::Fact;

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
}
