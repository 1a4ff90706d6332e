//! SARIF 2.1.0, for code scanning services and editors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::{Judged, Remarks, Skipped, headline, home, nearest, since};
use crate::CommandError;
use trellis_policies::answer::{Rule, RuleWords, Severity};
use trellis_policies::policy::Policy;
use trellis_policies::source::{Source, Span};

#[derive(Serialize)]
struct Log<'l> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'l>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'l> {
    tool: Tool<'l>,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<ResultEntry<'l>>,
}

#[derive(Serialize)]
struct Tool<'l> {
    driver: Driver<'l>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'l> {
    name: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'static str>,
    rules: Vec<Descriptor<'l>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'l> {
    id: &'l str,
    #[serde(flatten)]
    texts: Option<Texts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
}

/// What a rule says to a person.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Texts {
    short_description: Message,
    full_description: Message,
    help: Message,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultEntry<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_id: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// One run with the rules of its results.
pub(crate) fn sarif<'s>(
    judged: &'s [Judged<'_>],
    policies: impl Iterator<Item = &'s Policy<'s>>,
    remarks: Remarks<'_>,
) -> String {
    let (mut rules, mut wordless) = (Vec::new(), Vec::new());
    let used = used(judged);
    for policy in policies {
        let is_used = |rule: &Rule| used.contains(rule.id.as_str());
        if !policy.rules().iter().any(is_used) {
            continue;
        }
        match policy.rules_in_words() {
            Ok(in_words) => {
                let of_results = in_words.into_iter().filter(|(rule, _)| is_used(rule));
                rules.extend(of_results.map(|(rule, words)| descriptor(policy, rule, Some(words))));
            }
            Err(error) => {
                let of_results = policy.rules().iter().filter(|rule| is_used(rule));
                rules.extend(of_results.map(|rule| descriptor(policy, rule, None)));
                let message = Message { text: error.to_string() };
                wordless.push(Notification { level: "warning", message, locations: Vec::new() });
            }
        }
    }
    let indices: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(index, rule)| (rule.id, index)).collect();
    let results = judged.iter().flat_map(|one| results(one, &indices)).collect();
    let notes = judged.iter().flat_map(notes);
    let covered = remarks.scope.map(str::to_owned).map(|text| Notification {
        level: "note",
        message: Message { text },
        locations: Vec::new(),
    });
    let invocation = Invocation {
        execution_successful: remarks.errors.is_empty(),
        tool_execution_notifications: notes
            .chain(wordless)
            .chain(remarks.skipped.iter().map(skipped))
            .chain(remarks.errors.iter().map(notification))
            .chain(covered)
            .collect(),
    };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "trellis",
                    version: env!("CARGO_PKG_VERSION"),
                    information_uri: home::address(),
                    rules,
                },
            },
            column_kind: "utf16CodeUnits",
            invocations: [invocation],
            results,
        }],
    };
    // Cannot fail, because all keys are texts.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// The ids of the rules that results come from.
fn used<'s>(judged: &'s [Judged<'_>]) -> BTreeSet<&'s str> {
    let of_one = |one: &'s Judged<'_>| {
        let findings = one.unfolded().filter_map(|placed| placed.finding.rule.as_deref());
        findings.chain(one.ruling.undecided.iter().map(|undecided| undecided.rule.as_str()))
    };
    judged.iter().flat_map(of_one).collect()
}

fn descriptor<'s>(policy: &Policy<'_>, rule: &'s Rule, words: Option<RuleWords>) -> Descriptor<'s> {
    let message = |text| Message { text };
    let texts = words.map(|words| Texts {
        short_description: message(words.summary),
        full_description: message(words.why),
        help: message(words.fix),
    });
    Descriptor {
        id: &rule.id,
        texts,
        help_uri: home::of_rule(policy.provider(), &rule.id),
        default_configuration: Configuration { level: rule.severity.map_or("none", level) },
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn results<'s>(judged: &'s Judged<'_>, indices: &BTreeMap<&str, usize>) -> Vec<ResultEntry<'s>> {
    let document = judged.document;
    let input = &document.input;
    let identity = document.identity();
    let findings = judged.unfolded().map(|placed| {
        let finding = &placed.finding;
        let mut text = headline(finding, Some(document));
        let reason = placed.set_by.as_ref().map(|change| change.reason.clone());
        let parts = std::iter::once(finding.remedy.clone()).chain(nearest(finding)).chain(since(finding));
        for part in parts.chain(judged.followers(placed)).chain(reason) {
            let _ = write!(text, "\n{part}");
        }
        ResultEntry {
            rule_id: finding.rule.as_deref(),
            rule_index: finding.rule.as_deref().and_then(|rule| indices.get(rule).copied()),
            kind: "fail",
            level: level(finding.severity),
            message: Message { text },
            locations: [location(input, Some(placed.span), format!("{identity}#{}", finding.pointer))],
        }
    });
    let undecided = judged.ruling.undecided.iter().map(|undecided| ResultEntry {
        rule_id: Some(&undecided.rule),
        rule_index: indices.get(undecided.rule.as_str()).copied(),
        kind: "open",
        level: "none",
        message: Message { text: undecided.why.clone() },
        locations: [location(input, Some(document.root.locate("").highlight(input)), identity.to_string())],
    });
    findings.chain(undecided).collect()
}

/// What is to be known of an object in addition to its findings.
fn notes(judged: &Judged<'_>) -> impl Iterator<Item = Notification> {
    let note = |level, text| {
        let (input, identity) = (&judged.document.input, judged.document.identity().to_string());
        let place = judged.document.root.locate("").highlight(input);
        Notification { level, message: Message { text }, locations: vec![location(input, Some(place), identity)] }
    };
    let truncation = judged.truncation().map(|text| note("warning", text));
    truncation.into_iter().chain(judged.manner().map(|text| note("note", text)))
}

fn skipped(skipped: &Skipped) -> Notification {
    let name = skipped.object.as_ref().map(ToString::to_string).unwrap_or_default();
    Notification {
        level: "note",
        message: Message { text: skipped.to_string() },
        locations: vec![location(&skipped.input, Some(skipped.span), name)],
    }
}

fn notification(error: &CommandError) -> Notification {
    let locations = error.place().map(|(input, span)| location(input, span, String::new()));
    Notification {
        level: "error",
        message: Message { text: error.to_string() },
        locations: locations.into_iter().collect(),
    }
}

fn location(input: &Source, span: Option<Span>, name: String) -> Location {
    let region = span.map(|span| {
        let (start, end) = (input.position(span.start), input.position(span.end));
        Region {
            start_line: start.line,
            start_column: start.utf16_column,
            end_line: end.line,
            end_column: end.utf16_column,
        }
    });
    let artifact_location = ArtifactLocation { uri: uri(input.name()) };
    let logical_locations =
        if name.is_empty() { Vec::new() } else { vec![LogicalLocation { fully_qualified_name: name }] };
    Location { physical_location: PhysicalLocation { artifact_location, region }, logical_locations }
}

/// A path as a URI reference (RFC 3986); relative paths stay relative.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}
