//! What a policy may read of Kubernetes for an object: the objects in its namespace, the Secrets that it names,
//! and its Cluster.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::call::{Parameter, ResolvedCall};

/// The service of queries for Kubernetes.
pub const SERVICE: &str = "kubernetes";
/// The only action that a policy may ask for there.
const GET: &str = "get";
/// The API of a Cluster, and its kind.
const CLUSTER: (&str, &str) = ("extensions.gardener.cloud/v1alpha1", "Cluster");
/// Kinds whose objects are secret, in lower case.
const SECRET_KINDS: [&str; 2] = ["secret", "internalsecret"];
/// Members of a spec that Gardener hands on as they are: a Shoot's owner or the policy itself wrote them.
const OPAQUE: [&str; 3] = ["infrastructureProviderStatus", "providerConfig", "providerStatus"];
/// The longest name of an object.
const LONGEST_NAME: usize = 253;

/// What a policy may read for an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Kind and name of the object; empty where there is none.
    object: String,
    /// The namespace of the object.
    namespace: Option<String>,
    /// Namespaces and names of the Secrets that the object names.
    secrets: BTreeSet<(String, String)>,
}

/// An object that may be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// Such as `v1` or `apps/v1`.
    pub api_version: String,
    /// Such as `Deployment`.
    pub kind: String,
    /// The namespace; none for a Cluster.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// Whether the object is one of the Shoot's API server, and not of the seed's.
    pub in_shoot: bool,
}

/// A policy asks for something of Kubernetes that the policy may not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{asked} may not be read: {why}; {may}")]
pub struct NotAllowed {
    asked: String,
    why: &'static str,
    may: String,
}

impl Reads {
    /// What may be read for an object of Kubernetes. An object without a namespace has no Cluster.
    pub fn of(object: &Value) -> Self {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (kind, name, namespace) = (text("/kind"), text("/metadata/name"), text("/metadata/namespace"));
        let namespace = Some(namespace.to_owned()).filter(|namespace| is_name(namespace));
        let mut secrets = BTreeSet::new();
        if let Some(spec) = object.get("spec") {
            named_secrets(spec, namespace.as_deref(), &mut secrets);
        }
        let place = namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
        Self { object: format!("{kind} {place}{name}"), namespace, secrets }
    }

    /// Nothing.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// The object that a call reads, where the policy may read it.
    pub fn check(&self, call: &ResolvedCall) -> Result<Read, NotAllowed> {
        if call.action != GET {
            let asked = format!("what the action `{}` of Kubernetes says", shown(&call.action));
            return Err(self.refusal(asked, "a policy gets single objects"));
        }
        let read = Read::of(call).map_err(|why| self.refusal("this object of Kubernetes".to_owned(), why))?;
        self.judge(&read).map_err(|why| self.refusal(read.to_string(), why))?;
        Ok(read)
    }

    /// A call that is no query.
    pub(super) fn refuse_change(&self, call: &ResolvedCall) -> NotAllowed {
        let asked = format!("what the action `{}` of Kubernetes answers", shown(&call.action));
        self.refusal(asked, "a plan changes nothing in Kubernetes")
    }

    fn judge(&self, read: &Read) -> Result<(), &'static str> {
        if read.in_shoot {
            return Err("it is in the Shoot itself");
        }
        let group = |api_version: &str| api_version.rsplit_once('/').map_or("", |(group, _)| group).to_owned();
        let is_cluster = read.kind == CLUSTER.1 && group(&read.api_version) == group(CLUSTER.0);
        if is_cluster {
            let is_own = self.namespace.as_ref() == Some(&read.name) && read.namespace.is_none();
            return if is_own && read.api_version == CLUSTER.0 { Ok(()) } else { Err("it is another Cluster") };
        }
        let Some(namespace) = &read.namespace else { return Err("it is in no namespace") };
        if SECRET_KINDS.contains(&read.kind.to_ascii_lowercase().trim_end_matches('s')) {
            let is_named = self.secrets.contains(&(namespace.clone(), read.name.clone()));
            return if is_named { Ok(()) } else { Err("the object does not name this Secret") };
        }
        if self.namespace.as_ref() == Some(namespace) { Ok(()) } else { Err("it is in another namespace") }
    }

    fn refusal(&self, asked: String, why: &'static str) -> NotAllowed {
        NotAllowed { asked, why, may: self.to_string() }
    }
}

