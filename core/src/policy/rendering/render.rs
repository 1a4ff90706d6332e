//! `render`: the Kubernetes objects of a control plane.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::Rendering;
use crate::call::{Fact, FactAnswer, Known, Query};
use crate::collections::NameMap;
use crate::document::{JsonText, Value, parse};
use crate::policy::answer::text;
use crate::policy::member::{facts, flag, is_kind, known_members, malformed, object};
use crate::policy::owner::are_of_provider;
use crate::policy::{ClusterObjects, RequestError};
use crate::report::{Finding, Undecided};

/// Most images that replace those of the policy. The image vector of Gardener itself has some 100.
const MAX_IMAGES: usize = 1_000;

pub(super) fn render(policy: &Rendering, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = RenderRequest::read(&document)?;
    are_of_provider(
        [
            (request.control_plane, "ControlPlane", "/spec/type"),
            (Some(request.cluster.shoot), "Shoot", "/spec/provider/type"),
        ],
        policy.about.provider,
    )?;
    Ok(text(&(policy.render)(&request)?))
}

/// The input of `render`.
#[derive(Debug)]
pub struct RenderRequest<'r> {
    /// The ControlPlane; absent where only a Shoot is known. Then the answer is a preview: what the Shoot does not
    /// say is a placeholder.
    pub control_plane: Option<&'r Value<'r>>,
    /// The objects of the cluster.
    pub cluster: ClusterObjects<'r>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
    /// Names of the Secrets that hold certificates, by the names of the certificates.
    pub secrets: Option<&'r Value<'r>>,
    /// Images that replace those of the policy, in Gardener's format.
    pub images: &'r [Value<'r>],
    /// Whether the answer has the values that the templates were filled with.
    pub with_values: bool,
    facts: Vec<Fact<'r>>,
}

impl<'r> RenderRequest<'r> {
    const MEMBERS: [&'static str; 8] =
        ["what", "controlPlane", "cluster", "configuration", "secrets", "images", "values", "facts"];

    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &Self::MEMBERS)?;
        if document.get("what").and_then(Value::as_str) != Some("controlPlane") {
            return Err(malformed("`what` must be \"controlPlane\""));
        }
        let images = match document.get("images") {
            None => &[],
            Some(Value::Array(images)) if images.len() > MAX_IMAGES => {
                let (what, count, unit, limit) = ("`images`", images.len(), "entries", MAX_IMAGES);
                return Err(RequestError::TooMany { what, count, unit, limit });
            }
            Some(Value::Array(images)) => images.as_slice(),
            Some(other) => return Err(malformed(format!("`images` must be a list, not {}", other.kind()))),
        };
        let control_plane = object(document.get("controlPlane"), "controlPlane")?;
        let cluster = ClusterObjects::read(document)?;
        is_kind(control_plane, "controlPlane", "ControlPlane")?;
        if control_plane.is_none() {
            is_kind(Some(cluster.shoot), "cluster.shoot", "Shoot")?;
        }
        Ok(Self {
            control_plane,
            cluster,
            configuration: object(document.get("configuration"), "configuration")?,
            secrets: object(document.get("secrets"), "secrets")?,
            images,
            with_values: flag(document, "values")?,
            facts: facts(document)?,
        })
    }

    /// What the facts say of an object that a query asks for.
    pub fn known(&self, query: Query) -> Known<&'r Value<'r>> {
        let answer = self.fact(&query);
        Known::answered(query, answer)
    }

    /// The answer to a query, where there is one.
    pub fn fact(&self, query: &Query) -> Option<FactAnswer<'r>> {
        Fact::of(&self.facts, query)
    }
}

/// The answer of `render`.
#[derive(Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RenderAnswer {
    /// What the gardener-resource-manager applies; absent where findings forbid it, or something has to be known
    /// before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub managed_resources: Option<Vec<ManagedResource>>,
    /// Secrets that the host keeps in addition to them: certificates, and tokens for the Shoot's API server. The
    /// policy names them, and makes none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<KeptSecret>,
    /// What earlier releases left behind: the host deletes it, where it exists, before it applies the rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delete: Vec<ObjectName>,
    /// Whether the host asks again later: the Shoot hibernates, and its kube-apiserver still runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub requeue: bool,
    /// Workloads whose pods restart although their manifests stand for the same content, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<Restart>,
    /// The values that the templates were filled with, by bundle; absent where the request does not ask for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<NameMap<'static, JsonText>>,
    /// Errors, which forbid to render, and warnings.
    pub findings: Vec<Finding>,
    /// What is not known: with a query, what somebody has to ask; else, what a placeholder stands for.
    pub undecided: Vec<Undecided>,
}

