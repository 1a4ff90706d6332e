//! ManagedResources: what the gardener-resource-manager applies (reference: gardener-contract 4.1).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::api_server::objects::{Head, Objects, ResourceVersions, difference, is_deleted, name};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MANAGED_RESOURCES, SECRETS};
use trellis_policies::answer::{ManagedResource, ManifestSecret};
use trellis_runner::state::object::ApiError;

/// Annotations that keep Secrets from being collected as garbage begin so.
pub const REFERENCE: &str = "reference.resources.gardener.cloud/";

/// The ManagedResources of a namespace as they were listed.
#[derive(Debug, Default)]
pub struct Listed(Vec<Value>);

impl Listed {
    /// Lists them.
    pub async fn read(objects: &Objects, namespace: &str) -> Result<Self, WriteError> {
        objects.list(&MANAGED_RESOURCES, namespace, "").await.map(Self)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Value> {
        self.0.iter()
    }

    /// One of them.
    pub fn get(&self, of: &str) -> Option<&Value> {
        self.0.iter().find(|resource| name(resource) == of)
    }

    /// Those whose names begin so, with their versions.
    pub fn versions(&self, prefix: &str) -> ResourceVersions {
        let of = self.0.iter().filter(|resource| name(resource).starts_with(prefix)).map(Head::of);
        of.map(|Head { name, version, .. }| (name, version)).collect()
    }

    /// Whether somebody deletes one of them, and it is still there.
    pub fn is_going(&self, of: &str) -> bool {
        self.get(of).is_some_and(is_deleted)
    }
}

/// Writes the objects of a rendering, and the ManagedResource that leads to them: first the Secret, which never
/// changes, then its reference. The gardener-resource-manager collects Secrets that nobody refers to. `has_seen`
/// says whether a Secret was there just now.
pub async fn deliver(
    objects: &Objects,
    namespace: &str,
    listed: &Listed,
    rendered: &ManagedResource,
    has_seen: impl Fn(&str) -> bool,
) -> Result<(), WriteError> {
    let Some(secret) = &rendered.secret else { return Ok(()) };
    let wanted = wanted(namespace, listed.get(&rendered.name), rendered);
    let change = match listed.get(&rendered.name) {
        Some(live) => difference(live, &wanted),
        None => Some(wanted.clone()),
    };
    // What refers to the Secret already keeps it.
    let is_there = async || {
        let found = has_seen(&secret.name) || objects.get(&SECRETS, namespace, &secret.name).await?.is_some();
        Ok::<_, WriteError>(found)
    };
    if change.is_none() && is_there().await? {
        return Ok(());
    }
    write_secret(objects, namespace, rendered, secret).await?;
    objects.keep(&MANAGED_RESOURCES, &wanted).await.map(drop)
}

/// Brings a ManagedResource that exists, and that nobody deletes, to other objects.
pub async fn renew(objects: &Objects, live: &Value, rendered: &ManagedResource) -> Result<(), WriteError> {
    let (Some(secret), namespace) = (&rendered.secret, crate::api_server::objects::namespace(live)) else {
        return Ok(());
    };
    let change = |live: Option<&Value>| {
        let live = live.filter(|live| !is_deleted(live))?;
        difference(live, &wanted(namespace, Some(live), rendered))
    };
    if change(Some(live)).is_none() {
        return Ok(());
    }
    write_secret(objects, namespace, rendered, secret).await?;
    objects.change(&MANAGED_RESOURCES, namespace, name(live), change).await.map(drop)
}

async fn write_secret(
    objects: &Objects,
    namespace: &str,
    rendered: &ManagedResource,
    secret: &ManifestSecret,
) -> Result<(), WriteError> {
    let content = json!({
        "metadata": { "name": secret.name, "namespace": namespace, "labels": secret.labels },
        "type": secret.type_,
        "immutable": secret.immutable,
        "data": { &secret.data_key: STANDARD.encode(text(&rendered.objects)) },
    });
    match objects.create(&SECRETS, &content).await {
        // Its name has the checksum of its data.
        Ok(_) | Err(WriteError::Api(ApiError::AlreadyExists)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Deletes a ManagedResource: the gardener-resource-manager deletes its objects, and then lets go of it.
pub async fn delete(objects: &Objects, listed: &Listed, name: &str) -> Result<(), WriteError> {
    match listed.get(name) {
        Some(live) if !is_deleted(live) => objects.delete(&MANAGED_RESOURCES, live).await,
        _ => Ok(()),
    }
}

/// Lets the objects of a ManagedResource stay when it goes.
pub async fn keep_objects(objects: &Objects, listed: &Listed, name: &str) -> Result<(), WriteError> {
    let Some(live) = listed.get(name) else { return Ok(()) };
    let namespace = crate::api_server::objects::namespace(live);
    let patch = json!({ "spec": { "keepObjects": true } });
    let change = |live: Option<&Value>| live.and_then(|live| difference(live, &patch));
    objects.change(&MANAGED_RESOURCES, namespace, name, change).await.map(drop)
}

/// The members of a ManagedResource that are the extension's. References to other Secrets go, what others own
/// stays.
fn wanted(namespace: &str, live: Option<&Value>, rendered: &ManagedResource) -> Value {
    let known = live.and_then(|live| live.pointer("/metadata/annotations")).and_then(Value::as_object);
    let stale = known.into_iter().flat_map(Map::keys).filter(|key| key.starts_with(REFERENCE));
    let mut annotations: Map<String, Value> = stale.map(|key| (key.clone(), Value::Null)).collect();
    annotations.extend(rendered.annotations.iter().map(|(key, value)| (key.clone(), json!(value))));
    json!({
        "metadata": { "name": rendered.name, "namespace": namespace, "annotations": annotations },
        "spec": rendered.spec,
    })
}

/// The objects as one text, each between a line `---` and the end of its line: the name of the Secret has its
/// checksum.
pub fn text(objects: &[Box<RawValue>]) -> String {
    objects.iter().flat_map(|object| ["---\n", object.get(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered() -> ManagedResource {
        serde_json::from_value(json!({
            "name": "extension-controlplane-seed",
            "annotations": { "reference.resources.gardener.cloud/secret-2": "extension-controlplane-seed-2" },
            "spec": { "class": "seed", "secretRefs": [{ "name": "extension-controlplane-seed-2" }] },
            "secret": {
                "name": "extension-controlplane-seed-2", "dataKey": "seed-controlplane", "labels": {}, "type": "Opaque",
                "immutable": true,
            },
            "objects": [],
        }))
        .unwrap()
    }

    #[test]
    fn references_to_older_secrets_go_and_what_others_own_stays() {
        let live = json!({
            "metadata": { "annotations": {
                "reference.resources.gardener.cloud/secret-1": "extension-controlplane-seed-1", "other": "x",
            } },
            "spec": { "class": "seed", "secretRefs": [{ "name": "extension-controlplane-seed-1" }], "equivalences": [] },
        });
        let patch = difference(&live, &wanted("ns", Some(&live), &rendered())).unwrap();
        assert_eq!(
            patch,
            json!({
                "metadata": {
                    "name": "extension-controlplane-seed", "namespace": "ns",
                    "annotations": {
                        "reference.resources.gardener.cloud/secret-1": null,
                        "reference.resources.gardener.cloud/secret-2": "extension-controlplane-seed-2",
                    },
                },
                "spec": { "secretRefs": [{ "name": "extension-controlplane-seed-2" }] },
            })
        );
    }

    #[test]
    fn the_text_is_the_one_that_the_policy_took_the_checksum_of() {
        let objects = ["{\"a\":1}", "{\"b\":2}"]
            .map(|text| serde_json::value::RawValue::from_string(text.to_owned()).unwrap());
        let mut rendered = rendered();
        rendered.objects = objects.into();
        assert_eq!(text(&rendered.objects), "---\n{\"a\":1}\n---\n{\"b\":2}\n");
    }
}
