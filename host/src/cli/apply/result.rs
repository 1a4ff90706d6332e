//! How a run ended, for programs: the last line after its events.

use serde::Serialize;
use serde_json::Value;

use crate::answer::Finding;
use crate::plan::StepFailure;
use crate::plan::document::InfrastructureStatus;
use crate::plan::reconcile::{Calls, Ending, Report};
use crate::plan::runner::Skipped;

#[derive(Serialize)]
struct Line<'r> {
    event: &'static str,
    ending: &'r Ending,
    /// Calls that changed the cloud.
    steps: usize,
    calls: Calls,
    failed: &'r [StepFailure],
    skipped: &'r [Skipped],
    left: &'r [String],
    findings: &'r [Finding],
    codes: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'r InfrastructureStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inventory: Option<Value>,
}

/// The line, with the inventory of the cloud where that is known.
pub(in crate::cli) fn result_line(report: &Report, inventory: Option<Value>) -> String {
    let line = Line {
        event: "result",
        ending: &report.ending,
        steps: report.steps,
        calls: report.calls,
        failed: &report.failed,
        skipped: &report.skipped,
        left: &report.left,
        findings: &report.findings,
        codes: &report.codes,
        status: report.status.as_ref().ok(),
        inventory,
    };
    // Never fails: there are only texts and numbers in it.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// The line where rules reject the manifest.
pub(in crate::cli) fn refused_line(findings: &[Finding]) -> String {
    let line = serde_json::json!({ "event": "result", "ending": Ending::Refused, "findings": findings });
    line.to_string() + "\n"
}
