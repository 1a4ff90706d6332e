//! Findings that forbid a plan, or go with one, where the person wrote what they are about.

use super::super::output::{Judged, Style};
use super::super::subject::Subject;
use crate::answer::{Finding, Severity, Undecided, Verdict};
use crate::cli::Streams;
use crate::judge::{Operation, PlacedFinding, Ruling, place};

/// Findings of a plan, as the findings of rules are told.
pub(in crate::cli) struct Told<'s> {
    subject: &'s Subject,
    ruling: Ruling,
}

impl<'s> Told<'s> {
    /// The findings of a plan.
    pub(in crate::cli) fn of_plan(subject: &'s Subject, findings: Vec<Finding>) -> Self {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        let verdict = if findings.iter().any(is_error) { Verdict::Reject } else { Verdict::Accept };
        let placed = |finding| place(subject.document(), finding, subject.changes());
        let findings = findings.into_iter().map(placed).collect();
        Self::of_rules(
            subject,
            Ruling { verdict, findings, undecided: Vec::<Undecided>::new(), changes: Vec::new() },
        )
    }

    /// What the rules of admission say.
    pub(in crate::cli) fn of_rules(subject: &'s Subject, ruling: Ruling) -> Self {
        Self { subject, ruling }
    }

    /// Whether there can be no plan.
    pub(in crate::cli) fn forbid(&self) -> bool {
        self.ruling.verdict == Verdict::Reject
    }

    /// All of them, and the sum.
    pub(in crate::cli) fn report(self, style: &Style) -> String {
        style.report(&[self.judged()], 0)
    }

    /// Says them on standard error, which leaves standard output to the plan.
    pub(in crate::cli) fn say(self, streams: &mut Streams<'_>) {
        let style = Style::new(streams.stderr_has_color);
        let judged = self.judged();
        for placed in &judged.ruling.findings {
            streams.say(&style.finding(&judged, placed));
        }
    }

    /// The findings themselves.
    pub(in crate::cli) fn into_findings(self) -> Vec<Finding> {
        self.ruling.findings.into_iter().map(|PlacedFinding { finding, .. }| finding).collect()
    }

    fn judged(self) -> Judged<'s> {
        let Self { subject, ruling } = self;
        let (document, provider) = (subject.document(), subject.provider());
        Judged { document, provider, operation: Operation::Create, ruling }
    }
}
