//! What policies find of an object.

use super::place::{PlacedFinding, place};
use crate::answer::{DefaultChange, Finding, Scope, Severity, Undecided, Verdict};
use crate::manifest::{Document, Identity};

/// What the policies found.
#[derive(Debug)]
pub struct Ruling {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors and warnings, in the order of the text.
    pub findings: Vec<PlacedFinding>,
    /// The severities of which there are more findings than are listed.
    pub truncated: Vec<Severity>,
    /// Rules that could not be judged.
    pub undecided: Vec<Undecided>,
    /// Defaults that were set before.
    pub changes: Vec<DefaultChange>,
    /// References that the policy could not follow.
    pub ambiguous: Vec<Ambiguity>,
    /// Whose rules the verdict covers.
    pub scope: Scope,
}

impl Ruling {
    /// A refusal for one reason.
    pub fn refusal(document: &Document, finding: Finding) -> Self {
        Self { findings: vec![place(document, finding, &[])], ..Self::of(Verdict::Reject) }
    }

    /// A verdict alone.
    pub fn of(verdict: Verdict) -> Self {
        let (findings, truncated, undecided, changes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (ambiguous, scope) = (Vec::new(), Scope::default());
        Self { verdict, findings, truncated, undecided, changes, ambiguous, scope }
    }
}

/// What an object refers to, where Trellis cannot know which object that is, because files have different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// Kind, namespace and name.
    pub object: String,
    /// File and line of each.
    pub places: Vec<String>,
}

impl Ambiguity {
    pub(super) fn new(identity: &Identity, candidates: &[&Document]) -> Self {
        Self { object: identity.to_string(), places: candidates.iter().map(|one| one.place()).collect() }
    }
}
