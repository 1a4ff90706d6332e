//! For programs: one entry an object, as JSON or YAML.

use serde::Serialize;

use super::Error;
use super::{Judged, Remarks, Skipped};
use crate::CommandError;
use trellis_policies::answer::{DefaultChange, Finding, Scope, Severity, Undecided, Verdict};
use trellis_policies::judge::{AdmissionOperation, PlacedFinding, Upgrade};
use trellis_policies::source::{Source, read_own};

#[derive(Serialize)]
struct Entry<'j> {
    file: &'j str,
    line: usize,
    kind: String,
    namespace: String,
    name: String,
    provider: &'j str,
    operation: AdmissionOperation,
    #[serde(rename = "ofItself", skip_serializing_if = "std::ops::Not::not")]
    is_of_itself: bool,
    #[serde(rename = "applied", skip_serializing_if = "std::ops::Not::not")]
    is_applied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    upgrade: Option<&'j Upgrade>,
    verdict: Verdict,
    /// The object because of whose mistakes no policy could judge this one as it is.
    #[serde(rename = "leftTo", skip_serializing_if = "Option::is_none")]
    left_to: Option<String>,
    findings: Vec<PlacedEntry<'j>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    truncated: Vec<Severity>,
    undecided: &'j [Undecided],
    changes: &'j [DefaultChange],
    scope: &'j Scope,
}

/// What no policy judges.
#[derive(Serialize)]
struct SkippedEntry<'s> {
    file: &'s str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'s str>,
    /// Why.
    skipped: &'static str,
}

/// What could not be read, or not judged.
#[derive(Serialize)]
struct ErrorEntry<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    error: Error,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacedEntry<'j> {
    #[serde(flatten)]
    finding: &'j Finding,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    set_by: Option<&'j DefaultChange>,
}

fn entry<'j>(judged: &'j Judged<'_>) -> Entry<'j> {
    let input = &judged.document.input;
    let identity = judged.document.identity();
    Entry {
        file: input.name(),
        line: judged.document.position().line,
        kind: identity.kind,
        namespace: identity.namespace,
        name: identity.name,
        provider: &judged.provider,
        operation: judged.operation,
        is_of_itself: judged.operation == AdmissionOperation::UpdateOfItself,
        is_applied: judged.is_applied,
        upgrade: judged.upgrade.as_ref(),
        verdict: judged.ruling.verdict,
        left_to: judged.left_to.as_ref().map(ToString::to_string),
        findings: judged.ruling.findings.iter().map(|placed| placed_entry(input, placed)).collect(),
        truncated: judged.ruling.truncated.clone(),
        undecided: &judged.ruling.undecided,
        changes: &judged.ruling.changes,
        scope: &judged.ruling.scope,
    }
}

fn skipped_entry(skipped: &Skipped) -> SkippedEntry<'_> {
    let object = skipped.object.as_ref();
    SkippedEntry {
        file: skipped.input.name(),
        line: skipped.line(),
        kind: object.map(|object| object.kind.as_str()),
        namespace: object.map(|object| object.namespace.as_str()),
        name: object.map(|object| object.name.as_str()),
        skipped: skipped.why,
    }
}

fn error_entry(error: &CommandError) -> ErrorEntry<'_> {
    let place = error.place();
    let position = place.and_then(|(input, span)| Some(input.position(span?.start)));
    ErrorEntry {
        file: place.map(|(input, _)| input.name()),
        line: position.as_ref().map(|position| position.line),
        column: position.as_ref().map(|position| position.column),
        error: Error::of(error),
    }
}

fn placed_entry<'j>(input: &Source, placed: &'j PlacedFinding) -> PlacedEntry<'j> {
    let (start, end) = (input.position(placed.span.start), input.position(placed.span.end));
    PlacedEntry {
        finding: &placed.finding,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        set_by: placed.set_by.as_ref(),
    }
}

/// An entry for each object that was judged, then one for each that no policy judges, then one for each error.
#[derive(Serialize)]
#[serde(untagged)]
enum Item<'j> {
    Judged(Entry<'j>),
    Skipped(SkippedEntry<'j>),
    Error(ErrorEntry<'j>),
}

fn items<'j>(judged: &'j [Judged<'_>], remarks: Remarks<'j>) -> Vec<Item<'j>> {
    let judged = judged.iter().map(|one| Item::Judged(entry(one)));
    let skipped = remarks.skipped.iter().map(|one| Item::Skipped(skipped_entry(one)));
    let errors = remarks.errors.iter().map(|error| Item::Error(error_entry(error)));
    judged.chain(skipped).chain(errors).collect()
}

/// One array, as JSON.
pub(crate) fn json(judged: &[Judged<'_>], remarks: Remarks<'_>) -> String {
    // Cannot fail, because all keys are texts.
    serde_json::to_string_pretty(&items(judged, remarks)).unwrap_or_default() + "\n"
}

/// The same as YAML.
pub(crate) fn yaml(judged: &[Judged<'_>], remarks: Remarks<'_>) -> Result<String, CommandError> {
    let mut text = String::new();
    for item in items(judged, remarks) {
        let json = serde_json::to_string(&[item]).unwrap_or_default();
        for node in read_own(&json) {
            text.push_str(&node.to_yaml()?);
        }
    }
    if text.is_empty() { Ok("[]\n".to_owned()) } else { Ok(text) }
}
