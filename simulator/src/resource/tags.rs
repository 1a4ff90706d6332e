//! The tags of a resource.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tags of a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(BTreeMap<String, String>);

impl FromIterator<(String, String)> for Tags {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(tags: T) -> Self {
        Self(tags.into_iter().collect())
    }
}

impl Tags {
    /// Adds one, replacing the value of the same key.
    pub fn insert(&mut self, key: &str, value: &str) {
        self.0.insert(key.to_owned(), value.to_owned());
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
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
