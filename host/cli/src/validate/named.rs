//! Errors of an object that stand at another one, which it names.

use std::collections::HashMap;

use crate::output::Judged;
use crate::session::{Assignment, Session};
use trellis_policies::answer::{Effect, Finding, Severity, Verdict};
use trellis_policies::headline::headline;
use trellis_policies::judge::{PlacedFinding, Ruling, Settings, is_judged_by};
use trellis_policies::manifest::{Document, Identity};
use trellis_policies::policy::GARDENER;

/// The objects that others name, each judged once.
pub(super) struct Named<'s> {
    session: &'s Session<'s>,
    settings: Settings<'s>,
    /// Whether errors may be left to objects that nobody asked to judge, which notes name then. A report that has
    /// results alone would lose these errors.
    with_notes: bool,
    known: HashMap<*const Document, Reference>,
    notes: Vec<String>,
}

/// An object that others name.
enum Reference {
    /// No policy judges it.
    Unjudged,
    /// It is refused before a policy judges it, or a policy could not judge it.
    Failed,
    /// It is judged.
    Judged(Box<JudgedReference>),
}

/// An object that others name, judged itself.
struct JudgedReference {
    provider: String,
    ruling: Ruling,
    /// The object without its mistakes, where Trellis knows how to correct some.
    corrected: Option<Document>,
    /// Whether notes say its errors.
    is_noted: bool,
}

impl<'s> Named<'s> {
    pub(super) fn new(session: &'s Session<'s>, settings: Settings<'s>, with_notes: bool) -> Self {
        Self { session, settings, with_notes, known: HashMap::new(), notes: Vec::new() }
    }

    /// Leaves errors of an object to the objects that it names, where they are reported there: what is wrong with
    /// a Secret at the Secret, and with a CloudProfile there, and not once more at each Shoot.
    pub(super) fn leave(&mut self, one: &mut Judged<'_>) {
        let (session, settings) = (self.session, self.settings);
        let document = one.document;
        for (place, identity) in session.named(document) {
            if one.count(Severity::Error) == 0 {
                return;
            }
            // What Gardener itself says of a reference is about the object that refers.
            let is_about = |finding: &Finding| {
                finding.is_denial() && finding.source != GARDENER && finding.pointer.starts_with(place)
            };
            // What a binding says of a Secret, the Secret's own rules say.
            let is_binding = matches!(document.kind(), "SecretBinding" | "CredentialsBinding");
            let is_profile = identity.kind.ends_with("CloudProfile");
            let is_any_at = one.ruling.findings.iter().any(|placed| placed.finding.pointer.starts_with(place));
            if !is_binding && !is_profile && !is_any_at {
                continue;
            }
            let judged = session.judged(document, &identity);
            let is_context = is_profile && self.with_notes;
            let context = is_context.then(|| session.meant(document, &identity)).flatten();
            let Some(named) = judged.or(context) else { continue };
            let known = self.known.entry(named).or_insert_with(|| judge_reference(named, session, settings));
            let reference = match known {
                Reference::Judged(reference) => reference,
                // Nobody can say more of a reference to what nobody can judge.
                Reference::Failed if judged.is_some() => {
                    if let Some(without) = judge_without(document, named, session, settings) {
                        one.leave_to(&identity, |finding| {
                            finding.pointer.starts_with(place) && !stays(finding, &without)
                        });
                    }
                    continue;
                }
                Reference::Failed | Reference::Unjudged => continue,
            };
            if is_profile && leave_what_follows(one, named, reference, session, settings) && judged.is_none() {
                self.notes.extend(reference.unsaid_errors(named));
            }
            // What another provider says of the object is something else.
            if reference.provider != one.provider || judged.is_none() {
                continue;
            }
            let is_rejected = reference.ruling.verdict == Verdict::Reject;
            let is_repeated = |finding: &Finding| {
                let same = |own: &Finding| own.severity == Severity::Error && own.rule == finding.rule;
                finding.rule.is_some() && reference.ruling.findings.iter().any(|own| same(&own.finding))
            };
            one.leave_to(&identity, |finding| {
                is_rejected && is_about(finding) || is_binding && is_repeated(finding)
            });
        }
    }

    /// The object because of whose mistakes a policy could not judge one that names it, and what policies say of that
    /// one without these mistakes, or as if nobody knew the other.
    pub(super) fn hindrance(&mut self, document: &Document) -> Option<(Identity, Ruling)> {
        let (session, settings, with_notes) = (self.session, self.settings, self.with_notes);
        session.named(document).into_iter().find_map(|(_, identity)| {
            let judged = session.judged(document, &identity);
            let context = if with_notes { session.meant(document, &identity) } else { None };
            let named = judged.or(context)?;
            let known = self.known.entry(named).or_insert_with(|| judge_reference(named, session, settings));
            let corrected = match known {
                Reference::Failed if judged.is_some() => None,
                Reference::Judged(reference) if reference.ruling.verdict == Verdict::Reject => {
                    if judged.is_none() {
                        self.notes.extend(reference.unsaid_errors(named));
                    }
                    reference.corrected.as_ref()
                }
                Reference::Unjudged | Reference::Failed | Reference::Judged(_) => return None,
            };
            let ruling = corrected.and_then(|corrected| judge_with(document, named, corrected, session, settings));
            // What is not known as if nobody knew that object is not what is missing.
            let without = || judge_without(document, named, session, settings);
            let ruling = ruling.or_else(|| Some(Ruling { undecided: Vec::new(), ..without()? }))?;
            Some((identity, Ruling { verdict: Verdict::Reject, ..ruling }))
        })
    }

