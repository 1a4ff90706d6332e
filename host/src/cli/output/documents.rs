//! For programs: one entry an object, as JSON or YAML.

use serde::Serialize;

use super::Judged;
use crate::answer::{DefaultChange, Finding, Severity, Undecided, Verdict};
use crate::cli::Trouble;
use crate::judge::{AdmissionOperation, PlacedFinding};
use crate::source::{Source, read_own};

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
    verdict: Verdict,
    findings: Vec<PlacedEntry<'j>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    truncated: Vec<Severity>,
    undecided: &'j [Undecided],
    changes: &'j [DefaultChange],
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
        provider: judged.provider,
        operation: judged.operation,
        is_of_itself: judged.operation == AdmissionOperation::UpdateOfItself,
        verdict: judged.ruling.verdict,
        findings: judged.ruling.findings.iter().map(|placed| placed_entry(input, placed)).collect(),
        truncated: judged.ruling.truncated(),
        undecided: &judged.ruling.undecided,
        changes: &judged.ruling.changes,
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

/// One array, as JSON.
pub(in crate::cli) fn json(judged: &[Judged<'_>]) -> String {
    let entries: Vec<Entry<'_>> = judged.iter().map(entry).collect();
    // Cannot fail: all keys are texts.
    serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
}

/// The same as YAML.
pub(in crate::cli) fn yaml(judged: &[Judged<'_>]) -> Result<String, Trouble> {
    if judged.is_empty() {
        return Ok("[]\n".to_owned());
    }
    let mut text = String::new();
    for one in judged {
        let json = serde_json::to_string(&[entry(one)]).unwrap_or_default();
        for node in read_own(&json) {
            text.push_str(&node.to_yaml()?);
        }
    }
    Ok(text)
}
