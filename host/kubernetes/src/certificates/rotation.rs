//! The rotation of a Shoot's authorities.

use jiff::Timestamp;
use serde_json::Value;

/// How far the rotation of a Shoot's authorities is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// When it began; none where there never was one.
    pub began: Option<Timestamp>,
    /// Whether it comes to its end: old authorities are dropped.
    pub is_completing: bool,
}

impl Rotation {
    /// What a Shoot says (`status.credentials.rotation.certificateAuthorities`). A time that cannot be read is
    /// none, as it is for the policy.
    pub fn of(shoot: &Value) -> Self {
        let rotation = shoot.pointer("/status/credentials/rotation/certificateAuthorities");
        let text = |key| rotation.and_then(|rotation| rotation.get(key)).and_then(Value::as_str);
        Self {
            began: text("lastInitiationTime").and_then(|time| time.parse().ok()),
            is_completing: text("phase") == Some("Completing"),
        }
    }
}
