//! Which object a template makes, and where it stands among the others.

use std::fmt;

use crate::Problem;
use crate::yaml::{Value, Yaml};

/// Kinds in the order in which they are created: what others need comes first. The order of Helm.
const ORDER: [&str; 16] = [
    "Namespace",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "ConfigMap",
    "StorageClass",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleBinding",
    "Role",
    "RoleBinding",
    "Service",
    "DaemonSet",
    "Deployment",
    "StatefulSet",
];

/// Names an object, with holes as the template spells them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `apiVersion`
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `metadata.namespace`; none for an object without one.
    pub namespace: Option<String>,
    /// `metadata.name`
    pub name: String,
}

impl Identity {
    pub(crate) fn of(document: &Yaml, spelled: impl Fn(&str) -> String) -> Result<Self, Problem> {
        let text = |yaml: Option<&Yaml>| yaml.and_then(Yaml::text).filter(|text| !text.is_empty()).map(&spelled);
        let fixed = |key: &'static str| {
            let text = text(document.get(key)).filter(|text| !text.contains("{{"));
            text.ok_or(Problem::Identity(key))
        };
        let metadata = document.get("metadata");
        if let Some(labels) = metadata.and_then(|metadata| metadata.get("labels"))
            && !matches!(labels.value, Value::Mapping(_))
        {
            return Err(Problem::Identity("metadata.labels"));
        }
        let member = |key| text(metadata.and_then(|metadata| metadata.get(key)));
        Ok(Self {
            api_version: fixed("apiVersion")?,
            kind: fixed("kind")?,
            namespace: member("namespace"),
            name: member("name").ok_or(Problem::Identity("metadata.name"))?,
        })
    }

    /// What sorts objects.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let place = ORDER.iter().position(|kind| *kind == self.kind).unwrap_or(ORDER.len());
        (place, self.kind.clone(), self.namespace.clone(), self.name.clone())
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { api_version, kind, namespace, name } = self;
        write!(
            f,
            "{kind} {}{name} of {api_version}",
            namespace.as_ref().map_or(String::new(), |space| format!("{space}/"))
        )
    }
}
