//! The Secret that etcd-druid reads for the backups of a control plane (reference: gardener-contract A.3).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::api_server::member::text;
use crate::api_server::objects::{Objects, difference, is_deleted};
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{NAMESPACES, SECRETS};

/// The annotation with the name of the BackupEntry that wrote the Secret.
const CREATED_BY: &str = "backup.gardener.cloud/created-by";
/// What the name of an entry begins with that another seed's backups are copied from.
const SOURCE: &str = "source-";

/// The Secret of a BackupEntry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EtcdSecret<'e> {
    entry: &'e str,
    namespace: &'e str,
    name: &'static str,
}

impl<'e> EtcdSecret<'e> {
    /// The Secret of the entry of a name: the namespace of its control plane, and its UID.
    pub(super) fn of(entry: &'e str) -> Self {
        let plain = plain(entry);
        let namespace = plain.rsplit_once("--").map_or(plain, |(namespace, _)| namespace);
        let name = if plain == entry { "etcd-backup" } else { "source-etcd-backup" };
        Self { entry, namespace, name }
    }

    /// Whether there is a namespace for the Secret, which is not on its way out.
    pub(super) async fn has_place(&self, objects: &Objects) -> Result<bool, WriteError> {
        let namespace = objects.get(&NAMESPACES, "", self.namespace).await?;
        Ok(namespace.is_some_and(|namespace| !is_deleted(&namespace)))
    }

    /// Writes the Secret, unless it is as it should be: whatever else it has goes. `credentials` are the Secret
    /// of the entry; `more` are further texts.
    pub(super) async fn write(
        &self,
        objects: &Objects,
        credentials: &Value,
        more: &BTreeMap<String, String>,
    ) -> Result<(), WriteError> {
        let mut data = credentials.get("data").and_then(Value::as_object).cloned().unwrap_or_default();
        data.extend(more.iter().map(|(key, text)| (key.clone(), json!(STANDARD.encode(text)))));
        let annotations = Map::from_iter([(CREATED_BY.to_owned(), json!(self.entry))]);
        objects.change(&SECRETS, self.namespace, self.name, |live| self.change(live, &data, &annotations)).await?;
        Ok(())
    }

    /// Deletes the Secret, unless another entry wrote it.
    pub(super) async fn delete(&self, objects: &Objects) -> Result<(), WriteError> {
        let Some(live) = objects.get(&SECRETS, self.namespace, self.name).await? else { return Ok(()) };
        let annotations = live.pointer("/metadata/annotations");
        let by = annotations.and_then(|all| all.get(CREATED_BY)).and_then(Value::as_str).unwrap_or_default();
        if !by.is_empty() && by != self.entry {
            return Ok(());
        }
        objects.delete(&SECRETS, &live).await
    }

    /// The object to create, or the patch that makes of a Secret what it should be.
    fn change(
        &self,
        live: Option<&Value>,
        data: &Map<String, Value>,
        annotations: &Map<String, Value>,
    ) -> Option<Value> {
        let Some(live) = live else {
            let metadata = json!({ "namespace": self.namespace, "name": self.name, "annotations": annotations });
            return Some(json!({ "metadata": metadata, "type": "Opaque", "data": data }));
        };
        let whole = |pointer: &str, wanted: &Map<String, Value>| {
            let known = live.pointer(pointer).and_then(Value::as_object).into_iter().flatten();
            let gone = known.map(|(key, _)| (key.clone(), Value::Null));
            Value::Object(gone.chain(wanted.clone()).collect())
        };
        let annotations = whole("/metadata/annotations", annotations);
        let metadata = json!({ "annotations": annotations, "labels": null });
        difference(live, &json!({ "metadata": metadata, "data": whole("/data", data) }))
    }
}

/// The name of an entry, or of the one whose backups it is a copy of: both keep them under this name.
pub(super) fn plain(entry: &str) -> &str {
    entry.strip_prefix(SOURCE).unwrap_or(entry)
}

/// Whether two entries keep their backups at the same place.
pub(super) fn share_backups(one: &Value, other: &Value) -> bool {
    let place =
        |entry| (text(entry, "/spec/bucketName").to_owned(), plain(text(entry, "/metadata/name")).to_owned());
    place(one) == place(other)
}

#[cfg(test)]
mod tests;
