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
    /// The stage at that time. Without a time, a version whose stage [depends on it](is_dated) is one that can be
    /// chosen.
    pub fn of(version: &'v Value<'v>, now: Option<Time>) -> Self {
        let stages = items(version, &["lifecycle"]);
        let classification = version.get("classification").and_then(Value::as_str).unwrap_or("supported");
        let Some(now) = now.filter(|_| is_dated(version)) else { return Self::named(classification) };
        if stages.is_empty() {
            let is_over = Time::parse(text(version, &["expirationDate"])).is_some_and(|time| time < now);
            return if is_over { Self::Expired } else { Self::named(classification) };
        }
        let mut found = Self::Unavailable;
        for stage in stages {
            let start = text(stage, &["startTime"]);
            if start.is_empty() || Time::parse(start).is_some_and(|time| time < now) {
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

/// Whether the stage of a version depends on the time.
pub fn is_dated(version: &Value<'_>) -> bool {
    !text(version, &["expirationDate"]).is_empty() || !items(version, &["lifecycle"]).is_empty()
}

/// What stays open of a version without a time.
pub const NO_TIME: &str =
    "the time is not given here; whether the version may be used by now is checked on submit";

/// Whether a version leaves a part to the API server: all of it, or its last numbers.
pub fn is_open(version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version.is_empty() || version.split('.').count() < 3 && version.split('.').all(is_number)
}
