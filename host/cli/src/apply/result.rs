//! How a run ended, for programs: the last line after its events.

use serde::Serialize;
use serde_json::Value;

use trellis_policies::answer::Finding;
use trellis_runner::document::SubjectStatus;
use trellis_runner::plan::StepFailure;
use trellis_runner::plan::event::{Calls, Ending};
use trellis_runner::plan::reconcile::Report;
use trellis_runner::plan::runner::Skipped;

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
    status: Option<&'r SubjectStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inventory: Option<Value>,
}

/// The line, with the inventory of the cloud where that is known.
pub(crate) fn result_line(report: &Report, inventory: Option<Value>) -> String {
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
pub(crate) fn refused_line(findings: &[Finding]) -> String {
    let line = serde_json::json!({ "event": "result", "ending": Ending::Refused, "findings": findings });
    line.to_string() + "\n"
}
