//! Secrets as the API server has them.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use zeroize::{Zeroize as _, Zeroizing};

use super::name::Labels;
use trellis_policies::digest::Digest;

/// The data of a Secret. It is wiped from memory when it is dropped, and never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Data(BTreeMap<String, Zeroizing<Vec<u8>>>);

impl Data {
    /// A value.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.0.get(key).map(|value| value.as_slice())
    }

    /// Data with one more value.
    pub fn with(mut self, key: &str, value: impl Into<Vec<u8>>) -> Self {
        self.0.insert(key.to_owned(), Zeroizing::new(value.into()));
        self
    }

    /// The digest by which labels name an authority: Gardener's `utils.ComputeSecretChecksum`.
    pub fn digest(&self) -> Digest {
        let all: String = self.0.values().map(|value| Digest::of(value).to_string()).collect();
        Digest::of(all.as_bytes())
    }

    /// The digest that annotations of pods have: Gardener's `utils.ComputeChecksum` of the data as JSON.
    pub fn checksum(&self) -> Digest {
        Digest::of(Zeroizing::new(self.to_value().to_string()).as_bytes())
    }

    /// The member `data` of a Secret.
    pub fn to_value(&self) -> Value {
        self.0.iter().map(|(key, value)| (key.clone(), Value::from(STANDARD.encode(value.as_slice())))).collect()
    }

    fn read(data: Option<&Map<String, Value>>) -> Option<Self> {
        let mut read = Self::default();
        for (key, value) in data.into_iter().flatten() {
            let mut bytes = STANDARD.decode(value.as_str()?).ok()?;
            read = read.with(key, bytes.clone());
            bytes.zeroize();
        }
        Some(read)
    }
}

/// Shows the keys alone.
impl fmt::Debug for Data {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.0.keys()).finish()
    }
}

/// A Secret that exists.
#[derive(Clone)]
pub struct ExistingSecret {
    /// Its name.
    pub name: String,
    /// Its labels.
    pub labels: Labels,
    /// Whether it never changes.
    pub is_immutable: bool,
    /// When the API server created it.
    pub created: Timestamp,
    /// Its data.
    pub data: Data,
    live: Value,
}

/// Annotations are not kept, because they may hold anything.
const LIVE: [&str; 4] = ["name", "namespace", "uid", "resourceVersion"];

impl ExistingSecret {
    /// Reads a Secret; none where it is not one.
    pub fn read(secret: &Value) -> Option<Self> {
        let metadata = secret.get("metadata")?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let labels = metadata.get("labels").and_then(Value::as_object).into_iter().flatten();
        Some(Self {
            name: metadata.get("name").and_then(text)?,
            labels: labels.map(|(key, value)| Some((key.clone(), text(value)?))).collect::<Option<_>>()?,
            is_immutable: secret.get("immutable").and_then(Value::as_bool).unwrap_or_default(),
            created: metadata.get("creationTimestamp").and_then(Value::as_str)?.parse().ok()?,
            data: Data::read(secret.get("data").and_then(Value::as_object))?,
            live: LIVE.iter().filter_map(|key| Some(((*key).to_owned(), metadata.get(*key)?.clone()))).collect(),
        })
    }

    /// A label; empty where there is none.
    pub fn label(&self, key: &str) -> &str {
        self.labels.get(key).map_or("", String::as_str)
    }

    /// The resource version.
    pub fn version(&self) -> &str {
        self.live.get("resourceVersion").and_then(Value::as_str).unwrap_or_default()
    }

    /// The object as a write names it: its name, namespace, `uid` and `resourceVersion`.
    pub fn live(&self) -> Value {
        json!({ "metadata": self.live })
    }
}

impl fmt::Debug for ExistingSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ExistingSecret")
            .field("name", &self.name)
            .field("labels", &self.labels)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorded::Recorded;
    use super::*;

    // What `utils.ComputeChecksum` and `utils.ComputeSecretChecksum` of github.com/gardener/gardener v1.141.0
    // return.
    #[test]
    fn digests_are_those_of_gardener() {
        let held = Recorded::read("none").held();
        let authority = held.iter().find(|held| held.data.get("ca.key").is_some()).unwrap();
        let sums = [authority.data.checksum(), authority.data.digest()].map(|sum| sum.to_string());
        let expected = [
            "f6ab123201e91bf4aaf90d84b1672518c9e0f5e9a373104c4ecde8ce606de712",
            "63a92ac1f8e482809c3e0132e78dc5bbdedbf2f242418d2b47b816df2d25f79d",
        ];
        assert_eq!(sums, expected);
        for (data, sum) in [
            (
                Data::default().with("b", "x").with("a", [0xff, b'>']),
                "6500d87d31979c731b8e1c7307afce06d1131384ac470bb165e293e2db2856a3",
            ),
            (Data::default(), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        ] {
            assert_eq!(data.checksum().to_string(), sum);
        }
    }

    #[test]
    fn a_write_names_the_version_of_a_secret_and_nothing_that_may_be_secret() {
        let secret = json!({
            "metadata": {
                "name": "a", "namespace": "n", "uid": "u", "resourceVersion": "1", "labels": { "x": "y" },
                "annotations": { "copy": "canary" }, "creationTimestamp": "2026-03-01T12:00:00Z",
            },
            "data": { "key": STANDARD.encode("canary") },
        });
        let held = ExistingSecret::read(&secret).unwrap();
        let live = json!({ "metadata": { "name": "a", "namespace": "n", "uid": "u", "resourceVersion": "1" } });
        assert_eq!(held.live(), live);
        let shown = format!("{held:?} {:?}", held.data);
        assert!(!shown.contains("canary") && shown.contains("key"), "{shown}");
    }
}
