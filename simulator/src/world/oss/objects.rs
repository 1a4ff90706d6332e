//! Objects, and uploads in parts that are to become some.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Content, Encryption};

/// An object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Object {
    /// Its content.
    pub content: Content,
    /// When it was last written.
    pub modified: Timestamp,
    /// Written at once (`Normal`) or in parts (`Multipart`).
    pub object_type: String,
    /// Its properties.
    pub properties: Properties,
}

/// The properties that its writer gave an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Properties {
    /// `Standard` or `IA`.
    pub storage_class: String,
    /// The headers that it is answered with, such as `Content-Type`.
    pub headers: BTreeMap<String, String>,
    /// The writer's own, `x-oss-meta-` left away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Its tags.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// How it is encrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<Encryption>,
}

/// An upload in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Upload {
    /// The object that it is to become.
    pub key: String,
    /// When it was begun.
    pub initiated: Timestamp,
    /// The properties of the object.
    pub properties: Properties,
    /// Whether an object that exists is kept.
    pub forbid_overwrite: bool,
    /// The parts that are there, by number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<i64, Part>,
}

/// A part of an upload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Part {
    /// Its content.
    pub content: Content,
    /// When it was written.
    pub modified: Timestamp,
}
