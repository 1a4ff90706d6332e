//! Rules that remove objects with time.
//!
//! Rules are carried out once a day, at midnight in China:
//! <https://www.alibabacloud.com/help/en/oss/user-guide/overview-54>

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Bucket, Object, WormState};

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Rule {
    /// Its identifier.
    #[serde(rename = "ID")]
    pub id: String,
    /// The prefix of the keys of its objects.
    pub prefix: String,
    /// Whether it is carried out.
    pub enabled: bool,
    /// The tags that its objects have.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// When objects are removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<When>,
    /// When uploads in parts are given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abort: Option<When>,
    /// What else it has, as XML: it is kept, and not carried out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kept: String,
}

impl Rule {
    /// Whether the rule is carried out: not one with a filter, because nobody here knows what it leaves alone.
    fn is_carried_out(&self) -> bool {
        self.enabled && !self.kept.contains("<Filter>")
    }
}

/// The time when a rule applies to an object or upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// This number of days after it was written.
    Days(i64),
    /// At a time, to all that was written before.
    CreatedBeforeDate(Timestamp),
}

impl When {
    /// The time when the rule applies to an object that was written then.
    fn applies(self, written: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Days(days) => {
                Some(written.checked_add(SignedDuration::from_hours(days * 24)).unwrap_or(Timestamp::MAX))
            }
            Self::CreatedBeforeDate(date) => (written < date).then_some(date),
        }
    }
}

/// When rules are next carried out, from a time on.
fn midnight(time: Timestamp) -> Timestamp {
    const CHINA: i64 = 8 * 3600;
    const DAY: i64 = 24 * 3600;
    let second = time.as_second() + i64::from(time.subsec_nanosecond() > 0) + CHINA;
    let days = second.div_euclid(DAY) + i64::from(second.rem_euclid(DAY) > 0);
    Timestamp::from_second(days * DAY - CHINA).unwrap_or(Timestamp::MAX)
}

impl Bucket {
    /// When an object is to be removed, whether it is protected or not.
    fn expires(&self, key: &str, object: &Object) -> Option<Timestamp> {
        let rules = self.rules.iter().filter(|rule| {
            let tags = &object.properties.tags;
            rule.is_carried_out()
                && key.starts_with(&rule.prefix)
                && rule.tags.iter().all(|(key, value)| tags.get(key) == Some(value))
        });
        rules.filter_map(|rule| rule.expiration?.applies(object.modified)).min()
    }

    /// When an upload is to be given up.
    fn given_up(&self, key: &str, initiated: Timestamp) -> Option<Timestamp> {
        let rules = self.rules.iter().filter(|rule| rule.is_carried_out() && key.starts_with(&rule.prefix));
        rules.filter_map(|rule| rule.abort?.applies(initiated)).min()
    }

    /// The time when a rule next applies to an object.
    fn object_due(&self, key: &str, object: &Object, now: Timestamp) -> Option<Timestamp> {
        let mut free = self.protected(object, now);
        // A policy that nobody locks protects no longer than its first day.
        if let Some(worm) = self.worm.as_ref().filter(|worm| worm.state(now) == WormState::InProgress) {
            free = free.map(|free| free.min(worm.until()));
        }
        Some(self.expires(key, object)?.max(now).max(free.unwrap_or(now)))
    }

    /// Keeps an object.
    pub fn keep(&mut self, key: &str, object: Object, now: Timestamp) {
        if let Some(due) = self.object_due(key, &object, now) {
            self.remind(due);
        }
        self.objects.insert(key.to_owned(), Arc::new(object));
    }

    /// Moves the next application of rules to a time, if that is earlier.
    fn remind(&mut self, due: Timestamp) {
        let due = midnight(due);
        self.due = Some(self.due.map_or(due, |before| before.min(due)));
    }

    /// Computes once more when rules apply next.
    pub fn schedule(&mut self, now: Timestamp) {
        self.due = None;
        if self.rules.is_empty() {
            return;
        }
        let objects = self.objects.iter().filter_map(|(key, object)| self.object_due(key, object, now));
        let uploads = self.uploads.values();
        let uploads = uploads.filter_map(|upload| Some(self.given_up(&upload.key, upload.initiated)?.max(now)));
        if let Some(due) = objects.chain(uploads).min() {
            self.remind(due);
        }
    }

    /// Applies the rules that are due at a time.
    pub fn apply_rules(&mut self, at: Timestamp) {
        if self.due.is_none_or(|due| due > at) {
            return;
        }
        let over = |time: Option<Timestamp>| time.is_some_and(|time| time <= at);
        let objects = self
            .objects
            .iter()
            .filter(|(key, object)| over(self.expires(key, object)) && self.protected(object, at).is_none());
        let objects: Vec<String> = objects.map(|(key, _)| key.clone()).collect();
        let uploads = self.uploads.iter().filter(|(_, upload)| over(self.given_up(&upload.key, upload.initiated)));
        let uploads: Vec<String> = uploads.map(|(id, _)| id.clone()).collect();
        for key in objects {
            self.objects.remove(&key);
        }
        for id in uploads {
            self.uploads.remove(&id);
        }
        self.schedule(at);
        // The rules for what is left are due later.
        self.due = self.due.filter(|due| *due > at);
    }
}
