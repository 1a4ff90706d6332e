//! The answer of `render`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Failure, Finding, Undecided, read};

/// The objects of a control plane, or why there are none.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendering {
    /// The whole answer, as JSON text.
    #[serde(skip)]
    pub text: String,
    /// The objects; absent where findings forbid them, or a query has to be answered before.
    #[serde(default)]
    pub managed_resources: Option<Vec<ManagedResource>>,
    /// Secrets that the host keeps in addition to the objects.
    #[serde(default)]
    pub secrets: Vec<Value>,
    /// What earlier releases left behind, and the host deletes.
    #[serde(default)]
    pub delete: Vec<ObjectName>,
    /// Whether the answer will be another one soon.
    #[serde(default)]
    pub requeue: bool,
    /// Workloads whose pods may start again, although their manifests stand for the same content.
    #[serde(default)]
    pub restarts: Vec<Restart>,
    /// The values that the templates were filled with, by bundle.
    #[serde(default)]
    pub values: Option<Box<RawValue>>,
    /// Errors and warnings.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Queries without an answer, and what placeholders stand for.
    #[serde(default)]
    pub undecided: Vec<Undecided>,
}

/// A ManagedResource and its objects.
#[derive(Deserialize)]
pub struct ManagedResource {
    /// Its name.
    pub name: String,
    /// Its annotations.
    #[serde(default)]
    pub annotations: BTreeMap<String, String>,
    /// Its `spec`.
    #[serde(default)]
    pub spec: Map<String, Value>,
    /// The Secret with the objects; none where the host applies them itself.
    #[serde(default)]
    pub secret: Option<ManifestSecret>,
    /// Whether the host applies the objects itself.
    #[serde(skip)]
    is_of_host: bool,
    /// The objects, in the order in which they are created.
    pub objects: Vec<Box<RawValue>>,
}

/// The Secret with the objects of a ManagedResource.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestSecret {
    /// Its name, which ends in a checksum of its data.
    pub name: String,
    /// The key of its data.
    pub data_key: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its type.
    #[serde(rename = "type")]
    pub secret_type: String,
    /// Whether it never changes.
    pub immutable: bool,
}

/// Names an object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectName {
    /// `apiVersion`
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `metadata.namespace`; empty for none.
    #[serde(default)]
    pub namespace: String,
    /// `metadata.name`
    pub name: String,
}

/// A workload whose pods may start again.
#[derive(Debug, Deserialize)]
pub struct Restart {
    /// The workload.
    #[serde(flatten)]
    pub object: ObjectName,
    /// Why.
    pub why: String,
}

/// Shows no object: some hold credentials.
impl fmt::Debug for Rendering {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Rendering").field("managed_resources", &self.managed_resources).finish_non_exhaustive()
    }
}

/// Shows no object.
impl fmt::Debug for ManagedResource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ManagedResource").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Rendering {
    /// Reads an answer.
    pub fn read(text: String) -> Result<Self, Failure> {
        let rendering: Self = read(&text)?;
        Ok(Self { text, ..rendering })
    }

    /// Whether there is an answer, and no object in it.
    pub fn is_empty(&self) -> bool {
        self.managed_resources.as_ref().is_some_and(|all| all.iter().all(|one| one.objects.is_empty()))
    }
}

impl ManagedResource {
    /// Objects that the gardener-resource-manager applies in the Shoot, and what leads to them.
    pub fn in_shoot(
        name: &str,
        secret: ManifestSecret,
        annotation: (String, String),
        objects: Vec<Box<RawValue>>,
    ) -> Self {
        let references = serde_json::json!([{ "name": secret.name }]);
        let spec = Map::from_iter([("secretRefs".to_owned(), references)]);
        let annotations = BTreeMap::from([annotation]);
        Self { name: name.to_owned(), annotations, spec, secret: Some(secret), is_of_host: false, objects }
    }

    /// Objects that the host applies itself, in the seed.
    pub(super) fn of_machines(name: &str, objects: Vec<Box<RawValue>>) -> Self {
        let spec = Map::from_iter([("class".to_owned(), "seed".into())]);
        Self { name: name.to_owned(), annotations: BTreeMap::new(), spec, secret: None, is_of_host: true, objects }
    }

    /// `ManagedResource a`, or what the host applies itself.
    pub fn title(&self) -> String {
        if self.is_of_host { self.name.clone() } else { format!("ManagedResource {}", self.name) }
    }

    /// Whether the objects go to the seed, and not to the Shoot.
    pub fn is_for_seed(&self) -> bool {
        self.spec.get("class").and_then(Value::as_str) == Some("seed")
    }
}
