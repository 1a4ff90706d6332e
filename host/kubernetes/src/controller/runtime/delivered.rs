//! What a control plane has delivered already: the objects in the Secrets of its ManagedResources.
//!
//! A policy that renders may read back what was rendered before, so that pods do not start again. These Secrets
//! show it without a question to the Shoot's API server, and show nothing else.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::api_server::objects::{Head, Objects, ResourceVersions, name};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::SECRETS;
use crate::controller::runtime::managed_resources::Listed;
use trellis_policies::source;
use trellis_runner::run::reads::Read;

/// The names of the ManagedResources of control planes begin so (reference: gardener-contract 3.1).
pub const PREFIX: &str = "extension-controlplane-";
/// `spec.class` of what is applied in the seed.
const SEED: &str = "seed";

/// The manifests of a control plane. They hold secrets.
#[derive(Default)]
pub struct Delivered {
    /// The ManagedResources of the namespace.
    pub resources: Listed,
    /// Each manifest, and whether it goes to the Shoot.
    manifests: Vec<(String, bool)>,
    /// The Secrets that they are in.
    pub secrets: ResourceVersions,
}

impl fmt::Debug for Delivered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} manifests", self.manifests.len())
    }
}

impl Delivered {
    /// Reads the manifests of a namespace.
    pub async fn read(objects: &Objects, namespace: &str) -> Result<Self, WriteError> {
        let (mut manifests, mut secrets) = (Vec::new(), ResourceVersions::new());
        let resources = Listed::read(objects, namespace).await?;
        for resource in resources.all().filter(|resource| name(resource).starts_with(PREFIX)) {
            let in_shoot = resource.pointer("/spec/class").and_then(Value::as_str) != Some(SEED);
            let references = resource.pointer("/spec/secretRefs").and_then(Value::as_array);
            let named = |reference: &Value| Some(reference.get("name")?.as_str()?.to_owned());
            for name in references.into_iter().flatten().filter_map(named) {
                let Some(secret) = objects.get(&SECRETS, namespace, &name).await? else { continue };
                secrets.insert(name, Head::of(&secret).version);
                manifests.extend(texts(&secret).map(|text| (text, in_shoot)));
            }
        }
        Ok(Self { resources, manifests, secrets })
    }

    /// Whether a Secret was there.
    pub fn has(&self, secret: &str) -> bool {
        self.secrets.contains_key(secret)
    }

    /// An object among the manifests.
    pub fn find(&self, read: &Read) -> Option<Value> {
        let of_place = self.manifests.iter().filter(|(_, in_shoot)| *in_shoot == read.in_shoot);
        of_place.flat_map(|(text, _)| documents(text)).filter(|text| text.contains(&read.name)).find_map(|text| {
            let object = parsed(text)?;
            (read.is_of(&object) && is_group_of(&object, &read.api_version)).then_some(object)
        })
    }
}

/// The texts in a Secret. What Gardener compresses, charts never are.
fn texts(secret: &Value) -> impl Iterator<Item = String> {
    let data = secret.get("data").and_then(Value::as_object);
    data.into_iter()
        .flatten()
        .filter_map(|(_, value)| String::from_utf8(STANDARD.decode(value.as_str()?).ok()?).ok())
}

/// The documents of a YAML text, unparsed.
fn documents(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n---").map(|document| document.strip_prefix("---").unwrap_or(document))
}

fn parsed(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.starts_with('{') {
        return serde_json::from_str(text).ok();
    }
    let (_, roots) = source::read("manifest", text.as_bytes()).ok()?;
    serde_json::from_str(&roots.first()?.to_json()).ok()
}

fn is_group_of(object: &Value, api_version: &str) -> bool {
    let group = |text: &str| text.rsplit_once('/').map_or(String::new(), |(group, _)| group.to_owned());
    let own = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    group(own) == group(api_version)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(kind: &str, name: &str, in_shoot: bool) -> Read {
        let (api_version, namespace) = ("apps/v1".to_owned(), Some("ns".to_owned()));
        Read { api_version, kind: kind.to_owned(), namespace, name: name.to_owned(), in_shoot }
    }

    #[test]
    fn objects_are_found_in_json_and_in_yaml_where_they_were_delivered_to() {
        let yaml = "---\n# Source: chart\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  namespace: ns\n\
                    ---\napiVersion: v1\nkind: Secret\nmetadata: { name: b, namespace: ns }\n";
        let json = format!(
            "---\n{}\n",
            json!({ "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": { "name": "c", "namespace": "ns" } })
        );
        let manifests = vec![(yaml.to_owned(), false), (json, true)];
        let delivered = Delivered { manifests, ..Delivered::default() };
        assert!(delivered.find(&read("Deployment", "a", false)).is_some());
        assert!(delivered.find(&read("Deployment", "a", true)).is_none());
        assert!(delivered.find(&read("DaemonSet", "c", true)).is_some());
        assert!(delivered.find(&read("Secret", "b", false)).is_none(), "another group");
        assert!(delivered.find(&read("Deployment", "aa", false)).is_none());
    }

    #[test]
    fn the_debug_form_has_no_manifest() {
        let delivered = Delivered { manifests: vec![("secret".to_owned(), false)], ..Delivered::default() };
        assert_eq!(format!("{delivered:?}"), "1 manifests");
    }
}