    /// The errors of objects that nobody asked to judge, and from which errors of others follow.
    pub(super) fn into_notes(self) -> impl Iterator<Item = String> {
        self.notes.into_iter()
    }
}

impl JudgedReference {
    /// The errors of the object that follow from no other one.
    fn open(&self) -> impl Iterator<Item = &PlacedFinding> {
        let is_open = |placed: &&PlacedFinding| {
            placed.finding.severity == Severity::Error && placed.finding.caused_by.is_none()
        };
        self.ruling.findings.iter().filter(is_open)
    }

    /// These errors, a sentence each, unless notes say them already.
    fn unsaid_errors(&mut self, named: &Document) -> Vec<String> {
        if std::mem::replace(&mut self.is_noted, true) {
            return Vec::new();
        }
        let sentence = |PlacedFinding { finding, span, .. }: &PlacedFinding| {
            let (place, line) = (named.input.name(), named.input.position(span.start).line);
            let headline = headline(finding, Some(named));
            format!("{} has an error itself ({place}:{line}): {headline}. {}", named.identity(), finding.remedy)
        };
        self.open().map(sentence).collect()
    }
}

fn judge_reference(named: &Document, session: &Session<'_>, settings: Settings<'_>) -> Reference {
    let (case, panel) = match session.panel(named, Effect::Validate) {
        Assignment::Judge(case, panel) => (case, panel),
        Assignment::Refuse(..) | Assignment::Fail(_) => return Reference::Failed,
        Assignment::Skip(..) => return Reference::Unjudged,
    };
    let Ok(ruling) = case.judge(&panel, settings) else { return Reference::Failed };
    let corrected = case.corrected(&ruling);
    let provider = panel.provider().to_owned();
    Reference::Judged(Box::new(JudgedReference { provider, ruling, corrected, is_noted: false }))
}

/// Leaves to a profile with mistakes the errors of an object that follow from these; whether there was any. What is
/// gone, or says something else, without the mistakes that Trellis can correct follows, and what these hid is
/// found. Of the others nobody knows what is meant: what follows is judged by a part of the profile that has an
/// error, and is not judged at all without the profile.
fn leave_what_follows(
    one: &mut Judged<'_>,
    named: &Document,
    reference: &JudgedReference,
    session: &Session<'_>,
    settings: Settings<'_>,
) -> bool {
    let mut is_any_gone = false;
    let corrected = reference.corrected.as_ref();
    if let Some(ruling) =
        corrected.and_then(|corrected| judge_with(one.document, named, corrected, session, settings))
    {
        is_any_gone = one.ruling.findings.iter().any(|placed| !stays(&placed.finding, &ruling));
        if is_any_gone {
            // The verdict is that of the objects as they are.
            one.ruling = Ruling { verdict: one.ruling.verdict, ..ruling };
        }
    }
    // A key that has another name is all that was wrong.
    let is_unknown = |placed: &&PlacedFinding| !placed.instead.iter().any(|change| change.op == "move");
    let profile: Vec<&str> =
        reference.open().filter(is_unknown).map(|placed| placed.finding.pointer.as_str()).collect();
    let (kind, errors) = (one.document.kind(), one.count(Severity::Error));
    let is_by_errors = |finding: &Finding| is_judged_by(kind, &finding.pointer, &profile);
    if errors > 0
        && one.ruling.findings.iter().any(|placed| is_by_errors(&placed.finding))
        && let Some(without) = judge_without(one.document, named, session, settings)
    {
        one.ruling.findings.retain(|placed| stays(&placed.finding, &without) || !is_by_errors(&placed.finding));
        is_any_gone |= one.count(Severity::Error) < errors;
    }
    if is_any_gone {
        one.left_to = Some(named.identity());
    }
    is_any_gone
}

/// What policies say of an object with another one in the place of one that it names.
fn judge_with(
    document: &Document,
    named: &Document,
    instead: &Document,
    session: &Session<'_>,
    settings: Settings<'_>,
) -> Option<Ruling> {
    let Assignment::Judge(case, panel) = session.panel(document, Effect::Validate) else { return None };
    case.with(named, instead).judge(&panel, settings).ok()
}

/// What policies say of an object as if nobody knew one that it names.
fn judge_without(
    document: &Document,
    named: &Document,
    session: &Session<'_>,
    settings: Settings<'_>,
) -> Option<Ruling> {
    let Assignment::Judge(case, panel) = session.panel(document, Effect::Validate) else { return None };
    case.without(named).judge(&panel, settings).ok()
}

/// Whether a finding is no error, or an object is judged alike otherwise.
fn stays(finding: &Finding, otherwise: &Ruling) -> bool {
    let is_same = |PlacedFinding { finding: other, .. }: &PlacedFinding| {
        (&other.source, &other.rule, &other.pointer, &other.detail)
            == (&finding.source, &finding.rule, &finding.pointer, &finding.detail)
    };
    finding.severity != Severity::Error || otherwise.findings.iter().any(is_same)
}
