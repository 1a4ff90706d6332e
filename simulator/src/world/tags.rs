//! Tags.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::action::{Arguments, Form, Parameter, Shape, field, items, optional, record, records, required};
use crate::action::{Rule, TEXT};

/// The tags of a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(BTreeMap<String, String>);

/// A tag's key or value: the limits of both.
pub const TAG_WORD: Form = Form::Text(&Rule {
    what: "at most 128 characters, not beginning with aliyun, acs:, http:// or https://",
    check: |text| {
        text.chars().count() <= 128
            && !["aliyun", "acs:", "http://", "https://"].iter().any(|start| text.starts_with(start))
    },
});

/// `Tag.1.Key` and `Tag.1.Value` and so on, as creations and taggings take them.
pub const TAGS: Parameter =
    optional("Tag", records(20, &[required("Key", TAG_WORD), optional("Value", TAG_WORD)]));
/// The same parameters as a filter, where a key may stand without a value.
pub const TAG_FILTER: Parameter = optional("Tag", records(20, &[optional("Key", TEXT), optional("Value", TEXT)]));

/// How tags stand in answers: `Tags.Tag[]` with `Key` and `Value`.
pub const TAG_SHAPE: Shape = record(&[field("Tag", items(&TAG))]);

const TAG: Shape = record(&[field("Key", Shape::Text), field("Value", Shape::Text)]);

impl FromIterator<(String, String)> for Tags {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(tags: T) -> Self {
        Self(tags.into_iter().collect())
    }
}

impl Tags {
    /// Reads the parameter `Tag`.
    pub fn read(arguments: &Arguments) -> Self {
        let mut tags = Self::default();
        tags.set(arguments);
        tags
    }

    /// Adds those of the parameter `Tag`, replacing values of the same keys.
    pub fn set(&mut self, arguments: &Arguments) {
        for tag in arguments.records("Tag") {
            self.0.insert(tag.text("Key").to_owned(), tag.text("Value").to_owned());
        }
    }

    /// Removes one.
    pub fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether all tags of the filter `Tag` are there; one without a value asks for the key alone.
    pub fn matches(&self, arguments: &Arguments) -> bool {
        self.match_all(arguments.records("Tag"))
    }

    /// Whether all tags of a filter of another name are there.
    pub fn match_all(&self, wanted: &[Arguments]) -> bool {
        wanted.iter().all(|wanted| {
            let value = self.0.get(wanted.text("Key"));
            value.is_some_and(|value| wanted.given("Value").is_none_or(|wanted| wanted == value))
        })
    }

    /// The tags for a list: all of them, or only those that the filter `Tag` names, or none where one of these is
    /// missing.
    pub fn wanted<'a>(&'a self, arguments: &'a Arguments) -> impl Iterator<Item = (&'a str, &'a str)> {
        let filter = arguments.records("Tag");
        let named = |key: &str| filter.is_empty() || filter.iter().any(|tag| tag.text("Key") == key);
        self.iter().filter(move |(key, _)| self.match_all(filter) && named(key))
    }

    /// The tags in the form of most answers: `{"Tag": [{"Key", "Value"}]}`.
    pub fn listed(&self) -> Value {
        self.named("Key", "Value")
    }

    /// The tags in the form of some answers: `{"Tag": [{"TagKey", "TagValue"}]}`.
    pub fn listed_long(&self) -> Value {
        self.named("TagKey", "TagValue")
    }

    fn named(&self, key: &str, value: &str) -> Value {
        let tags: Vec<Value> = self.0.iter().map(|(k, v)| json!({ key: k, value: v })).collect();
        json!({ "Tag": tags })
    }
}
