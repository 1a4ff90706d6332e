//! Rules that remove objects with time: `PutBucketLifecycle`, `GetBucketLifecycle`, `DeleteBucketLifecycle`.
//!
//! Rules are carried out once a day, at midnight in China: <https://www.alibabacloud.com/help/en/oss/user-guide/overview-54>

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::buckets::Bucket;
use super::errors::{ACCESS_DENIED, INVALID_ARGUMENT, INVALID_TAG, MALFORMED_XML, NO_SUCH_BUCKET};
use super::objects::Object;
use super::worm::WormState;
use super::{BUCKET, ENDPOINT, bucket, bucket_mut, instant, tagging};
use crate::action::{
    Action, Arguments, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Shape, TEXT, TIME, field, items,
    optional, record, records, required,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET, DELETE];

const NO_LIFECYCLE: ErrorCode = ErrorCode::new(404, "NoSuchLifecycle", "No Row found in Lifecycle Table.");

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
    fn read(rule: &Arguments, days: &str, before: &str) -> Result<Option<Self>, CloudError> {
        match (rule.integer(days), rule.given(before)) {
            (None, None) => Ok(None),
            (Some(days), None) => Ok(Some(Self::Days(days))),
            (None, Some(date)) => match date.parse::<Timestamp>() {
                Ok(date) if date.as_second().rem_euclid(86400) == 0 => Ok(Some(Self::CreatedBeforeDate(date))),
                _ => Err(INVALID_ARGUMENT.because("'Date' must be at midnight GMT.")),
            },
            (Some(_), Some(_)) => Err((&MALFORMED_XML).into()),
        }
    }

    /// The time when the rule applies to an object that was written then.
    fn applies(self, written: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Days(days) => {
                Some(written.checked_add(SignedDuration::from_hours(days * 24)).unwrap_or(Timestamp::MAX))
            }
            Self::CreatedBeforeDate(date) => (written < date).then_some(date),
        }
    }

    fn answer(self) -> Value {
        match self {
            Self::Days(days) => json!({ "Days": days }),
            Self::CreatedBeforeDate(date) => json!({ "CreatedBeforeDate": instant(date) }),
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
            rule.enabled
                && key.starts_with(&rule.prefix)
                && rule.tags.iter().all(|(key, value)| tags.get(key) == Some(value))
        });
        rules.filter_map(|rule| rule.expiration?.applies(object.modified)).min()
    }

    /// When an upload is to be given up.
    fn given_up(&self, key: &str, initiated: Timestamp) -> Option<Timestamp> {
        let rules = self.rules.iter().filter(|rule| rule.enabled && key.starts_with(&rule.prefix));
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
    pub(super) fn keep(&mut self, key: &str, object: Object, now: Timestamp) {
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

    /// Computes anew when rules apply next.
    pub(super) fn schedule(&mut self, now: Timestamp) {
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
    pub(super) fn apply_rules(&mut self, at: Timestamp) {
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

const DAYS: Form = Form::Integer(1, 2_147_483_647);

/// The parameters of a rule.
const RULE: &[Parameter] = &[
    optional("ID", TEXT),
    optional("Prefix", TEXT),
    required("Status", Form::OneOf(&["Enabled", "Disabled"])).malformed(&MALFORMED_XML).missing(&MALFORMED_XML),
    optional("Expiration.Days", DAYS),
    optional("Expiration.CreatedBeforeDate", TIME),
    optional("AbortMultipartUpload.Days", DAYS),
    optional("AbortMultipartUpload.CreatedBeforeDate", TIME),
    optional("Tag", records(20, tagging::TAG)),
];

const PUT: Action = Action::write("PutBucketLifecycle", put)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        optional("x-oss-allow-same-action-overlap", BOOLEAN),
        required("Rule", records(1000, RULE)).malformed(&MALFORMED_XML).missing(&MALFORMED_XML),
    ])
    .left_out(&[
        "Rule.AtimeBase",
        "Rule.Expiration.Date",
        "Rule.Expiration.ExpiredObjectDeleteMarker",
        "Rule.Filter",
        "Rule.NoncurrentVersionExpiration",
        "Rule.NoncurrentVersionTransition",
        "Rule.Transition",
    ])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &MALFORMED_XML, &INVALID_ARGUMENT, &INVALID_TAG]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    bucket(world, call, Permission::Own)?;
    let mut rules: Vec<Rule> = Vec::new();
    let mut ids = BTreeSet::new();
    for given in call.records("Rule") {
        let rule = Rule {
            id: given.text("ID").to_owned(),
            prefix: given.text("Prefix").to_owned(),
            enabled: given.text("Status") == "Enabled",
            tags: tagging::of_records(given.records("Tag"))?,
            expiration: When::read(given, "Expiration.Days", "Expiration.CreatedBeforeDate")?,
            abort: When::read(given, "AbortMultipartUpload.Days", "AbortMultipartUpload.CreatedBeforeDate")?,
        };
        if rule.expiration.is_none() && rule.abort.is_none() {
            return Err((&MALFORMED_XML).into());
        }
        if rule.id.len() > 255 || (!rule.id.is_empty() && !ids.insert(rule.id.clone())) {
            return Err(INVALID_ARGUMENT.because("Rule ID must be unique and of at most 255 bytes."));
        }
        if rule.abort.is_some() && !rule.tags.is_empty() {
            return Err(INVALID_ARGUMENT.because("Tag cannot be specified with AbortMultipartUpload."));
        }
        rules.push(rule);
    }
    if call.flag("x-oss-allow-same-action-overlap") != Some(true) && overlap(&rules) {
        return Err(INVALID_ARGUMENT.because("Overlap for same action type."));
    }
    for rule in rules.iter_mut().filter(|rule| rule.id.is_empty()) {
        rule.id = world.id("");
    }
    let bucket = bucket_mut(world, call, Permission::Own)?;
    bucket.rules = rules;
    bucket.schedule(call.now);
    Ok(json!({}))
}

