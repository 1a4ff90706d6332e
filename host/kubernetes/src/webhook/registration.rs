//! Which objects an API server sends to webhooks, and how it reaches them: a `MutatingWebhookConfiguration` and a
//! `ValidatingWebhookConfiguration`, as Gardener's library for extensions registers them (`gardener-contract`
//! 5.1).

mod reach;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use serde::Deserialize;
use serde_json::{Value, json};

pub use reach::{Reach, UrlError};

use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MUTATING_WEBHOOKS, NAMESPACES, Resource, VALIDATING_WEBHOOKS};

/// What the names of objects of extensions begin with.
const PREFIX: &str = "gardener-extension-";
/// Namespaces of extensions in the runtime cluster of a garden begin so; the garden may be a seed too.
const RUNTIME_NAMESPACES: &str = "runtime-extension-";
/// Gardener looks whether the webhooks of a Shoot's owner hinder Gardener. It leaves out objects with this label.
const NO_REMEDIATION: &str = "remediation.webhook.shoot.gardener.cloud/exclude";
/// How long an API server waits for an answer, in seconds.
const TIMEOUT: u8 = 10;

/// The name of an extension, such as `provider-alicloud`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension(String);

impl Extension {
    /// An extension. In the runtime cluster of a garden, which `namespace` shows, its name is another one than in
    /// a seed, because both may be the same cluster.
    pub fn new(name: &str, namespace: &str) -> Self {
        let suffix = if namespace.starts_with(RUNTIME_NAMESPACES) { "-runtime" } else { "" };
        Self(format!("{name}{suffix}"))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The name of its objects: of its Service, and of what is registered.
    pub fn object(&self) -> String {
        let prefix = if self.0.starts_with("gardener-") { "" } else { PREFIX };
        format!("{prefix}{}", self.0)
    }
}

/// What a webhook does with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Changes it.
    Mutates,
    /// Judges it.
    Validates,
}

impl Action {
    const ALL: [Self; 2] = [Self::Mutates, Self::Validates];

    /// The kind of the object that registers such webhooks.
    pub fn resource(self) -> &'static Resource {
        match self {
            Self::Mutates => &MUTATING_WEBHOOKS,
            Self::Validates => &VALIDATING_WEBHOOKS,
        }
    }
}

/// Whose objects a webhook sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Those of the cluster that the extension works for: a seed or a garden. Without an answer, an object is
    /// refused.
    Own,
    /// Those of each Shoot. Without an answer, an object is admitted as it is.
    Shoots,
}

/// A webhook as it is registered.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its path at the server, with the first slash.
    pub path: &'static str,
    /// What it does.
    pub action: Action,
    /// Whose objects it sees.
    pub target: Target,
    /// Kinds of objects that are created or updated.
    pub sees: &'static [Resource],
    /// Labels of their namespaces.
    pub namespaces: LabelSelector,
    /// Labels of them.
    pub objects: LabelSelector,
}

/// What an extension registers.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The extension.
    pub extension: Extension,
    /// How API servers reach its server.
    pub reach: Reach,
    /// Its webhooks.
    pub webhooks: Vec<Entry>,
    /// The namespace whose deletion deletes what is registered; none where nothing does.
    pub owner: Option<String>,
    /// Whether the cluster is a Shoot that hosts its own control plane: it is both own cluster and Shoot.
    pub is_self_hosted: bool,
}

/// Why webhooks are not registered.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The API server.
    #[error("the webhooks cannot be registered: {0}")]
    Api(#[from] WriteError),
    /// The owner is not there.
    #[error(
        "the webhooks cannot be registered: there is no namespace `{0}` to own them; \
         name another one with --webhook-config-owner-namespace"
    )]
    NoOwner(String),
}

impl Registration {
    /// The objects that register the webhooks in the own cluster. `bundle` are the authorities that vouch for the
    /// server, in PEM.
    pub fn own(&self, bundle: &[u8]) -> Vec<(Action, Value)> {
        let sees = |webhook: &Entry| webhook.target == Target::Own || self.is_self_hosted;
        self.objects(&self.extension.object(), Target::Own, sees, bundle)
    }

