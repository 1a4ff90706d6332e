//! Custom images.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::world::{Phase, Tags, resource};

/// A custom image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Image {
    /// Its identifier.
    pub image_id: String,
    /// Its name.
    pub image_name: String,
    /// Its description.
    pub description: String,
    /// `x86_64` or `arm64`.
    pub architecture: String,
    /// The operating system, such as `Garden Linux  64 bit`.
    #[serde(rename = "OSName")]
    pub os_name: String,
    /// `linux` or `windows`.
    #[serde(rename = "OSType")]
    pub os_type: String,
    /// The distribution, such as `Ubuntu`.
    pub platform: String,
    /// Its size in GiB.
    pub size: i64,
    /// Whether it is a copy of another.
    pub is_copied: bool,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// The key that it is encrypted with, where that is not the service's own.
    #[serde(rename = "KMSKeyId")]
    pub kms_key_id: String,
    /// The accounts that it is shared with, and since when.
    pub shared: BTreeMap<String, String>,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Image, image_id);

impl Image {
    /// The progress of its creation.
    pub(super) fn progress(&self, now: Timestamp) -> String {
        let done = || {
            let start: Timestamp = self.creation_time.parse().ok()?;
            let whole = self.phase.due()?.as_second() - start.as_second();
            (100 * (now.as_second() - start.as_second())).checked_div(whole)
        };
        format!("{}%", done().map_or(100, |done| done.clamp(0, 99)))
    }
}
