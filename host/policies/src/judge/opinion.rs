//! What several policies say together, with places in the person's text.

use super::panel::Panel;
use super::{PlacedFinding, Ruling, place};
use crate::answer::{
    Answered, Defaults, Failure, Finding, JoinRequest, Joined, Opinion, Scope, Section, Severity, Undecided,
    Validation, Verdict,
};
use crate::engine::Function;
use crate::manifest::Document;
use crate::policy::Policy;

/// One ruling of all opinions on an object. A failure means that some policy could not judge, and that no other policy reports why.
pub(super) fn joined<'p>(
    document: &Document,
    panel: &'p Panel<'p>,
    mut opinions: Vec<Opinion<'p>>,
) -> Result<Ruling, Failure> {
    let joins = panel.policies().iter().find(|policy| policy.answers(Function::Join));
    let joined = match (joins, opinions.len()) {
        (None, 0 | 1) => alone(opinions.pop())?,
        (None, _) => return Err(unjudged("no policy answers `join`, which makes one answer of several")),
        (Some(policy), _) => {
            for opinion in &mut opinions {
                repeated(opinion, panel);
            }
            policy.join(&JoinRequest { opinions, missing: panel.missing().into_iter().collect() })?
        }
    };
    let Joined { verdict, findings, truncated, undecided, changes, scope, failure } = joined;
    let verdict = match (verdict, failure) {
        (_, Some(failure)) => return Err(failure),
        (verdict, None) => verdict.unwrap_or(Verdict::Undecided),
    };
    let scope = in_text(scope, document);
    let mut findings: Vec<PlacedFinding> =
        findings.into_iter().map(|finding| place(document, finding, &changes)).collect();
    findings.sort_by_key(|placed| placed.span.start);
    Ok(Ruling { verdict, findings, truncated, undecided, changes, ambiguous: Vec::new(), scope })
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
fn repeated<'p>(opinion: &mut Opinion<'p>, panel: &'p Panel<'p>) {
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

/// The finding for a refusal to set defaults.
fn refused(Failure { message, pointer, fix, .. }: Failure) -> Finding {
    Finding {
        rule: None,
        source: String::new(),
        severity: Severity::Error,
        error_type: Failure::DENIED.to_owned(),
        field: String::new(),
        pointer: pointer.unwrap_or_default(),
        at_key: false,
        bad_value: None,
        detail: message,
        remedy: "Fix this first: the policy cannot set defaults on the object as it is.".to_owned(),
        fix: fix.and_then(|fix| serde_json::from_value(*fix).ok()),
        choices: Vec::new(),
        caused_by: None,
        assumed: false,
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