impl fmt::Display for Reads {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_none() && self.secrets.is_empty() {
            return out.write_str("a policy may read nothing of Kubernetes here");
        }
        let secrets: Vec<String> =
            self.secrets.iter().map(|(namespace, name)| format!("`{namespace}/{name}`")).collect();
        let secrets =
            if secrets.is_empty() { "no Secret".to_owned() } else { format!("of Secrets {}", secrets.join(", ")) };
        write!(out, "for {} a policy may read {secrets}", self.object)?;
        match &self.namespace {
            Some(namespace) => write!(
                out,
                ", the Cluster `{namespace}`, and objects of other kinds in the namespace `{namespace}`"
            ),
            None => Ok(()),
        }
    }
}

impl Read {
    /// The object that a call asks for. Every part has the form that Kubernetes gives it, so that none leads
    /// elsewhere.
    pub fn of(call: &ResolvedCall) -> Result<Self, &'static str> {
        let mut parts = [const { None }; 5];
        for (name, value) in &call.parameters {
            let known = ["apiVersion", "kind", "namespace", "name", "cluster"];
            let Some(place) = known.iter().position(|known| known == name) else {
                return Err("the query has a parameter that is not known");
            };
            let (Parameter::Text(text), Some(part)) = (value, parts.get_mut(place)) else {
                return Err("the query has a parameter that is no text");
            };
            if part.replace(text.clone()).is_some() {
                return Err("the query has a parameter twice");
            }
        }
        if call.account.is_some() {
            return Err("Kubernetes has no other accounts");
        }
        let [api_version, kind, namespace, name, cluster] = parts.map(Option::unwrap_or_default);
        if !["", "shoot"].contains(&cluster.as_str()) {
            return Err("the query names another cluster");
        }
        let namespace = Some(namespace).filter(|namespace| !namespace.is_empty());
        if !is_api_version(&api_version) || !is_kind(&kind) {
            return Err("its apiVersion or its kind is none");
        }
        if !is_name(&name) || namespace.as_deref().is_some_and(|namespace| !is_name(namespace)) {
            return Err("its name or its namespace is none");
        }
        Ok(Self { api_version, kind, namespace, name, in_shoot: cluster == "shoot" })
    }

    /// Whether an object is the one that was asked for.
    pub fn is_of(&self, object: &Value) -> bool {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str);
        text("/kind") == Some(&self.kind)
            && text("/metadata/name") == Some(&self.name)
            && text("/metadata/namespace") == self.namespace.as_deref()
    }
}

impl fmt::Display for Read {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name, .. } = self;
        match namespace {
            Some(namespace) => write!(out, "{kind} `{namespace}/{name}`"),
            None => write!(out, "{kind} `{name}`"),
        }
    }
}

/// Collects every Secret that a member `secretRef` or `…SecretRef` names; without a namespace, in that of the
/// object.
fn named_secrets(value: &Value, namespace: Option<&str>, secrets: &mut BTreeSet<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members.iter().filter(|(key, _)| !OPAQUE.contains(&key.as_str())) {
                if key == "secretRef" || key.ends_with("SecretRef") {
                    let text = |key| value.get(key).and_then(Value::as_str);
                    if let (Some(name), Some(namespace)) = (text("name"), text("namespace").or(namespace)) {
                        secrets.insert((namespace.to_owned(), name.to_owned()));
                    }
                }
                named_secrets(value, namespace, secrets);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| named_secrets(item, namespace, secrets)),
        _ => {}
    }
}

/// Whether a text can name an object: one part of a path.
fn is_name(text: &str) -> bool {
    let is_letter = |of: char| of.is_ascii_alphanumeric() || "-._:".contains(of);
    text.len() <= LONGEST_NAME
        && text.starts_with(|of: char| of.is_ascii_alphanumeric())
        && text.chars().all(is_letter)
}

fn is_kind(text: &str) -> bool {
    text.starts_with(|of: char| of.is_ascii_uppercase()) && text.chars().all(|of| of.is_ascii_alphanumeric())
}

fn is_api_version(text: &str) -> bool {
    let (group, version) = text.split_once('/').map_or((None, text), |(group, version)| (Some(group), version));
    let is_version = |text: &str| text.starts_with('v') && text.chars().all(|of| of.is_ascii_alphanumeric());
    group.is_none_or(is_name) && is_version(version)
}

/// What a policy wrote, as far as it can be shown.
fn shown(text: &str) -> String {
    text.chars().filter(|of| !of.is_control()).take(60).collect()
}
