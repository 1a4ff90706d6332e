//! The lifecycle rules of a bucket. OSS keeps them as one document: a plan writes what it found, and adds its own.

use super::bucket::{Bucket, WRONG_SHAPE, wrong};
use crate::call::{Argument, Call, Query};
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::Facts;

/// Days after which OSS drops an upload that nobody finished.
const ABORT_DAYS: &str = "7";
/// Days after which OSS deletes an object with the mark.
pub const EXPIRATION_DAYS: i64 = 4;
/// Id of the rule about objects with the mark.
const MARK_RULE: &str = "GC-forTaggedObjects";
/// The mark.
const MARK: (&str, &str) = ("gc-marked-for-deletion", "true");

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The rule as it was found.
    pub document: Argument,
    /// Its id.
    id: String,
    /// Whether it says what becomes of unfinished uploads.
    aborts: bool,
    /// The days that it leaves uploads, where it is about all of the bucket.
    days: Option<u32>,
    /// Whether it does nothing but drop unfinished uploads.
    is_abort_alone: bool,
    /// Whether it deletes what has the mark, as ours does.
    is_of_marks: bool,
}

/// The members of a rule that drops unfinished uploads and does nothing else.
const MEMBERS_OF_ABORT: [&str; 4] = ["ID", "Prefix", "Status", "AbortMultipartUpload"];

impl Rule {
    /// A rule that drops unfinished uploads in all of a bucket, as a run makes it.
    pub fn aborting(days: u32) -> Self {
        Self {
            document: aborts(),
            id: String::new(),
            aborts: true,
            days: Some(days),
            is_abort_alone: true,
            is_of_marks: false,
        }
    }
}

/// What the rules of a bucket say of unfinished uploads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortRule {
    /// Nothing.
    None,
    /// OSS drops them after so many days.
    After(u32),
    /// Something that no rule of ours may stand next to.
    Other,
}

/// Asks for the rules of a bucket.
pub fn rules_query(bucket: &Bucket<'_>) -> Query {
    bucket.query("GetBucketLifecycle", &[])
}

/// The rules of a bucket that exists, in their order; `None` where nobody knows.
pub fn rules(bucket: &Bucket<'_>, facts: &mut Facts<'_>) -> Option<Vec<Rule>> {
    let query = rules_query(bucket);
    let response = bucket.response_of_existing(&query, "NoSuchLifecycle", facts)?;
    if matches!(response, Value::Null) {
        return Some(Vec::new());
    }
    let found: Option<Vec<Rule>> = match response.pointer("/LifecycleConfiguration/Rule") {
        Some(Value::Array(rules)) if !rules.is_empty() => rules.iter().map(read).collect(),
        _ => None,
    };
    if found.is_none() {
        facts.fail(wrong(&query, WRONG_SHAPE));
    }
    found
}

fn read(rule: &Value<'_>) -> Option<Rule> {
    let entry = Entry::new(rule);
    let is_enabled = entry.id("Status") == "Enabled";
    let is_whole = entry.text(&["Prefix"]).is_empty() && !entry.has("Filter");
    let tags = entry.each(&["Tag"], |tag| (tag.id("Key"), tag.text(&["Value"])));
    let days = entry.text(&["AbortMultipartUpload", "Days"]).parse().ok();
    let expiration = entry.text(&["Expiration", "Days"]).parse().ok();
    let is_of_marks = is_enabled && is_whole && tags == [MARK] && expiration == Some(EXPIRATION_DAYS);
    let members = if let Value::Object(members) = rule { members.as_slice() } else { &[] };
    let read = Rule {
        document: argument(rule),
        id: entry.text(&["ID"]).to_owned(),
        aborts: entry.has("AbortMultipartUpload"),
        days: days.filter(|_| is_enabled && is_whole && tags.is_empty()),
        // A list that a rule does not have is there without entries.
        is_abort_alone: members.iter().all(|(name, value)| {
            let is_empty = matches!(value, Value::Null) || matches!(value, Value::Array(list) if list.is_empty());
            is_empty || MEMBERS_OF_ABORT.contains(&name.as_ref())
        }),
        is_of_marks,
    };
    entry.is_right().then_some(read)
}

/// A part of a response as a part of a call.
fn argument(value: &Value<'_>) -> Argument {
    match value {
        Value::Null => Argument::Null,
        Value::Bool(flag) => Argument::Bool(*flag),
        Value::Number(text) | Value::String(text) => text.to_string().into(),
        Value::Array(entries) => Argument::List(entries.iter().map(argument).collect()),
        Value::Object(members) => {
            Argument::data(members.iter().map(|(name, member)| (name.as_ref(), argument(member))))
        }
    }
}

/// What rules say of unfinished uploads. OSS refuses two rules that do the same with the same objects.
pub fn abort_rule(rules: &[Rule]) -> AbortRule {
    match rules.iter().filter_map(|rule| rule.days).min() {
        Some(days) => AbortRule::After(days),
        None if rules.iter().any(|rule| rule.aborts) => AbortRule::Other,
        None => AbortRule::None,
    }
}

/// Whether a rule drops unfinished uploads in all of a bucket after so many days, and does nothing else.
pub fn is_abort_rule(rule: &Rule, days: u32) -> bool {
    rule.is_abort_alone && rule.days == Some(days)
}

/// Our rule about unfinished uploads, without an id as the existing extension makes it.
pub fn aborts() -> Argument {
    rule(None, "AbortMultipartUpload", ABORT_DAYS)
}

/// The rules that were found with ours about objects with the mark; `None` where they have it. Another rule with the id of
/// ours cannot stay, as ids are unique.
pub fn with_marks(rules: &[Rule]) -> Option<Vec<Argument>> {
    if rules.iter().any(|rule| rule.is_of_marks) {
        return None;
    }
    let others = rules.iter().filter(|rule| rule.id != MARK_RULE).map(|rule| rule.document.clone());
    Some(others.chain([rule(Some(MARK_RULE), "Expiration", &EXPIRATION_DAYS.to_string())]).collect())
}

fn rule(id: Option<&str>, action: &str, days: &str) -> Argument {
    let mut members: Vec<(&str, Argument)> = vec![
        ("Prefix", "".into()),
        ("Status", "Enabled".into()),
        (action, Argument::data([("Days", days.into())])),
    ];
    if let Some(id) = id {
        members.extend([("ID", id.into()), ("Tag", Argument::List(vec![mark()]))]);
    }
    Argument::data(members)
}

/// The mark as a tag.
pub fn mark() -> Argument {
    Argument::data([("Key", MARK.0.into()), ("Value", MARK.1.into())])
}

/// The call that sets all rules of a bucket.
pub fn put_rules(bucket: &Bucket<'_>, rules: Vec<Argument>) -> Call {
    bucket.call_with("PutBucketLifecycle", "Rule", Argument::List(rules))
}
