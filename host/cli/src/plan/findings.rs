//! Findings that forbid a plan or accompany one, at their places in the text that the person wrote.

use super::super::output::{Judged, Remarks, Style, Summary};
use crate::Streams;
use trellis_policies::answer::{Finding, Severity, Verdict};
use trellis_policies::judge::{AdmissionOperation, PlacedFinding, Ruling, place};
use trellis_policies::manifest::Document;
use trellis_runner::run::target::RunTarget;

/// Findings of a plan, which are printed as findings of rules are.
pub(crate) struct PlanFindings<'s> {
    target: &'s RunTarget,
    /// The object that the findings are about.
    document: &'s Document,
    ruling: Ruling,
}

impl<'s> PlanFindings<'s> {
    /// The findings of a plan.
    pub(crate) fn of_plan(target: &'s RunTarget, findings: Vec<Finding>) -> Self {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        let verdict = if findings.iter().any(is_error) { Verdict::Reject } else { Verdict::Accept };
        let placed = |finding| place(target.document(), finding, target.changes());
        let findings = findings.into_iter().map(placed).collect();
        Self::of_rules(target, Ruling { findings, ..Ruling::of(verdict) })
    }

    /// The findings of the rules of admission.
    pub(crate) fn of_rules(target: &'s RunTarget, ruling: Ruling) -> Self {
        Self { target, document: target.document(), ruling }
    }

    /// The findings at the Secret with the credentials, where it is among the files: the cloud refuses these, and
    /// the manifest of the Shoot may be as it should.
    ///
    /// A wrong secret has the code of a missing permission, so the cloud's own word distinguishes the two.
    pub(crate) fn at_credentials(mut self, are_refused: bool) -> Self {
        let findings = &mut self.ruling.findings;
        let is_wrong_secret = |placed: &PlacedFinding| placed.finding.detail.contains("Signature");
        let are_refused = are_refused || findings.iter().any(is_wrong_secret);
        let Some(secret) = self.target.secret().filter(|_| are_refused) else { return self };
        if findings.iter().all(|placed| placed.finding.pointer.is_empty()) {
            for placed in findings {
                placed.span = secret.root.locate("/data").highlight(&secret.input);
            }
            self.document = secret;
        }
        self
    }

    /// Whether there can be no plan.
    pub(crate) fn forbid(&self) -> bool {
        self.ruling.verdict == Verdict::Reject
    }

    /// All findings, and their sum.
    pub(crate) fn report(self, style: &Style) -> String {
        let judged = [self.judged()];
        let summary = Summary { judged: &judged, remarks: Remarks::default(), files: 1, hidden_warnings: 0 };
        judged.iter().map(|one| style.report(one)).collect::<String>() + &summary.text()
    }

    /// Prints the findings on standard error, which leaves standard output to the plan.
    pub(crate) fn say(self, streams: &mut Streams<'_>) {
        let style = Style::new(streams.stderr_has_color);
        let judged = self.judged();
        for placed in &judged.ruling.findings {
            streams.say(&style.finding(&judged, placed));
        }
    }

    /// The findings themselves.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.ruling.findings.into_iter().map(|PlacedFinding { finding, .. }| finding).collect()
    }

    fn judged(self) -> Judged<'s> {
        let Self { target, document, ruling } = self;
        let provider = target.provider().to_owned();
        Judged {
            document,
            provider,
            operation: AdmissionOperation::Create,
            is_applied: false,
            upgrade: None,
            ruling,
            left_to: None,
        }
    }
}
