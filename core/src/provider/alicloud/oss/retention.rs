//! The retention of a bucket, which OSS calls WORM.

use super::bucket::{Answer, Bucket, WRONG_SHAPE, wrong};
use super::lifecycle::EXPIRATION_DAYS;
use crate::call::Query;
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::Facts;
use crate::kube::time::Time;

/// Hours after which OSS drops a retention that nobody locked.
const UNLOCKED_HOURS: i64 = 24;

/// The retention of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Its id.
    pub id: String,
    /// How far it is.
    pub state: RetentionState,
    /// Days that an object is kept after it was written.
    pub days: i64,
    /// When it was begun; empty where OSS does not say.
    created: String,
}

/// How far a retention is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetentionState {
    /// It holds, and can be taken away.
    InProgress,
    /// It holds, and can only become longer.
    Locked,
    /// Nobody locked it within a day: it holds no more.
    Expired,
}

/// Asks for the retention of a bucket.
pub fn retention_query(bucket: &Bucket<'_>) -> Query {
    bucket.query("GetBucketWorm", &[])
}

/// The retention of a bucket that exists.
pub fn retention(bucket: &Bucket<'_>, facts: &mut Facts<'_>) -> Answer<Retention> {
    let query = retention_query(bucket);
    let response = match bucket.response_of_existing(&query, "NoSuchWORMConfiguration", facts) {
        None => return Answer::Unknown,
        Some(Value::Null) => return Answer::Nothing,
        Some(response) => response,
    };
    let entry = Entry::new(response.get("WormConfiguration").unwrap_or(&Value::Null));
    let state = match entry.text(&["State"]) {
        "InProgress" => Some(RetentionState::InProgress),
        "Locked" => Some(RetentionState::Locked),
        "Expired" => Some(RetentionState::Expired),
        _ => None,
    };
    let days = entry.text(&["RetentionPeriodInDays"]).parse().ok();
    let (id, created) = (entry.id("WormId").to_owned(), entry.text(&["CreationDate"]).to_owned());
    match (state, days) {
        (Some(state), Some(days)) if entry.is_right() => Answer::Found(Retention { id, state, days, created }),
        _ => {
            facts.fail(wrong(&query, WRONG_SHAPE));
            Answer::Unknown
        }
    }
}

impl Retention {
    /// A retention as a run makes it.
    pub fn imagined(days: i64, is_locked: bool) -> Self {
        let state = if is_locked { RetentionState::Locked } else { RetentionState::InProgress };
        Self { id: "(retention)".to_owned(), state, days, created: String::new() }
    }

    /// Whether objects cannot be deleted for their time.
    pub fn holds(&self) -> bool {
        self.state != RetentionState::Expired
    }

    /// Until when an object with the mark stays that was written at a time: until its retention is over, and the rule
    /// about marks lets it go.
    pub fn until(&self, written: &str) -> String {
        let unlocked = Some(self.expires()).filter(|_| self.state == RetentionState::InProgress);
        let kept = later(written, self.days.saturating_mul(24));
        let kept = unlocked.filter(|expires| !expires.is_empty() && *expires < kept).unwrap_or(kept);
        kept.max(later(written, EXPIRATION_DAYS * 24))
    }

    /// When it expires, or expired, if nobody locks it.
    pub fn expires(&self) -> String {
        later(&self.created, UNLOCKED_HOURS)
    }
}

/// The time so many hours later; the text itself where it is no time.
fn later(text: &str, hours: i64) -> String {
    Time::parse(text).map_or_else(|| text.to_owned(), |time| time.hours_later(hours).to_string())
}
