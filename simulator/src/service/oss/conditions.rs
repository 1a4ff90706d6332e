//! Conditions on an object, and parts of its content, as headers ask for them.

use jiff::Timestamp;

use super::errors::{NOT_MODIFIED, PRECONDITION_FAILED};
use crate::action::{CloudError, Form, Rule};
use crate::world::oss::Object;

/// A time as it stands in headers.
pub(super) const DATE: Form = Form::Text(&Rule {
    what: "a time such as Fri, 02 Jan 2026 03:04:05 GMT",
    check: |text| moment(text).is_some(),
});

fn moment(text: &str) -> Option<Timestamp> {
    Some(jiff::fmt::rfc2822::parse(text).ok()?.timestamp())
}

/// The conditions on an object under which a call is carried out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<'a> {
    /// It has one of these digests.
    pub(super) matches: Option<&'a str>,
    /// It has none of these digests.
    pub(super) matches_not: Option<&'a str>,
    /// It was written after this.
    pub(super) modified_since: Option<&'a str>,
    /// It was not written after this.
    pub(super) unmodified_since: Option<&'a str>,
}

impl Conditions<'_> {
    /// Refuses the call where a condition does not hold.
    pub(super) fn hold(&self, object: &Object) -> Result<(), CloudError> {
        let tag = &object.content.e_tag;
        let named = |tags: &str| {
            tags.split(',')
                .map(|tag| tag.trim().trim_matches('"'))
                .any(|one| one == "*" || one.eq_ignore_ascii_case(tag))
        };
        let after = |time: &str| moment(time).is_some_and(|time| object.modified.as_second() > time.as_second());
        if self.matches.is_some_and(|tags| !named(tags)) || self.unmodified_since.is_some_and(after) {
            return Err((&PRECONDITION_FAILED).into());
        }
        if self.matches_not.is_some_and(named) || self.modified_since.is_some_and(|time| !after(time)) {
            return Err((&NOT_MODIFIED).into());
        }
        Ok(())
    }
}

/// The part of a content that a call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// All of it, also where the header asks for several parts or cannot be read.
    Whole,
    /// These bytes.
    Part(std::ops::Range<usize>),
    /// Bytes that are not there.
    Nothing,
}

impl Range {
    /// The bytes that a header `Range` asks for of so many.
    pub(super) fn read(header: &str, length: usize) -> Self {
        let Some((first, last)) = header.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
            return Self::Whole;
        };
        let number = |text: &str| text.trim().parse::<usize>();
        let range = match (number(first), number(last)) {
            (Ok(first), Ok(last)) => first..length.min(last.saturating_add(1)),
            (Ok(first), Err(_)) if last.trim().is_empty() => first..length,
            (Err(_), Ok(last)) if first.trim().is_empty() => length.saturating_sub(last)..length,
            _ => return Self::Whole,
        };
        if range.is_empty() { Self::Nothing } else { Self::Part(range) }
    }
}
