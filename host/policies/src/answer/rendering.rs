//! The objects of a control plane, or of worker pools.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{ManagedResource, ManifestSecret, ObjectName, Rendering, Restart};

/// Shows no object, because some hold credentials.
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
        let spec = Map::from_iter([("secretRefs".to_owned(), json!([{ "name": secret.name }]))]);
        let annotations = BTreeMap::from([annotation]);
        Self { name: name.to_owned(), annotations, spec, secret: Some(secret), objects }
    }

    /// Objects that the host applies itself, in the seed.
    pub(super) fn of_machines(name: &str, objects: Vec<Box<RawValue>>) -> Self {
        let spec = Map::from_iter([("class".to_owned(), "seed".into())]);
        Self { name: name.to_owned(), annotations: BTreeMap::new(), spec, secret: None, objects }
    }

    /// `ManagedResource a`; what has no Secret, the host applies itself.
    pub fn title(&self) -> String {
        if self.secret.is_none() { self.name.clone() } else { format!("ManagedResource {}", self.name) }
    }

    /// Whether the objects go to the seed, and not to the Shoot.
    pub fn is_for_seed(&self) -> bool {
        self.spec.get("class").and_then(Value::as_str) == Some("seed")
    }
}

impl Restart {
    /// The workload.
    pub fn object(&self) -> ObjectName {
        let Self { api_version, kind, namespace, name, .. } = self.clone();
        ObjectName { api_version, kind, namespace, name }
    }
}
