//! The object of a review, and whether there is anything to judge in it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::kinds;
use crate::webhook::{Operation, Review};

/// What a webhook does with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Judges it.
    Validates,
    /// Fills in what a person left out.
    Mutates,
}

/// An object to judge.
pub struct ReviewedObject {
    /// Its kind.
    pub kind: String,
    /// Its text.
    pub object: Box<RawValue>,
    /// The text of the object as it is stored; none where the object is created.
    pub old: Option<Box<RawValue>>,
    value: OnceLock<Value>,
}

/// Nobody can judge the object of a review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewedObjectError {
    /// The version is not one that policies read.
    #[error("{kind} of `{version}` cannot be judged: policies read `{read}`")]
    Version {
        /// Kind of the object.
        kind: String,
        /// Its version.
        version: String,
        /// The version that policies read.
        read: &'static str,
    },
    /// The review lacks a part.
    #[error("the review has no `{0}`")]
    Missing(&'static str),
    /// The object is of another kind than the review says.
    #[error("the review is about {review}, and its object is {object}")]
    OtherKind {
        /// What the review says.
        review: String,
        /// What the object says.
        object: String,
    },
    /// The object has another form.
    #[error("the object cannot be read: {0}")]
    Form(#[from] serde_json::Error),
}

impl ReviewedObject {
    /// The object of a review; none where the object is admitted as it is: nobody creates or changes it, it is
    /// being deleted, or the parts that are judged stay as they are.
    pub fn of(review: Review, effect: Effect) -> Result<Option<Self>, ReviewedObjectError> {
        if !matches!(review.operation, Operation::Create | Operation::Update) {
            return Ok(None);
        }
        let Review { kind, subresource, operation, object, old_object, .. } = review;
        // A profile's status has a part that is filled in.
        if !subresource.is_empty() && (effect, subresource.as_str()) != (Effect::Mutates, "status") {
            return Ok(None);
        }
        let object = object.ok_or(ReviewedObjectError::Missing("object"))?;
        let old = match operation {
            Operation::Update => Some(old_object.ok_or(ReviewedObjectError::Missing("oldObject"))?),
            _ => None,
        };
        if let Some(read) = kinds::version(&kind.group)
            && read != kind.version
        {
            return Err(ReviewedObjectError::Version { kind: kind.kind, version: kind.version, read });
        }
        let Head { api_version, kind: named, metadata } = serde_json::from_str(object.get())?;
        let expected = kinds::api_version(&kind);
        if (&*named, &*api_version) != (kind.kind.as_str(), expected.as_str()) {
            let shown = |text: &str| text.chars().take(60).collect::<String>();
            return Err(ReviewedObjectError::OtherKind {
                review: format!("{} of `{expected}`", kind.kind),
                object: format!("`{}` of `{}`", shown(&named), shown(&api_version)),
            });
        }
        if metadata.deletion_timestamp.is_some() {
            return Ok(None);
        }
        if let Some(old) = &old
            && is_unchanged(&object, old, effect)?
        {
            return Ok(None);
        }
        Ok(Some(Self { kind: kind.kind, object, old, value: OnceLock::new() }))
    }

    /// The object. Most reviews need its text alone.
    pub fn value(&self) -> &Value {
        // It has been read before, and its levels have been counted.
        self.value.get_or_init(|| serde_json::from_str(self.object.get()).unwrap_or_default())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'h> {
    #[serde(borrow, default)]
    api_version: Cow<'h, str>,
    #[serde(borrow, default)]
    kind: Cow<'h, str>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    deletion_timestamp: Option<serde::de::IgnoredAny>,
}

/// Whether an update leaves all but the metadata as it is; where an object is judged, also all but the status.
/// Values are compared as they are written, because the API server writes the same value in the same way.
fn is_unchanged(object: &RawValue, old: &RawValue, effect: Effect) -> Result<bool, serde_json::Error> {
    Ok(parts(object, effect)? == parts(old, effect)?)
}

/// The members of an object that count, as they are written.
fn parts(object: &RawValue, effect: Effect) -> Result<BTreeMap<String, &str>, serde_json::Error> {
    let mut members: BTreeMap<String, &RawValue> = serde_json::from_str(object.get())?;
    members.remove("metadata");
    if effect == Effect::Validates {
        members.remove("status");
    }
    Ok(members.into_iter().map(|(key, value)| (key, value.get())).collect())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use serde_json::json;
    use tokio::time::Instant;

    use super::*;
    use crate::controller::runtime::testing::merge;
    use crate::webhook::Kind;

    fn review(operation: Operation, subresource: &str, object: &Value, old: &Value) -> Review {
        let text = |value: &Value| (!value.is_null()).then(|| RawValue::from_string(value.to_string()).unwrap());
        let [group, version, kind] = ["core.gardener.cloud", "v1beta1", "Shoot"].map(str::to_owned);
        Review {
            kind: Kind { group, version, kind },
            subresource: subresource.to_owned(),
            namespace: String::new(),
            name: String::new(),
            operation,
            object: text(object),
            old_object: text(old),
            sender: (Ipv4Addr::LOCALHOST, 1).into(),
            deadline: Instant::now(),
        }
    }

    fn shoot(change: Value) -> Value {
        let mut shoot = json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": { "name": "s" },
            "spec": { "region": "r" }, "status": { "a": 1 },
        });
        merge(&mut shoot, change);
        shoot
    }

    #[test]
    fn what_stays_as_it_is_or_is_being_deleted_is_admitted() {
        use Effect::{Mutates, Validates};
        use Operation::{Connect, Create, Delete, Update};
        let (old, none) = (shoot(json!({})), Value::Null);
        let region = shoot(json!({ "spec": { "region": "q" } }));
        let deleted = shoot(
            json!({ "spec": { "region": "q" }, "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" } }),
        );
        let labelled = shoot(json!({ "metadata": { "labels": { "a": "b" } } }));
        let status = shoot(json!({ "status": { "a": 2 } }));
        for (operation, subresource, object, old, effect, judged) in [
            (Create, "", &old, &none, Validates, true),
            (Create, "", &old, &none, Mutates, true),
            (Create, "", &deleted, &none, Validates, false),
            (Delete, "", &none, &old, Validates, false),
            (Connect, "", &old, &none, Validates, false),
            (Create, "binding", &old, &none, Validates, false),
            (Update, "", &region, &old, Validates, true),
            (Update, "", &deleted, &old, Validates, false),
            (Update, "", &labelled, &old, Validates, false),
            (Update, "", &labelled, &old, Mutates, false),
            (Update, "", &status, &old, Validates, false),
            (Update, "", &status, &old, Mutates, true),
            (Update, "status", &status, &old, Mutates, true),
            (Update, "status", &status, &old, Validates, false),
        ] {
            let reviewed = ReviewedObject::of(review(operation, subresource, object, old), effect).unwrap();
            assert_eq!(reviewed.is_some(), judged, "{operation:?} {subresource} {object} {effect:?}");
        }
    }

    #[test]
    fn what_nobody_can_judge_is_reported() {
        let (object, none) = (shoot(json!({})), Value::Null);
        let reported = |review: Review| ReviewedObject::of(review, Effect::Validates).err().unwrap().to_string();
        assert_eq!(reported(review(Operation::Create, "", &none, &none)), "the review has no `object`");
        assert_eq!(reported(review(Operation::Update, "", &object, &none)), "the review has no `oldObject`");
        let mut other = review(Operation::Create, "", &object, &none);
        other.kind.version = "v2".to_owned();
        assert_eq!(reported(other), "Shoot of `v2` cannot be judged: policies read `v1beta1`");
        for change in [json!({ "kind": "Seed" }), json!({ "apiVersion": "v1" }), json!({ "kind": null })] {
            let words = reported(review(Operation::Create, "", &shoot(change), &none));
            assert!(
                words.starts_with("the review is about Shoot of `core.gardener.cloud/v1beta1`, and"),
                "{words}"
            );
        }
        for odd in [json!("x"), json!(5), shoot(json!({ "metadata": 7 }))] {
            assert!(
                reported(review(Operation::Create, "", &odd, &none)).starts_with("the object cannot be read: ")
            );
        }
    }
}
