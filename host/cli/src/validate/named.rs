//! Errors of an object that stand at another one, which it names.

use std::collections::{BTreeSet, HashMap};

use crate::output::Judged;
use crate::session::{Assignment, Session};
use trellis_policies::answer::{Effect, Finding, Severity, Verdict};
use trellis_policies::headline::headline;
use trellis_policies::judge::{PlacedFinding, Ruling, Settings};
use trellis_policies::manifest::Document;
use trellis_policies::policy::GARDENER;

/// The objects that others name, each judged once.
pub(super) struct Named<'s> {
    session: &'s Session<'s>,
    settings: Settings<'s>,
    /// Whether errors may be left to objects that nobody asked to judge, which notes name then. A report that has
    /// results alone would lose these errors.
    with_notes: bool,
    known: HashMap<*const Document, Option<JudgedReference>>,
    notes: BTreeSet<String>,
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
            let is_any_about = one.ruling.findings.iter().any(|placed| is_about(&placed.finding));
            if !is_binding && !is_profile && !is_any_about {
                continue;
            }
            let judged = session.judged(document, &identity);
            let is_context = is_profile && self.with_notes;
            let context = is_context.then(|| session.meant(document, &identity)).flatten();
            let Some(named) = judged.or(context) else { continue };
            let known = self.known.entry(named).or_insert_with(|| judge_reference(named, session, settings));
            let Some(reference) = known.as_ref() else { continue };
            if let Some(corrected) = reference.corrected.as_ref().filter(|_| is_profile)
                && leave_what_follows(one, named, corrected, session, settings)
                && judged.is_none()
            {
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

    /// The errors of objects that nobody asked to judge, and from which errors of others follow.
    pub(super) fn into_notes(self) -> impl Iterator<Item = String> {
        self.notes.into_iter()
    }
}

impl JudgedReference {
    /// The errors of the object, a sentence each.
    fn errors(&self, named: &Document) -> impl Iterator<Item = String> {
        let is_open = |placed: &&PlacedFinding| {
            placed.finding.severity == Severity::Error && placed.finding.caused_by.is_none()
        };
        let sentence = |PlacedFinding { finding, span, .. }: &PlacedFinding| {
            let (place, line) = (named.input.name(), named.input.position(span.start).line);
            let headline = headline(finding, Some(named));
            format!("{} has an error itself ({place}:{line}): {headline}. {}", named.identity(), finding.remedy)
        };
        self.ruling.findings.iter().filter(is_open).map(sentence)
    }
}

fn judge_reference(named: &Document, session: &Session<'_>, settings: Settings<'_>) -> Option<JudgedReference> {
    let Assignment::Judge(case, panel) = session.panel(named, Effect::Validate) else { return None };
    let ruling = case.judge(&panel, settings).ok()?;
    let corrected = case.corrected(&ruling);
    Some(JudgedReference { provider: panel.provider().to_owned(), ruling, corrected })
}

/// Leaves to an object with mistakes the errors of another one that are gone, or say something else, without these
/// mistakes, and finds those that they hid; whether there was any.
fn leave_what_follows(
    one: &mut Judged<'_>,
    named: &Document,
    corrected: &Document,
    session: &Session<'_>,
    settings: Settings<'_>,
) -> bool {
    let Assignment::Judge(case, panel) = session.panel(one.document, Effect::Validate) else { return false };
    let Ok(ruling) = case.with(named, corrected).judge(&panel, settings) else { return false };
    let stays = |PlacedFinding { finding, .. }: &PlacedFinding| {
        let is_same = |PlacedFinding { finding: other, .. }: &PlacedFinding| {
            (&other.source, &other.rule, &other.pointer, &other.detail)
                == (&finding.source, &finding.rule, &finding.pointer, &finding.detail)
        };
        finding.severity != Severity::Error || ruling.findings.iter().any(is_same)
    };
    let is_any_gone = !one.ruling.findings.iter().all(stays);
    if is_any_gone {
        // The verdict is that of the objects as they are.
        one.ruling = Ruling { verdict: one.ruling.verdict, ..ruling };
        one.left_to = Some(named.identity());
    }
    is_any_gone
}