/// A ManagedResource and the objects in it.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ManagedResource {
    /// Its name, in the namespace of the control plane.
    pub name: &'static str,
    /// Its annotations.
    pub annotations: Reference,
    /// Its `spec`.
    pub spec: ManagedResourceSpec,
    /// The Secret with the objects.
    pub secret: ManifestSecret,
    /// The objects, in the order in which they are created. The Secret's data are their texts as they stand here,
    /// each between a line `---` before it and the end of its line.
    pub objects: Vec<JsonText>,
}

/// The `spec` of a ManagedResource.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ManagedResourceSpec {
    /// The cluster that the objects belong to: `seed`; the Shoot where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'static str>,
    /// The Secrets with the objects.
    pub secret_refs: Vec<SecretRef>,
    /// Labels that all objects get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inject_labels: Option<NameMap<'static, &'static str>>,
    /// Whether annotations that others set go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_overwrite_annotations: Option<bool>,
    /// Whether the objects stay when the ManagedResource goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_objects: Option<bool>,
}

/// The annotation that keeps a Secret from being collected as garbage.
#[derive(Debug)]
pub struct Reference {
    /// The annotation.
    pub key: String,
    /// The Secret's name.
    pub secret: String,
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.key, &self.secret)?;
        map.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Reference {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Annotations".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <std::collections::BTreeMap<String, String>>::json_schema(generator)
    }
}

/// A reference to a Secret.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecretRef {
    /// The Secret's name.
    pub name: String,
}

/// The Secret with the objects of a ManagedResource.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ManifestSecret {
    /// Its name, which ends in a checksum of its data.
    pub name: String,
    /// The key of its data.
    pub data_key: &'static str,
    /// Its labels.
    pub labels: NameMap<'static, &'static str>,
    /// Its type.
    #[serde(rename = "type")]
    pub secret_type: &'static str,
    /// Whether it never changes.
    pub immutable: bool,
}

/// A Secret that the host keeps.
#[derive(Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeptSecret {
    /// Its name; one that ends in `-*` gets a hash there.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub secret_type: &'static str,
    /// Its labels.
    pub labels: NameMap<'static, Cow<'static, str>>,
    /// Its annotations.
    #[serde(skip_serializing_if = "NameMap::is_empty")]
    pub annotations: NameMap<'static, &'static str>,
    /// The keys of its data.
    pub data_keys: &'static [&'static str],
    /// Present, and `true`, on a Secret that never changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub immutable: bool,
    /// What the certificate says; absent where the Secret holds none, or an authority's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<ServerCertificate>,
}

/// What a server certificate says.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServerCertificate {
    /// Its common name.
    pub common_name: &'static str,
    /// The names of the server.
    pub dns_names: Vec<String>,
    /// The name of the authority that signs it.
    pub authority: &'static str,
}

/// Names an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObjectName {
    /// `apiVersion`
    pub api_version: &'static str,
    /// `kind`
    pub kind: &'static str,
    /// `metadata.namespace`; absent for an object without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `metadata.name`
    pub name: String,
}

impl ObjectName {
    /// Names an object in a namespace.
    pub fn within(api_version: &'static str, kind: &'static str, namespace: &str, name: &str) -> Self {
        Self { api_version, kind, namespace: Some(namespace.to_owned()), name: name.to_owned() }
    }
}

/// A workload whose pods restart.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Restart {
    /// The workload.
    #[serde(flatten)]
    pub object: ObjectName,
    /// Why its pods restart.
    pub why: Cow<'static, str>,
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde_json::{Map, Value};

    use crate::policy::cluster::shape::RenderedCluster;
    use crate::policy::member::shape::Fact;

    /// The request of `render`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct RenderRequest {
        /// What is rendered.
        what: Rendered,
        /// The ControlPlane; absent where only a Shoot is known. Then the answer is a preview: a placeholder stands
        /// where the Shoot does not say something.
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

    /// What is rendered.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub enum Rendered {
        /// The objects of a control plane, in the seed and in the Shoot.
        ControlPlane,
    }
}
