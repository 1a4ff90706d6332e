//! In which stage of its life a version of Kubernetes or of an image is.

use crate::document::Value;
use crate::kube::time::Time;
use crate::provider::gardener::fields::{items, text};

/// What became of a version, as its profile says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage<'v> {
    /// `preview`, `supported`, `deprecated`, or another word of the profile.
    Active(&'v str),
    /// Nobody can choose it any more.
    Expired,
    /// Nobody can choose it yet.
    Unavailable,
}

impl<'v> Stage<'v> {
    /// The stage at that time. Without a time, a version has its first stage.
    pub fn of(version: &'v Value<'v>, now: Option<Time>) -> Self {
        let stages = items(version, &["lifecycle"]);
        let written = text(version, &["classification"]);
        let mut found = Self::Unavailable;
        if stages.is_empty() {
            let expiration = text(version, &["expirationDate"]);
            let is_over = Time::parse(expiration).is_some_and(|time| now.is_some_and(|now| time < now));
            let classification = if written.is_empty() { "supported" } else { written };
            return if is_over { Self::Expired } else { Self::named(classification) };
        }
        for stage in stages {
            let start = text(stage, &["startTime"]);
            let has_begun =
                start.is_empty() || Time::parse(start).is_some_and(|time| now.is_some_and(|now| time < now));
            if has_begun {
                found = Self::named(text(stage, &["classification"]));
            }
        }
        found
    }

    fn named(classification: &'v str) -> Self {
        match classification {
            "expired" => Self::Expired,
            "unavailable" => Self::Unavailable,
            other => Self::Active(other),
        }
    }

    /// Whether somebody can choose the version.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Active(_))
    }
}
