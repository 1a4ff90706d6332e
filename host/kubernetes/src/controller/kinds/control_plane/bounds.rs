//! What a policy may want of a control plane: nothing outside its namespace, and nothing that is somebody else's.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::RENDERED;
use crate::controller::runtime::granted::Granted;
use crate::controller::runtime::status::Failure;
use trellis_policies::answer::Rendering;

/// The names of Secrets that get tokens begin so (reference: gardener-contract 3.3).
const ACCESS: &str = "shoot-access-";
/// The label of certificates with the name of their manager.
pub const IDENTITY: &str = "manager-identity";

/// The manager of the certificates of a provider's control planes.
pub fn identity(provider: &str) -> String {
    format!("provider-{provider}-controlplane")
}

/// Refuses a rendering that goes beyond the control plane of a namespace.
pub fn check(rendering: &Rendering, provider: &str, namespace: &str) -> Result<(), Failure> {
    for resource in rendering.managed_resources.iter().flatten() {
        if !RENDERED.contains(&resource.name.as_str()) {
            return Err(beyond(&format!("the ManagedResource `{}`", resource.name)));
        }
        let in_seed = resource.is_for_seed();
        if let Some(object) = resource.objects.iter().find(|object| in_seed && !is_of(object, namespace)) {
            return Err(beyond(&format!(
                "{} in the seed: it is not of the namespace `{namespace}`",
                named(object)
            )));
        }
    }
    for object in &rendering.delete {
        Granted::of(provider).delete(object).map_err(|error| Failure::new(error.to_string()))?;
        if object.namespace != namespace {
            let what = format!("that the {} {}/{} is deleted", object.kind, object.namespace, object.name);
            return Err(beyond(&what));
        }
    }
    check_secrets(&rendering.secrets, provider)
}

/// Refuses Secrets that are neither certificates of the provider nor for tokens.
pub fn check_secrets(secrets: &[Value], provider: &str) -> Result<(), Failure> {
    for secret in secrets {
        let text = |pointer: &str| secret.pointer(pointer).and_then(Value::as_str);
        let name = text("/name").unwrap_or_default();
        let is_own = match text(&format!("/labels/{IDENTITY}")) {
            Some(manager) => manager == identity(provider),
            None => name.starts_with(ACCESS),
        };
        if !is_own {
            return Err(beyond(&format!("the Secret `{name}`")));
        }
    }
    Ok(())
}

fn beyond(what: &str) -> Failure {
    Failure::new(format!("the policy wants {what}; a control plane may not have that"))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    kind: String,
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    namespace: String,
    name: String,
}

fn head(object: &RawValue) -> Head {
    serde_json::from_str(object.get()).unwrap_or_default()
}

fn is_of(object: &RawValue, namespace: &str) -> bool {
    head(object).metadata.namespace == namespace
}

fn named(object: &RawValue) -> String {
    let Head { kind, metadata } = head(object);
    format!("the {kind} `{}/{}`", metadata.namespace, metadata.name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(answer: &Value) -> String {
        let rendering: Rendering = serde_json::from_value(answer.clone()).unwrap();
        check(&rendering, "alicloud", "n").map_or_else(|failure| failure.message, |()| String::new())
    }

    fn resource(name: &str, class: Option<&str>, namespace: &str) -> Value {
        let object = json!({ "kind": "ConfigMap", "metadata": { "name": "a", "namespace": namespace } });
        json!({ "managedResources": [{ "name": name, "spec": { "class": class }, "objects": [object] }] })
    }

    #[test]
    fn what_is_of_the_control_plane_may_be_wanted() {
        for answer in [
            resource("extension-controlplane-seed", Some("seed"), "n"),
            resource("extension-controlplane-shoot", None, "kube-system"),
            json!({ "delete": [{ "apiVersion": "v1", "kind": "Service", "namespace": "n", "name": "a" }] }),
            json!({ "secrets": [{ "name": "ca-*", "labels": { "manager-identity": "provider-alicloud-controlplane" } }] }),
            json!({ "secrets": [{ "name": "shoot-access-a", "labels": {} }] }),
        ] {
            assert_eq!(refused(&answer), "", "{answer}");
        }
    }

    #[test]
    fn nothing_else_may_be_wanted() {
        for (answer, word) in [
            (resource("garden", Some("seed"), "n"), "`garden`"),
            (resource("extension-controlplane-shoot-webhooks", None, "kube-system"), "shoot-webhooks`"),
            (
                json!({ "delete": [{ "apiVersion": "v1", "kind": "Secret", "namespace": "n", "name": "a" }] }),
                "no Secret of `v1` deleted",
            ),
            (resource("extension-controlplane-seed", Some("seed"), "garden"), "`garden/a`"),
            (resource("extension-controlplane-seed", Some("seed"), ""), "`/a`"),
            (
                json!({ "delete": [{ "apiVersion": "v1", "kind": "Service", "namespace": "garden", "name": "a" }] }),
                "garden/a",
            ),
            (json!({ "secrets": [{ "name": "ca", "labels": { "manager-identity": "gardenlet" } }] }), "`ca`"),
            (json!({ "secrets": [{ "name": "cloudprovider", "labels": {} }] }), "`cloudprovider`"),
        ] {
            assert!(refused(&answer).contains(word), "{answer}: {}", refused(&answer));
        }
    }
}
