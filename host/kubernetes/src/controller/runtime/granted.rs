//! What this program grants to the policy of a provider, which is what the policy of this release claims. A policy
//! that is loaded gets no more, whatever it says of itself.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use serde::Deserialize;

use crate::api_server::resource::Resource;
use crate::webhook::registration::{Action, Entry, Target};
use trellis_policies::answer::ObjectName;
use trellis_runner::run::reads::Read;

/// By provider type. `cargo xtask providers` writes the file.
const CLAIMS: &str = include_str!("granted/claims.json");

/// What is granted to the policy of a provider.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Granted {
    /// The webhooks of its extension in a seed.
    pub webhooks: Vec<SeedWebhook>,
    /// Kinds of the objects that it may read in a seed.
    pub reads: Vec<Resource>,
    /// Kinds of the objects that it may have deleted in the namespace of a control plane.
    pub deletes: Vec<Resource>,
    /// `provider` of its machine classes; empty where it has none.
    pub machine_class: &'static str,
    /// The workloads that stand for the health of a control plane.
    pub workloads: Vec<NamedWorkload>,
    /// The types of objects of a kind, where they are not the provider type.
    #[serde(default)]
    types: BTreeMap<String, Vec<String>>,
}

/// A webhook, and which objects it sees.
#[derive(Debug, Deserialize)]
pub struct SeedWebhook {
    /// Its name, also in requests of the policy's function `mutate`.
    pub name: &'static str,
    /// Its path.
    pub path: &'static str,
    /// Whose objects it sees.
    pub target: Target,
    /// Their kinds.
    pub sees: Vec<Resource>,
    namespaces: Label<Option<String>>,
    labels: Vec<Label<String>>,
}

/// A label; without a value, that of the provider type.
#[derive(Debug, Deserialize)]
struct Label<V> {
    key: String,
    value: V,
}

/// A workload in the namespace of a control plane.
#[derive(Debug, Deserialize)]
pub struct NamedWorkload {
    /// Its kind.
    pub kind: Workload,
    /// Its name.
    pub name: &'static str,
}

/// Kinds of workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Workload {
    /// A Deployment.
    Deployment,
    /// A `StatefulSet`.
    StatefulSet,
    /// A `DaemonSet`.
    DaemonSet,
}

/// The policy wants what this program does not grant to it. Each names an `apiVersion` and a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotGranted {
    /// To read an object.
    #[error("the policy may read no {1} of `{0}` in a seed")]
    Read(String, String),
    /// That an object is deleted.
    #[error("the policy may have no {1} of `{0}` deleted")]
    Delete(String, String),
}

impl Granted {
    /// What is granted to the policy of a provider; nothing where the provider is not known here.
    pub fn of(provider: &str) -> &'static Self {
        static ALL: LazyLock<BTreeMap<String, Granted>> =
            LazyLock::new(|| serde_json::from_str(CLAIMS).unwrap_or_default());
        static NOTHING: LazyLock<Granted> = LazyLock::new(Granted::default);
        ALL.get(provider).unwrap_or(&NOTHING)
    }

    /// The types of the objects of a kind that are those of a provider.
    pub fn types(&self, provider: &str, kind: &str) -> Vec<String> {
        self.types.get(kind).cloned().unwrap_or_else(|| vec![provider.to_owned()])
    }

    /// The kind of an object that the policy asks for, where it may read such.
    pub fn read(&self, read: &Read) -> Result<&Resource, NotGranted> {
        let Read { api_version, kind, .. } = read;
        find(&self.reads, api_version, kind).ok_or_else(|| NotGranted::Read(api_version.clone(), kind.clone()))
    }

    /// The kind of an object that the policy wants deleted, where it may have such deleted.
    pub fn delete(&self, object: &ObjectName) -> Result<&Resource, NotGranted> {
        let ObjectName { api_version, kind, .. } = object;
        find(&self.deletes, api_version, kind).ok_or_else(|| NotGranted::Delete(api_version.clone(), kind.clone()))
    }
}

fn find<'k>(kinds: &'k [Resource], api_version: &str, kind: &str) -> Option<&'k Resource> {
    kinds.iter().find(|of| of.kind == kind && of.api_version() == api_version)
}

impl SeedWebhook {
    /// The webhook as it is registered for objects of a provider.
    pub fn entry(&'static self, provider: &str) -> Entry {
        let Label { key, value } = &self.namespaces;
        let labels: BTreeMap<String, String> =
            self.labels.iter().map(|Label { key, value }| (key.clone(), value.clone())).collect();
        Entry {
            name: self.name,
            path: self.path,
            action: Action::Mutates,
            target: self.target,
            sees: &self.sees,
            namespaces: LabelSelector {
                match_expressions: Some(vec![LabelSelectorRequirement {
                    key: key.clone(),
                    operator: "In".to_owned(),
                    values: Some(vec![value.as_deref().unwrap_or(provider).to_owned()]),
                }]),
                match_labels: None,
            },
            objects: LabelSelector {
                match_expressions: None,
                match_labels: (!labels.is_empty()).then_some(labels),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(api_version: &str, kind: &str) -> Read {
        let [api_version, kind, name] = [api_version, kind, "a"].map(str::to_owned);
        Read { api_version, kind, namespace: Some("n".to_owned()), name, in_shoot: false }
    }

    fn deleted(api_version: &str, kind: &str) -> ObjectName {
        let [api_version, kind, namespace, name] = [api_version, kind, "n", "a"].map(str::to_owned);
        ObjectName { api_version, kind, namespace, name }
    }

    #[test]
    fn the_policy_of_each_provider_has_what_it_claims_and_nobody_else_has_anything() {
        let granted = Granted::of("alicloud");
        let names: Vec<&str> = granted.webhooks.iter().map(|webhook| webhook.name).collect();
        assert_eq!(names, ["controlplane", "seedprovider", "cloudprovider", "shoot"]);
        assert_eq!((granted.machine_class, granted.workloads.len()), ("Alicloud", 3));
        for (api_version, kind, is_read, is_deleted) in [
            ("v1", "Secret", true, false),
            ("apps/v1", "Deployment", true, true),
            ("v1", "Service", false, true),
            ("apps/v1beta1", "Deployment", false, false),
            ("v1", "ConfigMap", false, false),
        ] {
            let (read, deleted) = (read(api_version, kind), deleted(api_version, kind));
            let found = (granted.read(&read).is_ok(), granted.delete(&deleted).is_ok());
            assert_eq!(found, (is_read, is_deleted), "{api_version} {kind}");
        }
        let nothing = Granted::of("nobody");
        assert!(nothing.webhooks.is_empty() && nothing.reads.is_empty() && nothing.deletes.is_empty());
        assert_eq!(nothing.machine_class, "");
    }

    #[test]
    fn objects_have_the_provider_type_unless_their_kind_has_others() {
        let types = BTreeMap::from([("DNSRecord".to_owned(), vec!["a-dns".to_owned(), "b-dns".to_owned()])]);
        let granted = Granted { types, ..Granted::default() };
        assert_eq!(granted.types("a", "DNSRecord"), ["a-dns", "b-dns"]);
        assert_eq!(granted.types("a", "Worker"), ["a"]);
        assert_eq!(Granted::of("nobody").types("nobody", "DNSRecord"), ["nobody"]);
        assert_eq!(Granted::of("alicloud").types("alicloud", "DNSRecord"), ["alicloud-dns"]);
    }
}