    /// The objects that register the webhooks in each Shoot.
    pub fn in_shoots(&self, bundle: &[u8]) -> Vec<(Action, Value)> {
        let sees = |webhook: &Entry| webhook.target == Target::Shoots && !self.is_self_hosted;
        self.objects(&format!("{}-shoot", self.extension.object()), Target::Shoots, sees, bundle)
    }

    /// Registers the webhooks in the own cluster, or brings what is registered to what is wanted.
    pub async fn write(&self, objects: &Objects, bundle: &[u8]) -> Result<(), RegisterError> {
        let owner = match &self.owner {
            None => None,
            Some(name) => {
                let found = objects.glance(&NAMESPACES, "", name).await?;
                Some(found.ok_or_else(|| RegisterError::NoOwner(name.clone()))?)
            }
        };
        for (action, mut object) in self.own(bundle) {
            if let (Some(owner), Some(Value::Object(metadata))) = (&owner, object.get_mut("metadata")) {
                metadata.insert("ownerReferences".to_owned(), json!([owner_reference(owner)]));
            }
            objects.keep(action.resource(), &object).await?;
        }
        Ok(())
    }

    fn objects(
        &self,
        name: &str,
        into: Target,
        sees: impl Fn(&Entry) -> bool,
        bundle: &[u8],
    ) -> Vec<(Action, Value)> {
        let object = |action: Action| {
            let mut webhooks: Vec<&Entry> =
                self.webhooks.iter().filter(|webhook| webhook.action == action && sees(webhook)).collect();
            webhooks.sort_by_key(|webhook| webhook.name);
            let entries: Vec<Value> = webhooks.iter().map(|webhook| self.entry(webhook, into, bundle)).collect();
            let of = action.resource();
            let object = json!({
                "apiVersion": of.api_version(),
                "kind": of.kind,
                "metadata": { "name": name, "labels": { NO_REMEDIATION: "true" } },
                "webhooks": entries,
            });
            (!entries.is_empty()).then_some((action, object))
        };
        Action::ALL.into_iter().filter_map(object).collect()
    }

    /// A webhook as the API server stores it, its defaults included: what is registered already is not written
    /// again.
    fn entry(&self, webhook: &Entry, into: Target, bundle: &[u8]) -> Value {
        let extension = self.extension.name();
        let extension = extension.strip_prefix("provider-").unwrap_or(extension);
        let client = self.reach.client(&self.extension, into, webhook.path, &STANDARD.encode(bundle));
        let rules: Vec<Value> = webhook
            .sees
            .iter()
            .map(|Resource { group, version, plural, .. }| {
                json!({
                    "operations": ["CREATE", "UPDATE"],
                    "apiGroups": [group],
                    "apiVersions": [version],
                    "resources": [plural],
                    "scope": "*",
                })
            })
            .collect();
        let mut entry = json!({
            "name": format!("{}.{extension}.extensions.gardener.cloud", webhook.name),
            "clientConfig": client,
            "rules": rules,
            "failurePolicy": if webhook.target == Target::Own { "Fail" } else { "Ignore" },
            "matchPolicy": "Exact",
            "namespaceSelector": webhook.namespaces,
            "objectSelector": webhook.objects,
            "sideEffects": "None",
            "timeoutSeconds": TIMEOUT,
            "admissionReviewVersions": ["v1", "v1beta1"],
        });
        if let (Action::Mutates, Value::Object(entry)) = (webhook.action, &mut entry) {
            entry.insert("reinvocationPolicy".to_owned(), json!("Never"));
        }
        entry
    }
}

fn owner_reference(namespace: &Value) -> Value {
    let of = |key: &str| namespace.pointer(&format!("/metadata/{key}")).cloned().unwrap_or_default();
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "name": of("name"),
        "uid": of("uid"),
        "controller": true,
        "blockOwnerDeletion": false,
    })
}
