//! Retention policies, which protect objects from changes.
//!
//! A policy protects from its first moment on; unless it is locked within 24 hours, it expires.
//! <https://www.alibabacloud.com/help/en/oss/user-guide/oss-retention-policies>

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Bucket, Object};

/// How long a policy can be locked after it was made.
const TO_LOCK: SignedDuration = SignedDuration::from_hours(24);

/// A retention policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Worm {
    /// Its identifier.
    pub worm_id: String,
    /// For how many days after its last change an object is protected.
    pub retention_period_in_days: i64,
    /// When it was made.
    pub created: Timestamp,
    /// Whether it was locked.
    pub locked: bool,
}

/// The state of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WormState {
    /// It protects objects, and can be locked or deleted.
    InProgress,
    /// It protects objects, and can only be extended.
    Locked,
    /// It was not locked in time and protects no more.
    Expired,
}

impl Worm {
    /// The state of the policy at a time.
    pub fn state(&self, now: Timestamp) -> WormState {
        if self.locked {
            WormState::Locked
        } else if now < self.until() {
            WormState::InProgress
        } else {
            WormState::Expired
        }
    }

    /// Until when it can be locked.
    pub fn until(&self) -> Timestamp {
        self.created.checked_add(TO_LOCK).unwrap_or(Timestamp::MAX)
    }
}

impl Bucket {
    /// Until when an object can be neither changed nor removed, if it cannot at a time.
    pub fn protected(&self, object: &Object, now: Timestamp) -> Option<Timestamp> {
        let worm = self.worm.as_ref().filter(|worm| worm.state(now) != WormState::Expired)?;
        let period = SignedDuration::from_hours(worm.retention_period_in_days.saturating_mul(24));
        let until = object.modified.checked_add(period).unwrap_or(Timestamp::MAX);
        (now < until).then_some(until)
    }
}
