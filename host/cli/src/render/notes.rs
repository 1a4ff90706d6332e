//! What people read next to the manifests, on standard error.

use super::renderer::Rendered;
use crate::Streams;
use crate::notes::{show_ambiguous, show_undecided};
use crate::output::{Judged, Style, clean, count};
use trellis_policies::answer::{ObjectName, Verdict};
use trellis_policies::judge::{AdmissionOperation, PlacedFinding, Ruling, place};

/// Prints the findings of a control plane, what is not known of it, and what else its manifests do not say.
pub(super) fn say(rendered: &mut Rendered<'_>, streams: &mut Streams<'_>) {
    findings(rendered, streams);
    show_ambiguous(rendered.document, &rendered.ambiguous, streams);
    show_undecided(rendered.document, &rendered.open_defaults, streams);
    let answer = &rendered.answer;
    if answer.managed_resources.is_none() {
        return;
    }
    placeholders(rendered, streams);
    let style = Style::new(streams.stderr_has_color);
    let judged = judged(rendered, Vec::new());
    for open in answer.undecided.iter().filter(|open| open.query.is_some()) {
        streams.say(&style.undecided(&judged, open));
    }
    for restart in &answer.restarts {
        let text = format!("the pods of {} may restart: {}", name(&restart.object()), restart.why);
        note(rendered, &text, streams);
    }
    if answer.requeue {
        let text = "render it again later: the Shoot hibernates, and its kube-apiserver still runs";
        note(rendered, text, streams);
    }
    if !answer.delete.is_empty() {
        let names: Vec<String> = answer.delete.iter().map(name).collect();
        let names = names.join(", ");
        let text = format!("the extension deletes what earlier releases left behind, where it exists: {names}");
        note(rendered, &text, streams);
    }
}

/// Prints what is wrong with an older version.
pub(super) fn say_of_older(rendered: &mut Rendered<'_>, streams: &mut Streams<'_>) {
    findings(rendered, streams);
    show_ambiguous(rendered.document, &rendered.ambiguous, streams);
}

/// The findings, which the answer then lacks.
fn findings(rendered: &mut Rendered<'_>, streams: &mut Streams<'_>) {
    let style = Style::new(streams.stderr_has_color);
    let found = std::mem::take(&mut rendered.answer.findings);
    let findings = found.into_iter().map(|finding| place(rendered.document, finding, &rendered.changes)).collect();
    let judged = judged(rendered, findings);
    for placed in &judged.ruling.findings {
        streams.say(&style.finding(&judged, placed));
    }
}

/// The control plane, as findings and open questions are printed of an object that was judged.
fn judged<'m>(rendered: &Rendered<'m>, findings: Vec<PlacedFinding>) -> Judged<'m> {
    Judged {
        document: rendered.document,
        provider: rendered.provider.clone(),
        operation: AdmissionOperation::Create,
        is_applied: false,
        upgrade: None,
        left_to: None,
        ruling: Ruling { findings, ..Ruling::of(Verdict::Accept) },
    }
}

/// What placeholders stand for, a line each.
fn placeholders(rendered: &Rendered<'_>, streams: &mut Streams<'_>) {
    let answer = &rendered.answer;
    let whys: Vec<&str> =
        answer.undecided.iter().filter(|open| open.query.is_none()).map(|open| open.why.as_str()).collect();
    if whys.is_empty() {
        return;
    }
    let sum = format!("this is a preview with {}", count(whys.len(), "placeholder"));
    note(rendered, &sum, streams);
    for why in whys {
        streams.say(&format!("  {}\n", clean(why)));
    }
}

fn note(rendered: &Rendered<'_>, text: &str, streams: &mut Streams<'_>) {
    let document = rendered.document;
    streams.say(&(clean(&format!("note: {} ({}): {text}", document.identity(), document.place())) + "\n"));
}

/// `Deployment kube-system/a`
pub(super) fn name(object: &ObjectName) -> String {
    let ObjectName { kind, namespace, name, .. } = object;
    let slash = if namespace.is_empty() { "" } else { "/" };
    format!("{kind} {namespace}{slash}{name}")
}
