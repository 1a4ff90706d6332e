//! Judging on where a policy cannot read what is written: the object is judged again with what the findings assume. And whether
//! the object is right once a fix is made.

use serde_json::Value;

use super::opinion::join;
use super::panel::Panel;
use super::place::is_within;
use crate::answer::{Failure, Finding, FindingCause, Joined, Opinion, PatchOperation, Severity, World};
use crate::policy::Policy;

/// How often the object is changed: behind a value that cannot be read may be another one.
const ROUNDS: usize = 8;
/// The most findings from whose changes judging goes on. A person who fixes these sees the others.
const CAUSES: usize = 32;
/// The most findings whose changes are tried one by one, to see what follows from which.
const TRIALS: usize = 8;
/// The most fixes that are tried. What nobody tried is not certain.
const FIXES: usize = 16;

/// Judges an object that is sent, of which policies have these opinions.
pub(super) fn judge<'p>(
    policy: &Policy<'_>,
    panel: &Panel<'p>,
    sent: &str,
    opinions: &[Opinion<'p>],
    ask: &mut dyn FnMut(&str) -> Result<Vec<Opinion<'p>>, Failure>,
) -> Result<Joined, Failure> {
    let (mut worlds, mut trials): (Vec<World<'_>>, Vec<World<'_>>) = (Vec::new(), Vec::new());
    let mut joined = join(policy, panel, opinions, [&[], &[]])?;
    let mut known: Vec<FindingCause> = Vec::new();
    // The object with all that policies cannot read replaced.
    let mut readable = sent.to_owned();
    for round in 0..=ROUNDS {
        let open: Vec<(FindingCause, &Finding)> = joined
            .findings
            .iter()
            .filter(|finding| !finding.assume.is_empty())
            .filter_map(|finding| Some((finding.as_cause()?, finding)))
            .filter(|(cause, _)| !known.contains(cause))
            .collect();
        // Names of which several may be meant come last: with one of them, others are told that only repeat the mistake.
        let guesses = round == ROUNDS || open.iter().all(|(_, finding)| finding.is_guess());
        let mut object = readable.clone();
        let mut causes: Vec<(FindingCause, &[PatchOperation])> = Vec::new();
        for (cause, finding) in open.into_iter().filter(|(_, finding)| finding.is_guess() == guesses) {
            if known.len() + causes.len() >= CAUSES {
                break;
            }
            // What does not fit the object, because another policy changed that before, changes nothing.
            if let Some(changed) = patched(&object, &finding.assume) {
                object = changed;
                causes.push((cause, &finding.assume));
            }
        }
        if causes.is_empty() {
            break;
        }
        if causes.len() > 1 {
            for (cause, change) in causes.iter().take(TRIALS.saturating_sub(trials.len())) {
                let Some(object) = patched(&readable, change) else { continue };
                trials.push(World { assumes: vec![cause.clone()], opinions: ask(&object)? });
            }
        }
        known.extend(causes.into_iter().map(|(cause, _)| cause));
        worlds.push(World { assumes: known.clone(), opinions: ask(&object)? });
        joined = join(policy, panel, opinions, [&worlds, &trials])?;
        if guesses {
            break;
        }
        readable = object;
    }
    try_fixes(policy, panel, &readable, &mut joined.findings, ask)?;
    Ok(joined)
}

/// Leaves out the fixes of findings that bring further errors, of an object of which policies can read all.
fn try_fixes<'p>(
    policy: &Policy<'_>,
    panel: &Panel<'p>,
    readable: &str,
    findings: &mut [Finding],
    ask: &mut dyn FnMut(&str) -> Result<Vec<Opinion<'p>>, Failure>,
) -> Result<(), Failure> {
    let mut tried = 0;
    for at in 0..findings.len() {
        let Some(finding) = findings.get(at) else { break };
        let Some(fix) = finding.fix.as_deref() else { continue };
        let is_right = if fix == finding.assume && !finding.is_guess() {
            // The object that can be read has this fix.
            !findings.iter().any(|other| other.severity == Severity::Error && other.assumed && is_at(other, fix))
        } else if let Some(object) = patched(readable, fix) {
            tried += 1;
            tried <= FIXES && {
                let after = join(policy, panel, &ask(&object)?, [&[], &[]])?;
                after.failure.is_none() && after.findings.iter().all(|new| is_known(new, findings))
            }
        } else {
            // A fix of what a default set does not fit the object that is sent.
            continue;
        };
        if let Some(finding) = findings.get_mut(at).filter(|_| !is_right) {
            finding.fix = None;
        }
    }
    Ok(())
}

/// Whether a finding is about what a fix changes.
fn is_at(finding: &Finding, fix: &[PatchOperation]) -> bool {
    fix.iter().any(|change| is_within(&finding.pointer, &change.path))
}

/// Whether a finding is no error, or was there before.
fn is_known(finding: &Finding, before: &[Finding]) -> bool {
    let is_same = |other: &Finding| {
        (&other.source, &other.rule, &other.pointer) == (&finding.source, &finding.rule, &finding.pointer)
    };
    finding.severity != Severity::Error || before.iter().any(is_same)
}

/// The object with some changes, as JSON text; none where they do not fit it.
fn patched(object: &str, changes: &[PatchOperation]) -> Option<String> {
    let mut object: Value = serde_json::from_str(object).ok()?;
    // A key that the person wrote, too, is not what the misspelt one means.
    if changes.iter().any(|change| change.from.is_some() && object.pointer(&change.path).is_some()) {
        return None;
    }
    let changes = serde_json::to_value(changes).ok()?;
    let patch: json_patch::Patch = serde_json::from_value(changes).ok()?;
    json_patch::patch(&mut object, &patch).ok()?;
    Some(object.to_string())
}
