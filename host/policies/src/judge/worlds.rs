//! Judging on where a policy cannot read what is written: the object is judged again with what the findings
//! assume. And whether the object is right once a fix is made.

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

/// An object that is given, and the one before, which is absent on creation, as JSON texts.
#[derive(Clone)]
pub(super) struct Update {
    pub(super) object: String,
    pub(super) old: Option<String>,
    /// Whether a person wrote both as one text.
    pub(super) is_of_itself: bool,
    /// Keys that have another name than in the text: the pointer there, and the one here.
    pub(super) renamed: Vec<(String, String)>,
}

impl Update {
    /// The update as a finding assumes it; none where the changes do not fit the object. What the old object has
    /// as the new one has it, is assumed of both: else a section under a misspelt key would be missing in one of
    /// them, and that would be an edit.
    fn assuming(&self, changes: &[PatchOperation]) -> Option<Self> {
        let changes = &self.here(changes);
        let mut object: Value = serde_json::from_str(&self.object).ok()?;
        let old = self.old.as_deref().and_then(|old| serde_json::from_str(old).ok());
        let old = old.filter(|old: &Value| {
            let places = changes.iter().flat_map(|change| [Some(&change.path), change.from.as_ref()]).flatten();
            places.into_iter().all(|pointer| object.pointer(pointer) == old.pointer(pointer))
        });
        let old = old.and_then(|mut old| patch(&mut old, changes).map(|()| old.to_string()));
        patch(&mut object, changes)?;
        let mut renamed = self.renamed.clone();
        renamed.extend(changes.iter().filter_map(|change| Some((change.from.clone()?, change.path.clone()))));
        let old = old.or_else(|| self.old.clone());
        Some(Self { object: object.to_string(), old, renamed, is_of_itself: self.is_of_itself })
    }

    /// Changes of the text as changes of this object.
    fn here(&self, changes: &[PatchOperation]) -> Vec<PatchOperation> {
        let mut changes = changes.to_vec();
        for (written, renamed) in &self.renamed {
            let pointers = changes.iter_mut().flat_map(|change| [Some(&mut change.path), change.from.as_mut()]);
            for pointer in pointers.flatten().filter(|pointer| is_within(pointer, written)) {
                pointer.replace_range(..written.len(), renamed);
            }
        }
        changes
    }

    /// The update once a person made a fix; none where it does not fit the object. The old object stays, unless it
    /// is the same text.
    fn fixed(&self, fix: &[PatchOperation]) -> Option<Self> {
        let update = self.assuming(fix)?;
        Some(if self.is_of_itself { update } else { Self { old: self.old.clone(), ..update } })
    }
}

/// Judges an object that is given, of which policies have these opinions.
pub(super) fn judge<'p>(
    policy: &Policy<'_>,
    panel: &Panel<'p>,
    update: Update,
    opinions: &[Opinion<'p>],
    ask: &mut dyn FnMut(&Update) -> Result<Vec<Opinion<'p>>, Failure>,
) -> Result<Joined, Failure> {
    let (mut worlds, mut trials): (Vec<World<'_>>, Vec<World<'_>>) = (Vec::new(), Vec::new());
    let mut joined = join(policy, panel, opinions, [&[], &[]])?;
    let mut known: Vec<FindingCause> = Vec::new();
    // The object with all that policies cannot read replaced.
    let mut readable = update;
    for round in 0..=ROUNDS {
        let open: Vec<(FindingCause, &Finding)> = joined
            .findings
            .iter()
            .filter(|finding| !finding.assume.is_empty())
            .filter_map(|finding| Some((finding.as_cause()?, finding)))
            .filter(|(cause, _)| !known.contains(cause))
            .collect();
        // Names of which several may be meant come last, because each of them brings findings that only repeat the
        // mistake.
        let guesses = round == ROUNDS || open.iter().all(|(_, finding)| finding.is_guess());
        let mut update = readable.clone();
        let mut causes: Vec<(FindingCause, &[PatchOperation])> = Vec::new();
        for (cause, finding) in open.into_iter().filter(|(_, finding)| finding.is_guess() == guesses) {
            if known.len() + causes.len() >= CAUSES {
                break;
            }
            // What does not fit the object, because another policy changed that before, changes nothing.
            if let Some(changed) = update.assuming(&finding.assume) {
                update = changed;
                causes.push((cause, &finding.assume));
            }
        }
        if causes.is_empty() {
            break;
        }
        if causes.len() > 1 {
            for (cause, change) in causes.iter().take(TRIALS.saturating_sub(trials.len())) {
                let Some(alone) = readable.assuming(change) else { continue };
                trials.push(World { assumes: vec![cause.clone()], opinions: ask(&alone)? });
            }
        }
        known.extend(causes.into_iter().map(|(cause, _)| cause));
        worlds.push(World { assumes: known.clone(), opinions: ask(&update)? });
        joined = join(policy, panel, opinions, [&worlds, &trials])?;
        if guesses {
            break;
        }
        readable = update;
    }
    try_fixes(policy, panel, &readable, &mut joined.findings, ask)?;
    Ok(joined)
}

/// Leaves out the fixes of findings that bring further errors, of an object of which policies can read all.
fn try_fixes<'p>(
    policy: &Policy<'_>,
    panel: &Panel<'p>,
    readable: &Update,
    findings: &mut [Finding],
    ask: &mut dyn FnMut(&Update) -> Result<Vec<Opinion<'p>>, Failure>,
) -> Result<(), Failure> {
    let mut tried = 0;
    for at in 0..findings.len() {
        let Some(finding) = findings.get(at) else { break };
        let Some(fix) = finding.fix.as_deref() else { continue };
        let is_right = if fix == finding.assume && !finding.is_guess() {
            // The object that can be read has this fix.
            !findings.iter().enumerate().any(|(place, other)| {
                place != at && other.severity == Severity::Error && other.assumed && is_at(other, fix)
            })
        } else if let Some(update) = readable.fixed(fix) {
            tried += 1;
            tried <= FIXES && {
                let after = join(policy, panel, &ask(&update)?, [&[], &[]])?;
                let is_fine = |after: &Finding| is_known(after, findings) && !is_still_wrong(after, finding);
                after.failure.is_none() && after.findings.iter().all(is_fine)
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

/// Whether what is found after a fix of a value is an error of the new value.
fn is_still_wrong(after: &Finding, fixed: &Finding) -> bool {
    after.severity == Severity::Error && !fixed.at_key && after.pointer == fixed.pointer
}

/// Whether a finding is no error, or was there before.
fn is_known(finding: &Finding, before: &[Finding]) -> bool {
    let is_same = |other: &Finding| {
        (&other.source, &other.rule, &other.pointer) == (&finding.source, &finding.rule, &finding.pointer)
    };
    finding.severity != Severity::Error || before.iter().any(is_same)
}

/// Makes changes; none where they do not fit the object.
pub(super) fn patch(object: &mut Value, changes: &[PatchOperation]) -> Option<()> {
    // A key that the person wrote, too, is not what the misspelt one means.
    if changes.iter().any(|change| change.from.is_some() && object.pointer(&change.path).is_some()) {
        return None;
    }
    let changes: json_patch::Patch = serde_json::from_value(serde_json::to_value(changes).ok()?).ok()?;
    json_patch::patch(object, &changes).ok()
}
