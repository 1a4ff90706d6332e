//! Says more about a finding that was just reported.

use std::borrow::Cow;

use super::Finding;
use super::limits::{MAX_WORDS, Share, cut};
use crate::document::{PatchOperation, Value};

/// A finding that was just reported, to say more about it. Where the report had the same finding before, the report keeps what
/// was said of it first.
#[derive(Debug)]
pub struct Reported<'r> {
    pub(super) finding: Option<&'r mut Finding>,
    /// The share of the report that a new finding takes from.
    pub(super) share: Option<&'r mut Share>,
    pub(super) place: Place,
}

/// What the object has at the place of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A value.
    Value,
    /// No value; the object or list around the place exists.
    Gap,
    /// No value, and nothing around the place to set a value in.
    Nowhere,
}

impl Reported<'_> {
    /// The finding, where it is new. Counts so many more bytes of text for it.
    fn with(&mut self, bytes: usize) -> Option<&mut Finding> {
        let share = self.share.as_deref_mut()?;
        share.bytes += bytes;
        self.finding.as_deref_mut()
    }

    /// Whether the report keeps what is said of the finding.
    pub fn is_new(&self) -> bool {
        self.share.is_some()
    }

    /// Says what to do in words of this case, instead of the words of the rule.
    pub fn remedy(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        let text = cut(text.into(), MAX_WORDS);
        if let Some(finding) = self.with(text.len()) {
            finding.remedy = text;
        }
        self
    }

    /// Leaves the value out: the value is secret, although the object is no Secret.
    pub fn hide_value(self) {
        if let Some(finding) = self.finding {
            finding.bad_value = None;
        }
    }

    /// Says that the key is wrong and not the value.
    pub fn at_key(mut self) -> Self {
        if let Some(finding) = self.finding.as_deref_mut() {
            finding.at_key = true;
        }
        self
    }

    /// Says that Trellis could not judge other rules because of this finding.
    pub fn hides_others(mut self) -> Self {
        if let Some(finding) = self.finding.as_deref_mut() {
            finding.hides_others = true;
        }
        self
    }

    /// Offers values to choose from, which are texts. Where nothing can be set at the place of the finding, there is no choice.
    pub fn choices<'t>(mut self, values: impl Iterator<Item = &'t str>) -> Self {
        if self.place != Place::Nowhere {
            let values: Vec<String> = values.map(str::to_owned).collect();
            if let Some(finding) = self.with(values.iter().map(String::len).sum()) {
                finding.choices = values;
            }
        }
        self
    }

    /// Mends by setting the value at the place of the finding. Without an object or list around that place there is no mend.
    pub fn fix_value(self, value: &Value<'_>) {
        let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) else { return };
        match self.place {
            Place::Value => self.fix(vec![PatchOperation::replace(pointer, value)]),
            Place::Gap => self.fix(vec![PatchOperation::add(pointer, value)]),
            Place::Nowhere => {}
        }
    }

    /// Mends by these changes.
    pub fn fix(mut self, operations: Vec<PatchOperation>) {
        let bytes = operations.iter().map(PatchOperation::bytes).sum();
        if let Some(finding) = self.with(bytes) {
            finding.fix = Some(operations);
        }
    }

    /// Mends by removing the value at the place of the finding.
    pub fn fix_removal(self) {
        if let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) {
            self.fix(vec![PatchOperation::remove(pointer)]);
        }
    }
}
