//! What one policy says of an object, and what several say together.

use super::panel::Panel;
use super::{PlacedFinding, Ruling, place};
use crate::answer::{
    DefaultChange, Failure, Finding, PatchOperation, Scope, Severity, Undecided, Validation, Verdict,
};
use crate::manifest::Document;
use crate::policy::{GARDENER, Policy};

/// What one policy says of an object.
pub(super) struct Opinion<'p> {
    pub(super) policy: &'p Policy<'p>,
    /// Defaults that the policy set.
    pub(super) changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    pub(super) open_defaults: Vec<Undecided>,
    /// Why the policy sets no default on the object.
    pub(super) refusal: Option<Failure>,
    /// Why there is no answer.
    pub(super) failure: Option<Failure>,
    /// What the rules say; none before they are asked.
    pub(super) validation: Option<Validation>,
}

impl<'p> Opinion<'p> {
    pub(super) fn new(policy: &'p Policy<'p>) -> Self {
        let (changes, open_defaults) = (Vec::new(), Vec::new());
        Self { policy, changes, open_defaults, refusal: None, failure: None, validation: None }
    }

    /// Whose opinion it is: `gardener`, or a provider type.
    fn source(&self) -> &'p str {
        self.policy.provider()
    }

    fn is_gardeners(&self) -> bool {
        self.source() == GARDENER
    }

    /// Writes down whose findings, questions and changes these are.
    pub(super) fn sign(&mut self) {
        let source = self.source();
        self.changes.iter_mut().for_each(|change| source.clone_into(&mut change.source));
        self.open_defaults.iter_mut().for_each(|open| source.clone_into(&mut open.source));
        let Some(validation) = &mut self.validation else { return };
        validation.findings.iter_mut().for_each(|finding| source.clone_into(&mut finding.source));
        validation.undecided.iter_mut().for_each(|open| source.clone_into(&mut open.source));
    }
}

/// One ruling of all opinions on an object. A failure means that some policy could not judge, and that no other policy told why.
pub(super) fn joined(
    document: &Document,
    panel: &Panel<'_>,
    mut opinions: Vec<Opinion<'_>>,
) -> Result<Ruling, Failure> {
    opinions.iter_mut().for_each(Opinion::sign);
    let (mut findings, mut undecided, mut truncated) = (Vec::new(), Vec::new(), Vec::new());
    let (mut changes, mut scope, mut is_open, mut is_rejected) = (Vec::new(), Scope::default(), false, false);
    let mut failures = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    let asks_gardener = opinions.iter().any(|opinion| opinion.is_gardeners() && opinion.validation.is_some());
    for Opinion { policy, changes: own, open_defaults, refusal, failure, validation } in opinions {
        // Rules may reject an object that has a default which the policy could not decide.
        is_open |= !open_defaults.is_empty();
        changes.extend(own);
        undecided.extend(open_defaults);
        findings.extend(refusal.map(|refusal| denied(refusal, policy.provider())));
        failures.extend(failure.map(|failure| (policy.provider(), failure)));
        let Some(validation) = validation else { continue };
        is_open |= validation.verdict == Verdict::Undecided;
        is_rejected |= validation.verdict == Verdict::Reject;
        findings.extend(validation.findings);
        undecided.extend(validation.undecided);
        truncated.extend(validation.truncated);
        scope.checked.extend(validation.scope.checked);
        scope.parts.extend(validation.scope.parts);
        let mut others = validation.scope.not_checked;
        others.retain(|other| other != GARDENER || !asks_gardener);
        // What a provider's rules leave out is said before the long list of Gardener's.
        others.append(&mut left_out);
        left_out = others;
    }
    without_doubles(panel, &mut findings, &mut undecided);
    // What one policy cannot read, another one may have told of at its place.
    let is_told = |failure: &Failure| {
        let pointer = failure.pointer.as_deref().unwrap_or_default();
        findings.iter().any(|finding| finding.severity == Severity::Error && finding.pointer == pointer)
    };
    let unread = match failures.iter().position(|(_, failure)| !is_told(failure)) {
        Some(at) => return Err(failures.swap_remove(at).1),
        None => {
            failures.iter().map(|(source, _)| format!("{source}'s rules, which need an object that can be read"))
        }
    };
    scope.not_checked = panel.missing().map(str::to_owned).into_iter().chain(unread).chain(left_out).collect();
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    let verdict = match () {
        () if is_rejected || findings.iter().any(is_error) => Verdict::Reject,
        () if is_open => Verdict::Undecided,
        () => Verdict::Accept,
    };
    let mut findings: Vec<PlacedFinding> =
        findings.into_iter().map(|finding| place(document, finding, &changes)).collect();
    findings.sort_by_key(|placed| placed.span.start);
    let all = [Severity::Error, Severity::Warning];
    let truncated = all.into_iter().filter(|severity| truncated.contains(severity)).collect();
    Ok(Ruling { verdict, findings, truncated, undecided, changes, ambiguous: Vec::new(), scope })
}

/// Leaves out what Gardener's rules say and a rule of the provider repeats, and questions that are asked twice.
fn without_doubles(panel: &Panel<'_>, findings: &mut Vec<Finding>, undecided: &mut Vec<Undecided>) {
    let doubles = |source: &str, rule: &str| -> &[String] {
        let policy = panel.policies().iter().find(|policy| policy.provider() == source);
        policy.map(|policy| policy.doubles(rule)).unwrap_or_default()
    };
    let said: Vec<(String, Severity, &[String])> = findings
        .iter()
        .filter(|finding| finding.source != GARDENER)
        .map(|finding| {
            let rules = doubles(&finding.source, finding.rule.as_deref().unwrap_or_default());
            (finding.pointer.clone(), finding.severity, rules)
        })
        .collect();
    findings.retain(|finding| {
        finding.source != GARDENER
            || !said.iter().any(|(pointer, severity, rules)| {
                *pointer == finding.pointer
                    && (*severity == Severity::Error || finding.severity == Severity::Warning)
                    && rules.iter().any(|rule| finding.rule.as_ref() == Some(rule))
            })
    });
    let asked = undecided.iter().filter(|open| open.source != GARDENER);
    let asked: Vec<&String> = asked.flat_map(|open| doubles(&open.source, &open.rule)).collect();
    let mut known: Vec<(String, String)> = Vec::new();
    undecided.retain(|open| {
        let question = (open.rule.clone(), open.why.clone());
        let is_double = open.source == GARDENER && asked.contains(&&open.rule);
        let is_new = !is_double && !known.contains(&question);
        if is_new {
            known.push(question);
        }
        is_new
    });
}

/// The finding for a refusal to set defaults.
fn denied(Failure { message, pointer, .. }: Failure, source: &str) -> Finding {
    Finding {
        rule: None,
        source: source.to_owned(),
        severity: Severity::Error,
        error_type: Failure::DENIED.to_owned(),
        field: String::new(),
        pointer: pointer.unwrap_or_default(),
        at_key: false,
        bad_value: None,
        detail: message,
        remedy: "Mend this first: defaults cannot be set on the object as it is.".to_owned(),
        fix: None::<Vec<PatchOperation>>,
        choices: Vec::new(),
    }
}