/// Whether two rules do the same with the same objects.
fn overlap(rules: &[Rule]) -> bool {
    rules.iter().enumerate().any(|(index, one)| {
        rules.iter().skip(index + 1).any(|other| {
            let same = (one.expiration.is_some() && other.expiration.is_some())
                || (one.abort.is_some() && other.abort.is_some());
            same && one.tags == other.tags
                && (one.prefix.starts_with(&other.prefix) || other.prefix.starts_with(&one.prefix))
        })
    })
}

const WHEN: Shape = record(&[field("Days", Shape::Integer), field("CreatedBeforeDate", Shape::Text)]);

const GET: Action = Action::read("GetBucketLifecycle", get)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field(
        "LifecycleConfiguration",
        record(&[field(
            "Rule",
            items(&record(&[
                field("ID", Shape::Text),
                field("Prefix", Shape::Text),
                field("Status", Shape::Text),
                field("Tag", items(&record(&[field("Key", Shape::Text), field("Value", Shape::Text)]))),
                field("Expiration", WHEN),
                field("AbortMultipartUpload", WHEN),
            ])),
        )]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_LIFECYCLE]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let rules = &bucket(world, call, Permission::Own)?.rules;
    if rules.is_empty() {
        return Err((&NO_LIFECYCLE).into());
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| {
            let mut answer = Map::new();
            answer.insert("ID".to_owned(), json!(rule.id));
            answer.insert("Prefix".to_owned(), json!(rule.prefix));
            answer.insert("Status".to_owned(), json!(if rule.enabled { "Enabled" } else { "Disabled" }));
            if !rule.tags.is_empty() {
                answer.insert("Tag".to_owned(), tagging::listed(&rule.tags));
            }
            for (name, when) in [("Expiration", rule.expiration), ("AbortMultipartUpload", rule.abort)] {
                if let Some(when) = when {
                    answer.insert(name.to_owned(), when.answer());
                }
            }
            Value::Object(answer)
        })
        .collect();
    Ok(json!({ "LifecycleConfiguration": { "Rule": rules } }))
}

const DELETE: Action = Action::write("DeleteBucketLifecycle", delete)
    .parameters(&[BUCKET, ENDPOINT])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket_mut(world, call, Permission::Own)?;
    bucket.rules.clear();
    bucket.schedule(call.now);
    Ok(json!({}))
}

#[cfg(test)]
mod tests;
