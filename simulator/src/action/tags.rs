//! Tags as calls give them and ask for them.

use super::{Arguments, Form, Parameter, Rule, Shape, TEXT, field, items, optional, record, records, required};
use crate::resource::Tags;

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
            self.insert(tag.text("Key"), tag.text("Value"));
        }
    }

    /// Whether all tags of the filter `Tag` are there; one without a value asks for the key alone.
    pub fn matches(&self, arguments: &Arguments) -> bool {
        self.match_all(arguments.records("Tag"))
    }

    /// Whether all tags of a filter of another name are there.
    pub fn match_all(&self, wanted: &[Arguments]) -> bool {
        wanted.iter().all(|wanted| {
            let value = self.get(wanted.text("Key"));
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
}
