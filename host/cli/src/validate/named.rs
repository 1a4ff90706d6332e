//! Errors of an object that stand at another one, which it names.

use std::collections::{BTreeSet, HashMap};

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
    notes: BTreeSet<String>,
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
}

impl<'s> Named<'s> {
    pub(super) fn new(session: &'s Session<'s>, settings: Settings<'s>, with_notes: bool) -> Self {
        Self { session, settings, with_notes, known: HashMap::new(), notes: BTreeSet::new() }
    }

    /// Leaves errors of an object to the objects that it names, where they are told there: what is wrong with a
    /// Secret at the Secret, and with a CloudProfile there, and not once more at each Shoot.
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
            let is_binding = document.kind() != "Shoot";
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
                // Nobody can say more of a reference to what is judged by nobody.
                Reference::Failed if judged.is_some() => {
                    one.leave_to(&identity, |finding| finding.pointer.starts_with(place));
                    continue;
                }
                Reference::Failed | Reference::Unjudged => continue,
            };
            if is_profile && leave_what_follows(one, named, reference, session, settings) && judged.is_none() {
                self.notes.extend(reference.errors(named));
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

    /// The judged object because of whose mistakes a policy could not judge one that names it: the policy can, as
    /// if nobody knew that object.
    pub(super) fn hindrance(&mut self, document: &Document) -> Option<Identity> {
        let (session, settings) = (self.session, self.settings);
        session.named(document).into_iter().map(|(_, identity)| identity).find(|identity| {
            let Some(named) = session.judged(document, identity) else { return false };
            let known = self.known.entry(named).or_insert_with(|| judge_reference(named, session, settings));
            let is_wrong = match known {
                Reference::Unjudged => false,
                Reference::Failed => true,
                Reference::Judged(reference) => reference.ruling.verdict == Verdict::Reject,
            };
            is_wrong && judge_without(document, named, session, settings).is_some()
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

    /// These errors, a sentence each.
    fn errors(&self, named: &Document) -> impl Iterator<Item = String> {
        let sentence = |PlacedFinding { finding, span, .. }: &PlacedFinding| {
            let (place, line) = (named.input.name(), named.input.position(span.start).line);
            let headline = headline(finding, Some(named));
            format!("{} has an error itself ({place}:{line}): {headline}. {}", named.identity(), finding.remedy)
        };
        self.open().map(sentence)
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
    Reference::Judged(Box::new(JudgedReference { provider, ruling, corrected }))
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
    let judge_with = |corrected| {
        let Assignment::Judge(case, panel) = session.panel(one.document, Effect::Validate) else { return None };
        case.with(named, corrected).judge(&panel, settings).ok()
    };
    let mut is_any_gone = false;
    if let Some(ruling) = reference.corrected.as_ref().and_then(judge_with) {
        is_any_gone = one.ruling.findings.iter().any(|placed| !stays(placed, &ruling));
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
        one.ruling.findings.retain(|placed| stays(placed, &without) || !is_by_errors(&placed.finding));
        is_any_gone |= one.count(Severity::Error) < errors;
    }
    if is_any_gone {
        one.left_to = Some(named.identity());
    }
    is_any_gone
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
fn stays(PlacedFinding { finding, .. }: &PlacedFinding, otherwise: &Ruling) -> bool {
    let is_same = |PlacedFinding { finding: other, .. }: &PlacedFinding| {
        (&other.source, &other.rule, &other.pointer, &other.detail)
            == (&finding.source, &finding.rule, &finding.pointer, &finding.detail)
    };
    finding.severity != Severity::Error || otherwise.findings.iter().any(is_same)
}
