//! What people are told of a run.

use std::fmt::Write as _;

use serde_json::Value;

use super::{CONFIGURATION, Task};
use crate::answer::{self, Finding, Severity};
use crate::controller::kind::Operation;
use crate::controller::status::Failure;
use crate::plan::document::{Action, Plan};
use crate::plan::planner::ObserveError;
use crate::plan::reconcile::{Ending, Report};
use crate::run::RunError;

/// The most characters of a value in a message.
const MOST_CHARACTERS: usize = 120;

/// Writes what a plan does, into log and events.
pub(super) async fn plan(plan: &Plan, task: Task<'_>) {
    let Some(reference) = reference(task) else { return };
    let text = summary(plan);
    tracing::info!(changes = plan.changes.len(), steps = plan.steps.len(), "plan: {text}");
    task.events.tell(&reference, "Planned", task.operation, &text).await;
    // Who deletes all of it knows that it stops working.
    let disruptions = plan.changes.iter().filter(|_| task.operation != Operation::Delete);
    for change in disruptions {
        if let Some(disruption) = &change.disruption {
            let text = format!("{} {} `{}`: {disruption}", change.action.verb(), change.kind, change.name);
            task.events.warn(&reference, "Disruption", task.operation, &text).await;
        }
    }
}

fn reference(task: Task<'_>) -> Option<k8s_openapi::api::core::v1::ObjectReference> {
    let object: crate::controller::extension::Extension = serde_json::from_value(task.object.clone()).ok()?;
    Some(object.reference(&crate::controller::kind::INFRASTRUCTURE))
}

/// `create VPC, 2 VSwitch; update security group`
fn summary(plan: &Plan) -> String {
    const ORDER: [Action; 6] =
        [Action::Replace, Action::Delete, Action::Adopt, Action::Create, Action::Update, Action::Associate];
    let mut parts = Vec::new();
    for action in ORDER {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for change in plan.changes.iter().filter(|change| change.action == action) {
            match kinds.iter_mut().find(|(kind, _)| *kind == change.kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((&change.kind, 1)),
            }
        }
        let kinds: Vec<String> = kinds
            .into_iter()
            .map(|(kind, count)| if count == 1 { kind.to_owned() } else { format!("{count} × {kind}") })
            .collect();
        if !kinds.is_empty() {
            parts.push(format!("{} {}", action.verb(), kinds.join(", ")));
        }
    }
    parts.join("; ")
}

/// Why a run did not come to its end.
pub(super) fn failure(report: &Report) -> Failure {
    let codes = report.codes.clone();
    match &report.ending {
        Ending::Refused => {
            let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
            let texts: Vec<String> = errors.map(line).collect();
            Failure { is_refused: true, message: texts.join("; "), codes }
        }
        Ending::Failed => {
            let mut texts: Vec<&str> = Vec::new();
            for failed in &report.failed {
                if !texts.contains(&failed.message.as_str()) {
                    texts.push(&failed.message);
                }
            }
            Failure { codes, ..Failure::new(texts.join("; ")) }
        }
        ending => Failure { codes, ..Failure::new(ending.to_string()) },
    }
}

/// Why a run has no report.
pub(super) fn broken(error: &RunError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        // The policy cannot read what it was given.
        RunError::Observe(ObserveError::Policy(told)) if told.code == answer::Failure::MALFORMED => {
            Failure { is_refused: true, ..failure.coded(CONFIGURATION) }
        }
        _ => failure,
    }
}

/// What is wrong with which field, and what to do.
fn line(finding: &Finding) -> String {
    let mut text = String::new();
    if !finding.field.is_empty() {
        text.push_str(&finding.field);
        text.push_str(": ");
    }
    text.push_str(finding.sort());
    if let Some(value) = finding.bad_value.as_ref().and_then(|raw| shown(raw.get())) {
        // Writing to a string does not fail.
        let _ = write!(text, ": {value}");
    }
    // Some remedies repeat the detail.
    let (detail, remedy) = (finding.detail.trim_end_matches('.'), finding.remedy.as_str());
    let parts = if remedy.contains(detail) { [remedy, ""] } else { [detail, remedy] };
    for (part, before) in parts.into_iter().zip([": ", ". "]).filter(|(part, _)| !part.is_empty()) {
        text.push_str(before);
        text.push_str(part);
    }
    text
}

/// A value as Kubernetes prints it.
fn shown(raw: &str) -> Option<String> {
    match serde_json::from_str(raw).ok()? {
        Value::Null => None,
        value => {
            let text = value.to_string();
            let cut: String = text.chars().take(MOST_CHARACTERS).collect();
            Some(if cut.len() < text.len() { format!("{cut}…") } else { text })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_finding_says_what_is_wrong_where_and_what_to_do() {
        let finding: Finding = serde_json::from_value(json!({
            "rule": "ALI-ICV-008", "severity": "error", "type": "FieldValueInvalid", "field": "networks.vpc.id",
            "pointer": "/spec/providerConfig/networks/vpc/id", "badValue": "vpc-1",
            "detail": "no user natgateway found", "remedy": "Create one.",
        }))
        .unwrap();
        assert_eq!(
            line(&finding),
            "networks.vpc.id: Invalid value: \"vpc-1\": no user natgateway found. Create one."
        );
    }

    #[test]
    fn a_summary_counts_the_kinds_that_an_action_changes() {
        let change = |action: Action, kind: &str| -> crate::plan::document::Change {
            serde_json::from_value(json!({ "id": "x", "action": action, "kind": kind, "name": "n" })).unwrap()
        };
        let changes = vec![
            change(Action::Create, "VPC"),
            change(Action::Create, "VSwitch"),
            change(Action::Create, "VSwitch"),
            change(Action::Delete, "EIP"),
        ];
        assert_eq!(summary(&Plan { changes, ..Plan::default() }), "delete EIP; create VPC, 2 × VSwitch");
    }
}
