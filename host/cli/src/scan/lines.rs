//! For programs: an object a line, the last line with the sums.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Report;
use crate::CommandError;
use crate::output::Error;
use trellis_kubernetes::scan::judge::{Judged, Skipped};
use trellis_kubernetes::scan::tally::Ends;
use trellis_policies::answer::{DefaultChange, Finding, Severity, Undecided, Verdict};
use trellis_policies::manifest::Identity;

#[derive(Serialize)]
struct Object<'o> {
    kind: &'o str,
    namespace: &'o str,
    name: &'o str,
}

impl<'o> Object<'o> {
    fn of(Identity { kind, namespace, name }: &'o Identity) -> Self {
        Self { kind, namespace, name }
    }
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Line<'l> {
    /// An object that was judged.
    Object {
        #[serde(flatten)]
        object: Object<'l>,
        provider: &'l str,
        verdict: Verdict,
        findings: Vec<FoundEntry<'l>>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        truncated: &'l [Severity],
        undecided: &'l [Undecided],
        /// What it refers to and could not be read, with the reason.
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        unread: &'l [String],
    },
    /// An object that no policy judges.
    Skipped {
        #[serde(flatten)]
        object: Object<'l>,
        /// Why.
        skipped: String,
    },
    /// An object that could not be judged, or a list that could not be read.
    Error {
        #[serde(flatten)]
        object: Option<Object<'l>>,
        error: Error,
    },
    /// The sums.
    Result {
        kinds: Vec<KindEntry>,
        rules: Vec<RuleEntry<'l>>,
        scope: ScopeEntry<'l>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundEntry<'l> {
    #[serde(flatten)]
    finding: &'l Finding,
    /// The default that set what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_by: Option<&'l DefaultChange>,
}

#[derive(Serialize)]
struct KindEntry {
    kind: &'static str,
    #[serde(flatten)]
    ends: Ends,
}

#[derive(Serialize)]
struct RuleEntry<'l> {
    rule: &'l str,
    severity: &'l str,
    objects: u64,
}

/// What the verdicts cover, of all objects.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScopeEntry<'l> {
    checked: BTreeSet<&'l str>,
    not_checked: BTreeSet<&'l str>,
}

/// An object that was judged.
pub(super) fn judged(Judged { document, provider, ruling, unread }: &Judged) -> String {
    let identity = document.identity();
    let findings = ruling
        .findings
        .iter()
        .map(|placed| FoundEntry { finding: &placed.finding, set_by: placed.set_by.as_ref() });
    line(&Line::Object {
        object: Object::of(&identity),
        provider,
        verdict: ruling.verdict,
        findings: findings.collect(),
        truncated: &ruling.truncated,
        undecided: &ruling.undecided,
        unread,
    })
}

/// An object that no policy judges.
pub(super) fn skipped(identity: &Identity, why: &Skipped) -> String {
    line(&Line::Skipped { object: Object::of(identity), skipped: why.to_string() })
}

/// An object that could not be judged, or a list that could not be read.
pub(super) fn error(identity: Option<&Identity>, error: &CommandError) -> String {
    line(&Line::Error { object: identity.map(Object::of), error: Error::of(error) })
}

/// The sums, and the last error of the scan as a whole.
pub(super) fn result(report: &Report) -> String {
    let kinds = report.tally.kinds().map(|(kind, ends)| KindEntry { kind: kind.name(), ends });
    let rules = report.tally.rules.iter().map(|((severity, rule), count)| RuleEntry {
        rule,
        severity,
        objects: count.objects,
    });
    let mut scope = ScopeEntry { checked: BTreeSet::new(), not_checked: BTreeSet::new() };
    for (_, of) in report.tally.scopes() {
        scope.checked.extend(of.checked.iter().map(String::as_str));
        scope.not_checked.extend(of.not_checked.iter().map(String::as_str));
    }
    line(&Line::Result {
        kinds: kinds.collect(),
        rules: rules.collect(),
        scope,
        error: report.errors.last().map(Error::of),
    })
}

fn line(line: &Line<'_>) -> String {
    // Cannot fail: all keys are texts.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}
