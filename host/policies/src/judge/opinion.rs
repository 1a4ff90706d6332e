//! What several policies say together, with places in the person's text.

use super::panel::Panel;
use super::{PlacedFinding, Ruling, place};
use crate::answer::{
    Answered, Defaults, Failure, Finding, FindingCause, JoinRequest, Joined, Opinion, Scope, Section, Severity,
    Undecided, Validation, Verdict, World,
};
use crate::engine::Function;
use crate::manifest::Document;
use crate::policy::Policy;

/// The policy that makes one opinion of several.
pub(super) fn joins<'p>(panel: &Panel<'p>) -> Option<&'p Policy<'p>> {
    panel.policies().iter().find(|policy| policy.answers(Function::Join)).copied()
}

/// One opinion of several, of the object as it is and with what findings assume.
pub(super) fn join<'p>(
    policy: &Policy<'_>,
    panel: &'p Panel<'p>,
    opinions: &'p [Opinion<'p>],
    [worlds, trials]: [&'p [World<'p>]; 2],
) -> Result<Joined, Failure> {
    policy.join(&JoinRequest { opinions, missing: panel.missing().into_iter().collect(), worlds, trials })
}

/// The opinions of a panel that nobody joins.
pub(super) fn unjoined(mut opinions: Vec<Opinion<'_>>) -> Result<Joined, Failure> {
    match opinions.len() {
        0 | 1 => alone(opinions.pop()),
        _ => Err(unjudged("no policy answers `join`, which makes one answer of several")),
    }
}

/// The ruling that an opinion is. A failure means that some policy could not judge, and that no other policy
/// reports why.
pub(super) fn ruled(document: &Document, joined: Joined) -> Result<Ruling, Failure> {
    let Joined { verdict, mut findings, truncated, undecided, changes, scope, failure } = joined;
    let verdict = match (verdict, failure) {
        (_, Some(failure)) => return Err(failure),
        (verdict, None) => verdict.unwrap_or(Verdict::Undecided),
    };
    let scope = in_text(scope, document);
    raise(&mut findings);
    let mut findings: Vec<PlacedFinding> =
        findings.into_iter().map(|finding| place(document, finding, &changes)).collect();
    findings.sort_by_key(|placed| placed.span.start);
    Ok(Ruling { verdict, findings, truncated, undecided, changes, ambiguous: Vec::new(), scope })
}

/// Makes errors of warnings from which errors follow: below a warning, nobody looks for an error.
fn raise(findings: &mut [Finding]) {
    let of_errors = |finding: &Finding| finding.caused_by.clone().filter(|_| finding.severity == Severity::Error);
    let causes: Vec<FindingCause> = findings.iter().filter_map(of_errors).collect();
    for finding in
        findings.iter_mut().filter(|finding| finding.as_cause().is_some_and(|own| causes.contains(&own)))
    {
        finding.severity = Severity::Error;
    }
}

/// The scope without sections of which the text has nothing, and with the lines of the others.
fn in_text(mut scope: Scope, document: &Document) -> Scope {
    for section in std::mem::take(&mut scope.sections) {
        let places = section.pointers.iter().map(|pointer| document.root.locate(pointer));
        let starts = places.filter(|place| place.exact).map(|place| place.key.unwrap_or(place.node.span).start);
        match starts.min() {
            Some(start) => {
                let line = Some(document.input.position(start).line);
                scope.sections.push(Section { line, ..section });
            }
            None => scope.not_checked.retain(|name| *name != section.name),
        }
    }
    scope
}

/// Writes down which of Gardener's rules are repeated by those rules of an opinion that say something.
pub(super) fn repeated<'p>(opinion: &mut Opinion<'p>, panel: &Panel<'p>) {
    let Some(Answered::Answer(validation)) = &opinion.validate else { return };
    let policy = panel.policies().iter().find(|policy| policy.provider() == opinion.source).copied();
    let says = validation.findings.iter().filter_map(|finding| finding.rule.as_deref());
    let asks = validation.undecided.iter().map(|open| open.rule.as_str());
    let rules = says.chain(asks).filter_map(|id| policy?.rule(id));
    let doubles = rules.filter(|rule| !rule.doubles.is_empty());
    opinion.doubles = doubles.map(|rule| (rule.id.as_str(), rule.doubles.as_slice())).collect();
}

/// What one policy says, where none can join it with others.
fn alone(opinion: Option<Opinion<'_>>) -> Result<Joined, Failure> {
    let Some(Opinion { source, default, validate, .. }) = opinion else {
        return Err(unjudged("no policy judged the object"));
    };
    let default = default.map(Answered::into_result).transpose();
    let Validation { verdict, mut findings, truncated, undecided, scope } = match validate {
        Some(validate) => validate.into_result()?,
        None => return Err(default.err().unwrap_or_else(|| unjudged("no policy judged the object"))),
    };
    let none = Defaults { changes: Vec::new(), undecided: Vec::new() };
    let (Defaults { mut changes, undecided: open }, verdict) = match default {
        Err(refusal) => {
            findings.insert(0, refused(refusal));
            (none, Verdict::Reject)
        }
        Ok(defaults) => (defaults.unwrap_or(none), verdict),
    };
    // Rules may reject an object that has a default which the policy could not decide.
    let is_open = verdict == Verdict::Accept && !open.is_empty();
    let mut asked: Vec<Undecided> = Vec::new();
    for question in open.into_iter().chain(undecided) {
        if !asked.iter().any(|known| (&known.rule, &known.why) == (&question.rule, &question.why)) {
            asked.push(question);
        }
    }
    let mut undecided = asked;
    let signed = changes.iter_mut().map(|change| &mut change.source);
    let signed = signed.chain(undecided.iter_mut().map(|open| &mut open.source));
    for of in signed.chain(findings.iter_mut().map(|finding| &mut finding.source)) {
        source.clone_into(of);
    }
    let verdict = Some(if is_open { Verdict::Undecided } else { verdict });
    Ok(Joined { verdict, findings, truncated, undecided, changes, scope, failure: None })
}

/// The remedy of a refusal to set defaults that names none.
const NO_DEFAULTS: &str = "Fix this first: the policy cannot set defaults on the object as it is.";

/// The finding for a refusal to set defaults.
fn refused(Failure { message, pointer, rule, at_key, remedy, fix, .. }: Failure) -> Finding {
    Finding {
        rule,
        source: String::new(),
        severity: Severity::Error,
        type_: Failure::DENIED.to_owned(),
        field: String::new(),
        pointer: pointer.unwrap_or_default(),
        at_key,
        bad_value: None,
        detail: message,
        summary: String::new(),
        remedy: remedy.unwrap_or_else(|| NO_DEFAULTS.to_owned()),
        fix,
        assume: Vec::new(),
        choices: Vec::new(),
        supported: Vec::new(),
        caused_by: None,
        assumed: false,
        since: None,
    }
}

fn unjudged(message: &str) -> Failure {
    Failure::new(Failure::UNKNOWN_ANSWER, message)
}

/// A policy that says nothing yet.
pub(super) fn silent<'p>(policy: &'p Policy<'p>) -> Opinion<'p> {
    Opinion {
        source: policy.provider(),
        doubles: std::collections::BTreeMap::new(),
        default: None,
        validate: None,
    }
}
