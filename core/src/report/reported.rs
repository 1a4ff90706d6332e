//! A finding that was just reported.

use std::borrow::Cow;

use super::Finding;
use super::collector::{MAX_WORDS, Share, cut};
use crate::document::{PatchOperation, Value};

/// A finding that was just reported, to say more about it. Where the same finding was there already, it keeps what was said of
/// it first.
#[derive(Debug)]
pub struct Reported<'r> {
    pub(super) finding: Option<&'r mut Finding>,
    /// What a new finding adds to.
    pub(super) share: Option<&'r mut Share>,
    pub(super) place: Place,
}

/// What is at the place of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A value.
    Value,
    /// Nothing, in an object or a list that is there.
    Gap,
    /// Nothing that could be set.
    Nowhere,
}

impl Reported<'_> {
    /// The finding where it is new, once it has so many more bytes of text.
    fn with(&mut self, bytes: usize) -> Option<&mut Finding> {
        let share = self.share.as_deref_mut()?;
        share.bytes += bytes;
        self.finding.as_deref_mut()
    }

    /// Says what to do in words of this case, instead of the rule's.
    pub fn remedy(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        let text = cut(text.into(), MAX_WORDS);
        if let Some(finding) = self.with(text.len()) {
            finding.remedy = text;
        }
        self
    }

    /// Leaves the value out: it is a secret, although the object is none.
    pub fn hide_value(self) {
        if let Some(finding) = self.finding {
            finding.bad_value = None;
        }
    }

    /// Says that other rules could not be judged because of it.
    pub fn hides_others(mut self) -> Self {
        if let Some(finding) = self.finding.as_deref_mut() {
            finding.hides_others = true;
        }
        self
    }

    /// Mends by setting the value at the finding's place; not where that has no place itself.
    pub fn fix_value(self, value: &Value<'_>) {
        let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) else { return };
        match self.place {
            Place::Value => self.fix(vec![PatchOperation::replace(pointer, value)]),
            Place::Gap => self.fix(vec![PatchOperation::add(pointer, value)]),
            Place::Nowhere => {}
        }
    }

    /// Mends by changes elsewhere.
    pub fn fix(mut self, operations: Vec<PatchOperation>) {
        let bytes = operations.iter().map(PatchOperation::bytes).sum();
        if let Some(finding) = self.with(bytes) {
            finding.fix = Some(operations);
        }
    }

    /// Mends by removing what is at the finding's place.
    pub fn fix_removal(self) {
        if let Some(pointer) = self.finding.as_ref().map(|finding| finding.pointer.clone()) {
            self.fix(vec![PatchOperation::remove(pointer)]);
        }
    }
}
