//! Rules that remove objects with time: `PutBucketLifecycle`, `GetBucketLifecycle`, `DeleteBucketLifecycle`.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::errors::{ACCESS_DENIED, INVALID_ARGUMENT, INVALID_TAG, MALFORMED_XML, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, KEPT, bucket, bucket_mut, instant, tagging};
use crate::action::{
    Action, Arguments, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Rule as TextRule, Shape, TEXT, TIME,
    field, items, optional, record, records, required,
};
use crate::world::World;
use crate::world::oss::{Rule, When};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET, DELETE];

const NO_LIFECYCLE: ErrorCode = ErrorCode::new(404, "NoSuchLifecycle", "No Row found in Lifecycle Table.");

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

    fn answer(self) -> Value {
        match self {
            Self::Days(days) => json!({ "Days": days }),
            Self::CreatedBeforeDate(date) => json!({ "CreatedBeforeDate": instant(date) }),
        }
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
    optional(
        KEPT,
        Form::Text(&TextRule { what: "what is left out, as XML: kept, not carried out", check: |_| true }),
    ),
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
            kept: given.text(KEPT).to_owned(),
        };
        if rule.expiration.is_none() && rule.abort.is_none() && rule.kept.is_empty() {
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
                field(KEPT, Shape::Text),
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
            if !rule.kept.is_empty() {
                answer.insert(KEPT.to_owned(), json!(rule.kept));
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
