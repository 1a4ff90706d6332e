//! Secrets as the API server has them.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use zeroize::{Zeroize as _, Zeroizing};

use super::name::{Labels, hex};

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
    pub fn digest(&self) -> String {
        let all: String = self.0.values().map(|value| hex(&Sha256::digest(value.as_slice()))).collect();
        hex(&Sha256::digest(all))
    }

    /// The digest that annotations of pods have: Gardener's `utils.ComputeChecksum` of the data as JSON.
    pub fn checksum(&self) -> String {
        let mut sum = Sha256::new();
        for (at, (key, value)) in self.0.iter().enumerate() {
            let value = Zeroizing::new(STANDARD.encode(value.as_slice()));
            sum.update(if at == 0 { "{" } else { "," });
            sum.update(json!(key).to_string());
            sum.update(":\"");
            sum.update(value.as_bytes());
            sum.update("\"");
        }
        sum.update(if self.0.is_empty() { "{}" } else { "}" });
        hex(&sum.finalize())
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
#[derive(Clone, Debug)]
pub struct Held {
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
    metadata: Value,
}

impl Held {
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
            metadata: metadata.clone(),
        })
    }

    /// A label; empty where there is none.
    pub fn label(&self, key: &str) -> &str {
        self.labels.get(key).map_or("", String::as_str)
    }

    /// The object without its data, by which a write names it.
    pub fn live(&self) -> Value {
        json!({ "metadata": self.metadata })
    }
}
