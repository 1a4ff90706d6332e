//! Rules on address ranges.

use crate::cidr::{Cidr, Family};
use crate::document::{Path, Value};
use crate::report::{ErrorType, Report, Reported, Rule, Severity};
use crate::text::quote;

/// A range as a person wrote it, with its place. A rule that compares ranges has nothing to say of a text that is
/// no range.
#[derive(Clone, Copy, Debug)]
pub struct PlacedRange<'p> {
    path: Path<'p>,
    text: &'p str,
    cidr: Option<Cidr>,
}

impl<'p> PlacedRange<'p> {
    /// A text at a place.
    pub fn new(path: Path<'p>, text: &'p str) -> Self {
        Self { path, text, cidr: Cidr::parse(text) }
    }

    /// The text.
    pub fn text(&self) -> &'p str {
        self.text
    }

    /// The range; none where the text is no range.
    pub fn cidr(&self) -> Option<Cidr> {
        self.cidr
    }

    /// The text is a range.
    pub fn parses<'r>(&self, rule: &'static Rule, report: &'r mut Report<'_>) -> Option<Reported<'r>> {
        let is_wrong = self.cidr.is_none();
        is_wrong.then(|| self.error(rule, format!("invalid CIDR address: {}", self.text), report))
    }

    /// The address in the text is the first of the range.
    pub fn is_canonical(&self, rule: &'static Rule, report: &mut Report<'_>) {
        let Some(cidr) = self.cidr.filter(|cidr| !cidr.is_canonical()) else { return };
        let network = cidr.network().to_string();
        self.error(rule, "must be valid canonical CIDR", report)
            .remedy(format!("Write the first address of the range: `{network}`."))
            .fix_value(&Value::string(network));
    }

    /// The range is one of IPv6.
    pub fn is_ipv6(&self, rule: &'static Rule, report: &mut Report<'_>) {
        if self.cidr.is_some_and(|cidr| cidr.family() == Family::IPv4) {
            self.error(rule, "must be a valid IPv6 address", report);
        }
    }

    /// The range lies within another one.
    pub fn is_subset_of<'r>(
        &self,
        outer: &Self,
        rule: &'static Rule,
        report: &'r mut Report<'_>,
    ) -> Option<Reported<'r>> {
        let (Some(own), Some(range)) = (&self.cidr, &outer.cidr) else { return None };
        if range.contains(own) {
            return None;
        }
        Some(self.error(rule, format!("must be a subset of {}", outer.name()), report))
    }

    /// The range shares no address with another one.
    pub fn is_apart_from(&self, other: &Self, rule: &'static Rule, report: &mut Report<'_>) {
        let (Some(own), Some(range)) = (&self.cidr, &other.cidr) else { return };
        if own.overlaps(range) {
            self.error(rule, format!("must not overlap with {}", other.name()), report);
        }
    }

    /// Place and text, as messages name a range.
    fn name(&self) -> String {
        format!("{} ({})", quote(&self.path.field()), quote(self.text))
    }

    fn error<'r>(
        &self,
        rule: &'static Rule,
        detail: impl Into<String>,
        report: &'r mut Report<'_>,
    ) -> Reported<'r> {
        report.error(rule, &self.path, ErrorType::Invalid, detail)
    }
}

/// No two ranges share an address. Every pair is compared until the report is full, so that a person sees all
/// collisions; each is reported at the later range.
pub fn are_apart(ranges: &[PlacedRange<'_>], rule: &'static Rule, report: &mut Report<'_>) {
    for (index, range) in ranges.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        for later in ranges.iter().skip(index + 1) {
            later.is_apart_from(range, rule, report);
        }
    }
}
