//! What people read of a run.

use k8s_openapi::api::core::v1::ObjectReference;
use serde_json::Value;

use super::{CONFIGURATION, Task};
use crate::controller::runtime::errors::errors;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::{Kind, Operation};
use crate::controller::runtime::status::Failure;
use trellis_policies::answer;
use trellis_runner::document::{Action, Plan};
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::planner::ObserveError;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::RunError;

/// Writes what a plan does, into log and events.
pub(super) async fn plan(plan: &Plan, task: Task<'_>, kind: &Kind) {
    let Some(reference) = reference(task.object, kind) else { return };
    let text = summary(plan);
    tracing::info!(changes = plan.changes.len(), steps = plan.steps.len(), "plan: {text}");
    task.events.inform(&reference, "Planned", task.operation, &text).await;
    // Who deletes all of it knows that it stops working.
    let disruptions = plan.changes.iter().filter(|_| task.operation != Operation::Delete);
    for change in disruptions {
        if let Some(disruption) = &change.disruption {
            let text = format!("{} {} `{}`: {disruption}", change.action.verb(), change.kind, change.name);
            task.events.warn(&reference, "Disruption", task.operation, &text).await;
        }
    }
}

/// How events name an object of a kind.
pub(in crate::controller::kinds) fn reference(object: &Value, kind: &Kind) -> Option<ObjectReference> {
    let object: Extension = serde_json::from_value(object.clone()).ok()?;
    Some(object.reference(kind))
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
        Ending::Refused => Failure { is_refused: true, message: errors(&report.findings), codes, after: None },
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
        RunError::Observe(ObserveError::Policy(reported)) if reported.code == answer::Failure::MALFORMED => {
            Failure { is_refused: true, ..failure.coded(CONFIGURATION) }
        }
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_summary_counts_the_kinds_that_an_action_changes() {
        let change = |action: Action, kind: &str| -> trellis_runner::document::Change {
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
