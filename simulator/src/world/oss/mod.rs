//! Buckets and their objects.

mod content;
mod lifecycle;
mod objects;
mod retention;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::Transitions;

pub use content::Content;
pub use lifecycle::{Rule, When};
pub use objects::{Object, Part, Properties, Upload};
pub use retention::{Worm, WormState};

/// The state of the service in an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Buckets of all regions, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub buckets: BTreeMap<String, Bucket>,
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        self.buckets.values().filter_map(|bucket| bucket.due).min()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        for bucket in self.buckets.values_mut() {
            bucket.apply_rules(at);
        }
    }
}

/// A bucket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Bucket {
    /// Its name, unlike that of any other bucket.
    pub name: String,
    /// Its region.
    pub region: String,
    /// When it was created.
    pub created: Timestamp,
    /// The storage class of new objects.
    pub storage_class: String,
    /// In one zone (`LRS`) or several (`ZRS`).
    pub data_redundancy_type: String,
    /// Who may use it in addition to its owner.
    pub acl: Acl,
    /// How it encrypts new objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<Encryption>,
    /// Its rules for the life of objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// How long objects can be neither changed nor removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worm: Option<Worm>,
    /// Its objects, by key. Worlds that are kept share them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<String, Arc<Object>>,
    /// Its uploads in parts, by identifier.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uploads: BTreeMap<String, Upload>,
    /// The time when a lifecycle rule may next have an effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) due: Option<Timestamp>,
}

/// Who may use a bucket in addition to its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acl {
    /// Nobody.
    #[default]
    Private,
    /// Everybody may read objects.
    PublicRead,
    /// Everybody may read and write objects.
    PublicReadWrite,
}

/// How objects are encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Encryption {
    /// `AES256`, `KMS` or `SM4`.
    #[serde(rename = "SSEAlgorithm")]
    pub algorithm: String,
    /// The key of KMS, if it is not the one that OSS makes.
    #[serde(rename = "KMSMasterKeyID", default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}
