//! Says more about a finding that was just reported.

use std::borrow::Cow;

use super::limits::{MANY, MAX_BYTES, MAX_SUPPORTED, MAX_WORDS, Share, cut};
use super::{Cause, ErrorType, Finding, Release};
use crate::document::{PatchOperation, Value};

/// A finding that was just reported, to say more about it. Where the report had the same finding before, the
/// report keeps what was said of it first.
#[derive(Debug)]
pub struct Reported<'r> {
    pub(super) finding: Option<&'r mut Finding>,
    /// The share of the report that a new finding takes from.
    pub(super) share: Option<&'r mut Share>,
    pub(super) place: Place,
    /// Whether findings say which release brought them.
    pub(super) shows_release: bool,
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

    /// Whether the object has a value at the place of the finding.
    pub fn is_of_value(&self) -> bool {
        matches!(self.place, Place::Value)
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

    /// Says in a phrase what is wrong, where the existing extension's words do not.
    pub fn summary(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        let text = cut(text.into(), MAX_WORDS);
        if let Some(finding) = self.with(text.len()) {
            finding.summary = text;
        }
        self
    }

    /// Leaves the value out, because the value is secret, although the object is no Secret.
    pub fn hide_value(mut self) -> Self {
        if let Some(finding) = self.finding.as_deref_mut() {
            finding.bad_value = None;
        }
        self
    }

    /// The finding as the cause of others.
    pub fn as_cause(&self) -> Option<Cause> {
        self.finding.as_ref().map(|finding| Cause { rule: finding.rule, pointer: finding.pointer.clone() })
    }

    /// Says that the finding follows from another one, which follows from none.
    pub fn caused_by(mut self, cause: &Cause) -> Self {
        if let Some(finding) = self.with(cause.rule.len() + cause.pointer.len()) {
            finding.caused_by = Some(cause.clone());
        }
        self
    }

    /// Says which minor release brought the finding, where not the rule but a part of it is new.
    pub fn since(mut self, minor: u16) -> Self {
        let shows_release = self.shows_release;
        if let Some(finding) = self.with(0).filter(|_| shows_release) {
            finding.since = Some(Release::of(minor));
        }
        self
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

    /// Offers values to choose from, which are texts. Where nothing can be set at the place of the finding, there
    /// is no choice.
    pub fn choices<'t>(mut self, values: impl Iterator<Item = &'t str>) -> Self {
        if self.place != Place::Nowhere {
            let values: Vec<String> = values.map(str::to_owned).collect();
            if let Some(finding) = self.with(values.iter().map(String::len).sum()) {
                finding.choices = values;
            }
        }
        self
    }

    /// Lists all supported values, which are texts, where there are many.
    pub fn supported(mut self, values: &[&str]) -> Self {
        let bytes: usize = values.iter().map(|value| value.len()).sum();
        // What the existing software denies in plain text has no field that could say whose values these are.
        let is_of_field = self.finding.as_ref().is_some_and(|finding| finding.error_type != ErrorType::Denied);
        if is_of_field
            && (MANY..=MAX_SUPPORTED).contains(&values.len())
            && bytes <= MAX_BYTES / 4
            && let Some(finding) = self.with(bytes)
        {
            finding.supported = values.iter().map(|value| (*value).to_owned()).collect();
        }
        self
    }

    /// Judges on with one of the supported values at the place of a finding about a value that is not supported.
    pub fn assume_choice(self, value: &Value<'_>) -> Self {
        let is_choice = |finding: &&&mut Finding| finding.error_type == ErrorType::NotSupported;
        let Some(pointer) = self.finding.as_ref().filter(is_choice).map(|finding| finding.pointer.clone()) else {
            return self;
        };
        match self.place {
            Place::Value => self.assume(vec![PatchOperation::replace(pointer, value)]),
            Place::Gap => self.assume(vec![PatchOperation::add(pointer, value)]),
            Place::Nowhere => self,
        }
    }

    /// Fixes by setting the value at the place of the finding. Without an object or list around that place there
    /// is no fix.
    pub fn fix_value(self, value: &Value<'_>) {
        let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) else { return };
        match self.place {
            Place::Value => self.fix(vec![PatchOperation::replace(pointer, value)]),
            Place::Gap => self.fix(vec![PatchOperation::add(pointer, value)]),
            Place::Nowhere => {}
        }
    }

    /// Fixes by these changes.
    pub fn fix(mut self, operations: Vec<PatchOperation>) {
        let bytes = operations.iter().map(PatchOperation::bytes).sum();
        if let Some(finding) = self.with(bytes) {
            finding.fix = Some(operations);
        }
    }

    /// Says from which changed object judging goes on.
    pub fn assume(mut self, operations: Vec<PatchOperation>) -> Self {
        let bytes = operations.iter().map(PatchOperation::bytes).sum();
        if let Some(finding) = self.with(bytes) {
            finding.assume = operations;
        }
        self
    }

    /// Fixes by removing the value at the place of the finding.
    pub fn fix_removal(self) {
        if let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) {
            self.fix(vec![PatchOperation::remove(pointer)]);
        }
    }

    /// Fixes by removing an entry of a list, at the place of the finding, and the equal ones right behind it: else
    /// one of these would stand there then.
    pub fn fix_removal_from(self, list: &[Value<'_>]) {
        let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) else { return };
        let Some((parent, at)) = pointer.rsplit_once('/') else { return };
        let Some(entries) = at.parse().ok().and_then(|at: usize| Some((at, list.get(at..)?))) else { return };
        let (at, entries) = entries;
        let count = entries.iter().take_while(|entry| entries.first() == Some(*entry)).count();
        let operations = (at..at + count).rev().map(|at| PatchOperation::remove(format!("{parent}/{at}")));
        self.fix(operations.collect());
    }
}
