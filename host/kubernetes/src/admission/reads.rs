//! What a policy may read of a garden for an object: profiles, the bindings in its namespace, and the credentials
//! that the object or such a binding names.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api_server::member::text;
use crate::api_server::resource::{
    CLOUD_PROFILES, CREDENTIALS_BINDINGS, INTERNAL_SECRETS, NAMESPACED_CLOUD_PROFILES, Resource, SECRET_BINDINGS,
    SECRETS, WORKLOAD_IDENTITIES,
};
use trellis_runner::run::reads::Read;

/// Bindings of a namespace.
const BINDINGS: [&Resource; 2] = [&SECRET_BINDINGS, &CREDENTIALS_BINDINGS];
/// Credentials.
const CREDENTIALS: [&Resource; 3] = [&SECRETS, &INTERNAL_SECRETS, &WORKLOAD_IDENTITIES];
/// Members that name credentials by an object with a name.
const REFERENCES: [&str; 2] = ["secretRef", "credentialsRef"];
/// Members whose content is a provider's own.
const OPAQUE: [&str; 4] = ["providerConfig", "infrastructureConfig", "controlPlaneConfig", "status"];

/// Objects of which an API server knows this kind.
pub fn resource(kind: &str) -> Option<&'static Resource> {
    let profiles = [&CLOUD_PROFILES, &NAMESPACED_CLOUD_PROFILES];
    profiles.into_iter().chain(BINDINGS).chain(CREDENTIALS).find(|of| of.kind == kind)
}

/// What may be read for an object.
#[derive(Clone, Debug)]
pub struct GardenReads {
    namespace: String,
    /// Kinds, namespaces and names of credentials.
    credentials: BTreeSet<(String, String, String)>,
}

/// The policy asks for what it may not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} may not be read for this object")]
pub struct NotAllowed(String);

impl GardenReads {
    /// What may be read for this object.
    pub fn of(object: &Value) -> Self {
        let mut reads =
            Self { namespace: text(object, "/metadata/namespace").to_owned(), credentials: BTreeSet::new() };
        reads.follow(object);
        reads
    }

    /// What an object names may be read, too.
    pub fn follow(&mut self, object: &Value) {
        named(object, &self.namespace, &mut self.credentials);
    }

    /// Where an object is that the policy asks for.
    pub fn check(&self, read: &Read) -> Result<&'static Resource, NotAllowed> {
        let is = |of: &&Resource| of.kind == read.kind && of.api_version() == read.api_version;
        let namespace = read.namespace.as_deref().unwrap_or_default();
        let is_named = || self.credentials.contains(&(read.kind.clone(), namespace.to_owned(), read.name.clone()));
        let is_own = !namespace.is_empty() && namespace == self.namespace;
        let found = if is(&&CLOUD_PROFILES) && namespace.is_empty() {
            Some(&CLOUD_PROFILES)
        } else if is(&&NAMESPACED_CLOUD_PROFILES) && is_own {
            Some(&NAMESPACED_CLOUD_PROFILES)
        } else if is_own && let Some(binding) = BINDINGS.into_iter().find(is) {
            Some(binding)
        } else {
            CREDENTIALS.into_iter().find(is).filter(|_| is_named())
        };
        found.filter(|_| !read.in_shoot).ok_or_else(|| NotAllowed(read.to_string()))
    }
}

/// Collects all credentials that an object names; without a namespace, in that of the object.
fn named(value: &Value, own: &str, credentials: &mut BTreeSet<(String, String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members.iter().filter(|(key, _)| !OPAQUE.contains(&key.as_str())) {
                let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
                if REFERENCES.contains(&key.as_str())
                    && let Some(name) = text("name")
                {
                    let kind = text("kind").unwrap_or(SECRETS.kind);
                    let namespace = text("namespace").unwrap_or(own);
                    credentials.insert((kind.to_owned(), namespace.to_owned(), name.to_owned()));
                }
                if let ("secretName", Some(name)) = (key.as_str(), value.as_str()) {
                    credentials.insert((SECRETS.kind.to_owned(), own.to_owned(), name.to_owned()));
                }
                named(value, own, credentials);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, own, credentials)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(api_version: &str, kind: &str, namespace: &str, name: &str) -> Read {
        Read {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty()),
            name: name.to_owned(),
            in_shoot: false,
        }
    }

    #[test]
    fn a_policy_reads_profiles_bindings_and_what_they_name() {
        let mut reads = GardenReads::of(&json!({
            "metadata": { "namespace": "n" },
            "spec": {
                "dns": { "providers": [{ "secretName": "dns" }, { "credentialsRef": { "kind": "WorkloadIdentity", "name": "w" } }] },
                "provider": { "infrastructureConfig": { "secretRef": { "name": "x", "namespace": "kube-system" } } },
            },
        }));
        let (core, security) = ("core.gardener.cloud/v1beta1", "security.gardener.cloud/v1alpha1");
        let table = |found: bool| {
            [
                (core, "CloudProfile", "", "p", true),
                (core, "CloudProfile", "n", "p", false),
                ("core.gardener.cloud/v1", "CloudProfile", "", "p", false),
                (core, "NamespacedCloudProfile", "n", "p", true),
                (core, "NamespacedCloudProfile", "m", "p", false),
                (core, "SecretBinding", "n", "b", true),
                (security, "CredentialsBinding", "n", "b", true),
                (security, "CredentialsBinding", "m", "b", false),
                (core, "Shoot", "n", "other", false),
                ("v1", "ConfigMap", "n", "c", false),
                ("v1", "Secret", "n", "dns", true),
                (security, "WorkloadIdentity", "n", "w", true),
                ("v1", "Secret", "n", "any", false),
                ("v1", "Secret", "kube-system", "x", false),
                ("v1", "Secret", "credentials", "s", found),
                (core, "InternalSecret", "credentials", "s", false),
            ]
        };
        let check = |reads: &GardenReads, table: [(&str, &str, &str, &str, bool); 16]| {
            for (api_version, kind, namespace, name, allowed) in table {
                let read = read(api_version, kind, namespace, name);
                assert_eq!(reads.check(&read).is_ok(), allowed, "{read}");
            }
        };
        check(&reads, table(false));
        reads
            .follow(&json!({ "kind": "SecretBinding", "secretRef": { "namespace": "credentials", "name": "s" } }));
        check(&reads, table(true));
        let in_shoot = Read { in_shoot: true, ..read(core, "CloudProfile", "", "p") };
        assert!(reads.check(&in_shoot).is_err());
    }
}
