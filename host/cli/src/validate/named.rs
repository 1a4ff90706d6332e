//! Errors of an object that are told at another one, which it names.

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
    known: HashMap<*const Document, Option<JudgedReference>>,
    notes: BTreeSet<String>,
}

/// What is told of an object that others name.
struct JudgedReference {
    provider: String,
    ruling: Ruling,
    /// The object without its mistakes, where Trellis knows how to correct some.
    corrected: Option<Document>,
}

impl<'s> Named<'s> {
    pub(super) fn new(session: &'s Session<'s>, settings: Settings<'s>) -> Self {
        Self { session, settings, known: HashMap::new(), notes: BTreeSet::new() }
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
            let context = is_profile.then(|| session.meant(document, &identity)).flatten();
            let Some(named) = judged.or(context) else { continue };
            let told = self.known.entry(named).or_insert_with(|| told(named, session, settings)).as_ref();
            if let Some((told, corrected)) = told.and_then(|told| Some((told, told.corrected.as_ref()?)))
                && is_profile
                && leave_what_follows(one, named, corrected, session, settings)
                && judged.is_none()
            {
                self.notes.extend(told.errors(named));
            }
            // What another provider says of the object is something else.
            let Some(told) = told.filter(|told| told.provider == one.provider && judged.is_some()) else {
                continue;
            };
            let is_rejected = told.ruling.verdict == Verdict::Reject;
            let is_told = |finding: &Finding| {
                let same = |told: &Finding| told.severity == Severity::Error && told.rule == finding.rule;
                finding.rule.is_some() && told.ruling.findings.iter().any(|told| same(&told.finding))
            };
            one.leave_to(&identity, |finding| is_rejected && is_about(finding) || is_binding && is_told(finding));
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

fn told(named: &Document, session: &Session<'_>, settings: Settings<'_>) -> Option<JudgedReference> {
    let Assignment::Judge(case, panel) = session.panel(named, Effect::Validate) else { return None };
    let ruling = case.judge(&panel, settings).ok()?;
    let corrected = case.corrected(&ruling);
    Some(JudgedReference { provider: panel.provider().to_owned(), ruling, corrected })
}

/// Leaves to an object with mistakes the errors of another one that are gone without these mistakes, and finds those
/// that they hid; whether there was any.
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
            (&other.source, &other.rule, &other.pointer) == (&finding.source, &finding.rule, &finding.pointer)
        };
        finding.severity != Severity::Error || ruling.findings.iter().any(is_same)
    };
    let is_any_gone = !one.ruling.findings.iter().all(stays);
    if is_any_gone {
        one.ruling.findings = ruling.findings;
        one.ruling.truncated = ruling.truncated;
        one.left_to = Some(named.identity());
    }
    is_any_gone
}
